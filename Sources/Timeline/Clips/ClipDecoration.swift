public import CompositorAPI

/// Rounded corners, a border and a shadow of a clip, of which each property is constant or changes over time.
///
/// Lengths are pixels of the canvas at a scale of 1, and scale and rotate with the clip's placement. Times are relative to the
/// start of the clip or the instruction.
///
/// ```swift
/// clip.decoration = ClipDecoration()
/// clip.decoration?.cornerRadius = .constant(24)
/// clip.decoration?.borderWidth = .keyframes([
///   Keyframe(time: .zero, value: 0, easing: .easeOut), Keyframe(time: .seconds(1), value: 8),
/// ])
/// ```
public struct ClipDecoration: Hashable, Sendable {
  /// Radius of the corners, ≥ 0, limited to half of the shorter side.
  public var cornerRadius: Animated<Double>
  /// Width of the border inside the edge, ≥ 0.
  public var borderWidth: Animated<Double>
  /// Color of the border.
  public var borderColor: Animated<Color>
  /// Opacity of the shadow, 0 (none) … 1.
  public var shadowOpacity: Animated<Double>
  /// Offset of the shadow from the clip.
  public var shadowOffset: Animated<Point>
  /// Standard deviation of the shadow's blur, ≥ 0, limited to 100 pixels of the output.
  public var shadowRadius: Animated<Double>
  /// Color of the shadow.
  public var shadowColor: Animated<Color>

  /// Creates a decoration that doesn't change. By default it has no rounded corners, border or shadow.
  public init(_ look: LayerDecoration = LayerDecoration()) {
    cornerRadius = .constant(look.cornerRadius)
    borderWidth = .constant(look.borderWidth)
    borderColor = .constant(look.borderColor)
    shadowOpacity = .constant(look.shadowOpacity)
    shadowOffset = .constant(look.shadowOffset)
    shadowRadius = .constant(look.shadowRadius)
    shadowColor = .constant(look.shadowColor)
  }

  /// Whether a property has keyframes.
  package var hasKeyframes: Bool {
    cornerRadius.isAnimated || borderWidth.isAnimated || borderColor.isAnimated || shadowOpacity.isAnimated
      || shadowOffset.isAnimated || shadowRadius.isAnimated || shadowColor.isAnimated
  }
}

extension ClipDecoration {
  /// The decoration over time. Easings that overshoot are limited: lengths to 0 or more, opacity to 0 … 1, and colors to their two
  /// ends.
  ///
  /// - Throws: `.invalidValue` if keyframes are missing or out of order, if an easing is invalid, or if an eased change has too
  ///   many frames.
  func lines(
    from origin: ExactTime, sampling grid: SamplingGrid
  ) throws(CompositorError) -> PiecewiseLinear<LayerDecoration> {
    var lines = PiecewiseLinear(constant: LayerDecoration())
    func add<Value: Interpolatable>(
      _ animated: Animated<Value>, as property: WritableKeyPath<LayerDecoration, Value>,
      _ between: (Value, Value, Double) -> Value
    ) throws(CompositorError) {
      func look(_ value: Value) -> LayerDecoration {
        var look = LayerDecoration()
        look[keyPath: property] = value
        return look
      }
      let own = try PiecewiseLinear(animated, from: origin, sampling: grid, { $0 }, between: between)
      lines = lines.combined(with: own.map(look)) { all, own in
        var all = all
        all[keyPath: property] = own[keyPath: property]
        return all
      }
    }
    func length(_ from: Double, _ to: Double, _ fraction: Double) -> Double {
      max(from.interpolated(to: to, fraction: fraction), 0)
    }
    func color(_ from: Color, _ to: Color, _ fraction: Double) -> Color {
      from.interpolated(to: to, fraction: min(max(fraction, 0), 1))
    }
    try add(cornerRadius, as: \.cornerRadius, length)
    try add(borderWidth, as: \.borderWidth, length)
    try add(borderColor, as: \.borderColor, color)
    try add(shadowOpacity, as: \.shadowOpacity) { min(max($0.interpolated(to: $1, fraction: $2), 0), 1) }
    try add(shadowOffset, as: \.shadowOffset) { $0.interpolated(to: $1, fraction: $2) }
    try add(shadowRadius, as: \.shadowRadius, length)
    try add(shadowColor, as: \.shadowColor, color)
    return lines
  }
}

extension Animated {
  /// Whether there are keyframes.
  package var isAnimated: Bool { if case .keyframes = self { true } else { false } }

  /// The constant value, or those of the keyframes.
  package var values: [Value] {
    switch self {
    case .constant(let value): [value]
    case .keyframes(let keyframes): keyframes.map(\.value)
    }
  }
}
