import CompositorAPI
import CompositorMediaIO
import CompositorMediaWriting

// Notes on samples of sources that have more bits than those of the output.

extension ExportSettings {
  /// A note on the source with the finest samples, if a lossless codec of the output has coarser ones, or if the output is lossy
  /// only because its file is by default.
  func noteOnSamples(
    of tracks: [(source: MediaSource, info: AudioTrackInfo)], _ encoding: AudioEncodingSettings, in container: MovieContainer
  ) -> [String] {
    if audio?.chosenCodec == nil, encoding.codec == .aac, container.isAudioOnly, container.audioCodecs.contains(.alac),
      let (source, _) = tracks.first(where: { $0.info.codec == "alac" })
    {
      return ["audio of \(source) is lossless (alac), the output is AAC: --audio-codec alac keeps it"]
    }
    guard let depth = encoding.sampleBits, let finest = tracks.max(by: { $0.info.sampleBits < $1.info.sampleBits }),
      finest.info.sampleBits > depth
    else { return [] }
    let wanted: AudioEncodingSettings.Codec = finest.info.sampleBits > 24 ? .pcmFloat32 : .pcmInt24
    let has = finest.info.isFloatingPoint ? "is floating point" : "has \(finest.info.sampleBits) bits"
    let limit = finest.info.isFloatingPoint ? ", and its peaks are limited to full scale" : ""
    let keeps = container.audioCodecs.contains(wanted) ? ": --audio-codec \(wanted.rawValue) keeps it" : ""
    return ["audio of \(finest.source) \(has), the output has \(depth) bits\(limit)\(keeps)"]
  }
}

extension AudioEncodingSettings {
  /// Bits of the integers of a lossless codec; `nil` for others.
  fileprivate var sampleBits: Int? {
    switch codec {
    case .pcmInt16: 16
    case .pcmInt24: 24
    case .flac, .alac: bitDepth ?? 24
    case .aac, .opus, .mp3, .pcmFloat32: nil
    }
  }
}

extension AudioTrackInfo {
  /// Whether samples are coded as floating-point numbers without loss.
  var isFloatingPoint: Bool { codec.hasPrefix("pcm_f") }

  /// Bits of uncompressed samples; 0 for other codecs.
  fileprivate var sampleBits: Int {
    guard codec.hasPrefix("pcm_") else { return 0 }
    return [("24", 24), ("32", 32), ("64", 64)].first { codec.contains($0.0) }?.1 ?? 0
  }
}
