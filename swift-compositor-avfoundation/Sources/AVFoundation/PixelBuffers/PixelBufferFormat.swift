internal import Compositor
internal import CoreVideo
internal import Foundation

/// A pixel format of buffers, and how the compositor stores the same samples.
package struct PixelBufferFormat: Sendable {
  /// How the bytes of a buffer differ from those of a frame.
  enum Arrangement: Sendable {
    /// They do not.
    case same
    /// Each pixel has these bytes of R, G, B, A.
    case bytes([Int])
    /// Pairs of pixels: the places of Y′0, Cb, Y′1, Cr.
    case pairs([Int])
  }

  /// The format of buffers.
  let type: OSType
  /// That of frames.
  let format: PixelFormat
  /// The range of Y′CbCr; `nil` for R, G, B.
  var range: ColorRange?
  var arrangement = Arrangement.same

  /// Whether buffers have alpha.
  var hasAlpha: Bool { PixelFormatLayout.of(type)?.hasAlpha ?? false }

  static let bgra = PixelBufferFormat(type: kCVPixelFormatType_32BGRA, format: .bgra)

  private static let known: [PixelBufferFormat] = [
    bgra, PixelBufferFormat(type: kCVPixelFormatType_32RGBA, format: .rgba),
    PixelBufferFormat(type: kCVPixelFormatType_64RGBALE, format: .rgba16),
    PixelBufferFormat(type: kCVPixelFormatType_64RGBAHalf, format: .rgbaHalf),
    PixelBufferFormat(type: kCVPixelFormatType_128RGBAFloat, format: .rgbaFloat),
    PixelBufferFormat(type: kCVPixelFormatType_32ARGB, format: .rgba, arrangement: .bytes([3, 0, 1, 2])),
    PixelBufferFormat(type: kCVPixelFormatType_32ABGR, format: .rgba, arrangement: .bytes([3, 2, 1, 0])),
    PixelBufferFormat(type: kCVPixelFormatType_24RGB, format: .rgba, arrangement: .bytes([0, 1, 2])),
    PixelBufferFormat(type: kCVPixelFormatType_24BGR, format: .rgba, arrangement: .bytes([2, 1, 0])),
    PixelBufferFormat(type: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, format: .nv12, range: .limited),
    PixelBufferFormat(type: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, format: .nv12, range: .full),
    PixelBufferFormat(type: kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange, format: .p010, range: .limited),
    PixelBufferFormat(type: kCVPixelFormatType_420YpCbCr10BiPlanarFullRange, format: .p010, range: .full),
    PixelBufferFormat(type: kCVPixelFormatType_420YpCbCr8Planar, format: .yuv420p, range: .limited),
    PixelBufferFormat(type: kCVPixelFormatType_420YpCbCr8PlanarFullRange, format: .yuv420p, range: .full),
    PixelBufferFormat(
      type: kCVPixelFormatType_422YpCbCr8, format: .yuv422p, range: .limited, arrangement: .pairs([1, 0, 3, 2])),
    PixelBufferFormat(
      type: kCVPixelFormatType_422YpCbCr8_yuvs, format: .yuv422p, range: .limited, arrangement: .pairs([0, 1, 2, 3])),
  ]

  /// The format with a code; `nil` for one that is not known here.
  package static func of(_ type: OSType) -> PixelBufferFormat? { known.first { $0.type == type } }

  /// Formats as decoders make them, for a compositor that names none.
  static func decoded(deep: Bool) -> [PixelBufferFormat] {
    let types = [
      kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange,
      kCVPixelFormatType_32BGRA,
    ]
    return (deep ? [types[1], types[0], types[2]] : types).compactMap(of)
  }

  /// The formats that attributes name.
  ///
  /// - Throws: `.formatUnsupported`: one that is not known here.
  static func all(in attributes: [String: any Sendable], of owner: Any.Type) throws(AVError) -> [PixelBufferFormat] {
    guard let value = attributes[kCVPixelBufferPixelFormatTypeKey as String] else { return [] }
    let listed = (value as? [Any]) ?? (value as? NSArray)?.map { $0 } ?? [value]
    var formats: [PixelBufferFormat] = []
    for code in listed.compactMap(OSType.init(attribute:)) {
      guard let format = of(code) else {
        throw AVError(
          .formatUnsupported, "\(owner) names the pixel format \(code.characters), which is not known here.",
          suggestion: "Name kCVPixelFormatType_32BGRA, or another one of CoreVideo.")
      }
      formats.append(format)
    }
    return formats
  }

  /// The format among some in which a frame comes without a conversion; else the first of the frame's samples, else the first.
  static func best(of formats: [PixelBufferFormat], for frame: Frame) -> PixelBufferFormat {
    let alike = formats.filter { $0.format == frame.format }
    return alike.first { $0.range == nil || $0.range == frame.attributes.color.range } ?? alike.first ?? formats[0]
  }

  /// Color tags as they are in this format.
  func tags(_ color: ColorTags) -> ColorTags {
    var tags = color
    tags.range = range ?? .full
    if format.isRGB {
      tags.matrix = .identity
    } else if tags.matrix == .identity {
      tags.matrix = tags.primaries == .bt2020 ? .bt2020 : .bt709
    }
    return tags
  }
}

extension OSType {
  /// A code of an attribute, however the program wrote the number.
  fileprivate init?(attribute: Any) {
    if let code = attribute as? OSType {
      self = code
    } else if let number = attribute as? NSNumber {
      self = OSType(truncatingIfNeeded: number.int64Value)
    } else if let integer = attribute as? any BinaryInteger {
      self = OSType(truncatingIfNeeded: integer)
    } else {
      return nil
    }
  }

  /// The code as four characters, or as a number if it is none of characters.
  fileprivate var characters: String {
    let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: self >> $0) }
    return bytes.allSatisfy { (32..<127).contains($0) } ? "“\(String(decoding: bytes, as: UTF8.self))”" : "\(self)"
  }
}
