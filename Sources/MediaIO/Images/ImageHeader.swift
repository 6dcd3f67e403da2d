import CompositorAPI

/// What the header of an image file says before anything is decoded.
struct ImageHeader {
  /// Columns and rows; `nil` if the header doesn't say, or is damaged: the decoder then finds out.
  private(set) var size: (width: Int, height: Int)?
  /// Whether the file has several pictures, each with its time.
  private(set) var isAnimated = false
  /// Whether the file is shorter than it says, as far as that is known without decoding.
  private(set) var isTruncated = false
  /// More chunks than any tool writes.
  private static let mostChunks = 1_000_000
  /// How the picture is to be turned.
  private(set) var orientation: ExifOrientation = .upright

  /// Whether color is stored multiplied by alpha.
  private(set) var isPremultiplied = false
  /// The ICC profile; `nil` if there is none, or if the format's own decoder finds it.
  private(set) var profile: ArraySlice<UInt8>?
  /// What the picture is coded in, as far as the header says.
  private(set) var components: ICCProfile.Space?

  init(_ format: ImageFormat, _ bytes: [UInt8]) {
    switch format {
    case .png: readPNG(bytes)
    case .jpeg: break
    case .gif:
      let file = GIFFile(bytes)
      (size, isAnimated, isTruncated) = (file.size, file.pictureCount > 1, file.isTruncated)
    case .webp: readWebP(bytes)
    case .avif: readAVIF(bytes)
    case .tiff: readTIFF(bytes)
    case .bmp: readBMP(bytes)
    case .tga: size = TGAHeader(bytes).map { ($0.size.width, $0.size.height) }
    case .pnm: readPNM(bytes)
    case .jpeg2000: readJPEG2000(bytes)
    case .jpegXL: readJPEGXL(bytes)
    }
  }

  /// Refuses pictures that are too large, before memory is asked for, and files that are cut short.
  func check(_ format: ImageFormat) throws(CompositorError) {
    try checkSize(format)
    // libpng and the decoders say so themselves; where there are several pictures, they don't.
    guard isTruncated, isAnimated || format != .png else { return }
    throw CompositorError(
      .truncatedMedia, "The \(format.title) ends before its picture\(isAnimated ? "s do" : " does").",
      recoverySuggestion: "Fetch the file again.")
  }

  private func checkSize(_ format: ImageFormat) throws(CompositorError) {
    guard let size else { return }
    let (pixels, overflow) = size.width.multipliedReportingOverflow(by: size.height)
    guard !overflow, pixels <= MediaLimits.maximumPixelCount else {
      throw CompositorError(
        .pictureTooLarge,
        "The \(format.title) has \(size.width)x\(size.height) pixels, more than \(MediaLimits.maximumPixelCount).",
        recoverySuggestion: "Reduce the picture before using it.")
    }
  }

  private static func pair(_ width: Int?, _ height: Int?) -> (width: Int, height: Int)? {
    guard let width, let height else { return nil }
    return (width, height)
  }

  // MARK: kinds

  private mutating func readPNG(_ bytes: [UInt8]) {
    size = ImageHeader.pair(bytes.bigEndian(at: 16, byteCount: 4), bytes.bigEndian(at: 20, byteCount: 4))
    // APNG: `acTL` says how many frames there are, before the first picture's bytes.
    var offset = 8
    for _ in 0..<ImageHeader.mostChunks {
      guard let length = bytes.bigEndian(at: offset, byteCount: 4), let name = bytes.text(at: offset + 4, byteCount: 4) else {
        isTruncated = true
        return
      }
      if name == "IEND" || name == "IDAT" && !isAnimated { return }
      if name == "acTL" { isAnimated = (bytes.bigEndian(at: offset + 8, byteCount: 4) ?? 0) > 1 }
      offset += 12 + length
    }
  }

