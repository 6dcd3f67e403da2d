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
      var (ranks, state) = (Array(0..<count), seed)
      for index in (0..<count).reversed().dropLast() {
        ranks.swapAt(index, Int(TextAnimator.next(&state) % UInt64(index + 1)))
      }
      return ranks
    }
  }

  /// SplitMix64.
  private static func next(_ state: inout UInt64) -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}
