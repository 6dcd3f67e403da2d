public import CompositorAPI
public import CompositorHost

/// An image of a composition, with the time that it shows.
public struct GeneratedImage: Sendable {
  /// The image.
  public let frame: Frame
  /// The requested time.
  public let requestedTime: MediaTime
  /// The composition time at which the image starts to be shown: the presentation time of the source's frame. If the
  /// composition changes between two frames of its sources (a ramp, an animated title), it is the time at which the image was
  /// composed.
  public let actualTime: MediaTime
}

/// The color of images of an HDR composition.
public enum ImageColor: String, Hashable, Sendable, Codable, CaseIterable {
  /// Tone-mapped to sRGB, which every viewer shows correctly.
  case sdr
  /// The composition's color: PQ or HLG, which requires 16 bits and a viewer with support for PNG's cICP chunk.
  case composition
}

/// Settings for rendering images.
public struct ImageSettings: Sendable {
  /// Pixel format of the images. Default 8-bit RGBA.
  public var format: PixelFormat
  /// The color of images of an HDR composition. Images of SDR compositions keep the color of the composition.
  public var color: ImageColor
  /// Maximum size: a larger canvas is rendered smaller with the same aspect ratio. `nil` for the full size.
  public var maximumSize: PixelSize?
  /// Rendering settings.
  public var render: RenderSettings
  /// How much earlier than requested an image may be, ≥ 0 or +∞. Default +∞: the key frame before the time, which is decoded
  /// alone.
  public var toleranceBefore: MediaTime = .positiveInfinity
  /// How much later than requested an image may be, ≥ 0 or +∞. Default +∞.
  public var toleranceAfter: MediaTime = .positiveInfinity

  /// Creates settings.
  public init(
    format: PixelFormat = .rgba, color: ImageColor = .composition, maximumSize: PixelSize? = nil,
    render: RenderSettings = RenderSettings()
  ) {
    self.format = format
    self.color = color
    self.maximumSize = maximumSize
    self.render = render
  }

  /// Settings for the frames shown at exactly the requested times.
  public static var exact: ImageSettings { ImageSettings().exactly }

  /// The same settings with tolerances of zero: the frames shown at exactly the requested times.
  public var exactly: ImageSettings {
    var settings = self
    (settings.toleranceBefore, settings.toleranceAfter) = (.zero, .zero)
    return settings
  }

  /// Whether both tolerances are zero.
  public var isExact: Bool { toleranceBefore == .zero && toleranceAfter == .zero }

  /// - Throws: `.invalidValue` if a tolerance is negative or isn't a valid time.
  func validateTolerances() throws(CompositorError) {
    for (name, tolerance) in [("toleranceBefore", toleranceBefore), ("toleranceAfter", toleranceAfter)] {
      guard tolerance == .positiveInfinity || (tolerance.isNumeric && tolerance >= .zero) else {
        throw CompositorError(
          .invalidValue, "\(name) is \(tolerance).", recoverySuggestion: "Give a time of at least 0, or positive infinity.")
      }
    }
  }
}
