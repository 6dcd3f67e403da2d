import CompositorAPI

/// Properties of an image file that its header states before anything is decoded.
struct ImageHeader {
  /// Size in pixels; `nil` if the header doesn't state it or is damaged, so that the decoder has to find out.
  private(set) var size: (width: Int, height: Int)?
  /// Whether the file has several images, each with its time.
  private(set) var isAnimated = false
  /// How often an animated GIF or PNG is played: 0 for endlessly; `nil` for others.
  private(set) var playCount: Int?
  /// Whether the file is shorter than it states, as far as that is known without decoding.
  private(set) var isTruncated = false
  /// More chunks than any tool writes.
  private static let mostChunks = 1_000_000
  /// Orientation of the stored image.
  private(set) var orientation: ExifOrientation = .upright

  /// Whether color is premultiplied by alpha.
  private(set) var isPremultiplied = false
  /// The ICC profile; `nil` if there is none, or if the format's own decoder finds it.
  private(set) var profile: ArraySlice<UInt8>?
  /// The coded components, as far as the header states them.
  private(set) var components: ICCProfile.Space?

  init(_ format: ImageFormat, _ bytes: [UInt8]) {
    switch format {
    case .png: readPNG(bytes)
    case .jpeg: break
    case .gif:
      let file = GIFFile(bytes)
      (size, isAnimated, isTruncated) = (file.size, file.pictureCount > 1, file.isTruncated)
      playCount = file.playCount
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

  /// Rejects images that are too large before allocating memory, and truncated files.
  func check(_ format: ImageFormat) throws(CompositorError) {
    try checkSize(format)
    // libpng and the decoders report truncation themselves, but not if there are several images.
    guard isTruncated, isAnimated || format != .png else { return }
    throw CompositorError(
      .truncatedMedia, "The \(format.title) ends before its image\(isAnimated ? "s do" : " does").",
      recoverySuggestion: "\(DamageAdvice.fetchAgain).")
  }

  private func checkSize(_ format: ImageFormat) throws(CompositorError) {
    guard let size else { return }
    let (pixels, overflow) = size.width.multipliedReportingOverflow(by: size.height)
    guard !overflow, pixels <= MediaLimits.maximumPixelCount else {
      throw CompositorError(
        .frameTooLarge,
        "The \(format.title) has \(size.width)x\(size.height) pixels, more than \(MediaLimits.maximumPixelCount).",
        recoverySuggestion: "Reduce the image before using it.")
    }
  }

  private static func pair(_ width: Int?, _ height: Int?) -> (width: Int, height: Int)? {
    guard let width, let height else { return nil }
    return (width, height)
  }

  // MARK: kinds

  private mutating func readPNG(_ bytes: [UInt8]) {
    size = ImageHeader.pair(bytes.bigEndian(at: 16, byteCount: 4), bytes.bigEndian(at: 20, byteCount: 4))
    // APNG: `acTL` states the number of frames, before the first image's bytes.
    var offset = 8
    for _ in 0..<ImageHeader.mostChunks {
      guard let length = bytes.bigEndian(at: offset, byteCount: 4), let name = bytes.text(at: offset + 4, byteCount: 4) else {
        isTruncated = true
        return
      }
      if name == "IEND" { return }
      // PNG (third edition), 11.3.3.1.2: Exif data, before or after the image's bytes.
      if name == "eXIf", let exif = bytes.part(at: offset + 8, byteCount: length) {
        orientation = ExifOrientation.read(fromExif: Array(exif)) ?? .upright
      }
      if name == "acTL" {
        isAnimated = (bytes.bigEndian(at: offset + 8, byteCount: 4) ?? 0) > 1
        playCount = bytes.bigEndian(at: offset + 12, byteCount: 4)
      }
      offset += 12 + length
    }
  }

  private mutating func readBMP(_ bytes: [UInt8]) {
    let isOld = bytes.littleEndian(at: 14, byteCount: 4) == 12
    let count = isOld ? 2 : 4
    let height = bytes.littleEndian(at: 18 + count, byteCount: count)
    // A negative height means rows from top to bottom.
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
    // TIFF 6.0, section 8: two kinds of gray, RGB, palette, inks.
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
    // A sequence needs no image outside of its track.
    isAnimated = bytes.text(at: 8, byteCount: 4) == "avis"
    guard let file = HEIFFile(bytes) else { return }
    size = file.largestSize
    orientation = file.orientation(of: file.primaryItem)
  }

  /// The numbers after the signature; comments between them are skipped.
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

  /// The size is in the SIZ segment of a codestream (ISO/IEC 15444-1, A.5.1), and in the `ihdr` box of a file.
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
