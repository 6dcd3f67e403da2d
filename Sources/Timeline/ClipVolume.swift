import CompositorAPI

/// The gain of a clip's audio over time: its own volume, cross-faded along the transitions at its ends.
struct ClipVolume {
  private var gain: PiecewiseLinear<Double>

  /// - Throws: `.invalidValue` for keyframes that are out of order.
  init(_ placed: PlacedClip) throws(CompositorError) {
    // Eased and cross-faded changes are exact at every hundredth of a second.
    let grid = FrameGrid(rate: Rational(100, 1), range: placed.range)
    gain = try PiecewiseLinear(
      placed.clip.volume, from: placed.range.start, sampling: grid, { $0 },
      between: { max($0.interpolated(to: $1, fraction: $2), 0) })
    if placed.transitionInEnd > placed.range.start {
      try fade(from: 0, to: 1, over: ExactRange(placed.range.start, placed.transitionInEnd))
    }
    if placed.transitionOutStart < placed.range.end {
      try fade(from: 1, to: 0, over: ExactRange(placed.transitionOutStart, placed.range.end))
    }
  }

  /// Whether the audio is left as it is.
  var isAlwaysOne: Bool { gain.constant == 1 }

  /// Adds what happens in `range` to a track's volume.
  func write(to volume: inout PropertyTimeline<Double>, over range: ExactRange) throws(CompositorError) {
    try gain.write(to: &volume, over: range)
  }

  /// Multiplies the gain by a line over `range`. If the clip's own volume changes at the same time the product bends: it is exact at
  /// every hundredth of a second.
  private mutating func fade(from start: Double, to end: Double, over range: ExactRange) throws(CompositorError) {
    guard let line = PiecewiseLinear([.init(time: range.start, value: start), .init(time: range.end, value: end)]) else {
      return
    }
    if let own = gain.constant {
      gain = line.map { $0 * own }
      return
    }
    let steps = try FrameGrid(rate: Rational(100, 1), range: range).times(after: range.start, before: range.end)
    gain = gain.combined(with: line, extra: steps, *)
  }
}
