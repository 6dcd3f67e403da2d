import CompositorAPI

extension FlexLayout.Distribution {
  /// The offset of the first of several parts and the distance between two. What doesn't fit begins at the start, unless it is
  /// at the center or at the end; of equal spaces, at the top or left in any case.
  func offsets(
    free: Double, count: Int, gap: Double, isReversed: Bool
  ) -> (start: Double, between: Double) {
    let (left, parts) = (max(free, 0), Double(count))
    if free < 0, isReversed, self == .spaceAround || self == .spaceEvenly { return (free, gap) }
    return switch self {
    case .start: (0, gap)
    case .center: (free / 2, gap)
    case .end: (free, gap)
    case .spaceBetween: (0, gap + (count > 1 ? left / (parts - 1) : 0))
    case .spaceAround: (left / parts / 2, gap + left / parts)
    case .spaceEvenly: (left / (parts + 1), gap + left / (parts + 1))
    }
  }
}
