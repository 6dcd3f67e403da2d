package import CompositorAPI

/// The kernels that resample a layer. Layers without a filter are sampled as ``SamplingQuality/fast``.
package struct LayerFilter: Hashable, Sendable {
  let enlarging, reducing: ResamplingKernel
  /// Whether rotated layers are filtered as well.
  let takesTurned: Bool

  /// For ``SamplingQuality/good``.
  package static let good = LayerFilter(enlarging: .cubic, reducing: .lanczos, takesTurned: false)
  /// For ``SamplingQuality/best``.
  package static let best = LayerFilter(enlarging: .lanczos, reducing: .lanczos, takesTurned: true)

  /// The filter of a sampling quality; `nil` for ``SamplingQuality/fast``.
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

  /// The filter of layers that don't change and have no quality of their own.
  static func ofConstantLayers(_ context: RenderContext) -> LayerFilter? {
    context.quality == .draft ? nil : of(context.sampling ?? .good)
  }

  /// The kernel of an axis with this many source samples per output sample.
  func kernel(footprint: Double) -> ResamplingKernel { footprint > 1 + 1e-9 ? reducing : enlarging }

  /// Whether filters reach far enough for a reduction.
  static func reaches(_ footprint: SIMD2<Double>) -> Bool { footprint.max() <= SamplingQuality.largestReduction }
}
