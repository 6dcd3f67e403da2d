/// Replaces characters of a text by random ones that change until the characters settle, unit by unit of a ``TextAnimator``.
///
/// A unit is scrambled from the start of the layer until ``duration`` after the start that the animator gives it. The random
/// characters are a function of the animator's seed, the character's index and the time, so that each frame is the same in whatever
/// order frames are drawn. Blanks stay, and so do the size of the layer and that of its letters, which are those of the settled text.
/// Each state of the text is shaped as a whole.
///
/// ```swift
/// var animator = TextAnimator(.character)
/// animator.delay = 0.05
/// animator.scramble = TextScramble("A-Z0-9", duration: 0.6)
/// ```
public struct TextScramble: Hashable, Sendable {
  /// Where scrambled characters are.
  public enum Spacing: String, Hashable, Sendable, Codable, CaseIterable {
    /// Each is centered in the place of the settled character, so that nothing moves.
    case fixed
    /// Each takes the space that it needs, and the line with it.
    case natural
  }

  /// The random characters: single ones and ranges, such as `A-Z0-9`. A hyphen at an end is itself. Empty for those of the text.
  public var characters: String
  /// How long a unit is scrambled after its start, in seconds, ≥ 0.
  public var duration: Double
  /// How often each character changes in a second, above 0 and at most 1000.
  public var rate = 20.0
  /// Where scrambled characters are.
  public var spacing = Spacing.fixed

  /// Creates a scramble, by default one of the text's own characters.
  public init(_ characters: String = "", duration: Double = 0.5) {
    (self.characters, self.duration) = (characters, duration)
  }

  /// The largest number of different characters.
  private static let most = 10_000

  /// The random characters, with ranges expanded.
  ///
  /// - Throws: `.invalidValue`, with the key.
  package func letters() throws(CompositorError) -> [Character] {
    let written = Array(characters)
    var (letters, index): ([Character], Int) = ([], 0)
    while index < written.count {
      if index + 2 < written.count, written[index + 1] == "-" {
        letters += try range(from: written[index], to: written[index + 2])
        index += 3
      } else {
        letters.append(written[index])
        index += 1
      }
    }
    guard letters.count <= Self.most else {
      throw mistake("There are \(letters.count) characters.", "Give at most \(Self.most).")
    }
    for letter in letters where letter.isWhitespace || "x\(letter)\(letter)".count != 3 {
      let code = letter.unicodeScalars.first.map { "U+" + String($0.value, radix: 16, uppercase: true) } ?? ""
      throw mistake("\(code) is no character of its own.", "Give letters, digits, signs or symbols; blanks stay.")
    }
    return letters
  }

  private func range(from first: Character, to last: Character) throws(CompositorError) -> [Character] {
    let (low, high) = (first.unicodeScalars, last.unicodeScalars)
    guard low.count == 1, high.count == 1, let start = low.first?.value, let end = high.first?.value, start <= end,
      end - start < Self.most
    else {
      throw mistake("The range \"\(first)-\(last)\" isn't one.", "Give the first character and the last, such as \"A-Z\".")
    }
    return (start...end).compactMap { Unicode.Scalar($0).map(Character.init) }
  }

  private func mistake(_ message: String, _ recoverySuggestion: String) -> CompositorError {
    CompositorError(
      .invalidValue, "The characters of a scramble cannot be read. \(message)", recoverySuggestion: recoverySuggestion,
      at: ErrorLocation(path: "characters"))
  }

  /// Checks that the scramble is valid.
  ///
  /// - Throws: `.invalidValue`, with the key.
  package func requireUsable() throws(CompositorError) {
    _ = try letters()
    guard duration >= 0, duration.isFinite else {
      throw CompositorError(
        .invalidValue, "The duration of a scramble is below 0.", recoverySuggestion: "Give 0 or more.",
        at: ErrorLocation(path: "duration"))
    }
    guard rate > 0, rate <= 1000 else {
      throw CompositorError(
        .invalidValue, "A scramble cannot change \(rate) times per second.",
        recoverySuggestion: "Give a rate above 0 and at most 1000.", at: ErrorLocation(path: "rate"))
    }
  }

  /// The index of the random character that a character shows.
  ///
  /// - Parameters:
  ///   - index: That of the character in its text.
  ///   - time: In seconds of the layer.
  ///   - count: The number of random characters, > 0.
  package func choice(of index: Int, at time: Double, seed: UInt64, among count: Int) -> Int {
    let step = (time * rate + 1e-6).rounded(.down)
    let bits = UInt64(bitPattern: abs(step) < 0x1p52 ? Int64(step) : 0)
    let own = SplitMix64.mixed(seed &+ UInt64(index) &* 0xd1b5_4a32_d192_ed03)
    return Int(SplitMix64.mixed(own &+ bits &* 0x9e37_79b9_7f4a_7c15) % UInt64(count))
  }
}

extension TextScramble: Codable {
  private enum CodingKeys: CodingKey, CaseIterable { case characters, duration, rate, spacing }

  /// Decodes a scramble. Missing keys have their defaults.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(try values.read(.characters, or: ""), duration: try values.read(.duration, or: 0.5))
    rate = try values.read(.rate, or: rate)
    spacing = try values.read(.spacing, or: spacing)
    try requireUsable()
  }
}
