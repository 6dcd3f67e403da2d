/// Animates text by units: characters, words or lines.
///
/// All units have the same animations, each at its own time. What a unit shows is a pure function of time. Glyph shapes stay
/// those of the whole line: ligatures and connected scripts are split between letters, but not reshaped.
///
/// ```swift
/// var title = TextContent("Words that light up", font: TextFont(family: "Inter", size: 90), color: .white.withAlpha(0.4))
/// var light = TextAnimator(.word, [.basic(.textColor, to: .color(.white), timing: LayerTiming(duration: 0.1, fillMode: .both))])
/// light.times = [0.4, 0.9, 1.2, 1.6]
/// title.animators = [light]
/// ```
public struct TextAnimator: Hashable, Sendable {
  /// The units that text is divided into. Blanks belong to none.
  public enum Unit: String, Hashable, Sendable, Codable, CaseIterable {
    /// A user-perceived character. The letters of a ligature are one unit.
    case character
    /// A run between blanks or, in scripts without blanks, between two line break opportunities.
    case word
    /// A line of the layout.
    case line
  }

  /// The order in which units begin.
  public enum Order: String, Hashable, Sendable, Codable, CaseIterable {
    /// In reading order.
    case forward
    /// In reverse reading order.
    case backward
    /// From the middle outward to both sides.
    case fromCenter = "from-center"
    /// From both ends toward the middle.
    case toCenter = "to-center"
    /// In a random order that depends on ``TextAnimator/seed``.
    case random
  }

  /// The units that text is divided into.
  public var unit = Unit.character
  /// The order in which units begin.
  public var order = Order.forward
  /// The seed of the random order.
  public var seed: UInt64 = 1
  /// The delay from the beginning of each unit to that of the next, in seconds, ≥ 0.
  public var delay = 0.0
  /// The start of each unit, in seconds of the layer's time, in increasing order, one per unit. If not empty, they replace
  /// ``order`` and ``delay``.
  public var times: [Double] = []
  /// The indices of the units that are animated, from 0. Indices without a unit are ignored. `nil` for all.
  public var range: Range<Int>?
  /// The point of a unit about which it scales, leans and turns, in fractions of its box: by default its center.
  public var anchorPoint = Point(x: 0.5, y: 0.5)
  /// Whether a unit is shown when its back is toward the viewer. A unit is hidden if any of its animators says so.
  public var backfaceVisibility = BackfaceVisibility.visible
  /// The animations of each unit, in seconds from its start: opacity, blur, scale, skew, rotation and translation about its anchor
  /// point, color of text and outline, ``LayerProperty/textHighlight``, and ``LayerProperty/textTracking``: the space that is added
  /// after each unit. Rotations out of the plane are seen in the layer's ``Layer/perspective``.
  public var animations: [Animation] = []
  /// The color of the highlighted part of a unit. Required for ``LayerProperty/textHighlight``.
  public var highlightColor: Color?
  /// Replaces the units by random characters until they settle; `nil` for none.
  public var scramble: TextScramble?
  private var selectors: [TextRangeSelector] = []

  /// Creates an animator of all units, which begin together.
  public init(_ unit: Unit = .character, _ animations: [Animation] = []) {
    self.unit = unit
    self.animations = animations
  }

  /// Weighs the values of ``animations`` unit by unit; `nil` for their values as they are. It counts the units in ``order``.
  public var selector: TextRangeSelector? {
    get { selectors.first }
    set { selectors = newValue.map { [$0] } ?? [] }
  }

  /// The properties that a unit has.
  package static let properties: Set<LayerProperty> = [
    .opacity, .scale, .scaleX, .scaleY, .skewX, .skewY, .rotation, .rotationX, .rotationY, .translation, .translationX,
    .translationY, .translationZ, .blurRadius, .textColor, .outlineColor, .textHighlight, .textTracking,
  ]

  /// Checks that the animator is valid.
  ///
  /// - Throws: `.invalidValue`, with the key path from the animator.
  package func requireUsable() throws(CompositorError) {
    func mistake(_ key: String, _ message: String, _ recoverySuggestion: String) -> CompositorError {
      CompositorError(.invalidValue, message, recoverySuggestion: recoverySuggestion, at: ErrorLocation(path: key))
    }
    guard delay >= 0, delay.isFinite else {
      throw mistake("delay", "A delay is below 0.", "Give 0 or more; the order \"backward\" begins at the end.")
    }
    guard times.allSatisfy(\.isFinite), zip(times, times.dropFirst()).allSatisfy(<=) else {
      throw mistake("times", "The times of a text animator aren't increasing.", "Give them in the order of the text.")
    }
    guard anchorPoint.x.isFinite, anchorPoint.y.isFinite, abs(anchorPoint.x) <= 1e3, abs(anchorPoint.y) <= 1e3 else {
      throw mistake(
        "anchorPoint", "The anchor point of a text animator is far away.", "Give fractions of the unit's box, such as [0.5, 1]."
      )
    }
    guard range.map({ $0.lowerBound >= 0 && !$0.isEmpty }) ?? true else {
      throw mistake(
        "range", "The range of a text animator is empty.", "Give the number of the first, from 0, and how many there are.")
    }
    for (index, animation) in animations.enumerated() {
      do throws(CompositorError) {
        try requireUsable(animation)
      } catch {
        throw error.within("animations[\(index)]")
      }
    }
    do throws(CompositorError) {
      try selector?.requireUsable()
      try selector?.requireUsable(for: unit)
    } catch {
      throw error.within("selector")
    }
    do throws(CompositorError) {
      try scramble?.requireUsable()
    } catch {
      throw error.within("scramble")
    }
  }

