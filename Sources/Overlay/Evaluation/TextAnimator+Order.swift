import CompositorAPI

extension TextAnimator {
  /// When the animations of each of `count` units begin, in seconds of the layer.
  func begins(count: Int) -> [Double] { times.isEmpty ? ranks(count: count).map { Double($0) * delay } : times }

  /// The number of units that begin before each unit: equal for units that begin together.
  func ranks(count: Int) -> [Int] {
    switch order {
    case .forward: return Array(0..<count)
    case .backward: return (0..<count).reversed()
    case .fromCenter: return (0..<count).map { abs(2 * $0 - (count - 1)) / 2 }
    case .toCenter: return (0..<count).map { min($0, count - 1 - $0) }
    case .random:
      var (ranks, generator) = (Array(0..<count), SplitMix64(state: seed))
      for index in (0..<count).reversed().dropLast() {
        ranks.swapAt(index, Int(generator.next() % UInt64(index + 1)))
      }
      return ranks
    }
  }
}
