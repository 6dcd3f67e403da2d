/// The resolution of chroma relative to luma.
public enum ChromaSubsampling: String, Hashable, Sendable, Codable {
  /// 4:2:0: half the columns, half the rows.
  case s420 = "420"
  /// 4:2:2: half the columns.
  case s422 = "422"
  /// 4:4:4, and every RGB format: the resolution of luma.
  case s444 = "444"

  /// log2 of the number of luma columns per chroma column.
  public var horizontalShift: Int { self == .s444 ? 0 : 1 }
  /// log2 of the number of luma rows per chroma row.
  public var verticalShift: Int { self == .s420 ? 1 : 0 }
}

/// A layout of samples in memory. Samples of more than 8 bits are native-endian 16-bit words.
///
/// Planes are in the order Y, Cb, Cr, A (planar) or Y, CbCr (semi-planar), or there is one packed plane.
public struct PixelFormat: Hashable, Sendable {
  /// The arrangement of components in planes.
  public enum Layout: UInt8, Sendable {
    /// One plane per component: Y, Cb, Cr and, with alpha, A.
    case planar
    /// Y, then Cb and Cr interleaved.
    case semiPlanar
    /// R, G, B, A interleaved in one plane.
    case packedRGBA
    /// B, G, R, A interleaved in one plane.
    case packedBGRA
  }

  /// The type of a sample.
  public enum Sample: UInt8, Sendable {
    /// An unsigned integer of `bitDepth` bits.
    case unsigned
    /// IEEE binary16.
    case half
    /// IEEE binary32.
    case float
  }

  /// The arrangement of components in planes.
  public let layout: Layout
  /// The type of a sample.
  public let sample: Sample
  /// Significant bits of a sample: 8, 10, 12 or 16, or 32 for `.float`.
  public let bitDepth: Int
  /// Chroma resolution; `.s444` for RGB.
  public let subsampling: ChromaSubsampling
  /// Whether an alpha component is stored.
  public let hasAlpha: Bool
  /// Padding bits below the significant ones in a 16-bit word (6 for P010, otherwise 0).
  public let lowPadding: Int
  /// The name that is common in other tools: `yuv420p10`, `nv12`, `rgba`, `rgbaf16` …
  public let name: String

  package init(
    _ name: String, layout: Layout, sample: Sample = .unsigned, bitDepth: Int, subsampling: ChromaSubsampling,
    hasAlpha: Bool, lowPadding: Int = 0
  ) {
    self.name = name
    self.layout = layout
    self.sample = sample
    self.bitDepth = bitDepth
    self.subsampling = subsampling
    self.hasAlpha = hasAlpha
    self.lowPadding = lowPadding
  }

  /// A planar Y′CbCr format. `bitDepth` is 8, 10, 12 or 16.
  public static func planar(_ subsampling: ChromaSubsampling, bitDepth: Int, alpha: Bool = false) -> PixelFormat {
    precondition([8, 10, 12, 16].contains(bitDepth), "planar formats have 8, 10, 12 or 16 bits")
    let name = "yuv\(alpha ? "a" : "")\(subsampling.rawValue)p\(bitDepth == 8 ? "" : String(bitDepth))"
    return PixelFormat(name, layout: .planar, bitDepth: bitDepth, subsampling: subsampling, hasAlpha: alpha)
  }

