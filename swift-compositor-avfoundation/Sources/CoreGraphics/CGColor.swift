internal import Foundation

/// How codes of a color are to be understood. Color spaces are compared by their names.
public final class CGColorSpace: Hashable, Sendable, CustomStringConvertible {
  /// The name, which is one of the constants of this type.
  public nonisolated(unsafe) let name: CFString?
  /// How many numbers a color has, alpha aside.
  public let numberOfComponents: Int
  private let identifier: String

  init(identifier: String, components: Int) {
    self.identifier = identifier
    name = NSString(string: identifier)
    numberOfComponents = components
  }

  /// A color space by its name; `nil` for one that is not known here.
  public convenience init?(name: CFString) {
    guard let components = CGColorSpace.componentCounts[name as String] else { return nil }
    self.init(identifier: name as String, components: components)
  }

  private static let componentCounts: [String: Int] = [
    sRGBName: 3, extendedSRGBName: 3, linearSRGBName: 3, displayP3Name: 3, itur709Name: 3, itur2020Name: 3, hlgName: 3,
    pqName: 3, grayName: 1, deviceRGBName: 3, deviceGrayName: 1,
  ]
  private static let sRGBName = "kCGColorSpaceSRGB"
  private static let extendedSRGBName = "kCGColorSpaceExtendedSRGB"
  private static let linearSRGBName = "kCGColorSpaceLinearSRGB"
  private static let displayP3Name = "kCGColorSpaceDisplayP3"
  private static let itur709Name = "kCGColorSpaceITUR_709"
  private static let itur2020Name = "kCGColorSpaceITUR_2020"
  private static let hlgName = "kCGColorSpaceITUR_2100_HLG"
  private static let pqName = "kCGColorSpaceITUR_2100_PQ"
  private static let grayName = "kCGColorSpaceGenericGrayGamma2_2"
  private static let deviceRGBName = "kCGColorSpaceDeviceRGB"
  private static let deviceGrayName = "kCGColorSpaceDeviceGray"

  /// IEC 61966-2-1.
  public static var sRGB: CFString { NSString(string: sRGBName) }
  /// IEC 61966-2-1, beyond 0 and 1.
  public static var extendedSRGB: CFString { NSString(string: extendedSRGBName) }
  /// The primaries of sRGB, with light itself.
  public static var linearSRGB: CFString { NSString(string: linearSRGBName) }
  /// The primaries of P3 with the white and the curve of sRGB.
  public static var displayP3: CFString { NSString(string: displayP3Name) }
  /// ITU-R BT.709.
  public static var itur_709: CFString { NSString(string: itur709Name) }
  /// ITU-R BT.2020.
  public static var itur_2020: CFString { NSString(string: itur2020Name) }
  /// ITU-R BT.2100 with hybrid log-gamma.
  public static var itur_2100_HLG: CFString { NSString(string: hlgName) }
  /// ITU-R BT.2100 with perceptual quantization.
  public static var itur_2100_PQ: CFString { NSString(string: pqName) }
  /// Gray with an exponent of 2.2.
  public static var genericGrayGamma2_2: CFString { NSString(string: grayName) }

  static let deviceRGB = CGColorSpace(identifier: deviceRGBName, components: 3)
  static let deviceGray = CGColorSpace(identifier: deviceGrayName, components: 1)

  /// Whether both have the same name.
  public static func == (left: CGColorSpace, right: CGColorSpace) -> Bool { left.identifier == right.identifier }
  /// Equal color spaces have equal hashes.
  public func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
  /// The name.
  public var description: String { identifier }
}

/// Red, green and blue of the device, which is sRGB here.
public func CGColorSpaceCreateDeviceRGB() -> CGColorSpace { .deviceRGB }
/// Gray of the device.
public func CGColorSpaceCreateDeviceGray() -> CGColorSpace { .deviceGray }

/// A color: components of a color space, and alpha, which is not multiplied into them.
public final class CGColor: Hashable, Sendable {
  private let values: [CGFloat]
  /// The color space.
  public let colorSpace: CGColorSpace?

  /// A color of red, green and blue in sRGB, 0 … 1.
  public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
    values = [red, green, blue, alpha]
    colorSpace = .deviceRGB
  }

  /// A color of red, green and blue in sRGB, 0 … 1.
  public convenience init(srgbRed red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
    self.init(red: red, green: green, blue: blue, alpha: alpha)
  }

  /// A gray, 0 … 1.
  public init(gray: CGFloat, alpha: CGFloat) {
    values = [gray, alpha]
    colorSpace = .deviceGray
  }

  /// A color of as many components as the color space has, and alpha.
  public init?(colorSpace space: CGColorSpace, components: UnsafePointer<CGFloat>) {
    values = Array(UnsafeBufferPointer(start: components, count: space.numberOfComponents + 1))
    colorSpace = space
  }

  private init(values: [CGFloat], colorSpace: CGColorSpace?) {
    self.values = values
    self.colorSpace = colorSpace
  }

  /// The components and alpha.
  public var components: [CGFloat]? { values }
  /// How many numbers ``components`` has.
  public var numberOfComponents: Int { values.count }
  /// The coverage, 0 … 1.
  public var alpha: CGFloat { values.last ?? 1 }

  /// The same color with another alpha.
  public func copy(alpha: CGFloat) -> CGColor? { CGColor(values: values.dropLast() + [alpha], colorSpace: colorSpace) }

  /// Opaque black.
  public static let black = CGColor(gray: 0, alpha: 1)
  /// Opaque white.
  public static let white = CGColor(gray: 1, alpha: 1)
  /// Nothing.
  public static let clear = CGColor(gray: 0, alpha: 0)

  /// Whether color spaces and components are equal.
  public static func == (left: CGColor, right: CGColor) -> Bool {
    left.values == right.values && left.colorSpace == right.colorSpace
  }
  /// Equal colors have equal hashes.
  public func hash(into hasher: inout Hasher) { hasher.combine(values) }
}
