/// Animates a text piece by piece: letter by letter, word by word, line by line.
///
/// Each piece goes through the same animations, each at its own time. What a piece shows at a time is a pure function of that time. Shapes
/// of letters stay those of the whole line: ligatures and joined scripts are cut between letters, never shaped anew.
///
/// ```swift
/// var title = TextContent("Words that light up", font: TextFont(family: "Inter", size: 90), color: .white.withAlpha(0.4))
/// var light = TextAnimator(.word, [.basic(.textColor, to: .color(.white), timing: LayerTiming(duration: 0.1, fillMode: .both))])
/// light.times = [0.4, 0.9, 1.2, 1.6]
/// title.animators = [light]
/// ```
public struct TextAnimator: Hashable, Sendable {
  /// The pieces of a text. Blanks belong to none.
  public enum Unit: String, Hashable, Sendable, Codable, CaseIterable {
    /// A character as a reader sees it; letters of a ligature are one.
    case character
    /// What stands between blanks; in scripts without blanks, what stands between two places where a line may break.
    case word
    /// A line as it is laid out.
    case line
  }

  /// Which piece begins first.
  public enum Order: String, Hashable, Sendable, Codable, CaseIterable {
    /// The first in reading order.
    case forward
    /// The last.
    case backward
    /// The middle, then its neighbors on both sides.
    case fromCenter = "from-center"
    /// The outermost on both sides.
    case toCenter = "to-center"
    /// A different one for each ``TextAnimator/seed``.
    case random
  }

  /// What the pieces are.
  public var unit = Unit.character
  /// Which piece begins first.
  public var order = Order.forward
  /// Chooses among all random orders.
  public var seed: UInt64 = 1
  /// Seconds from the beginning of each piece to that of the next, ≥ 0.
  public var delay = 0.0
  /// When each piece begins, in seconds of the layer, rising; as many as there are pieces. They replace ``order`` and ``delay``; empty for
  /// none.
  public var times: [Double] = []
  /// Which of the pieces are animated, from 0; pieces that the text does not have are left out. `nil` for all.
  public var range: Range<Int>?
  /// What happens to each piece, in seconds from its beginning: opacity, scale, rotation and translation about the middle of its box, color
  /// of text and outline, and ``LayerProperty/textHighlight``.
  public var animations: [Animation] = []
  /// The color of the highlighted part of a piece; needed for ``LayerProperty/textHighlight``.
  public var highlightColor: Color?

  /// Makes an animator of all pieces, which begin together.
  public init(_ unit: Unit = .character, _ animations: [Animation] = []) {
    self.unit = unit
    self.animations = animations
  }

  /// The properties that a piece of text has.
  package static let properties: Set<LayerProperty> = [
    .opacity, .scale, .scaleX, .scaleY, .rotation, .translation, .translationX, .translationY, .textColor, .outlineColor,
    .textHighlight,
  ]

  /// Throws if the animator could never do what it says.
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
      throw mistake("times", "The times of a text's pieces do not rise.", "Give them in the order of the text.")
    }
    guard range.map({ $0.lowerBound >= 0 && !$0.isEmpty }) ?? true else {
      throw mistake(
        "range", "A range of a text's pieces is empty.", "Give the number of the first, from 0, and how many there are.")
    }
    for (index, animation) in animations.enumerated() {
      do throws(CompositorError) {
        try requireUsable(animation)
      } catch {
        throw error.within("animations[\(index)]")
      }
    }
  }

  private func requireUsable(_ animation: Animation) throws(CompositorError) {
    try animation.requireUsable()
    for leaf in animation.leaves {
      guard let property = leaf.property, TextAnimator.properties.contains(property) else {
        let names = TextAnimator.properties.map(\.rawValue).sorted().joined(separator: ", ")
        throw CompositorError(
          .invalidValue, "\(leaf.property?.rawValue ?? "A transition") cannot change pieces of a text.",
          recoverySuggestion: "Use one of \(names), or animate the layer.")
      }
      guard property != .textHighlight || highlightColor != nil else {
        throw CompositorError(
          .invalidValue, "A piece of a text is highlighted, but in no color.",
          recoverySuggestion: "Give the animator a highlightColor.")
      }
    }
  }
}

extension TextAnimator: Codable {
  private enum CodingKeys: String, CodingKey, CaseIterable {
    case unit = "by"
    case order, seed, delay, times, range, animations, highlightColor
  }

  /// Reads an animator; missing keys have their defaults. `range` is `[first, count]`; the fill mode of its animations is `both` where they
  /// name none.
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
          .invalidValue, "A range of a text's pieces cannot be read.",
          recoverySuggestion: "Give the number of the first, from 0, and how many there are.")
      }
      range = numbers[0]..<numbers[0] + numbers[1]
    }
    animations = try values.read(.animations, or: [FillingAnimation]()).map(\.animation)
    highlightColor = try values.readColor(.highlightColor)
    guard times.isEmpty || !values.contains(.order) && !values.contains(.delay) else {
      throw CompositorError(
        .invalidValue, "The pieces of a text have times and an order or a delay.", recoverySuggestion: "Keep one of them.")
    }
    try requireUsable()
  }

  /// Writes what ``init(from:)`` reads.
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
    try values.encode(animations, forKey: .animations)
    try values.encodeIfPresent(highlightColor, forKey: .highlightColor)
  }
}

/// An animation that shows its beginning before and its end after its time, unless it says otherwise.
private struct FillingAnimation: Decodable {
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