  private mutating func readBMP(_ bytes: [UInt8]) {
    let isOld = bytes.littleEndian(at: 14, byteCount: 4) == 12
    let count = isOld ? 2 : 4
    let height = bytes.littleEndian(at: 18 + count, byteCount: count)
    // Rows from the top down have a negative height.
    size = ImageHeader.pair(
      bytes.littleEndian(at: 18, byteCount: count),
      height.map { isOld ? $0 : Int(Int32(truncatingIfNeeded: $0).magnitude) })
  }

  private mutating func readTIFF(_ bytes: [UInt8]) {
    guard let directory = TIFFDirectory(bytes) else { return }
    size = ImageHeader.pair(directory[.width], directory[.height])
    // TIFF 6.0, section 18: 1 is associated alpha.
    isPremultiplied = directory[.extraSamples] == 1
    profile = directory.profile
    // TIFF 6.0, section 8: two kinds of gray, colors, a palette of colors, inks.
    components = directory[.photometry].map { $0 < 2 ? .gray : $0 == 5 ? .cmyk : .rgb }
    orientation = directory[.orientation].flatMap(ExifOrientation.init(rawValue:)) ?? .upright
  }

  private mutating func readWebP(_ bytes: [UInt8]) {
    let file = WebPFile(bytes)
    size = file.size
    (isAnimated, isTruncated) = (file.isAnimated, file.isTruncated)
    (profile, components) = (file.profile, .rgb)
    orientation = file.exif.flatMap { ExifOrientation.read(fromExif: Array($0)) } ?? .upright
  }

  private mutating func readAVIF(_ bytes: [UInt8]) {
    guard let file = HEIFFile(bytes) else { return }
    size = file.largestSize
    isAnimated = bytes.text(at: 8, byteCount: 4) == "avis"
    orientation = file.orientation(of: file.primaryItem)
  }

  /// The numbers behind the signature; comments between them don't count.
  private mutating func readPNM(_ bytes: [UInt8]) {
    let words = bytes.prefix(4096).split(separator: 0x0a).map { $0.prefix { $0 != 0x23 } }.joined(separator: [0x20])
      .split { [0x20, 0x09, 0x0d].contains($0) }.prefix(64).map { String(decoding: $0, as: UTF8.self) }
    if words.first == "P7" {
      func value(_ key: String) -> Int? { words.firstIndex(of: key).flatMap { Int(words.dropFirst($0 + 1).first ?? "") } }
      size = ImageHeader.pair(value("WIDTH"), value("HEIGHT"))
    } else if words.count > 2 {
      size = ImageHeader.pair(Int(words[1]), Int(words[2]))
    }
  }

  /// Of a codestream, its SIZ segment (ISO/IEC 15444-1, A.5.1); of a file, the `ihdr` box.
  private mutating func readJPEG2000(_ bytes: [UInt8]) {
    if bytes.first == 0xff {
      let numbers = [8, 12, 16, 20].compactMap { bytes.bigEndian(at: $0, byteCount: 4) }
      if numbers.count == 4 { size = (max(0, numbers[0] - numbers[2]), max(0, numbers[1] - numbers[3])) }
    } else if let header = ISOBox.all(in: bytes[...]).first(where: { $0.type == "jp2h" }) {
      let boxes = ISOBox.all(in: header.content)
      if let image = boxes.first(where: { $0.type == "ihdr" })?.content {
        size = ImageHeader.pair(image.bigEndian(at: 4, byteCount: 4), image.bigEndian(at: 0, byteCount: 4))
      }
      // ISO/IEC 15444-1, I.5.3.3: method 2 is a profile.
      profile = boxes.first { $0.type == "colr" && $0.content.first == 2 }?.content.dropFirst(3)
    }
  }

  private mutating func readJPEGXL(_ bytes: [UInt8]) {
    guard let header = JPEGXLHeader(bytes) else { return }
    (size, isAnimated) = (header.size, header.isAnimated)
  }
}
