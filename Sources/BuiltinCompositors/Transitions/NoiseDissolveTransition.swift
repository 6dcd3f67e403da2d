import CCompositorKernels
public import CompositorAPI
import CompositorKernels

/// The new picture appears cell by cell, in an order without pattern that is the same each time.
public struct NoiseDissolveTransition: VideoCompositor {
  /// Cell, softness, easing.
  public static let descriptor = CompositorDescriptor.transition(
    "noise-dissolve", "Noise dissolve", "The new picture appears cell by cell, in an order without pattern.",
    [
      .choice("cell", ["2", "4", "8", "16", "32", "64"], "The side of a cell, in pixels of the frame"), .softness,
    ])

  private let transition: MaskTransition
  private let shift: Int
  private let softness: Double

  /// Makes an instance.
  ///
  /// - Throws: `.invalidParameter`.
  public init(parameters: ParameterValues, context: RenderContext) throws(CompositorError) {
    let parameters = try BuiltinParameters(parameters, Self.descriptor)
    transition = try MaskTransition(parameters, context: context)
    shift = Int(try parameters.string("cell")).map(\.trailingZeroBitCount) ?? 1
    softness = try parameters.number("softness")
  }

  /// Makes the frame for a request.
  public func compose(_ request: CompositionRequest) throws(CompositorError) -> Frame {
    try transition.compose(request) { progress, _ in NoiseMask(shift: shift, softness: softness, progress: progress) }
  }
}

/// Cells whose fixed number a level has passed.
struct NoiseMask: TransitionMask {
  private let shift: Int
  private let level: Double
  private let width: Double

  init(shift: Int, softness: Double, progress: Double) {
    self.shift = shift
    width = max(softness, 1.0 / 256)
    level = progress * (1 + width)
  }

  /// Nowhere whole: depth says nothing about neighbors.
  func depth(x: Double, y: Double) -> Double { 0 }
  var feather: Double { .greatestFiniteMagnitude }

  func weigh(_ run: MaskRun, into weights: UnsafeMutablePointer<UInt16>, kernels: PlaneKernels) {
    // Cells are even: all samples of chroma lie in the cell of the luma they stand for.
    let row = UInt32(truncatingIfNeeded: Int(run.y.rounded(.down)) >> shift)
    kernels.noise(
      weights,
      cpk_mask_noise(
        first: UInt32(truncatingIfNeeded: Int(run.x.rounded(.down))), step: UInt32(run.step), shift: UInt32(shift),
        seed: row &* 0x9e37_79b1, level: Float(level), slope: Float(1 / width)),
      count: run.count)
  }
}
