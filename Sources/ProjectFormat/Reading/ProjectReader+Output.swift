import CompositorAPI
import CompositorMediaIO
import CompositorMediaWriting
import CompositorTimeline

extension ProjectReader {
  func output(_ value: ProjectValue) throws(CompositorError) -> ProjectOutput {
    let object = try value.object(ProjectSchema.shape("output"))
    var output = ProjectOutput()
    let preset = try object.choice("preset", ExportPreset.self)
    output.preset = preset
    output.size = try object.size("size")
    output.frameRate = try object.read("frameRate", frameRate)
    output.color = try object.read("color", color) ?? preset?.color
    output.followsSourceChromaSites = (object["color"].map { $0.isText } ?? true) && output.color?.transfer.isHDR == true
    output.peak = try object.choice("peak", PeakChoice.self) ?? .stated
    output.colorConversion = try object.read("colorConversion", colorConversion) ?? .standard
    output.hdrMetadata = try object.choice("hdrMetadata", HDRMetadataChoice.self) ?? .propagate
    output.background = try object.color("background")
    output.blending = try object["blending"]?.choice([BlendingSpace.encoded, .linear]) ?? .encoded
    output.sampling = try object.choice("sampling", SamplingQuality.self)
    output.format = try object.read("format", format) ?? preset?.definition.format
    output.bitDepth = output.format == nil ? preset?.definition.bitDepth : nil
    output.followsSourceLayout = preset?.definition.followsSourceLayout ?? false
    output.keepsAlpha = try object.bool("alpha") ?? preset?.definition.keepsAlpha ?? false
    if let preset { output.video = preset.video }
    if let video = object["video"] {
      output.video = try self.video(video, over: output.video)
      let written = try video.object(ProjectSchema.shape("video"))
      // Without a codec, the file's extension chooses one later.
      if let codec = output.video.chosenCodec { try checkKeys(written, of: codec) }
    }
    let audio = preset?.definition.audio ?? AudioEncodingSettings()
    output.audio = try object.read("audio") { value throws(CompositorError) in try self.audio(value, over: audio) } ?? audio
    output.metadata = try metadata(object)
    return output
  }

  private func format(_ value: ProjectValue) throws(CompositorError) -> PixelFormat {
    let name = try value.string()
    guard let format = PixelFormat(named: name) else {
      throw value.error("There is no pixel format \(quoted(name)).", for: name, among: PixelFormat.all.map(\.name))
    }
    return format
  }

  private func color(_ value: ProjectValue) throws(CompositorError) -> ColorTags {
    guard value.isObject else { return try value.choice(OutputColorName.allCases).tags }
    let object = try value.object(ProjectSchema.shape("colorTags"))
    return ColorTags(
      primaries: try primaries(object.required("primaries")), transfer: try transfer(object.required("transfer")),
      matrix: try matrix(object.required("matrix")),
      range: try object["range"]?.choice([ColorRange.limited, .full]) ?? .limited,
      chromaLocation: try object.choice("chroma", ChromaLocation.self) ?? .left)
  }

  private func primaries(_ value: ProjectValue) throws(CompositorError) -> ColorPrimaries {
    ColorPrimaries(rawValue: try codePoint(value) { ColorPrimaries(rawValue: $0).chromaticities != nil })
  }

  private func transfer(_ value: ProjectValue) throws(CompositorError) -> TransferFunction {
    TransferFunction(rawValue: try codePoint(value) { TransferFunction(rawValue: $0).hasCurve })
  }

  private func matrix(_ value: ProjectValue) throws(CompositorError) -> MatrixCoefficients {
    MatrixCoefficients(rawValue: try codePoint(value) { MatrixCoefficients(rawValue: $0).rgbToYCbCr != nil })
  }

  /// An H.273 code point that can be converted. Numbers above 127 are private to this package.
  private func codePoint(_ value: ProjectValue, isKnown: (UInt8) -> Bool) throws(CompositorError) -> UInt8 {
    let code = UInt8(clamping: try value.integer(0...255))
    guard code < 128, isKnown(code) else {
      let known = (0...127).filter(isKnown).map(String.init).joined(separator: ", ")
      throw value.error(
        "Nothing can be converted by the code point \(code) of ITU-T H.273.", recoverySuggestion: "Possible: \(known).")
    }
    return code
  }

