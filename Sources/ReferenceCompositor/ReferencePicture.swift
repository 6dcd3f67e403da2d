public import CompositorAPI

/// A picture in double precision: the codes a frame would hold, neither rounded nor limited.
public struct ReferencePicture: Sendable {
  /// One component on its own grid.
  public struct Component: Sendable {
    /// Samples in a row.
    public let width: Int
    /// Rows.
    public let height: Int
    /// Codes, row by row; nominal values where the format's samples are float.
    public let codes: [Double]
  }

  /// The format the codes are meant for.
  public let format: PixelFormat
  /// Columns and rows.
  public let size: PixelSize
  /// Y′, Cb, Cr or R, G, B, then A where the format has alpha.
  public let components: [Component]

  init(format: PixelFormat, size: PixelSize, grids: [SampleGrid]) {
    self.format = format
    self.size = size
    components = grids.map { Component(width: $0.width, height: $0.height, codes: $0.values) }
  }
}

/// How far a frame is from the reference.
public struct FrameComparison: Sendable, Hashable {
  /// The difference of one component.
  public struct Difference: Sendable, Hashable {
    /// Largest distance from the exact code, before rounding; 0.5 is what rounding alone may cost.
    public let largest: Double
    /// Mean distance from the exact code.
    public let mean: Double
    /// Where the largest distance is.
    public let column: Int, row: Int
  }

  /// By component: Y′, Cb, Cr or R, G, B, then A.
  public let components: [Difference]
  /// The largest distance of all components, in code values of the format (nominal values for float samples).
  public var largest: Double { components.map(\.largest).max() ?? 0 }

  /// Compares a frame with the reference, whose codes are first limited to what the format stores.
  ///
  /// - Throws: `.invalidValue` where format or size differ.
  public init(_ frame: Frame, _ reference: ReferencePicture) throws(CompositorError) {
    guard frame.format == reference.format, frame.size == reference.size else {
      throw CompositorError(
        .invalidValue,
        "A frame of \(frame.format) \(frame.size) was compared with one of \(reference.format) \(reference.size).",
        recoverySuggestion: "Compare frames of one format and size.")
    }
    let limit = frame.format.sample == .unsigned ? Double(1 << frame.format.bitDepth) - 1 : .infinity
    components = zip(frame.components, reference.components).map { grid, exact in
      var largest = 0.0
      var sum = 0.0
      var place = 0
      for index in grid.values.indices {
        let code = limit.isFinite ? min(max(exact.codes[index], 0), limit) : exact.codes[index]
        let distance = abs(grid.values[index] - code)
        sum += distance
        // Written so that NaN counts as the largest distance of all.
        if !(distance <= largest) { (largest, place) = (distance.isNaN ? .infinity : distance, index) }
      }
      return Difference(
        largest: largest, mean: sum / Double(max(grid.values.count, 1)), column: place % max(grid.width, 1),
        row: place / max(grid.width, 1))
    }
  }
}
