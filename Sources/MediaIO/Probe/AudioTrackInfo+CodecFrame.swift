package import CompositorAPI

extension AudioTrackInfo {
  /// The longest duration of a packet of the track's codec, by which encoders pad the ends of audio; 0 for codecs that store any
  /// number of samples.
  package var codecFrameDuration: MediaTime {
    guard sampleRate > 0 else { return .zero }
    if codec == "opus" { return MediaTime(value: 60, timescale: 1000) }
    return MediaTime(value: Self.codecFrameSize(codec), timescale: Int32(clamping: sampleRate))
  }

  private static func codecFrameSize(_ codec: String) -> Int64 {
    switch codec {
    // HE-AAC has frames of 2048 samples.
    case "aac", "vorbis", "wmav1", "wmav2", "wmapro": 2048
    case "mp1", "mp2", "mp3": 1152
    case "ac3", "eac3": 1536
    case "dts": 2048
    case "amr_nb", "gsm": 160
    case "amr_wb", "speex": 640
    case "flac", "alac", "tta", "wavpack", "ape": 0
    default: codec.hasPrefix("pcm_") || codec.hasPrefix("adpcm_") ? 0 : 1024
    }
  }
}
