import CCompositorKernels
public import CompositorAPI
import CompositorKernels

/// Reveals the incoming clip cell by cell, in a pseudorandom but reproducible order.
public struct NoiseDissolveTransition: VideoCompositor {
  /// Parameters: `cell`, `softness` and `easing`.
  public static let descriptor = CompositorDescriptor.transition(
    "noise-dissolve", "Noise dissolve", "Reveals the incoming clip cell by cell, in a pseudorandom order.",
    [
      .choice("cell", ["2", "4", "8", "16", "32", "64"], "The side of a cell, in pixels of the frame"), .softness,
    ])

  private let transition: MaskTransition
  private let shift: Int
  private let softness: Double

  /// Creates an instance from parameter values.
  ///
  /// - Throws: `.invalidParameter` if a key is unknown or a value is out of bounds.
  public init(parameters: ParameterValues, context: RenderContext) throws(CompositorError) {
    let parameters = try BuiltinParameters(parameters, Self.descriptor)
    transition = try MaskTransition(parameters, context: context)
    shift = Int(try parameters.string("cell")).map(\.trailingZeroBitCount) ?? 1
    softness = try parameters.number("softness")
  }

  /// Composes the frame for a request.
  public func compose(_ request: CompositionRequest) throws(CompositorError) -> Frame {
    try transition.compose(request) { progress, _ in NoiseMask(shift: shift, softness: softness, progress: progress) }
  }
}

/// The cells whose fixed random number is below a level.
struct NoiseMask: TransitionMask {
  private let shift: Int
  private let level: Double
  private let width: Double

  init(shift: Int, softness: Double, progress: Double) {
    self.shift = shift
    width = max(softness, 1.0 / 256)
    level = progress * (1 + width)
  }

  /// There is no uniform part: depth says nothing about neighbors.
  func depth(x: Double, y: Double) -> Double { 0 }
  var feather: Double { .greatestFiniteMagnitude }

  func weigh(_ run: MaskRun, into weights: UnsafeMutablePointer<UInt16>, kernels: PlaneKernels) {
    // Cell sizes are even: each chroma sample lies in the cell of its luma samples.
    let row = UInt32(truncatingIfNeeded: Int(run.y.rounded(.down)) >> shift)
    kernels.noise(
      weights,
      cpk_mask_noise(
        first: UInt32(truncatingIfNeeded: Int(run.x.rounded(.down))), step: UInt32(run.step), shift: UInt32(shift),
        seed: row &* 0x9e37_79b1, level: Float(level), slope: Float(1 / width)),
      count: run.count)
  }
}
