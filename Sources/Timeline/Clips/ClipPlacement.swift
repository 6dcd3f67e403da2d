public import CompositorAPI

/// The position of a fitted frame on the canvas: it is scaled and rotated about an anchor, which is then positioned.
public struct ClipPlacement: Hashable, Sendable {
  /// The point of the frame about which it is scaled and rotated, in fractions of its width and height.
  public var anchor: Point
  /// The position of the anchor in canvas pixels from the left; `nil` to leave it where fitting put it.
  public var x: Double?
  /// The position of the anchor in canvas pixels from the top; `nil` to leave it where fitting put it.
  public var y: Double?
  /// Horizontal and vertical scale, in addition to fitting.
  public var scale: Size
  /// Rotation in degrees, clockwise.
  public var rotationDegrees: Double
  /// A transform from the upright frame's own pixels to the canvas, which replaces fitting and all other properties.
  public var matrix: AffineMatrix?

  /// Creates a placement. By default it leaves the frame where fitting put it.
  public init(
    x: Double? = nil, y: Double? = nil, scale: Double = 1, rotationDegrees: Double = 0,
    anchor: Point = Point(x: 0.5, y: 0.5)
  ) {
    self.anchor = anchor
    self.x = x
    self.y = y
    self.scale = Size(width: scale, height: scale)
    self.rotationDegrees = rotationDegrees
    self.matrix = nil
  }

  /// Creates a placement from a transform that maps the upright frame's own pixels to the canvas.
  public init(matrix: AffineMatrix) {
    self.init()
    self.matrix = matrix
  }
}

/// A property of a clip: either constant, or keyframes between which it changes, linearly unless a keyframe has an easing.
public enum Animated<Value: Hashable & Sendable>: Hashable, Sendable {
  /// A constant value.
  case constant(Value)
  /// Keyframes in increasing order of time. The first value holds before its time, and the last one after.
  case keyframes([Keyframe<Value>])
}

extension Animated {
  /// A change from one value to another, which holds before and after it.
  ///
  /// ```swift
  /// clip.opacity = .ramp(from: 0, to: 1, for: .seconds(1), easing: .easeOut)
  /// ```
  ///
  /// - Parameters:
  ///   - start: The time at which it begins, relative to the start of the clip or the instruction.
  ///   - duration: How long it lasts, > 0.
  ///   - easing: The easing of the change.
  public static func ramp(
    from first: Value, to last: Value, at start: MediaTime = .zero, for duration: MediaTime, easing: Easing = .linear
  ) -> Animated {
    .keyframes([Keyframe(time: start, value: first, easing: easing), Keyframe(time: start + duration, value: last)])
  }
}

/// A value and the time at which it applies.
public struct Keyframe<Value: Hashable & Sendable>: Hashable, Sendable {
  /// The time relative to the start of the clip or the instruction.
  public var time: MediaTime
  /// The value at that time.
  public var value: Value
  /// The easing from this keyframe to the next. Linear by default; the last keyframe's has no effect.
  public var easing: Easing

  /// Creates a keyframe.
  public init(time: MediaTime, value: Value, easing: Easing = .linear) {
    self.time = time
    self.value = value
    self.easing = easing
  }
}
