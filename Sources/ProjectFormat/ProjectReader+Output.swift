import CompositorAPI
import CompositorMediaIO
import CompositorMediaWriting
import CompositorTimeline

extension ProjectReader {
  func output(_ value: ProjectValue) throws(CompositorError) -> ProjectOutput {
    let object = try value.object(ProjectSchema.shape("output"))
    var output = ProjectOutput()
    output.size = try object.size("size")
    output.frameRate = try object.read("frameRate", frameRate)
    output.color = try object.read("color", color)
    output.followsSourceChromaSites = object["color"]?.isText == true && output.color?.transfer.isHDR == true
    output.peak = try object.choice("peak", PeakChoice.self) ?? .stated
    output.colorConversion = try object.read("colorConversion", colorConversion) ?? .standard
    output.hdrMetadata = try object.choice("hdrMetadata", HDRMetadataChoice.self) ?? .propagate
    output.background = try object.color("background")
    output.blending = try object["blending"]?.choice([BlendingSpace.encoded, .linear]) ?? .encoded
    output.format = try object.read("format", format)
    output.keepsAlpha = try object.bool("alpha") ?? false
    if let video = object["video"] {
      output.video = try self.video(video)
      output.choosesVideoCodec = try video.object(ProjectSchema.shape("video"))["codec"] != nil
    }
    output.audio = try object.read("audio", audio) ?? AudioEncodingSettings()
    return output
  }

  private func format(_ value: ProjectValue) throws(CompositorError) -> PixelFormat {
    let name = try value.string()
    guard let format = PixelFormat(named: name) else {
      let names = PixelFormat.all.map(\.name)
      throw value.error(
        "There is no pixel format \(quoted(name)).", recoverySuggestion: recoverySuggestion(for: name, among: names))
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

  /// A code point of H.273 that colors can be converted from and to; numbers above 127 are this package's own.
  private func codePoint(_ value: ProjectValue, isKnown: (UInt8) -> Bool) throws(CompositorError) -> UInt8 {
    let code = UInt8(clamping: try value.integer(0...255))
    guard code < 128, isKnown(code) else {
      let known = (0...127).filter(isKnown).map(String.init).joined(separator: ", ")
      throw value.error(
        "Nothing can be converted by the code point \(code) of ITU-T H.273.", recoverySuggestion: "Possible: \(known).")
    }
    return code
  }

  /// What an asset of media says of its color.
  func sourceColor(_ asset: ProjectObject) throws(CompositorError) -> SourceColor {
    var color = try asset.read("color", tags) ?? SourceColor()
    color.peak = try asset.read("peakLuminance") { value throws(CompositorError) in
      if value.isText {
        _ = try value.choice([PeakChoice.measured])
        return .measured
      }
      return .luminance(try value.number(ProjectSchema.peakRange))
    }
    return color
  }

  private func tags(_ value: ProjectValue) throws(CompositorError) -> SourceColor {
    guard value.isObject else {
      let name = try value.string()
      guard let color = SourceColor.named(name) else {
        throw value.error(
          "There is no color \(quoted(name)).", recoverySuggestion: recoverySuggestion(for: name, among: ColorTags.names))
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
      diffuseWhite: try object["diffuseWhite"]?.number(50...1000) ?? standard.diffuseWhite,
      hlgPeakLuminance: try object["hlgPeakLuminance"]?.number(100...10_000) ?? standard.hlgPeakLuminance,
      sdrPeakLuminance: try object["sdrPeakLuminance"]?.number(50...1000) ?? standard.sdrPeakLuminance,
      toneMapping: try object.choice("toneMapping", ColorConversionPolicy.ToneMapping.self) ?? standard.toneMapping,
      gamutMapping: try object.choice("gamutMapping", ColorConversionPolicy.GamutMapping.self) ?? standard.gamutMapping,
      sdrCurve: try object.choice("sdrCurve", ColorConversionPolicy.SDRCurve.self) ?? standard.sdrCurve,
      srgb: try object.choice("srgb", ColorConversionPolicy.SRGBCurve.self) ?? standard.srgb,
      dithering: try object.choice("dithering", ColorConversionPolicy.Dithering.self) ?? standard.dithering)
  }

  private func video(_ value: ProjectValue) throws(CompositorError) -> VideoEncodingSettings {
    let object = try value.object(ProjectSchema.shape("video"))
    try object.exclude("quality", "bitRate")
    var settings = VideoEncodingSettings()
    settings.codec = try object.choice("codec", VideoEncodingSettings.Codec.self) ?? .h264
    settings.speed = try object.choice("encoderSpeed", VideoEncodingSettings.Speed.self) ?? .medium
    settings.proResProfile = try object.choice("profile", VideoEncodingSettings.ProResProfile.self)
    settings.keyFrameInterval = try object.integer("keyFrameInterval", 1...100_000)
    if let quality = object["quality"] { settings.quality = .constant(try quality.number(0...63)) }
    if let rate = object["bitRate"] { settings.quality = .bitRate(try rate.integer(1000...2_000_000_000)) }
    return settings
  }

  private func audio(_ value: ProjectValue) throws(CompositorError) -> AudioEncodingSettings? {
    if value.isBool { return try value.bool() ? AudioEncodingSettings() : nil }
    let object = try value.object(ProjectSchema.shape("audio"))
    return AudioEncodingSettings(
      codec: try object.choice("codec", AudioEncodingSettings.Codec.self),
      sampleRate: try object.integer("sampleRate", 8000...192_000) ?? 48_000,
      channelCount: try object.integer("channels", 1...8) ?? 2,
      bitRate: try object.integer("bitRate", 8000...1_024_000), bitDepth: try object.integer("bitDepth", 16...24))
  }
}
