import CompositorAPI

/// An animator's effect on a unit, at times of the unit. Units that have not begun look alike, and so do those that have
/// finished.
struct UnitStates {
  private let animator: TextAnimator
  private let changesColor: Bool
  private var model = Layer()
  private var last: (time: Double, color: Color, layer: Layer)?
  /// Nothing changes before the first and after the second time.
  private let changes: ClosedRange<Double>

  init(_ animator: TextAnimator, _ text: TextContent) {
    self.animator = animator
    var plain = TextContent()
    // What is animated is added to the text's own tracking.
    (plain.outlineColor, plain.highlight, plain.tracking) = (text.outlineColor, 0, 0)
    model.content = .text(plain)
    let leaves = animator.animations.flatMap(\.leaves)
    changesColor = leaves.contains { $0.property == .textColor }
    let spans = animator.animations.map(\.span)
    let begin = spans.map(\.lowerBound).min() ?? 0
    changes = begin...max(spans.map(\.upperBound).max() ?? 0, begin)
  }

  /// - Parameters:
  ///   - color: The unit's own color.
  ///   - weight: That of the animator's selector.
  mutating func state(at time: Double, color: Color, weight: Double) throws(CompositorError) -> Layer {
    let whole = try state(at: time, color: color)
    return weight == 1 ? whole : whole.weighted(weight, over: model)
  }

  private mutating func state(at time: Double, color: Color) throws(CompositorError) -> Layer {
    let margin = 1.0
    let time = min(max(time, changes.lowerBound - margin), changes.upperBound + margin)
    if let last, last.time == time, last.color == color || !changesColor { return last.layer }
    if case .text(var plain) = model.content {
      plain.color = color
      model.content = .text(plain)
    }
    var layer = model
    for animation in animator.animations { animation.apply(to: &layer, model: model, at: time) }
    let transform = layer.transform
    let numbers = [
      transform.scaleX, transform.scaleY, transform.skewX, transform.skewY, transform.rotationX, transform.rotationY,
      transform.rotationZ, transform.translationX, transform.translationY, transform.translationZ, layer.opacity,
      layer.filters.blurRadius, layer.addedTracking,
    ]
    guard numbers.allSatisfy({ abs($0) <= 1e6 }) else {
      throw CompositorError(
        .invalidValue, "A unit of a text reaches a value that cannot be drawn.",
        recoverySuggestion: "Keep scales, angles and distances below a million.", at: ErrorLocation(path: "animations"))
    }
    last = (time, color, layer)
    return layer
  }
}

extension Animation {
  /// The times within which it changes anything; unbounded if it repeats forever.
  var span: ClosedRange<Double> {
    var length = timing.duration > 0 ? timing.duration : Animation.standardDuration
    if case .spring(_, _, _, let spring) = kind, timing.duration <= 0 { length = spring.settlingDuration }
    if lastsAsLongAsItsLayer, timing.duration <= 0 { length = .infinity }
    let cycle = timing.autoreverses ? 2 * length : length
    let active = timing.repeatDuration > 0 ? timing.repeatDuration : timing.repeatCount > 0 ? timing.repeatCount * cycle : cycle
    guard timing.speed != 0 else { return -.greatestFiniteMagnitude ... .greatestFiniteMagnitude }
    let end = timing.beginTime + active / abs(timing.speed)
    return timing.beginTime...max(min(end, .greatestFiniteMagnitude), timing.beginTime)
  }
}
