/// A CIE 1931 chromaticity.
public struct Chromaticity: Hashable, Sendable, Codable {
  /// x, 0 … 1.
  public var x: Double
  /// y, 0 … 1.
  public var y: Double
  /// Makes a chromaticity.
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }
}

/// The display a movie was graded on, SMPTE ST 2086.
public struct MasteringDisplay: Hashable, Sendable, Codable {
  /// Chromaticities of the display's primaries and white.
  public var red, green, blue, white: Chromaticity
  /// Brightest white, cd/m².
  public var maximumLuminance: Double
  /// Darkest black, cd/m².
  public var minimumLuminance: Double
  /// Makes a description.
  public init(
    red: Chromaticity, green: Chromaticity, blue: Chromaticity, white: Chromaticity, maximumLuminance: Double,
    minimumLuminance: Double
  ) {
    (self.red, self.green, self.blue, self.white) = (red, green, blue, white)
    self.maximumLuminance = maximumLuminance
    self.minimumLuminance = minimumLuminance
  }
}

/// Brightest pixel and brightest frame average, CTA-861.3.
public struct ContentLightLevel: Hashable, Sendable, Codable {
  /// MaxCLL, cd/m².
  public var maximumContentLightLevel: Int
  /// MaxFALL, cd/m².
  public var maximumFrameAverageLightLevel: Int
  /// Makes light levels.
  public init(maximumContentLightLevel: Int, maximumFrameAverageLightLevel: Int) {
    self.maximumContentLightLevel = maximumContentLightLevel
    self.maximumFrameAverageLightLevel = maximumFrameAverageLightLevel
  }
}

/// Static HDR metadata of a frame or a track.
public struct HDRMetadata: Hashable, Sendable, Codable {
  /// ST 2086, where known.
  public var masteringDisplay: MasteringDisplay?
  /// CTA-861.3, where known.
  public var contentLightLevel: ContentLightLevel?
  /// Makes metadata.
  public init(masteringDisplay: MasteringDisplay? = nil, contentLightLevel: ContentLightLevel? = nil) {
    self.masteringDisplay = masteringDisplay
    self.contentLightLevel = contentLightLevel
  }
}

/// A color a person named: components with a color space of their own.
public struct Color: Hashable, Sendable, Codable {
  /// R′, G′, B′ in the encoding of ``primaries`` and ``transfer``, nominally 0 … 1.
  public var red, green, blue: Double
  /// Coverage, 0 … 1; components are not premultiplied.
  public var alpha: Double
  /// The primaries the components refer to.
  public var primaries: ColorPrimaries
  /// The curve the components are encoded with.
  public var transfer: TransferFunction
  /// Makes a color; sRGB unless told otherwise.
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
  /// Nothing at all.
  public static let clear = Color(red: 0, green: 0, blue: 0, alpha: 0)
}
