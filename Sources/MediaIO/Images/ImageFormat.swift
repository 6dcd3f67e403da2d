import CompositorAPI

/// The supported kinds of image files, recognized by their first bytes rather than their names.
enum ImageFormat: String, CaseIterable {
  case png, jpeg, gif, webp, avif, tiff, bmp, tga, pnm, jpeg2000
  case jpegXL = "jpegxl"

  /// Number of bytes that ``init(beginning:)`` needs.
  static let headerByteCount = 64

  /// `nil` if the bytes don't begin a supported format.
  init?(beginning bytes: [UInt8]) {
    func begins(_ signature: [UInt8], at offset: Int = 0) -> Bool { bytes.dropFirst(offset).starts(with: signature) }
    func begins(_ text: String, at offset: Int = 0) -> Bool { begins(Array(text.utf8), at: offset) }
    if begins([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) {
      self = .png
    } else if begins([0xff, 0xd8, 0xff]) {
      self = .jpeg
    } else if begins("GIF87a") || begins("GIF89a") {
      self = .gif
    } else if begins("RIFF"), begins("WEBP", at: 8) {
      self = .webp
    } else if begins("ftyp", at: 4), ImageFormat.isAVIF(bytes) {
      self = .avif
    } else if begins([0x49, 0x49, 0x2a, 0]) || begins([0x4d, 0x4d, 0, 0x2a]) {
      self = .tiff
    } else if begins("BM"), [12, 16, 40, 52, 56, 64, 108, 124].contains(bytes.littleEndian(at: 14, byteCount: 4)) {
      self = .bmp
    } else if begins([0xff, 0x4f, 0xff, 0x51]) || begins([0, 0, 0, 12, 0x6a, 0x50, 0x20, 0x20, 13, 10, 0x87, 10]) {
      self = .jpeg2000
    } else if begins([0xff, 0x0a]) || begins([0, 0, 0, 12, 0x4a, 0x58, 0x4c, 0x20, 13, 10, 0x87, 10]) {
      self = .jpegXL
    } else if begins("P"), bytes.count > 2, (0x31...0x37).contains(bytes[1]), ImageFormat.isBlank(bytes[2]) {
      self = .pnm
    } else if TGAHeader(bytes) != nil {
      self = .tga
    } else {
      return nil
    }
  }

  /// Whether a `ftyp` box lists the brand of AV1 images.
  private static func isAVIF(_ bytes: [UInt8]) -> Bool {
    let size = min(bytes.bigEndian(at: 0, byteCount: 4) ?? 0, bytes.count)
    // A version lies between the major brand and the others.
    return stride(from: 8, to: size, by: 4).contains { offset in
      offset != 12 && ["avif", "avis"].contains(bytes.text(at: offset, byteCount: 4))
    }
  }

  private static func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0a, 0x0d, 0x23].contains(byte) }

  /// The format's name for people.
  var title: String {
    switch self {
    case .png, .jpeg, .gif, .avif, .tiff, .bmp, .tga: rawValue.uppercased()
    case .webp: "WebP"
    case .pnm: "PNM"
    case .jpeg2000: "JPEG 2000"
    case .jpegXL: "JPEG XL"
    }
  }

  /// libavcodec's name of the codec.
  func codec(_ bytes: [UInt8]) -> String {
    switch self {
    case .png, .jpeg, .gif, .webp, .tiff, .bmp, .jpeg2000, .jpegXL: rawValue
    case .avif: "av1"
    case .tga: "targa"
    case .pnm: ["pbm", "pgm", "ppm", "pbm", "pgm", "ppm", "pam"][Int(bytes[1] - 0x31)]
    }
  }
}

/// The header of a TGA file. As the format has no signature, every field must make sense.
struct TGAHeader {
  let size: PixelSize
  /// The minimum size of the whole file in bytes; 18 if it is run-length coded.
  let minimumByteCount: Int

  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 18 else { return nil }
    let (hasMap, kind, depth, descriptor) = (bytes[1] == 1, bytes[2], Int(bytes[16]), bytes[17])
    let mapDepth = Int(bytes[7])
    let mapLength = Int(bytes[5]) | Int(bytes[6]) << 8
    let isMapped = kind == 1 || kind == 9
    guard bytes[1] <= 1, [1, 2, 3, 9, 10, 11].contains(kind), hasMap == isMapped, descriptor & 0xc0 == 0 else { return nil }
    guard isMapped ? mapLength > 0 && [15, 16, 24, 32].contains(mapDepth) : bytes[3...7].allSatisfy({ $0 == 0 }) else {
      return nil
    }
    let depths = isMapped ? [8] : kind & 3 == 3 ? [8, 16] : [15, 16, 24, 32]
    let (width, height) = (Int(bytes[12]) | Int(bytes[13]) << 8, Int(bytes[14]) | Int(bytes[15]) << 8)
    guard depths.contains(depth), [0, 1, 8].contains(descriptor & 15), width > 0, height > 0 else { return nil }
    size = PixelSize(width: width, height: height)
    let table = Int(bytes[0]) + (isMapped ? mapLength * ((mapDepth + 7) / 8) : 0)
    minimumByteCount = 18 + table + (kind < 8 ? width * height * ((depth + 7) / 8) : 0)
  }
}
