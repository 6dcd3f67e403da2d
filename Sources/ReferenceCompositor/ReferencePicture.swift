public import CompositorAPI

/// A frame in double precision, with code values that are neither rounded nor limited.
public struct ReferencePicture: Sendable {
  /// One component on its own grid.
  public struct Component: Sendable {
    /// Samples per row.
    public let width: Int
    /// Number of rows.
    public let height: Int
    /// Code values, row by row; nominal values if the format's samples are floating point.
    public let codes: [Double]
  }

  /// The pixel format of the code values.
  public let format: PixelFormat
  /// The size in pixels.
  public let size: PixelSize
  /// Y′, Cb, Cr or R, G, B, followed by A if the format has alpha.
  public let components: [Component]

  init(format: PixelFormat, size: PixelSize, grids: [SampleGrid]) {
    self.format = format
    self.size = size
    components = grids.map { Component(width: $0.width, height: $0.height, codes: $0.values) }
  }
}

/// The difference between a frame and the reference.
public struct FrameComparison: Sendable, Hashable {
  /// The difference of one component.
  public struct Difference: Sendable, Hashable {
    /// The maximum distance from the exact code value, before rounding; 0.5 results from rounding alone.
    public let largest: Double
    /// The mean distance from the exact code value.
    public let mean: Double
    /// The position of the maximum distance.
    public let column: Int, row: Int
  }

  /// The differences by component: Y′, Cb, Cr or R, G, B, then A.
  public let components: [Difference]
  /// The maximum distance over all components, in code values of the format (nominal values for floating-point samples).
  public var largest: Double { components.map(\.largest).max() ?? 0 }

  /// Compares a frame with the reference, whose code values are first limited to the format's range.
  ///
  /// - Throws: `.invalidValue` if format or size differ.
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
        // Written so that NaN is treated as the maximum distance.
        if !(distance <= largest) { (largest, place) = (distance.isNaN ? .infinity : distance, index) }
      }
      return Difference(
        largest: largest, mean: sum / Double(max(grid.values.count, 1)), column: place % max(grid.width, 1),
        row: place / max(grid.width, 1))
    }
  }
}
