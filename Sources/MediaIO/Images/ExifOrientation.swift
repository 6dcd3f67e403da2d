import CompositorAPI

/// How a camera was held, Exif 2.3, tag 0x0112.
enum ExifOrientation: Int {
  case upright = 1
  case mirrored = 2
  case turned180 = 3
  case flipped = 4
  case transposed = 5
  case turned90 = 6
  case transverse = 7
  case turned270 = 8

  /// From the stored picture of `size` to upright, its corner at 0,0.
  func transform(size: Size) -> AffineMatrix {
    let (w, h) = (size.width, size.height)
    switch self {
    case .upright: return .identity
    case .mirrored: return AffineMatrix(a: -1, b: 0, c: 0, d: 1, tx: w, ty: 0)
    case .turned180: return AffineMatrix(a: -1, b: 0, c: 0, d: -1, tx: w, ty: h)
    case .flipped: return AffineMatrix(a: 1, b: 0, c: 0, d: -1, tx: 0, ty: h)
    case .transposed: return AffineMatrix(a: 0, b: 1, c: 1, d: 0, tx: 0, ty: 0)
    case .turned90: return AffineMatrix(a: 0, b: 1, c: -1, d: 0, tx: h, ty: 0)
    case .transverse: return AffineMatrix(a: 0, b: -1, c: -1, d: 0, tx: h, ty: w)
    case .turned270: return AffineMatrix(a: 0, b: -1, c: 1, d: 0, tx: 0, ty: w)
    }
  }

  /// The orientation in a JPEG's Exif segment; nil where there is none, or nonsense.
  static func read(fromJPEG bytes: [UInt8]) -> ExifOrientation? {
    JPEGSegments.contents(of: 0xe1, "Exif\0\0", in: bytes).first.flatMap { read(fromTIFF: Array($0)) }
  }

  private static func read(fromTIFF bytes: [UInt8]) -> ExifOrientation? {
    guard bytes.count >= 8 else { return nil }
    let isLittleEndian = bytes[0] == 0x49
    func number(at offset: Int, bytes width: Int) -> Int? {
      guard offset >= 0, offset + width <= bytes.count else { return nil }
      let field = bytes[offset..<(offset + width)]
      return (isLittleEndian ? Array(field.reversed()) : Array(field)).reduce(0) { $0 << 8 | Int($1) }
    }
    guard let directory = number(at: 4, bytes: 4), let count = number(at: directory, bytes: 2) else { return nil }
    for index in 0..<count {
      let entry = directory + 2 + 12 * index
      guard let tag = number(at: entry, bytes: 2) else { return nil }
      if tag == 0x0112 { return number(at: entry + 8, bytes: 2).flatMap(ExifOrientation.init(rawValue:)) }
    }
    return nil
  }
}
