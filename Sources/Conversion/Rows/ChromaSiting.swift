package import CompositorAPI

/// The position of subsampled chroma on the luma grid (ITU-T H.273, chroma sample location), and the resulting filters:
/// bilinear from chroma to luma; from luma to chroma (1, 2, 1) / 4 about a sample that coincides with a luma sample,
/// otherwise the mean of two.
package struct ChromaSiting: Sendable {
  /// Base-2 logarithms of luma columns and rows per chroma sample.
  package let horizontalShift, verticalShift: Int
  /// Whether a sample lies between two luma columns.
  package let isCenteredHorizontally: Bool
  /// Whether a sample lies between two luma rows.
  package let isCenteredVertically: Bool

  /// The siting of a format's chroma.
  package init(_ subsampling: ChromaSubsampling, _ location: ChromaLocation) {
    horizontalShift = subsampling.horizontalShift
    verticalShift = subsampling.verticalShift
    isCenteredHorizontally = location.horizontalOffset > 0
    isCenteredVertically = location.verticalOffset > 0
  }

  /// The chroma rows above and below a luma row, clamped to 0 ..< `height`, and the weight of the lower one.
  package func rows(for y: Int, height: Int) -> (upper: Int, lower: Int, weight: Float) {
    guard verticalShift == 1 else { return (y, y, 0) }
    let position = (Double(y) - (isCenteredVertically ? 0.5 : 0)) / 2
    let upper = Int(position.rounded(.down))
    func inside(_ row: Int) -> Int { min(max(row, 0), height - 1) }
    return (inside(upper), inside(upper + 1), Float(position - position.rounded(.down)))
  }

  /// Weights in quarters of the luma samples at −1, 0 and 1 around a chroma sample: of three rows, then of three columns.
  package var taps: [Int32] {
    func taps(_ isCentered: Bool) -> [Int32] { isCentered ? [0, 2, 2] : [1, 2, 1] }
    return (verticalShift == 1 ? taps(isCenteredVertically) : [0, 4, 0]) + taps(isCenteredHorizontally)
  }
}
