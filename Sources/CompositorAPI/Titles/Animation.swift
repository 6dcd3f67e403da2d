/// A value of an animated property.
public enum AnimationValue: Hashable, Sendable {
  /// The numbers of the property: 1 for a number, 2 for a point, 4 for a rectangle or a color.
  case numbers([Double])
  /// A string. Strings aren't interpolated.
  case text(String)
  /// A path. Two paths with the same steps are interpolated point by point.
  case path(ShapePath)
}

extension AnimationValue: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
  /// Creates a single number.
  public init(floatLiteral value: Double) { self = .numbers([value]) }
  /// Creates a single number.
  public init(integerLiteral value: Int) { self = .numbers([Double(value)]) }
  /// Creates a string.
  public init(stringLiteral value: String) { self = .text(value) }
  /// Creates a single number.
  public static func number(_ value: Double) -> AnimationValue { .numbers([value]) }
  /// Creates a point.
  public static func point(x: Double, y: Double) -> AnimationValue { .numbers([x, y]) }
  /// Creates a color from its red, green, blue and alpha.
  public static func color(_ color: Color) -> AnimationValue { .numbers([color.red, color.green, color.blue, color.alpha]) }
}

/// How values between keyframes are interpolated.
public enum CalculationMode: String, Hashable, Sendable, Codable, CaseIterable {
  /// Linear interpolation.
  case linear
  /// Each value is held until the next.
  case discrete
  /// Linear interpolation at constant speed. Key times are ignored.
  case paced
  /// A smooth curve through all values (Catmull–Rom).
  case cubic
  /// A smooth curve through all values at constant speed.
  case cubicPaced = "cubic-paced"
}

/// Whether a layer rotates with the path that it moves along.
public enum PathRotation: String, Hashable, Sendable, Codable, CaseIterable {
  /// It doesn't rotate.
  case none
  /// Its right side points forward along the path.
  case auto
  /// Its right side points backward along the path.
  case autoReverse = "auto-reverse"
}

/// A sequence of values at times.
public struct Keyframes: Hashable, Sendable {
  /// The values. Ignored if ``path`` is set.
  public var values: [AnimationValue] = []
  /// A path for a property that is a point, instead of values.
  public var path: ShapePath?
  /// The times of the values, 0 … 1, in increasing order: one per value, or one more in discrete mode. Empty for even spacing.
  public var keyTimes: [Double] = []
  /// The easing from each value to the next. Empty for linear.
  public var easings: [Easing] = []
  /// How values between keyframes are interpolated.
  public var mode = CalculationMode.linear
  /// Whether the layer rotates with the path.
  public var rotation = PathRotation.none

  /// Creates keyframes.
  public init(_ values: [AnimationValue] = [], keyTimes: [Double] = [], mode: CalculationMode = .linear) {
    self.values = values
    self.keyTimes = keyTimes
    self.mode = mode
  }
}

/// A transition by which a layer replaces its ``Layer/transitionSource``.
public struct LayerTransition: Hashable, Sendable, Codable {
  /// The movement of the transition.
  public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
    /// Cross-fades the two.
    case fade
    /// Moves the new one in over the old one.
    case moveIn = "move-in"
    /// Pushes the old one out with the new one.
    case push
    /// Moves the old one away to reveal the new one beneath.
    case reveal
  }
  /// The side that the new layer comes from or, in a reveal, the side of the old layer that leaves last.
  public enum Side: String, Hashable, Sendable, Codable, CaseIterable {
    /// A side of the bounds.
    case left, right, top, bottom
  }
  /// The movement of the transition.
  public var kind = Kind.fade
  /// The side that the new layer comes from.
  public var side = Side.left
  /// Creates a transition.
  public init(_ kind: Kind = .fade, from side: Side = .left) {
    self.kind = kind
    self.side = side
  }
  /// Decodes a transition. Missing keys have their defaults.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init()
    kind = try values.read(.kind, or: kind)
    side = try values.read(.side, or: side)
  }
}

/// A change of one property over time, or a group of changes.
public struct Animation: Hashable, Sendable {
  /// The kind of animation.
  public enum Kind: Hashable, Sendable {
    /// From one value to another. Values that are `nil` follow from the others and from the layer's own value.
    case basic(LayerProperty, from: AnimationValue?, to: AnimationValue?, by: AnimationValue?)
    /// Through several values.
    case keyframes(LayerProperty, Keyframes)
    /// From one value to another on a spring. If the duration is 0, the animation lasts until the spring is at rest.
    case spring(LayerProperty, from: AnimationValue?, to: AnimationValue?, SpringCurve)
    /// A random swing about the property's value at that time, by at most the absolute value of `by`. If the duration is 0, the
    /// animation lasts as long as the layer or the group. The easing has no effect.
    case wiggle(LayerProperty, by: AnimationValue, Wiggle)
    /// From one value at the floor of a level of audio to another at its ceiling, with the easing over the range between. If the
    /// duration is 0, the animation lasts as long as the layer. It follows the movie's time, so that its speed and its passes have no
    /// effect.
    case audio(LayerProperty, from: AnimationValue?, to: AnimationValue?, AudioLevel)
    /// Several animations in the time of the group, cut off at its end.
    case group([Animation])
    /// From the transition source to the layer.
    case transition(LayerTransition)
  }

  /// The kind of animation.
  public var kind: Kind
  /// The timing. A duration of 0 is 0.25 s, if the kind doesn't say otherwise.
  public var timing = LayerTiming()
  /// The easing of each whole pass.
  public var easing = Easing.linear
  /// Whether the value is added to the property's value rather than replacing it.
  public var isAdditive = false
  /// Whether each pass continues from the end of the previous one.
  public var isCumulative = false

  /// The duration used instead of 0, in seconds.
  package static let standardDuration = 0.25

  /// Creates an animation.
  public init(_ kind: Kind, timing: LayerTiming, easing: Easing = .linear) {
    self.kind = kind
    self.timing = timing
    self.easing = easing
  }

  /// Creates an animation from one value to another.
  public static func basic(
    _ property: LayerProperty, from: AnimationValue? = nil, to: AnimationValue? = nil, by: AnimationValue? = nil,
    timing: LayerTiming, easing: Easing = .linear
  ) -> Animation {
    Animation(.basic(property, from: from, to: to, by: by), timing: timing, easing: easing)
  }

  /// Creates an animation through several values.
  public static func keyframes(
    _ property: LayerProperty, _ keyframes: Keyframes, timing: LayerTiming, easing: Easing = .linear
  ) -> Animation {
    Animation(.keyframes(property, keyframes), timing: timing, easing: easing)
  }
}
