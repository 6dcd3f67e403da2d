package import CompositorAPI

/// How a layer is resampled by filters; layers without one are sampled as ``SamplingQuality/fast``.
package struct LayerFilter: Hashable, Sendable {
  let enlarging, reducing: ResamplingKernel
  /// Whether pictures that are turned are filtered as well.
  let takesTurned: Bool

  /// For ``SamplingQuality/good``.
  package static let good = LayerFilter(enlarging: .cubic, reducing: .lanczos, takesTurned: false)
  /// For ``SamplingQuality/best``.
  package static let best = LayerFilter(enlarging: .lanczos, reducing: .lanczos, takesTurned: true)

  /// The filter that a quality means.
  package static func of(_ quality: SamplingQuality) -> LayerFilter? {
    switch quality {
    case .fast: nil
    case .good: .good
    case .best: .best
    }
  }

  /// The filter of a layer of an instruction.
  static func of(_ layer: LayerInstruction, in range: TimeRange, context: RenderContext) -> LayerFilter? {
    guard context.quality != .draft else { return nil }
    if let quality = layer.sampling ?? context.sampling { return of(quality) }
    return layer.changesSize(in: range) ? nil : .good
  }

  /// The kernel of an axis with so many source samples under one of the output.
  func kernel(footprint: Double) -> ResamplingKernel { footprint > 1 + 1e-9 ? reducing : enlarging }

  /// Whether filters reach far enough for a reduction.
  static func reaches(_ footprint: SIMD2<Double>) -> Bool { footprint.max() <= SamplingQuality.largestReduction }
}