  /// 8-bit 4:2:0, three planes.
  public static let yuv420p = planar(.s420, bitDepth: 8)
  /// 10-bit 4:2:0, three planes.
  public static let yuv420p10 = planar(.s420, bitDepth: 10)
  /// 8-bit 4:2:2, three planes.
  public static let yuv422p = planar(.s422, bitDepth: 8)
  /// 10-bit 4:2:2, three planes.
  public static let yuv422p10 = planar(.s422, bitDepth: 10)
  /// 8-bit 4:4:4, three planes.
  public static let yuv444p = planar(.s444, bitDepth: 8)
  /// 10-bit 4:4:4, three planes.
  public static let yuv444p10 = planar(.s444, bitDepth: 10)
  /// 8-bit 4:2:0, Y and interleaved CbCr.
  public static let nv12 = PixelFormat("nv12", layout: .semiPlanar, bitDepth: 8, subsampling: .s420, hasAlpha: false)
  /// 10-bit 4:2:0, Y and interleaved CbCr, in the high bits of 16-bit words.
  public static let p010 = PixelFormat(
    "p010", layout: .semiPlanar, bitDepth: 10, subsampling: .s420, hasAlpha: false, lowPadding: 6)
  /// 8-bit R, G, B, A.
  public static let rgba = PixelFormat("rgba", layout: .packedRGBA, bitDepth: 8, subsampling: .s444, hasAlpha: true)
  /// 8-bit B, G, R, A.
  public static let bgra = PixelFormat("bgra", layout: .packedBGRA, bitDepth: 8, subsampling: .s444, hasAlpha: true)
  /// 16-bit R, G, B, A.
  public static let rgba16 = PixelFormat(
    "rgba64", layout: .packedRGBA, bitDepth: 16, subsampling: .s444, hasAlpha: true)
  /// Half-float R, G, B, A.
  public static let rgbaHalf = PixelFormat(
    "rgbaf16", layout: .packedRGBA, sample: .half, bitDepth: 16, subsampling: .s444, hasAlpha: true)
  /// 32-bit float R, G, B, A.
  public static let rgbaFloat = PixelFormat(
    "rgbaf32", layout: .packedRGBA, sample: .float, bitDepth: 32, subsampling: .s444, hasAlpha: true)

  /// All pixel formats.
  public static let all: [PixelFormat] =
    [ChromaSubsampling.s420, .s422, .s444].flatMap { subsampling in
      [8, 10, 12, 16].flatMap { depth in
        [false, true].map { planar(subsampling, bitDepth: depth, alpha: $0) }
      }
    } + [nv12, p010, rgba, bgra, rgba16, rgbaHalf, rgbaFloat]

  /// The format with this ``name``; `nil` if there is none.
  public init?(named name: String) {
    guard let format = PixelFormat.all.first(where: { $0.name == name }) else { return nil }
    self = format
  }

  /// Whether components are R, G, B rather than Y′, Cb, Cr.
  public var isRGB: Bool { layout == .packedRGBA || layout == .packedBGRA }
  /// Bytes per sample: 1, 2 or 4.
  public var bytesPerSample: Int { sample == .float ? 4 : bitDepth > 8 ? 2 : 1 }

  /// Number of planes: 1 (packed), 2 (semi-planar), 3 or 4 (planar).
  public var planeCount: Int {
    switch layout {
    case .planar: hasAlpha ? 4 : 3
    case .semiPlanar: 2
    case .packedRGBA, .packedBGRA: 1
    }
  }

  /// The number of interleaved samples per position of a plane: 4 in packed formats, 2 for CbCr, otherwise 1.
  public func samplesPerPosition(plane: Int) -> Int {
    switch layout {
    case .planar: 1
    case .semiPlanar: plane == 0 ? 1 : 2
    case .packedRGBA, .packedBGRA: 4
    }
  }

  /// The size of a plane of a frame of `size`. Odd sizes are rounded up.
  public func planeSize(_ plane: Int, of size: PixelSize) -> PixelSize {
    let isChroma = (layout == .planar && (plane == 1 || plane == 2)) || (layout == .semiPlanar && plane == 1)
    guard isChroma else { return size }
    let (h, v) = (subsampling.horizontalShift, subsampling.verticalShift)
    return PixelSize(width: (size.width + (1 << h) - 1) >> h, height: (size.height + (1 << v) - 1) >> v)
  }

  /// Bytes per row of a plane, without padding.
  public func rowBytes(plane: Int, of size: PixelSize) -> Int {
    planeSize(plane, of: size).width * samplesPerPosition(plane: plane) * bytesPerSample
  }

  /// Total bytes of all planes, without padding.
  public func byteCount(of size: PixelSize) -> Int {
    (0..<planeCount).reduce(0) { $0 + rowBytes(plane: $1, of: size) * planeSize($1, of: size).height }
  }
}

extension PixelFormat: CustomStringConvertible {
  /// The ``name``.
  public var description: String { name }
}

extension PixelFormat: Codable {
  /// Decodes the ``name``.
  public init(from decoder: any Decoder) throws {
    let name = try decoder.singleValueContainer().decode(String.self)
    guard let format = PixelFormat(named: name) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "no pixel format \(name)"))
    }
    self = format
  }
  /// Encodes the ``name``.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(name)
  }
}