  /// The color corrections of a media asset.
  func sourceColor(_ asset: ProjectObject) throws(CompositorError) -> SourceColor {
    var color = try asset.read("color", tags) ?? SourceColor()
    color.peak = try asset.read("peakLuminance") { value throws(CompositorError) in
      if value.isWord {
        _ = try value.choice([PeakChoice.measured])
        return .measured
      }
      return .luminance(try value.number())
    }
    color.alphaMode = try asset.choice("alpha", SourceAlphaName.self)?.mode
    return color
  }

  private func tags(_ value: ProjectValue) throws(CompositorError) -> SourceColor {
    guard value.isObject else {
      let name = try value.string()
      guard let color = SourceColor.named(name) else {
        throw value.error("There is no color \(quoted(name)).", for: name, among: ColorTags.names)
      }
      return color
    }
    let object = try value.object(ProjectSchema.shape("sourceColor"))
    return SourceColor(
      primaries: try object.read("primaries", primaries), transfer: try object.read("transfer", transfer),
      matrix: try object.read("matrix", matrix), range: try object["range"]?.choice([ColorRange.limited, .full]),
      chromaLocation: try object.choice("chroma", ChromaLocation.self))
  }

  private func colorConversion(_ value: ProjectValue) throws(CompositorError) -> ColorConversionPolicy {
    let object = try value.object(ProjectSchema.shape("colorConversion"))
    let standard = ColorConversionPolicy.standard
    return ColorConversionPolicy(
      diffuseWhite: try object.number("diffuseWhite") ?? standard.diffuseWhite,
      hlgPeakLuminance: try object.number("hlgPeakLuminance") ?? standard.hlgPeakLuminance,
      sdrPeakLuminance: try object.number("sdrPeakLuminance") ?? standard.sdrPeakLuminance,
      toneMapping: try object.choice("toneMapping", ColorConversionPolicy.ToneMapping.self) ?? standard.toneMapping,
      gamutMapping: try object.choice("gamutMapping", ColorConversionPolicy.GamutMapping.self) ?? standard.gamutMapping,
      sdrCurve: try object.choice("sdrCurve", ColorConversionPolicy.SDRCurve.self) ?? standard.sdrCurve,
      srgb: try object.choice("srgb", ColorConversionPolicy.SRGBCurve.self) ?? standard.srgb,
      dithering: try object.choice("dithering", ColorConversionPolicy.Dithering.self) ?? standard.dithering)
  }

  private func video(
    _ value: ProjectValue, over preset: VideoEncodingSettings
  ) throws(CompositorError) -> VideoEncodingSettings {
    let object = try value.object(ProjectSchema.shape("video"))
    try object.exclude("quality", "bitRate")
    var settings = preset
    if let codec = try object.choice("codec", VideoEncodingSettings.Codec.self), codec != preset.chosenCodec {
      settings = VideoEncodingSettings(codec: codec)
    }
    settings.speed = try object.choice("encoderSpeed", VideoEncodingSettings.Speed.self) ?? settings.speed
    try readProfile(object, into: &settings)
    try readKeyFrames(object, into: &settings)
    if let quality = try object.number("quality") { settings.quality = .constant(quality) }
    if let rate = object["bitRate"] { settings.quality = .bitRate(try bitRate(rate)) }
    settings.isTwoPass = try object.bool("twoPass") ?? settings.isTwoPass
    settings.encoder = try object.choice("encoder", VideoEncodingSettings.Encoder.self) ?? settings.encoder
    settings.animation.palette =
      try object.choice("palette", VideoEncodingSettings.AnimationSettings.Palette.self) ?? settings.animation.palette
    settings.animation.dithering =
      try object.choice("dithering", VideoEncodingSettings.AnimationSettings.Dithering.self) ?? settings.animation.dithering
    settings.animation.playCount = try object.integer("playCount") ?? settings.animation.playCount
    settings.animation.isLossless = try object.bool("lossless") ?? settings.animation.isLossless
    return settings
  }

