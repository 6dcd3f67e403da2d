/// A CIE 1931 chromaticity.
public struct Chromaticity: Hashable, Sendable, Codable {
  /// The x coordinate, 0 … 1.
  public var x: Double
  /// The y coordinate, 0 … 1.
  public var y: Double
  /// Creates a chromaticity.
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }
}

/// The display on which a movie was mastered, SMPTE ST 2086.
public struct MasteringDisplay: Hashable, Sendable, Codable {
  /// Chromaticities of the display's primaries and white.
  public var red, green, blue, white: Chromaticity
  /// Maximum luminance in cd/m².
  public var maximumLuminance: Double
  /// Minimum luminance in cd/m².
  public var minimumLuminance: Double
  /// Creates a description.
  public init(
    red: Chromaticity, green: Chromaticity, blue: Chromaticity, white: Chromaticity, maximumLuminance: Double,
    minimumLuminance: Double
  ) {
    (self.red, self.green, self.blue, self.white) = (red, green, blue, white)
    self.maximumLuminance = maximumLuminance
    self.minimumLuminance = minimumLuminance
  }
}

/// The peak light levels of a movie, CTA-861.3.
public struct ContentLightLevel: Hashable, Sendable, Codable {
  /// MaxCLL, the brightest pixel, in cd/m².
  public var maximumContentLightLevel: Int
  /// MaxFALL, the brightest frame average, in cd/m².
  public var maximumFrameAverageLightLevel: Int
  /// Creates light levels.
  public init(maximumContentLightLevel: Int, maximumFrameAverageLightLevel: Int) {
    self.maximumContentLightLevel = maximumContentLightLevel
    self.maximumFrameAverageLightLevel = maximumFrameAverageLightLevel
  }
}

/// Static HDR metadata of a frame or a track.
public struct HDRMetadata: Hashable, Sendable, Codable {
  /// The mastering display (ST 2086), if known.
  public var masteringDisplay: MasteringDisplay?
  /// The content light level (CTA-861.3), if known.
  public var contentLightLevel: ContentLightLevel?
  /// Creates metadata.
  public init(masteringDisplay: MasteringDisplay? = nil, contentLightLevel: ContentLightLevel? = nil) {
    self.masteringDisplay = masteringDisplay
    self.contentLightLevel = contentLightLevel
  }
}

/// A color with its own color space, such as a color in a project file.
public struct Color: Hashable, Sendable, Codable {
  /// R′, G′, B′ in the encoding of ``primaries`` and ``transfer``, nominally 0 … 1.
  public var red, green, blue: Double
  /// Alpha, 0 … 1. Components aren't premultiplied.
  public var alpha: Double
  /// The primaries that the components refer to.
  public var primaries: ColorPrimaries
  /// The transfer function of the components.
  public var transfer: TransferFunction
  /// Creates a color, in sRGB by default.
  public init(
    red: Double, green: Double, blue: Double, alpha: Double = 1, primaries: ColorPrimaries = .bt709,
    transfer: TransferFunction = .sRGB
  ) {
    (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
    self.primaries = primaries
    self.transfer = transfer
  }
  /// Opaque black.
  public static let black = Color(red: 0, green: 0, blue: 0)
  /// Opaque white.
  public static let white = Color(red: 1, green: 1, blue: 1)
  /// Fully transparent.
  public static let clear = Color(red: 0, green: 0, blue: 0, alpha: 0)
}
