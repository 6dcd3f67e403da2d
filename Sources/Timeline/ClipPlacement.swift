public import CompositorAPI

/// Where a picture goes on the canvas, after it was fitted: scaled and turned about an anchor, which is then put somewhere.
public struct ClipPlacement: Hashable, Sendable {
  /// The point of the picture that stays put while it is scaled and turned, as fractions of its width and height.
  public var anchor: Point
  /// Where the anchor goes, in canvas pixels from the left; nil leaves it where fitting put it.
  public var x: Double?
  /// Where the anchor goes, in canvas pixels from the top; nil leaves it where fitting put it.
  public var y: Double?
  /// Factors to the right and downwards, on top of fitting.
  public var scale: Size
  /// Clockwise, in degrees.
  public var rotationDegrees: Double
  /// From the upright picture's own pixels straight to the canvas, instead of fitting and all the above.
  public var matrix: AffineMatrix?

  /// Leaves the picture where fitting put it.
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

  /// Maps the upright picture's own pixels straight to the canvas.
  public init(matrix: AffineMatrix) {
    self.init()
    self.matrix = matrix
  }
}

/// A property of a clip: one value, or several with times between which it changes, linearly unless a keyframe has an easing.
public enum Animated<Value: Hashable & Sendable>: Hashable, Sendable {
  /// Always the same.
  case constant(Value)
  /// Values at times that rise: the first holds before its time, the last after.
  case keyframes([Keyframe<Value>])
}

/// A value at a time.
public struct Keyframe<Value: Hashable & Sendable>: Hashable, Sendable {
  /// When, from the start of the clip or of the instruction.
  public var time: MediaTime
  /// The value at that time.
  public var value: Value
  /// How the value changes on the way from here to the next keyframe; linearly by default. The last keyframe's has no effect.
  public var easing: Easing

  /// Makes a keyframe.
  public init(time: MediaTime, value: Value, easing: Easing = .linear) {
    self.time = time
    self.value = value
    self.easing = easing
  }
}
