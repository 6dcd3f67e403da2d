public import CompositorAPI
import CompositorMediaIO

/// The kinds of image files that can be written, by file name extension.
public enum ImageFileFormat: String, Hashable, Sendable, Codable, CaseIterable {
  /// `.png`: lossless, 8 or 16 bits, alpha, HDR.
  case png
  /// `.jpg`, `.jpeg`: lossy, 8 bits.
  case jpeg
  /// `.webp`: lossy or lossless, 8 bits, alpha.
  case webP = "webp"

  /// The format of a file name's extension; `nil` for unknown extensions.
  public init?(path: String) {
    switch path.fileExtension {
    case "png": self = .png
    case "jpg", "jpeg": self = .jpeg
    case "webp": self = .webP
    default: return nil
    }
  }

  /// All extensions, without the dot.
  public static let extensions = ["png", "jpg", "jpeg", "webp"]

  /// The format's name for people.
  public var name: String {
    switch self {
    case .png: "PNG"
    case .jpeg: "JPEG"
    case .webP: "WebP"
    }
  }

  /// Whether the format has a quality setting.
  public var hasQuality: Bool { self != .png }

  /// The pixel format in which the writer takes frames: `format` as far as the file can hold it.
  ///
  /// - Parameter format: R′G′B′ of 8 or 16 bits. 16 bits become 8 if the file holds no more.
  package func layout(for format: PixelFormat) -> PixelFormat {
    switch self {
    case .png: format.bitDepth > 8 ? .rgba16 : format == .bgra ? .bgra : .rgba
    case .jpeg: format == .bgra ? .bgra : .rgba
    case .webP: .bgra
    }
  }
}

/// Settings for writing image files. PNG ignores them.
public struct ImageFileSettings: Hashable, Sendable {
  /// Quality, 1 … 100, larger is better; `nil` for 90. JPEG has full chroma (4:4:4) from 90, half of it (4:2:0) below.
  public var quality: Int?
  /// Whether WebP is lossless. Default false.
  public var isLossless = false

  /// Creates settings.
  public init(quality: Int? = nil, isLossless: Bool = false) {
    self.quality = quality
    self.isLossless = isLossless
  }

  /// The default quality.
  public static let defaultQuality = 90

  /// - Throws: `.invalidValue` for a quality outside 1 … 100, `.unsupportedOutput` for a setting that the format does not have.
  package func validate(for format: ImageFileFormat, path: String) throws(CompositorError) {
    if let quality, !(1...100).contains(quality) {
      throw CompositorError(
        .invalidValue, "The quality of an image is \(quality).", recoverySuggestion: "Give 1 to 100; larger is better.",
        at: ErrorLocation(file: path))
    }
    if isLossless, format == .jpeg {
      throw CompositorError(
        .unsupportedOutput, "JPEG is never lossless.", recoverySuggestion: "Write .png, or .webp.",
        at: ErrorLocation(file: path))
    }
    if quality != nil, !format.hasQuality {
      throw CompositorError(
        .unsupportedOutput, "PNG is lossless and has no quality.",
        recoverySuggestion: "Leave the quality out, or write .jpg or .webp.", at: ErrorLocation(file: path))
    }
  }
}

/// Writes frames into image files, in the format of the file name's extension.
public enum ImageFileWriter {
  /// Writes a frame to `path`.
  ///
  /// The file appears complete or not at all, and is durable when this method returns.
  ///
  /// - Parameters:
  ///   - frame: R′G′B′ in full range, packed: 8 bits, or 16 for PNG.
  ///   - overwrites: Whether an existing file is replaced, when the new one is complete. By default it is an error.
  /// - Throws: `.outputExists`; `.unsupportedOutput` for a name or a frame that cannot be written, `.invalidValue` for a quality
  ///   out of range, `.encoderNotFound` if libavcodec has no WebP encoder, `.encodeFailed`, `.writeFailed`.
  /// - Returns: The file's size in bytes.
  @discardableResult
  public static func write(
    _ frame: Frame, to path: String, settings: ImageFileSettings = ImageFileSettings(), overwrites: Bool = false
  ) throws(CompositorError) -> Int64 {
    let format = try format(of: path)
    try settings.validate(for: format, path: path)
    try validate(frame.format, frame.size, frame.attributes, as: format, path: path)
    return try AtomicOutput.create(path, overwrites: overwrites) { partial throws(CompositorError) in
      try writePart(frame, to: partial, settings: settings)
    }
  }

