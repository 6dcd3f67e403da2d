/// How pictures are resampled that are not shown sample for sample.
///
/// Unless one is named, layers whose size and rotation hold still during their instruction are sampled as ``good``, others as ``fast``. Samples that
/// fall on samples of the source are copied, whatever the quality.
public enum SamplingQuality: String, Hashable, Sendable, Codable, CaseIterable {
  /// Area means where the picture is reduced, then bilinear interpolation.
  case fast
  /// A separable filter along the picture's axes: a cubic through the samples (Keys' with a = −0.6) where it is enlarged, a Lanczos window of three
  /// lobes, which widens with the reduction, where it is reduced. Pictures that are turned by other than half turns, or reduced by more than
  /// ``largestReduction``, are sampled as ``fast``.
  case good
  /// The Lanczos window of three lobes for both, and for pictures that move, grow or turn: about ten times the cost of ``fast`` where they turn.
  case best

  /// The most samples under one of the output, along an axis, that are filtered.
  public static let largestReduction = 64.0
}

extension LayerInstruction {
  /// Whether the layer's size or rotation changes inside `range`; it may move.
  package func changesSize(in range: TimeRange) -> Bool {
    transform.changes(in: range) { $0.hasSize(of: $1) }
  }
}

extension AffineMatrix {
  /// Whether the matrix scales and turns as another does, within what arithmetic leaves.
  fileprivate func hasSize(of other: AffineMatrix) -> Bool {
    let largest = max(abs(a), abs(b), abs(c), abs(d))
    return max(abs(a - other.a), abs(b - other.b), abs(c - other.c), abs(d - other.d)) <= 1e-9 * largest
  }
}
