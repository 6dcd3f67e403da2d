/// A value that an animation gives to a property.
public enum AnimationValue: Hashable, Sendable {
  /// Numbers, as many as the property has: 1 for a number, 2 for a point, 4 for a rectangle or a color.
  case numbers([Double])
  /// Words, which do not blend into each other.
  case text(String)
  /// A path; two paths with the same steps blend point by point.
  case path(ShapePath)
}

extension AnimationValue: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
  /// One number.
  public init(floatLiteral value: Double) { self = .numbers([value]) }
  /// One number.
  public init(integerLiteral value: Int) { self = .numbers([Double(value)]) }
  /// Words.
  public init(stringLiteral value: String) { self = .text(value) }
  /// One number.
  public static func number(_ value: Double) -> AnimationValue { .numbers([value]) }
  /// Two numbers.
  public static func point(x: Double, y: Double) -> AnimationValue { .numbers([x, y]) }
  /// Four numbers.
  public static func color(_ color: Color) -> AnimationValue { .numbers([color.red, color.green, color.blue, color.alpha]) }
}

/// How values between key frames are found.
public enum CalculationMode: String, Hashable, Sendable, Codable, CaseIterable {
  /// Straight from each to the next.
  case linear
  /// Each holds until the next.
  case discrete
  /// Straight, at an even pace over all; key times do not count.
  case paced
  /// A smooth curve through all (Catmull–Rom).
  case cubic
  /// A smooth curve, at an even pace.
  case cubicPaced = "cubic-paced"

  /// Reads a word; what earlier versions wrote in camel case is read too.
  public init(from decoder: any Decoder) throws { self = try Self.word(from: decoder) }
}

/// Whether a layer turns with the path it moves along.
public enum PathRotation: String, Hashable, Sendable, Codable, CaseIterable {
  /// It does not.
  case none
  /// Its right side points ahead.
  case auto
  /// Its right side points back.
  case autoReverse = "auto-reverse"

  /// Reads a word; what earlier versions wrote in camel case is read too.
  public init(from decoder: any Decoder) throws { self = try Self.word(from: decoder) }
}

/// Values at times.
public struct Keyframes: Hashable, Sendable {
  /// The values; ignored where ``path`` is set.
  public var values: [AnimationValue] = []
  /// A way for a point, instead of values.
  public var path: ShapePath?
  /// When, 0 … 1, rising; one per value (one more in discrete mode). Empty spreads them evenly.
  public var keyTimes: [Double] = []
  /// Easing between each and the next; empty is linear.
  public var easings: [Easing] = []
  /// How values between are found.
  public var mode = CalculationMode.linear
  /// Whether the layer turns with the path.
  public var rotation = PathRotation.none

  /// Key frames.
  public init(_ values: [AnimationValue] = [], keyTimes: [Double] = [], mode: CalculationMode = .linear) {
    self.values = values
    self.keyTimes = keyTimes
    self.mode = mode
  }
}

/// How a layer comes in the place of what was there before.
public struct LayerTransition: Hashable, Sendable, Codable {
  /// What moves.
  public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
    /// Both dissolve.
    case fade
    /// The new one comes in over the old one.
    case moveIn = "move-in"
    /// The new one pushes the old one out.
    case push
    /// The old one goes and shows the new one beneath.
    case reveal

    /// Reads a word; what earlier versions wrote in camel case is read too.
    public init(from decoder: any Decoder) throws { self = try Self.word(from: decoder) }
  }
  /// The side that the new layer comes from (or, in a reveal, that the old one leaves last).
  public enum Side: String, Hashable, Sendable, Codable, CaseIterable {
    /// A side of the bounds.
    case left, right, top, bottom
  }
  /// What moves.
  public var kind = Kind.fade
  /// From where.
  public var side = Side.left
  /// Makes a transition.
  public init(_ kind: Kind = .fade, from side: Side = .left) {
    self.kind = kind
    self.side = side
  }
  /// Reads a transition; missing keys have their defaults.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init()
    kind = try values.read(.kind, or: kind)
    side = try values.read(.side, or: side)
  }
}

/// A change over time of one property, or a group of changes.
public struct Animation: Hashable, Sendable {
  /// What it does.
  public enum Kind: Hashable, Sendable {
    /// From one value to another; nil ones follow from the others and from the layer's own value.
    case basic(LayerProperty, from: AnimationValue?, to: AnimationValue?, by: AnimationValue?)
    /// Through several values.
    case keyframes(LayerProperty, Keyframes)
    /// From one value to another on a spring. A duration of 0 lasts until the spring is at rest.
    case spring(LayerProperty, from: AnimationValue?, to: AnimationValue?, SpringCurve)
    /// Several, in the time of the group, cut off at its end.
    case group([Animation])
    /// From what was there before to the layer.
    case transition(LayerTransition)
  }

  /// What it does.
  public var kind: Kind
  /// When. A duration of 0 is 0.25 s.
  public var timing = LayerTiming()
  /// Easing over the whole of each pass.
  public var easing = Easing.linear
  /// Whether the value is added to the property's.
  public var isAdditive = false
  /// Whether each pass goes on from where the last one ended.
  public var isCumulative = false

  /// Makes an animation.
  public init(_ kind: Kind, timing: LayerTiming, easing: Easing = .linear) {
    self.kind = kind
    self.timing = timing
    self.easing = easing
  }

  /// From one value to another.
  public static func basic(
    _ property: LayerProperty, from: AnimationValue? = nil, to: AnimationValue? = nil, by: AnimationValue? = nil,
    timing: LayerTiming, easing: Easing = .linear
  ) -> Animation {
    Animation(.basic(property, from: from, to: to, by: by), timing: timing, easing: easing)
  }

  /// Through several values.
  public static func keyframes(
    _ property: LayerProperty, _ keyframes: Keyframes, timing: LayerTiming, easing: Easing = .linear
  ) -> Animation {
    Animation(.keyframes(property, keyframes), timing: timing, easing: easing)
  }
}

extension CalculationMode: SpelledWord {}

extension PathRotation: SpelledWord {}

extension LayerTransition.Kind: SpelledWord {}
