/// Weighs the values of a ``TextAnimator`` unit by unit, as the range selector of After Effects does: a range of the text with
/// soft edges, which animations move over it.
///
/// Of n units, the unit k (0 … n − 1, in the animator's order) takes the place from k to k + 1. The range is
///
///     low  = (min(start, end) + offset) · n
///     high = (max(start, end) + offset) · n
///
/// ``shape`` gives each unit a weight w of 0 … 1, from u = (k + ½ − low) / (high − low), limited to 0 … 1. The eased weight is B(w),
/// where B is the curve `cubic-bezier(x1, y1, x2, y2)` of
///
///     x1 = max(easeLow, 0)        y1 = max(−easeLow, 0)
///     x2 = 1 − max(easeHigh, 0)   y2 = 1 − max(−easeHigh, 0)
///
/// For the shape ``Shape/square`` it becomes (B(w) − ½) / smoothness + ½, limited to 0 … 1. The weight of the unit is that, times
/// ``amount``. What a unit has of a property is its own value + weight · (the value of the animator − its own value), in which its
/// own opacity and scale are 1, its own colors those of the text, and everything else is 0. Colors are mixed with premultiplied
/// alpha; a weight below 0 leaves them as they are.
///
/// ```swift
/// var wave = TextRangeSelector(start: 0, end: 0.3, shape: .smooth)
/// wave.animations = [.basic(.selectorOffset, from: -0.3, to: 1, timing: LayerTiming(duration: 2, fillMode: .both))]
/// var animator = TextAnimator(.character, [.basic(.scale, from: 1.5, to: 1.5, timing: LayerTiming(fillMode: .both))])
/// animator.selector = wave
/// ```
public struct TextRangeSelector: Hashable, Sendable {
  /// What the places of a selector count.
  public enum Basis: String, Hashable, Sendable, Codable, CaseIterable {
    /// Characters without blanks, as ``TextAnimator/Unit/character``.
    case character
    /// Characters and the blanks between them.
    case characterAndBlank = "character-and-blank"
    /// Words.
    case word
    /// Lines.
    case line
  }

  /// How the weight changes along the range.
  public enum Shape: String, Hashable, Sendable, Codable, CaseIterable {
    /// The part of the unit's place that lies in the range.
    case square
    /// u: from 0 at the start of the range to 1 at its end, and beyond it. Of an empty range: 0 before it, 1 from it on.
    case rampUp = "ramp-up"
    /// 1 − u: from 1 at the start of the range to 0 at its end. Of an empty range: 1 before it, 0 from it on.
    case rampDown = "ramp-down"
    /// 1 − |2u − 1|: 1 in the middle, 0 at both ends. Of an empty range: 0.
    case triangle
    /// √(1 − (2u − 1)²): half a circle. Of an empty range: 0.
    case round
    /// (1 − cos 2πu) / 2: a bell. Of an empty range: 0.
    case smooth
  }

  /// One end of the range, in fractions of all places, 0 … 1. The lesser end is its start.
  public var start = 0.0
  /// The other end of the range.
  public var end = 1.0
  /// The distance by which the range is moved, in fractions of all places, −1 … 1.
  public var offset = 0.0
  /// How the weight changes along the range.
  public var shape = Shape.square
  /// The part of a unit's place over which its weight changes, 0 … 1, if the shape is ``Shape/square``. At 0, units are weighed as a
  /// whole or not at all.
  public var smoothness = 1.0
  /// How gently weights approach 1, −1 … 1. At 1, the weight changes slowly near 1; at −1, it changes at once.
  public var easeHigh = 0.0
  /// How gently weights leave 0, −1 … 1.
  public var easeLow = 0.0
  /// The weight of what lies in the range, −1 … 1. Negative weights turn changes around.
  public var amount = 1.0
  /// What places count; `nil` for the animator's units. All units in the same place have the same weight.
  public var basis: Basis?
  /// Animations of ``LayerProperty/selectorStart``, ``LayerProperty/selectorEnd``, ``LayerProperty/selectorOffset`` and
  /// ``LayerProperty/selectorAmount``, in the time of the layer.
  public var animations: [Animation] = []

  /// Creates a selector, by default one of all units.
  public init(start: Double = 0, end: Double = 1, shape: Shape = .square) {
    (self.start, self.end, self.shape) = (start, end, shape)
  }

  /// The properties that a selector has.
  package static let properties: Set<LayerProperty> = [.selectorStart, .selectorEnd, .selectorOffset, .selectorAmount]

  /// The weight of the unit in a place, −1 … 1.
  ///
  /// - Parameters:
  ///   - place: 0 ..< `count`.
  ///   - count: The number of all places.
  package func weight(of place: Int, among count: Int) -> Double {
    let (low, high) = ((min(start, end) + offset) * Double(count), (max(start, end) + offset) * Double(count))
    var weight = min(max(plainWeight(of: Double(place), low, high), 0), 1)
    if easeLow != 0 || easeHigh != 0 { weight = easing.value(at: weight) }
    if shape == .square, smoothness < 1 {
      let distance = weight - 0.5
      weight = smoothness > 0 ? min(max(distance / smoothness + 0.5, 0), 1) : distance + .progressTolerance >= 0 ? 1 : 0
    }
    return weight * min(max(amount, -1), 1)
  }

  private func plainWeight(of place: Double, _ low: Double, _ high: Double) -> Double {
    if shape == .square { return min(high, place + 1) - max(low, place) }
    let middle = place + 0.5
    guard high > low else {
      let isPast = middle + .progressTolerance >= high
      return shape == .rampUp && isPast || shape == .rampDown && !isPast ? 1 : 0
    }
    let share = min(max((middle - low) / (high - low), 0), 1)
    return switch shape {
    case .square, .rampUp: share
    case .rampDown: 1 - share
    case .triangle: 1 - abs(2 * share - 1)
    case .round: max(1 - (2 * share - 1) * (2 * share - 1), 0).squareRoot()
    // A cosine without Foundation.
    case .smooth: (1 - AffineMatrix.rotation(radians: 2 * .pi * share).a) / 2
    }
  }

  private var easing: Easing {
    .cubicBezier(x1: max(easeLow, 0), y1: max(-easeLow, 0), x2: 1 - max(easeHigh, 0), y2: 1 - max(-easeHigh, 0))
  }
}

extension TextRangeSelector: Codable {
  private enum CodingKeys: String, CodingKey, CaseIterable {
    case start, end, offset, shape, smoothness, easeHigh, easeLow, amount
    case basis = "by"
    case animations
  }

  /// Decodes a selector. Missing keys have their defaults. The default fill mode of its animations is `both`.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init()
    try values.readNumbers(
      into: &self,
      [
        .start: \.start, .end: \.end, .offset: \.offset, .smoothness: \.smoothness, .easeHigh: \.easeHigh,
        .easeLow: \.easeLow, .amount: \.amount,
      ])
    shape = try values.read(.shape, or: shape)
    basis = try values.decodeIfPresent(Basis.self, forKey: .basis)
    animations = try values.read(.animations, or: [FillingAnimation]()).map(\.animation)
    try requireUsable()
  }
}
