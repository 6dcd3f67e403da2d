public import Foundation

/// Where the alpha of a pixel is, and whether it is multiplied into the colors.
public enum CGImageAlphaInfo: UInt32, Sendable {
  /// No alpha, red first.
  case none = 0
  /// Alpha last, multiplied.
  case premultipliedLast = 1
  /// Alpha first, multiplied.
  case premultipliedFirst = 2
  /// Alpha last.
  case last = 3
  /// Alpha first.
  case first = 4
  /// A component last that is not used.
  case noneSkipLast = 5
  /// A component first that is not used.
  case noneSkipFirst = 6
  /// Alpha alone.
  case alphaOnly = 7
}

/// The layout of a pixel in memory.
public struct CGBitmapInfo: OptionSet, Hashable, Sendable {
  /// The bits as stored.
  public let rawValue: UInt32
  /// A layout from its bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  /// The bits that hold a ``CGImageAlphaInfo``.
  public static let alphaInfoMask = CGBitmapInfo(rawValue: 0x1f)
  /// Components are floating point.
  public static let floatComponents = CGBitmapInfo(rawValue: 1 << 8)
  /// The bits that hold the order of bytes.
  public static let byteOrderMask = CGBitmapInfo(rawValue: 0x7000)
  /// Bytes are in the order of the components.
  public static let byteOrderDefault: CGBitmapInfo = []
  /// Words of 16 bits, least significant byte first.
  public static let byteOrder16Little = CGBitmapInfo(rawValue: 1 << 12)
  /// Words of 32 bits, least significant byte first: with alpha first, B, G, R, A in memory.
  public static let byteOrder32Little = CGBitmapInfo(rawValue: 2 << 12)
  /// Words of 16 bits, most significant byte first.
  public static let byteOrder16Big = CGBitmapInfo(rawValue: 3 << 12)
  /// Words of 32 bits, most significant byte first.
  public static let byteOrder32Big = CGBitmapInfo(rawValue: 4 << 12)
}

/// How colors outside of a gamut are brought into it.
public enum CGColorRenderingIntent: Int32, Sendable {
  /// As the medium does it.
  case defaultIntent
  /// Colors inside of the gamut do not change.
  case absoluteColorimetric
  /// Relative to the white.
  case relativeColorimetric
  /// All colors change, their relations do not.
  case perceptual
  /// Saturation is kept.
  case saturation
}

/// How pixels between pixels are found.
public enum CGInterpolationQuality: Int32, Sendable {
  /// As the medium does it.
  case `default` = 0
  /// The nearest pixel.
  case none = 1
  /// Fast.
  case low = 2
  /// Between fast and good.
  case medium = 4
  /// Good.
  case high = 3
}

/// Bytes of an image.
public final class CGDataProvider: Sendable {
  /// The bytes.
  public nonisolated(unsafe) let data: CFData?
  let bytes: Data

  /// A provider of bytes.
  public init?(data: CFData) {
    self.data = data
    bytes = data as Data
  }
}

/// A picture of 8-bit components.
public final class CGImage: @unchecked Sendable {
  /// Pixels per row.
  public let width: Int
  /// Rows.
  public let height: Int
  /// Bits per component.
  public let bitsPerComponent: Int
  /// Bits per pixel.
  public let bitsPerPixel: Int
  /// Bytes from one row to the next.
  public let bytesPerRow: Int
  /// The color space.
  public let colorSpace: CGColorSpace?
  /// The layout of a pixel.
  public let bitmapInfo: CGBitmapInfo
  /// The bytes.
  public let dataProvider: CGDataProvider?
  let bytes: Data

  /// A picture of bytes; `nil` if there are too few of them, or if the layout is not one of 8-bit gray or of 8-bit color in 32 bits.
  public init?(
    width: Int, height: Int, bitsPerComponent: Int, bitsPerPixel: Int, bytesPerRow: Int, space: CGColorSpace,
    bitmapInfo: CGBitmapInfo, provider: CGDataProvider, decode: UnsafePointer<CGFloat>?, shouldInterpolate: Bool,
    intent: CGColorRenderingIntent
  ) {
    guard width > 0, height > 0, bitsPerComponent == 8, bitsPerPixel == 32 || bitsPerPixel == 8,
      bytesPerRow >= width * bitsPerPixel / 8, provider.bytes.count >= bytesPerRow * (height - 1) + width * bitsPerPixel / 8
    else { return nil }
    self.width = width
    self.height = height
    self.bitsPerComponent = bitsPerComponent
    self.bitsPerPixel = bitsPerPixel
    self.bytesPerRow = bytesPerRow
    self.bitmapInfo = bitmapInfo
    colorSpace = space
    dataProvider = provider
    bytes = provider.bytes
  }

  /// Where alpha is.
  public var alphaInfo: CGImageAlphaInfo {
    CGImageAlphaInfo(rawValue: bitmapInfo.intersection(.alphaInfoMask).rawValue) ?? .none
  }

  /// A part of the picture; `nil` if it has no pixel.
  public func cropping(to rect: CGRect) -> CGImage? {
    let part = rect.integral.intersection(CGRect(x: 0, y: 0, width: width, height: height))
    guard !part.isNull, !part.isEmpty, let colorSpace else { return nil }
    let first = Int(part.minY) * bytesPerRow + Int(part.minX) * bitsPerPixel / 8
    let rest = NSData(data: bytes.dropFirst(first))
    return CGDataProvider(data: rest).flatMap {
      CGImage(
        width: Int(part.width), height: Int(part.height), bitsPerComponent: bitsPerComponent, bitsPerPixel: bitsPerPixel,
        bytesPerRow: bytesPerRow, space: colorSpace, bitmapInfo: bitmapInfo, provider: $0, decode: nil,
        shouldInterpolate: true, intent: .defaultIntent)
    }
  }
}
