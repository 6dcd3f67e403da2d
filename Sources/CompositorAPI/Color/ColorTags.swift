/// Color primaries, identified by a code point of ITU-T H.273 table 2.
public struct ColorPrimaries: RawRepresentable, Hashable, Sendable, Codable {
  /// The H.273 code point.
  public var rawValue: UInt8
  /// Creates primaries from any code point, known or not.
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  /// ITU-R BT.709, also sRGB.
  public static let bt709 = ColorPrimaries(rawValue: 1)
  /// Unspecified.
  public static let unspecified = ColorPrimaries(rawValue: 2)
  /// BT.470 System M.
  public static let bt470M = ColorPrimaries(rawValue: 4)
  /// BT.601 625 lines (BT.470 System B, G).
  public static let bt601_625 = ColorPrimaries(rawValue: 5)
  /// BT.601 525 lines (SMPTE 170M).
  public static let bt601_525 = ColorPrimaries(rawValue: 6)
  /// SMPTE 240M.
  public static let smpte240M = ColorPrimaries(rawValue: 7)
  /// Generic film: color filters under illuminant C.
  public static let film = ColorPrimaries(rawValue: 8)
  /// BT.2020 and BT.2100.
  public static let bt2020 = ColorPrimaries(rawValue: 9)
  /// SMPTE RP 431-2, DCI P3.
  public static let dciP3 = ColorPrimaries(rawValue: 11)
  /// SMPTE EG 432-1, Display P3.
  public static let displayP3 = ColorPrimaries(rawValue: 12)
  /// EBU Tech. 3213 phosphors as listed in H.273 (JEDEC P22).
  public static let ebu3213 = ColorPrimaries(rawValue: 22)
}

/// A transfer function, identified by a code point of ITU-T H.273 table 3.
public struct TransferFunction: RawRepresentable, Hashable, Sendable, Codable {
  /// The H.273 code point.
  public var rawValue: UInt8
  /// Creates a transfer function from any code point, known or not.
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  /// BT.709.
  public static let bt709 = TransferFunction(rawValue: 1)
  /// Unspecified.
  public static let unspecified = TransferFunction(rawValue: 2)
  /// Gamma 2.2 (BT.470 System M).
  public static let gamma22 = TransferFunction(rawValue: 4)
  /// Gamma 2.8 (BT.470 System B, G).
  public static let gamma28 = TransferFunction(rawValue: 5)
  /// BT.601, the same curve as BT.709.
  public static let bt601 = TransferFunction(rawValue: 6)
  /// SMPTE 240M.
  public static let smpte240M = TransferFunction(rawValue: 7)
  /// Linear light.
  public static let linear = TransferFunction(rawValue: 8)
  /// Logarithmic with a range of 100:1. Light below 1/100 is 0.
  public static let log100 = TransferFunction(rawValue: 9)
  /// Logarithmic with a range of 100·√10:1. Light below √10/1000 is 0.
  public static let log316 = TransferFunction(rawValue: 10)
  /// IEC 61966-2-4, xvYCC: the curve of BT.709, extended to colors outside its gamut. Used by camcorders.
  public static let xvYCC = TransferFunction(rawValue: 11)
  /// BT.1361: the curve of BT.709, with colors outside its gamut interpreted as in xvYCC.
  public static let bt1361 = TransferFunction(rawValue: 12)
  /// IEC 61966-2-1, sRGB.
  public static let sRGB = TransferFunction(rawValue: 13)
  /// BT.2020, 10 bit, the same curve as BT.709.
  public static let bt2020_10 = TransferFunction(rawValue: 14)
  /// BT.2020, 12 bit, the same curve as BT.709.
  public static let bt2020_12 = TransferFunction(rawValue: 15)
  /// SMPTE ST 2084, PQ.
  public static let pq = TransferFunction(rawValue: 16)
  /// SMPTE ST 428-1, digital cinema: a power of 2.6, with white at 48 of 52.37 cd/m².
  public static let st428 = TransferFunction(rawValue: 17)
  /// ARIB STD-B67, HLG.
  public static let hlg = TransferFunction(rawValue: 18)

  /// Whether this is PQ or HLG.
  public var isHDR: Bool { self == .pq || self == .hlg }
}

