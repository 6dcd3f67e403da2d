import CompositorAPI

/// The camera's orientation (Exif 2.3, tag 0x0112).
enum ExifOrientation: Int {
  case upright = 1
  case mirrored = 2
  case turned180 = 3
  case flipped = 4
  case transposed = 5
  case turned90 = 6
  case transverse = 7
  case turned270 = 8

  /// The transform from the stored image of `size` to the upright one, with its corner at 0,0.
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

  /// The orientation in a JPEG's Exif segment; `nil` if it is missing or invalid.
  static func read(fromJPEG bytes: [UInt8]) -> ExifOrientation? {
    JPEGSegments.contents(of: 0xe1, "Exif\0\0", in: bytes).first.flatMap { read(fromExif: Array($0)) }
  }

  /// The orientation in Exif data, with or without the identifier that precedes it in JPEG.
  static func read(fromExif bytes: [UInt8]) -> ExifOrientation? {
    let identifier = Array("Exif\0\0".utf8)
    let data = bytes.starts(with: identifier) ? Array(bytes.dropFirst(identifier.count)) : bytes
    return TIFFDirectory(data)?[.orientation].flatMap(ExifOrientation.init(rawValue:))
  }
}

/// The bytes of a TIFF file, whose numbers begin with the low byte or with the high one, as the first bytes say.
struct TIFFBytes {
  let bytes: [UInt8]
  /// Whether numbers begin with the low byte: “II”.
  let isLittleEndian: Bool

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    isLittleEndian = bytes.first == 0x49
  }

  /// A number of `count` bytes; `nil` if the file ends before.
  func number(at offset: Int, _ count: Int) -> Int? {
    isLittleEndian ? bytes.littleEndian(at: offset, byteCount: count) : bytes.bigEndian(at: offset, byteCount: count)
  }
}

/// The first directory of a TIFF file (TIFF 6.0, section 2). Exif data has the same form.
struct TIFFDirectory {
  /// Tags of interest.
  enum Tag: Int {
    case width = 256
    case height = 257
    case compression = 259
    case orientation = 274
    case tileWidth = 322
    case extraSamples = 338
    case photometry = 262
    case profile = 34_675
    /// DNGVersion of digital negatives.
    case rawVersion = 50_706
  }

  private var values: [Int: Int] = [:]
  /// The ICC profile; `nil` if it is missing or incomplete.
  private(set) var profile: ArraySlice<UInt8>?

  /// `nil` if the bytes are not a TIFF.
  init?(_ bytes: [UInt8]) {
    let tiff = TIFFBytes(bytes)
    guard bytes.count >= 8, let directory = tiff.number(at: 4, 4), let count = tiff.number(at: directory, 2) else { return nil }
    for index in 0..<count {
      let entry = directory + 2 + 12 * index
      guard let tag = tiff.number(at: entry, 2), let kind = tiff.number(at: entry + 2, 2) else { return }
      if tag == Tag.profile.rawValue, let length = tiff.number(at: entry + 4, 4), let offset = tiff.number(at: entry + 8, 4) {
        profile = bytes.part(at: offset, byteCount: length)
      }
      // Bytes, shorts and longs are stored in the entry itself, the first value first.
      guard let width = [1: 1, 3: 2, 4: 4][kind] else { continue }
      values[tag] = tiff.number(at: entry + 8, width)
    }
  }

  /// The first value of a tag; `nil` if it's absent.
  subscript(tag: Tag) -> Int? { values[tag.rawValue] }
}
