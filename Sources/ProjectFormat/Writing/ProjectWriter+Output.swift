import CompositorAPI
import CompositorMediaIO
import CompositorTimeline

/// What the output is composed of. How it is encoded isn't part of a timeline.
extension ProjectWriter {
  /// The value of `output`; `nil` if all of it is default.
  func output() throws(CompositorError) -> JSON5Node? {
    var object = WrittenObject("output")
    object.set("size", timeline.canvas.map { .size($0) })
    object.set("frameRate", timeline.frameRate.map { .ratio($0) })
    object.set("color", timeline.output.color.map(color))
    object.set("colorConversion", timeline.colorConversion, default: .standard, colorConversion)
    object.set("hdrMetadata", timeline.output.hdrMetadata, default: .propagate)
    object.set("peak", timeline.output.peak, default: .stated)
    object.set("background", timeline.background.map { .color($0) })
    object.set("blending", timeline.blending, default: .encoded)
    object.set("sampling", timeline.sampling)
    object.set("format", timeline.output.format.map { .text($0.name) })
    object.set("alpha", ifTrue: timeline.output.alphaMode == .straight)
    object.set("audio", try mix())
    object.set("audioTracks", timeline.audioTracks.map(audioTrack))
    return object.isEmpty ? nil : object.node
  }

  /// Color by name if the chroma location follows the sources, as that of names does; otherwise by code points.
  private func color(_ color: ColorTags) -> JSON5Node {
    let name = OutputColorName.allCases.first { $0.tags == color }
    if let name, timeline.output.followsSourceChromaSites == color.transfer.isHDR { return .text(name.rawValue) }
    var object = WrittenObject("colorTags")
    object.set("primaries", .integer(Int(color.primaries.rawValue)))
    object.set("transfer", .integer(Int(color.transfer.rawValue)))
    object.set("matrix", .integer(Int(color.matrix.rawValue)))
    object.set("range", color.range, default: .limited)
    object.set("chroma", color.chromaLocation, default: .left)
    return object.node
  }

  private func colorConversion(_ policy: ColorConversionPolicy) -> JSON5Node {
    let standard = ColorConversionPolicy.standard
    var object = WrittenObject("colorConversion")
    object.set("diffuseWhite", policy.diffuseWhite, default: standard.diffuseWhite) { .number($0) }
    object.set("hlgPeakLuminance", policy.hlgPeakLuminance, default: standard.hlgPeakLuminance) { .number($0) }
    object.set("sdrPeakLuminance", policy.sdrPeakLuminance, default: standard.sdrPeakLuminance) { .number($0) }
    object.set("toneMapping", policy.toneMapping, default: standard.toneMapping)
    object.set("gamutMapping", policy.gamutMapping, default: standard.gamutMapping)
    object.set("sdrCurve", policy.sdrCurve, default: standard.sdrCurve)
    object.set("srgb", policy.srgb, default: standard.srgb)
    object.set("dithering", policy.dithering, default: standard.dithering)
    return object.node
  }

  /// The settings of the mix; `nil` if all are default.
  private func mix() throws(CompositorError) -> JSON5Node? {
    let audio = timeline.audio
    guard audio != TimelineAudio() else { return nil }
    var object = WrittenObject("audio")
    object.set("volume", audio.volume, default: .constant(1), volume)
    object.set("fadeIn", audio.fadeIn.map(fade))
    object.set("fadeOut", audio.fadeOut.map(fade))
    object.set("mute", ifTrue: audio.isMuted)
    object.set("effects", try audioEffects(audio.effects, at: "audio.effects"))
    object.set("loudness", audio.loudness.map { .number($0.integrated) })
    switch audio.limiting {
    case .automatic: break
    case .off: object.set("limiter", .bool(false))
    case .on(ceiling: -1): object.set("limiter", .bool(true))
    case .on(let ceiling):
      var limiter = WrittenObject("limiter")
      limiter.set("ceiling", .decibels(ceiling))
      object.set("limiter", limiter.node)
    }
    object.set("downmix", audio.downmix, default: .standard)
    return object.node
  }

  private func audioTrack(_ track: TimelineAudioTrack) -> JSON5Node {
    var object = WrittenObject("outputAudioTrack")
    object.set("from", track.choice.map(audioTrack))
    object.set("tracks", track.tracks.map { .list($0.sorted().map { .integer($0) }) })
    object.set("language", track.language.map { .text($0) })
    object.set("title", track.title.map { .text($0) })
    object.set("default", ifTrue: track.isDefault)
    return object.node
  }
}
