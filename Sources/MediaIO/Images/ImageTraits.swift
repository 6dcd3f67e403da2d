import CompositorAPI

/// What the images of a sequence must have in common to be frames of one format: read from the beginnings of their files.
struct ImageTraits: Hashable {
  /// Stored size; `nil` if the beginning doesn't state it.
  var size: PixelSize?
  var orientation = ExifOrientation.upright
  /// Whether the image has alpha, or may have.
  var hasAlpha = false
  /// The kind of samples, in the terms of the format; 0 if unknown.
  var samples = 0

  /// Number of bytes that are read at first, and if that isn't enough.
  private static let byteCounts = [1 << 14, 1 << 20]

  /// - Throws: The errors of opening the file.
  init(path: String) throws(CompositorError) {
    for count in ImageTraits.byteCounts {
      let bytes = try RegularFile.beginning(of: path, count: count)
      self = ImageTraits(bytes)
      if size != nil || bytes.count < count { return }
    }
  }

  private init(_ bytes: [UInt8]) {
    guard let format = ImageFormat(beginning: bytes) else { return }
    let header = ImageHeader(format, bytes)
    orientation = header.orientation
    size = header.size.map { PixelSize(width: $0.width, height: $0.height) }
    switch format {
    case .png:
      let kind = bytes.bigEndian(at: 25, byteCount: 1) ?? 0
      let isTransparent = bytes.prefix(4096).firstRange(of: Array("tRNS".utf8)) != nil
      hasAlpha = kind & 4 != 0 || isTransparent
      samples = 1 + (bytes.bigEndian(at: 24, byteCount: 1) ?? 0) * 8 + (kind & 2)
    case .jpeg:
      orientation = ExifOrientation.read(fromJPEG: bytes) ?? .upright
      readFrame(ofJPEG: bytes)
    case .webp:
      hasAlpha = bytes.text(at: 12, byteCount: 4) == "VP8X" && (bytes.bigEndian(at: 20, byteCount: 1) ?? 0) & 0x10 != 0
    default: break
    }
    samples += (ImageFormat.allCases.firstIndex(of: format) ?? 0) << 16
  }

  /// The frame header of a JPEG (ITU-T T.81, B.2.2): size and sampling of the components.
  private mutating func readFrame(ofJPEG bytes: [UInt8]) {
    var offset = 2
    while let marker = bytes.bigEndian(at: offset, byteCount: 2), marker >> 8 == 0xff,
      let length = bytes.bigEndian(at: offset + 2, byteCount: 2)
    {
      let isFrame = (0xffc0...0xffcf).contains(marker) && ![0xffc4, 0xffc8, 0xffcc].contains(marker)
      guard isFrame else {
        if marker == 0xffda { return }
        offset += 2 + length
        continue
      }
      guard let height = bytes.bigEndian(at: offset + 5, byteCount: 2),
        let width = bytes.bigEndian(at: offset + 7, byteCount: 2),
        let count = bytes.bigEndian(at: offset + 9, byteCount: 1)
      else { return }
      size = PixelSize(width: width, height: height)
      samples = count << 8 + (bytes.bigEndian(at: offset + 11, byteCount: 1) ?? 0)
      return
    }
  }
}
