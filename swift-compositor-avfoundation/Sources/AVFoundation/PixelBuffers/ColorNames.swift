internal import Compositor
internal import Foundation

/// The settings of a video's color: a dictionary of the next three.
public let AVVideoColorPropertiesKey = "ColorProperties"
/// The primaries.
public let AVVideoColorPrimariesKey = "ColorPrimaries"
/// The transfer function.
public let AVVideoTransferFunctionKey = "TransferFunction"
/// The matrix of Y′CbCr.
public let AVVideoYCbCrMatrixKey = "YCbCrMatrix"

/// ITU-R BT.709.
public let AVVideoColorPrimaries_ITU_R_709_2 = "ITU_R_709_2"
/// EBU Tech. 3213: 625 lines.
public let AVVideoColorPrimaries_EBU_3213 = "EBU_3213"
/// SMPTE C: 525 lines.
public let AVVideoColorPrimaries_SMPTE_C = "SMPTE_C"
/// P3 with the white of displays.
public let AVVideoColorPrimaries_P3_D65 = "P3_D65"
/// ITU-R BT.2020.
public let AVVideoColorPrimaries_ITU_R_2020 = "ITU_R_2020"
/// ITU-R BT.709.
public let AVVideoTransferFunction_ITU_R_709_2 = "ITU_R_709_2"
/// SMPTE 240M.
public let AVVideoTransferFunction_SMPTE_240M_1995 = "SMPTE_240M_1995"
/// IEC 61966-2-1.
public let AVVideoTransferFunction_IEC_sRGB = "IEC_sRGB"
/// SMPTE ST 2084: perceptual quantization.
public let AVVideoTransferFunction_SMPTE_ST_2084_PQ = "SMPTE_ST_2084_PQ"
/// ITU-R BT.2100: hybrid log-gamma.
public let AVVideoTransferFunction_ITU_R_2100_HLG = "ITU_R_2100_HLG"
/// Light itself.
public let AVVideoTransferFunction_Linear = "Linear"
/// ITU-R BT.709.
public let AVVideoYCbCrMatrix_ITU_R_709_2 = "ITU_R_709_2"
/// ITU-R BT.601.
public let AVVideoYCbCrMatrix_ITU_R_601_4 = "ITU_R_601_4"
/// SMPTE 240M.
public let AVVideoYCbCrMatrix_SMPTE_240M_1995 = "SMPTE_240M_1995"
/// ITU-R BT.2020.
public let AVVideoYCbCrMatrix_ITU_R_2020 = "ITU_R_2020"

/// Names of colors, each with the compositor's value.
enum ColorNames {
  static let primaries: [(String, ColorPrimaries)] = [
    ("ITU_R_709_2", .bt709), ("EBU_3213", .bt601_625), ("SMPTE_C", .bt601_525), ("P3_D65", .displayP3), ("DCI_P3", .dciP3),
    ("ITU_R_2020", .bt2020), ("P22", .ebu3213),
  ]
  static let transferFunctions: [(String, TransferFunction)] = [
    ("ITU_R_709_2", .bt709), ("ITU_R_709_2", .bt601), ("ITU_R_2020", .bt2020_10), ("ITU_R_2020", .bt2020_12),
    ("SMPTE_240M_1995", .smpte240M), ("IEC_sRGB", .sRGB), ("Linear", .linear), ("SMPTE_ST_428_1", .st428),
    ("SMPTE_ST_2084_PQ", .pq), ("ITU_R_2100_HLG", .hlg),
  ]
  static let matrices: [(String, MatrixCoefficients)] = [
    ("ITU_R_709_2", .bt709), ("ITU_R_601_4", .bt601_525), ("ITU_R_601_4", .bt601_625), ("SMPTE_240M_1995", .smpte240M),
    ("ITU_R_2020", .bt2020),
  ]

  static func name<Value: Equatable>(of value: Value, in table: [(String, Value)]) -> String? {
    table.first { $0.1 == value }?.0
  }

  /// The value that a property of a video composition names; `nil` if it is not set.
  ///
  /// - Throws: `.invalidVideoComposition`: an unknown name.
  static func value<Value>(of name: String?, in table: [(String, Value)], property: String) throws(AVError) -> Value? {
    guard let name else { return nil }
    if let value = table.first(where: { $0.0 == name })?.1 { return value }
    throw AVError(
      .invalidVideoComposition, "“\(name)” is no \(property) that is known here.",
      suggestion: "Use a constant such as AVVideoColorPrimaries_ITU_R_709_2 for colorPrimaries.")
  }
}

extension PixelBufferFormat {
  /// What is attached to a buffer of these attributes.
  ///
  /// - Parameter alpha: Whether the buffer has alpha.
  static func attachments(of attributes: FrameAttributes, alpha: Bool) -> [String: Any] {
    var values: [String: Any] = [:]
    let color = attributes.color
    values[kCVImageBufferColorPrimariesKey as String] = ColorNames.name(of: color.primaries, in: ColorNames.primaries)
    values[kCVImageBufferTransferFunctionKey as String] = ColorNames.name(
      of: color.transfer, in: ColorNames.transferFunctions)
    values[kCVImageBufferYCbCrMatrixKey as String] = ColorNames.name(of: color.matrix, in: ColorNames.matrices)
    let aspect = attributes.pixelAspectRatio
    if aspect != .one {
      values[kCVImageBufferPixelAspectRatioKey as String] = [
        kCVImageBufferPixelAspectRatioHorizontalSpacingKey as String: aspect.numerator,
        kCVImageBufferPixelAspectRatioVerticalSpacingKey as String: aspect.denominator,
      ]
    }
    if alpha, attributes.alphaMode != .opaque {
      values[kCVImageBufferAlphaChannelModeKey as String] =
        attributes.alphaMode == .premultiplied
        ? kCVImageBufferAlphaChannelMode_PremultipliedAlpha as String : kCVImageBufferAlphaChannelMode_StraightAlpha as String
    }
    return values
  }
}
