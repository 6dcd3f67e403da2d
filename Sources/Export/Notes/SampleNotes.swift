import CompositorAPI
import CompositorMediaIO
import CompositorMediaWriting

// Notes on samples of sources that have more bits than those of the output.

extension ExportSettings {
  /// A note on the source with the finest samples, if a lossless codec of the output has coarser ones, or if the output is lossy
  /// only because its file is by default.
  func noteOnSamples(
    of tracks: [(source: MediaSource, info: AudioTrackInfo)], _ encoding: AudioEncodingSettings, in container: MovieContainer
  ) -> [ExportNote] {
    if audio?.chosenCodec == nil, encoding.codec == .aac, container.isAudioOnly, container.audioCodecs.contains(.alac),
      let (source, _) = tracks.first(where: { $0.info.codec == "alac" })
    {
      let kept = RecoveryOption(.audioCodec, value: AudioEncodingSettings.Codec.alac.rawValue)
      return [
        ExportNote(
          .audioFormat, "audio of \(source) is lossless (alac), the output is AAC" + .advice(": \(kept) keeps it"),
          source: source)
      ]
    }
    guard let finest = tracks.map(\.info).max(by: { $0.sampleBits < $1.sampleBits }),
      let (source, _) = tracks.first(where: { $0.info == finest }), let depth = encoding.bits(of: finest),
      finest.sampleBits > depth
    else { return [] }
    let has = finest.isFloatingPoint ? "is \(finest.sampleBits)-bit floating point" : "has \(finest.sampleBits) bits"
    let limit = finest.isFloatingPoint && encoding.codec != .pcmFloat32 ? ", and its peaks are limited to full scale" : ""
    let wanted: AudioEncodingSettings.Codec = finest.sampleBits > 24 ? .pcmFloat32 : .pcmInt24
    var keeps: Wording = ""
    if encoding.codec != .pcmFloat32, container.audioCodecs.contains(wanted) {
      let most = finest.isFloatingPoint ? 32 : 24
      let what = finest.sampleBits <= most ? "it" : "\(most) bits"
      keeps = .advice(": \(setting: .audioCodec, value: wanted.rawValue) keeps \(what)")
    }
    return [
      ExportNote(
        .audioFormat, "audio of \(source) \(has), the output has \(depth) bits\(limit)\(keeps)", source: source)
    ]
  }
}

extension AudioEncodingSettings {
  /// Bits of a source's samples that a lossless codec keeps; `nil` for other codecs.
  fileprivate func bits(of source: AudioTrackInfo) -> Int? {
    switch codec {
    case .pcmInt16: 16
    case .pcmInt24: 24
    case .flac, .alac: bitDepth ?? 24
    case .pcmFloat32: source.isFloatingPoint ? 32 : 24
    case .aac, .opus, .mp3: nil
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