  private func requireUsable(_ animation: Animation) throws(CompositorError) {
    try animation.requireUsable()
    guard animation.timing.relativeTo == .start else {
      throw CompositorError(
        .invalidValue, "An animation of parts of text counts from the start of each part, which has no end of its own.",
        recoverySuggestion: "Animate the layer relative to its end, or count from the start.")
    }
    for leaf in animation.leaves {
      guard let property = leaf.property, TextAnimator.properties.contains(property) else {
        let names = TextAnimator.properties.map(\.rawValue).sorted().joined(separator: ", ")
        throw CompositorError(
          .invalidValue, "\(leaf.property?.rawValue ?? "A transition") cannot be animated for parts of text.",
          recoverySuggestion: "Use one of \(names), or animate the layer.")
      }
      guard property != .textHighlight || highlightColor != nil else {
        throw CompositorError(
          .invalidValue, "A text animator highlights text without a highlight color.",
          recoverySuggestion: "Give the animator a highlightColor.")
      }
    }
  }
}

extension TextAnimator: Codable {
  private enum CodingKeys: String, CodingKey, CaseIterable {
    case unit = "by"
    case order, seed, delay, times, range, anchorPoint, backfaceVisibility, animations, highlightColor, selector, scramble
  }

  /// Decodes an animator. Missing keys have their defaults. `range` is `[first, count]`. The default fill mode of its
  /// animations is `both`.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init()
    unit = try values.read(.unit, or: unit)
    order = try values.read(.order, or: order)
    seed = try values.read(.seed, or: seed)
    delay = try values.read(.delay, or: delay)
    times = try values.read(.times, or: times)
    if let numbers = try values.decodeIfPresent([Int].self, forKey: .range) {
      guard numbers.count == 2, numbers[0] >= 0, (1...1_000_000).contains(numbers[1]), numbers[0] <= 1_000_000 else {
        throw CompositorError(
          .invalidValue, "The range of a text animator cannot be read.",
          recoverySuggestion: "Give the number of the first, from 0, and how many there are.")
      }
      range = numbers[0]..<numbers[0] + numbers[1]
    }
    anchorPoint = try values.decodeIfPresent(PointNotation.self, forKey: .anchorPoint)?.point ?? anchorPoint
    backfaceVisibility = try values.read(.backfaceVisibility, or: backfaceVisibility)
    animations = try values.read(.animations, or: [FillingAnimation]()).map(\.animation)
    highlightColor = try values.readColor(.highlightColor)
    selector = try values.decodeIfPresent(TextRangeSelector.self, forKey: .selector)
    scramble = try values.decodeIfPresent(TextScramble.self, forKey: .scramble)
    guard times.isEmpty || !values.contains(.order) && !values.contains(.delay) else {
      throw CompositorError(
        .invalidValue, "A text animator has times as well as an order or a delay.", recoverySuggestion: "Keep one of them.")
    }
    try requireUsable()
  }

  /// Encodes the form that ``init(from:)`` decodes.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(unit, forKey: .unit)
    try values.encode(seed, forKey: .seed)
    if times.isEmpty {
      try values.encode(order, forKey: .order)
      try values.encode(delay, forKey: .delay)
    } else {
      try values.encode(times, forKey: .times)
    }
    try values.encodeIfPresent(range.map { [$0.lowerBound, $0.count] }, forKey: .range)
    try values.encode(anchorPoint, forKey: .anchorPoint)
    if backfaceVisibility != .visible { try values.encode(backfaceVisibility, forKey: .backfaceVisibility) }
    try values.encode(animations, forKey: .animations)
    try values.encodeIfPresent(highlightColor, forKey: .highlightColor)
    try values.encodeIfPresent(selector, forKey: .selector)
    try values.encodeIfPresent(scramble, forKey: .scramble)
  }
}

/// An animation whose default fill mode is `both`.
struct FillingAnimation: Decodable {
  let animation: Animation

  private enum Keys: CodingKey { case fillMode }

  init(from decoder: any Decoder) throws {
    var animation = try Animation(from: decoder)
    if !(try decoder.container(keyedBy: Keys.self).contains(.fillMode)) { animation.fillOutside() }
    self.animation = animation
  }
}

extension Animation {
  fileprivate mutating func fillOutside() { timing.fillMode = .both }
}