/// Matrix coefficients, identified by a code point of ITU-T H.273 table 4.
public struct MatrixCoefficients: RawRepresentable, Hashable, Sendable, Codable {
  /// The H.273 code point.
  public var rawValue: UInt8
  /// Creates matrix coefficients from any code point, known or not.
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  /// No matrix: components are R, G, B.
  public static let identity = MatrixCoefficients(rawValue: 0)
  /// BT.709.
  public static let bt709 = MatrixCoefficients(rawValue: 1)
  /// Unspecified.
  public static let unspecified = MatrixCoefficients(rawValue: 2)
  /// FCC.
  public static let fcc = MatrixCoefficients(rawValue: 4)
  /// BT.601 as tagged for 625 lines (the same coefficients as for 525).
  public static let bt601_625 = MatrixCoefficients(rawValue: 5)
  /// BT.601 as tagged for 525 lines.
  public static let bt601_525 = MatrixCoefficients(rawValue: 6)
  /// SMPTE 240M.
  public static let smpte240M = MatrixCoefficients(rawValue: 7)
  /// BT.2020 non-constant luminance.
  public static let bt2020 = MatrixCoefficients(rawValue: 9)
}

/// The range of code values between black and white.
public enum ColorRange: String, Hashable, Sendable, Codable {
  /// Black 16, white 235 (in 8 bits): video levels.
  case limited
  /// Black 0, white the largest code.
  case full
}

/// The location of a subsampled chroma sample relative to luma: the chroma sample location type of ITU-T H.273.
public enum ChromaLocation: String, Hashable, Sendable, Codable, CaseIterable {
  /// Type 0: on the left luma column, between two rows (MPEG-2, H.264 default).
  case left
  /// Type 1: between columns, between rows (JPEG, MPEG-1).
  case center
  /// Type 2: on the left column, on the top row (BT.2020/2100).
  case topLeft = "top-left"
  /// Type 3: between columns, on the top row.
  case top

  /// Offset of chroma sample 0 from luma sample 0, in luma columns (0 or 0.5), if columns are subsampled.
  public var horizontalOffset: Double { self == .left || self == .topLeft ? 0 : 0.5 }
  /// Offset of chroma sample 0 from luma sample 0, in luma rows (0 or 0.5), if rows are subsampled.
  public var verticalOffset: Double { self == .left || self == .center ? 0.5 : 0 }
}

/// The color tags of a frame, which determine how code values map to light.
public struct ColorTags: Hashable, Sendable, Codable {
  /// The color primaries.
  public var primaries: ColorPrimaries
  /// The transfer function.
  public var transfer: TransferFunction
  /// The matrix from Y′CbCr to R′G′B′.
  public var matrix: MatrixCoefficients
  /// The range of code values.
  public var range: ColorRange
  /// The location of subsampled chroma.
  public var chromaLocation: ChromaLocation

  /// Creates tags.
  public init(
    primaries: ColorPrimaries, transfer: TransferFunction, matrix: MatrixCoefficients, range: ColorRange,
    chromaLocation: ChromaLocation = .left
  ) {
    self.primaries = primaries
    self.transfer = transfer
    self.matrix = matrix
    self.range = range
    self.chromaLocation = chromaLocation
  }

  /// HD video: BT.709, limited range, left-sited chroma.
  public static let bt709 = ColorTags(primaries: .bt709, transfer: .bt709, matrix: .bt709, range: .limited)
  /// 525-line SD video.
  public static let bt601_525 = ColorTags(
    primaries: .bt601_525, transfer: .bt601, matrix: .bt601_525, range: .limited)
  /// 625-line SD video.
  public static let bt601_625 = ColorTags(
    primaries: .bt601_625, transfer: .bt601, matrix: .bt601_625, range: .limited)
  /// RGB stills: sRGB, full range.
  public static let sRGB = ColorTags(primaries: .bt709, transfer: .sRGB, matrix: .identity, range: .full)
  /// HDR10: BT.2020, PQ, limited range, top-left chroma.
  public static let bt2100PQ = ColorTags(
    primaries: .bt2020, transfer: .pq, matrix: .bt2020, range: .limited, chromaLocation: .topLeft)
  /// HLG: BT.2020, limited range, top-left chroma.
  public static let bt2100HLG = ColorTags(
    primaries: .bt2020, transfer: .hlg, matrix: .bt2020, range: .limited, chromaLocation: .topLeft)
}
