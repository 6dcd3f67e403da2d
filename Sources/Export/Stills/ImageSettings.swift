public import CompositorAPI
public import CompositorHost

/// A picture of a moment.
public struct GeneratedImage: Sendable {
  /// The picture.
  public let frame: Frame
  /// The time that was asked for.
  public let requestedTime: MediaTime
  /// The composition time at which the picture begins to be shown: the presentation time of the source's frame. Where the composition changes
  /// between two frames of its sources (a ramp, an animated title), the time at which it was composed.
  public let actualTime: MediaTime
}

/// Which color images have where the composition is HDR.
public enum ImageColor: String, Hashable, Sendable, Codable, CaseIterable {
  /// sRGB, tone-mapped: what every viewer shows rightly.
  case sdr
  /// The composition's: PQ or HLG, which wants 16 bits and a viewer that knows PNG's cICP chunk.
  case composition
}

/// How images are made.
public struct ImageSettings: Sendable {
  /// The format of the images. Default 8-bit RGBA.
  public var format: PixelFormat
  /// The color of images of an HDR composition; SDR ones keep theirs.
  public var color: ImageColor
  /// The largest image: a larger canvas is rendered smaller, in its own shape. Nil for the full size.
  public var maximumSize: PixelSize?
  /// How frames are made.
  public var render: RenderSettings
  /// How much earlier than asked for an image may be, ≥ 0 or +∞. Default +∞: the key frame before the time is taken, which is decoded alone.
  public var toleranceBefore: MediaTime = .positiveInfinity
  /// How much later than asked for an image may be, ≥ 0 or +∞. Default +∞.
  public var toleranceAfter: MediaTime = .positiveInfinity

  /// Makes settings.
  public init(
    format: PixelFormat = .rgba, color: ImageColor = .composition, maximumSize: PixelSize? = nil,
    render: RenderSettings = RenderSettings()
  ) {
    self.format = format
    self.color = color
    self.maximumSize = maximumSize
    self.render = render
  }

  /// Settings for the frames that are shown at the very times asked for.
  public static var exact: ImageSettings { ImageSettings().exactly }

  /// The same settings with tolerances of zero: the frames that are shown at the very times asked for.
  public var exactly: ImageSettings {
    var settings = self
    (settings.toleranceBefore, settings.toleranceAfter) = (.zero, .zero)
    return settings
  }

  /// Whether only the frame that is shown at a time will do.
  public var isExact: Bool { toleranceBefore == .zero && toleranceAfter == .zero }

  /// - Throws: `.invalidValue` for a tolerance that is negative or no time.
  func validateTolerances() throws(CompositorError) {
    for (name, tolerance) in [("toleranceBefore", toleranceBefore), ("toleranceAfter", toleranceAfter)] {
      guard tolerance == .positiveInfinity || (tolerance.isNumeric && tolerance >= .zero) else {
        throw CompositorError(
          .invalidValue, "\(name) is \(tolerance).", recoverySuggestion: "Give a time of at least 0, or positive infinity.")
      }
    }
  }
}