  /// Writes a frame to a file of an output that gets its name later. Creates the file or replaces its contents; on failure, the file is
  /// removed.
  ///
  /// - Throws: The errors of ``write(_:to:settings:overwrites:)`` except `.outputExists`.
  @discardableResult
  package static func writePart(
    _ frame: Frame, to path: String, settings: ImageFileSettings
  ) throws(CompositorError) -> Int64 {
    let format = try format(of: path)
    try settings.validate(for: format, path: path)
    try validate(frame.format, frame.size, frame.attributes, as: format, path: path)
    let frame = try frame.downloaded(for: "the image")
    switch format {
    case .png: return try PNGWriter.write(frame, to: path)
    case .jpeg: return try FileBytes.create(try JPEGWriter.encode(frame, settings: settings, path: path), to: path)
    case .webP: return try FileBytes.create(try WebPWriter.encode(frame, settings: settings, path: path), to: path)
    }
  }

  /// Encodes a frame as JPEG in memory, for immediate display.
  ///
  /// - Parameters:
  ///   - frame: R′G′B′ in full range, packed, 8 bits, opaque.
  ///   - quality: 1 … 100; full chroma from 90.
  /// - Throws: `.unsupportedOutput` for other frames, `.invalidValue` for a quality out of range, `.encodeFailed`.
  package static func jpegBytes(of frame: Frame, quality: Int) throws(CompositorError) -> [UInt8] {
    let settings = ImageFileSettings(quality: quality)
    try settings.validate(for: .jpeg, path: "frame.jpg")
    try validate(frame.format, frame.size, frame.attributes, as: .jpeg, path: "frame.jpg")
    return try JPEGWriter.encode(frame.downloaded(for: "the image"), settings: settings, path: "frame.jpg")
  }

  /// The format of a file name's extension.
  ///
  /// - Throws: `.unsupportedOutput` for other extensions.
  package static func format(of path: String) throws(CompositorError) -> ImageFileFormat {
    if let format = ImageFileFormat(path: path) { return format }
    throw CompositorError(
      .unsupportedOutput, "An image cannot be written to a file of this name.",
      recoverySuggestion: "Name it .png, .jpg or .webp.", at: ErrorLocation(file: path))
  }

  /// Checks that frames of this kind can be written.
  ///
  /// - Throws: `.unsupportedOutput` if they cannot.
  package static func validate(
    _ layout: PixelFormat, _ size: PixelSize, _ attributes: FrameAttributes, as format: ImageFileFormat, path: String
  ) throws(CompositorError) {
    guard format != .png else {
      return try PNGWriter.validate(format: layout, size: size, attributes: attributes, path: path)
    }
    func refuse(_ message: String, _ recoverySuggestion: String) -> CompositorError {
      CompositorError(.unsupportedOutput, message, recoverySuggestion: recoverySuggestion, at: ErrorLocation(file: path))
    }
    guard !attributes.color.transfer.isHDR else {
      throw refuse(
        "\(format.name) cannot hold HDR (\(attributes.color.transfer.name)).", "Write .png, or turn the image into SDR.")
    }
    guard layout.bitDepth == 8 else { throw refuse("\(format.name) holds 8 bits.", "Write .png, or ask for 8 bits.") }
    guard format.layout(for: layout) == layout, attributes.color.range == .full else {
      throw refuse(
        "\(format.name) cannot hold \(layout) frames.", "Convert to \(format.layout(for: layout).name) in full range.")
    }
    guard format != .jpeg || attributes.alphaMode == .opaque else {
      throw refuse("JPEG holds no transparency.", "Write .png or .webp, or give the canvas an opaque background.")
    }
    guard attributes.alphaMode != .premultiplied else {
      throw refuse("WebP holds straight alpha, and the frame is premultiplied.", "Convert the frame to straight alpha.")
    }
    let limit = format == .jpeg ? 65_500 : 16_383
    guard (1...limit).contains(size.width), (1...limit).contains(size.height) else {
      throw refuse("\(format.name) cannot hold an image of \(size).", "Use at most \(limit) pixels a side, or write .png.")
    }
  }
}
