public import CompositorAPI
import CompositorMediaIO
import Foundation

/// A JPEG or PNG file that players show for a movie or a song. Its bytes are written unchanged.
///
/// ```swift
/// let cover = try CoverPicture(contentsOf: "cover.jpg")
/// ```
public struct CoverPicture: Hashable, Sendable {
  /// The image formats that containers accept as covers.
  public enum Format: String, Hashable, Sendable, Codable, CaseIterable {
    /// JPEG.
    case jpeg
    /// PNG.
    case png
  }

  /// The format, detected from the bytes.
  public let format: Format
  /// The bytes of the whole file.
  public let bytes: [UInt8]
  /// Size in pixels.
  public let size: PixelSize

  /// The maximum size of a cover in bytes. Players keep covers in memory, and many reject larger ones.
  public static let maximumByteCount = 16 << 20

  /// Reads a cover from a file.
  ///
  /// - Throws: `.fileNotFound`, `.sourceRefused` and `.readFailed` if the file cannot be read; the errors of ``init(bytes:)``.
  public init(contentsOf path: String) throws(CompositorError) {
    let bytes = try RegularFile.bytes(of: path, maximumByteCount: Self.maximumByteCount, tooLong: .unsupportedOutput)
    do throws(CompositorError) { try self.init(bytes: bytes) } catch { throw error.locating(ErrorLocation(file: path)) }
  }

  /// Creates a cover from the bytes of a file.
  ///
  /// - Throws: `.unsupportedOutput` for anything but a JPEG or PNG whose header states its size, and above
  ///   ``maximumByteCount``.
  public init(bytes: [UInt8]) throws(CompositorError) {
    guard bytes.count <= Self.maximumByteCount else {
      throw Self.refusal("The cover has \(bytes.count) bytes, more than \(Self.maximumByteCount).", "Make it smaller.")
    }
    if let size = Self.pngSize(bytes) {
      (format, self.size) = (.png, size)
    } else if let size = Self.jpegSize(bytes) {
      (format, self.size) = (.jpeg, size)
    } else {
      throw Self.refusal("The cover is neither a JPEG nor a PNG file.", "Give a .jpg or a .png file.")
    }
    self.bytes = bytes
  }

  private static func refusal(_ message: String, _ recoverySuggestion: String) -> CompositorError {
    CompositorError(.unsupportedOutput, message, recoverySuggestion: recoverySuggestion)
  }

  private static func size(_ width: Int, _ height: Int) -> PixelSize? {
    let sides = 1...65_535
    return sides.contains(width) && sides.contains(height) ? PixelSize(width: width, height: height) : nil
  }

  /// The size in IHDR, which comes first.
  private static func pngSize(_ bytes: [UInt8]) -> PixelSize? {
    let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
    guard bytes.count > 33, bytes.starts(with: signature), bytes[12..<16].elementsEqual("IHDR".utf8) else { return nil }
    func number(_ offset: Int) -> Int { bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
    return size(number(16), number(20))
  }

  /// The size in the first frame header (SOF).
  private static func jpegSize(_ bytes: [UInt8]) -> PixelSize? {
    guard bytes.starts(with: [0xff, 0xd8, 0xff]) else { return nil }
    var offset = 2
    while offset + 9 < bytes.count {
      guard bytes[offset] == 0xff else { return nil }
      let marker = bytes[offset + 1]
      // Skip fill bytes before a marker, and markers without a length.
      if marker == 0xff {
        offset += 1
        continue
      }
      let length = Int(bytes[offset + 2]) << 8 | Int(bytes[offset + 3])
      let isFrame = (0xc0...0xcf).contains(marker) && ![0xc4, 0xc8, 0xcc].contains(marker)
      if isFrame {
        return size(
          Int(bytes[offset + 7]) << 8 | Int(bytes[offset + 8]), Int(bytes[offset + 5]) << 8 | Int(bytes[offset + 6]))
      }
      guard length >= 2, marker != 0xda else { return nil }
      offset += 2 + length
    }
    return nil
  }
}

extension CoverPicture: Codable {
  /// Decodes the bytes of the file.
  public init(from decoder: any Decoder) throws {
    try self.init(bytes: Array(decoder.singleValueContainer().decode(Data.self)))
  }

  /// Encodes the bytes of the file.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(Data(bytes))
  }
}