  /// Reports keys that the codec's encoder would ignore.
  private func checkKeys(
    _ object: ProjectObject, of codec: VideoEncodingSettings.Codec
  ) throws(CompositorError) {
    let owners: [(key: String, codecs: [VideoEncodingSettings.Codec])] = [
      ("lossless", [.webp]), ("palette", [.gif]), ("dithering", [.gif]), ("playCount", [.gif, .webp]),
      ("profile", [.proRes, .dnxhr]), ("encoderSpeed", VideoEncodingSettings.Codec.allCases.filter(\.hasRateControl)),
    ]
    for (key, codecs) in owners where !codecs.contains(codec) {
      guard let value = object[key] else { continue }
      let isLossless = key == "lossless" && !codec.isAnimation
      throw value.error(
        "\(key) is for \(names(of: codecs, joinedBy: "and")), but the codec is \(codec.rawValue).",
        recoverySuggestion:
          "Remove it, or choose \(isLossless ? "webp, or ffv1 for a lossless movie" : names(of: codecs, joinedBy: "or")).")
    }
  }

  private func names(of codecs: [VideoEncodingSettings.Codec], joinedBy word: String) -> String {
    let names = codecs.map(\.rawValue)
    return names.count < 2 ? names.joined() : names.dropLast().joined(separator: ", ") + " \(word) " + names[names.count - 1]
  }

  /// The profile of a codec, which ProRes and DNxHR have.
  private func readProfile(
    _ object: ProjectObject, into settings: inout VideoEncodingSettings
  ) throws(CompositorError) {
    guard let value = object["profile"] else { return }
    if settings.chosenCodec == .dnxhr {
      settings.dnxhrProfile = try value.choice(VideoEncodingSettings.DNxHRProfile.allCases)
    } else {
      settings.proResProfile = try value.choice(VideoEncodingSettings.ProResProfile.allCases)
    }
  }

  /// The distance of key frames: a number of frames, or a time.
  private func readKeyFrames(
    _ object: ProjectObject, into settings: inout VideoEncodingSettings
  ) throws(CompositorError) {
    guard let value = object["keyFrameInterval"] else { return }
    (settings.keyFrameInterval, settings.keyFrameDuration) = (nil, nil)
    guard value.isWord else {
      settings.keyFrameInterval = try value.integer()
      return
    }
    let interval = try value.placing { () throws(CompositorError) in try KeyFrameInterval(value.string()) }
    switch interval {
    case .frames(let count): settings.keyFrameInterval = count
    case .time(let time): settings.keyFrameDuration = time
    }
  }

  /// A bit rate: a number of bits per second, or a string such as `"8M"`.
  private func bitRate(_ value: ProjectValue) throws(CompositorError) -> Int {
    let range = value.integers
    guard value.isText else { return try value.integer() }
    let text = try value.string()
    guard let rate = BitRate(text)?.bitsPerSecond, range.contains(rate) else {
      throw value.error(
        "\(quoted(text)) is not a bit rate from \(range.readable).", recoverySuggestion: BitRate.forms)
    }
    return rate
  }

  private func audio(
    _ value: ProjectValue, over preset: AudioEncodingSettings
  ) throws(CompositorError) -> AudioEncodingSettings? {
    if value.isBool { return try value.bool() ? preset : nil }
    let object = try value.object(ProjectSchema.shape("audio"))
    let codec = try object.choice("codec", AudioEncodingSettings.Codec.self)
    // Rate and depth of another codec don't apply to this one.
    let base = codec == nil || codec == preset.chosenCodec ? preset : AudioEncodingSettings(codec: codec)
    if let chosen = base.chosenCodec, chosen.isLossless, let rate = object["bitRate"] {
      throw rate.error(
        "\(chosen.rawValue) has no bit rate to choose.", recoverySuggestion: "Remove it, or choose aac, opus or mp3.")
    }
    return AudioEncodingSettings(
      codec: base.chosenCodec,
      sampleRate: try object.integer("sampleRate") ?? base.sampleRate,
      channelCount: try object.read("channels") { value throws(CompositorError) in try value.integer(named: Self.layouts) }
        ?? base.channelCount,
      bitRate: try object.read("bitRate", bitRate) ?? base.bitRate,
      bitDepth: try object.integer("bitDepth") ?? base.bitDepth)
  }

  /// The numbers of channels of layouts, which are written in their place.
  private static let layouts = [
    "mono": 1, "stereo": 2, "2.0": 2, "2.1": 3, "quad": 4, "4.0": 4, "5.0": 5, "5.1": 6, "6.1": 7, "7.1": 8,
  ]
}
