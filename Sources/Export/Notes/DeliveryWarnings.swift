public import CompositorAPI
public import CompositorMediaWriting
public import CompositorValidation

extension CompositionValidator {
  /// Checks whether phones, browsers and televisions can play a movie.
  ///
  /// Hardware decoders support H.264 in 8-bit 4:2:0 up to level 5.2 and 4096 columns or rows, and HEVC in 4:2:0 of 8 or 10
  /// bits.
  ///
  /// - Parameters:
  ///   - encoding: The codec and its settings.
  ///   - format: Pixel format of the encoder's input.
  ///   - size: Size of the movie in pixels.
  ///   - frameDuration: Duration of a frame.
  /// - Returns: Warnings; empty for codecs that are not for delivery, such as ProRes, DNxHR and FFV1. Their
  ///   `ValidationDiagnostic.path` is that of the project's key, `output.video.…`.
  public static func deliveryWarnings(
    _ encoding: VideoEncodingSettings, format: PixelFormat, size: PixelSize, frameDuration: MediaTime
  ) -> [ValidationDiagnostic] {
    switch encoding.codec {
    case .h264: losslessWarnings(encoding) + h264Warnings(format, size, frameDuration)
    case .hevc: layoutWarnings("HEVC", format, deepest: 10)
    default: []
    }
  }

  /// x264 codes a quality of 0 without loss, for which H.264 has a profile of its own.
  private static func losslessWarnings(_ encoding: VideoEncodingSettings) -> [ValidationDiagnostic] {
    guard encoding.quality == .constant(0) else { return [] }
    return [
      warning(
        "H.264 of quality 0 is lossless, in the profile High 4:4:4 Predictive: it plays on computers, but not in the hardware decoders of "
          + "most phones, browsers and televisions.", cause: "0 was meant as the best quality.",
        "For delivery, use a quality of 1 or more; 17 looks like the source.", path: "output.video.quality")
    ]
  }

  private static func h264Warnings(
    _ format: PixelFormat, _ size: PixelSize, _ frameDuration: MediaTime
  ) -> [ValidationDiagnostic] {
    var warnings = layoutWarnings("H.264", format, deepest: 8)
    // ITU-T H.264 table A-1, level 5.2.
    let (mostBlocks, mostBlocksPerSecond) = (36_864, 2_073_600.0)
    let blocks = ((size.width + 15) / 16) * ((size.height + 15) / 16)
    let rate = frameDuration.isNumeric && frameDuration > .zero ? Double(blocks) / frameDuration.seconds : 0
    if max(size.width, size.height) > 4096 || blocks > mostBlocks {
      warnings.append(
        warning(
          "H.264 frames of \(size) exceed what hardware decodes: 4096 columns or rows, and \(mostBlocks) macroblocks (level 5.2).",
          cause: "H.264 was made for frames of up to 4K.", "Choose HEVC or AV1, or a smaller size.", path: "output.video.codec")
      )
    } else if rate > mostBlocksPerSecond {
      warnings.append(
        warning(
          "H.264 frames of \(size) at \((100 / frameDuration.seconds).rounded() / 100) a second exceed level 5.2, which is as much as "
            + "hardware decodes.",
          cause: "More than \(Int(mostBlocksPerSecond)) macroblocks a second.",
          "Choose HEVC or AV1, a smaller size or a lower frame rate.", path: "output.video.codec"))
    }
    return warnings
  }

  private static func layoutWarnings(_ name: String, _ format: PixelFormat, deepest: Int) -> [ValidationDiagnostic] {
    var what: [String] = []
    if format.bitDepth > deepest { what.append("\(format.bitDepth) bits") }
    if format.subsampling == .s422 { what.append("4:2:2 chroma") }
    if format.subsampling == .s444 { what.append("4:4:4 chroma") }
    guard !what.isEmpty else { return [] }
    return [
      warning(
        "\(name) with \(what.joined(separator: " and ")) plays on computers, but not in the hardware decoders of most phones, browsers and "
          + "televisions.",
        cause: "The output's format is \(format).",
        "For delivery, use \(deepest == 8 ? "yuv420p, or HEVC for 10 bits" : "yuv420p or yuv420p10").", path: "output.format")
    ]
  }

  private static func warning(
    _ message: String, cause: String, _ suggestion: String, path: String
  ) -> ValidationDiagnostic {
    ValidationDiagnostic(
      .limitedPlayback, severity: .warning, message, cause: cause, recoverySuggestion: suggestion, path: path)
  }
}
