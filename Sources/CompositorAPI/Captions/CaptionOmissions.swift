/// What a caption file contains that cannot be shown, as counts.
public struct CaptionOmissions: Hashable, Sendable, Codable {
  /// Cues that end at or before their start.
  public var withoutDuration = 0
  /// Cues whose times cannot be read.
  public var withUnreadableTimes = 0
  /// Cues without text.
  public var withoutText = 0

  /// Creates counts of 0.
  public init() {}

  /// One phrase for each count above 0, such as `2 captions have no text`.
  package func phrases(includingTextless: Bool = true) -> [String] {
    func phrase(_ count: Int, _ one: String, _ many: String) -> String? {
      count == 0 ? nil : count == 1 ? "1 caption \(one)" : "\(count) captions \(many)"
    }
    return [
      phrase(withUnreadableTimes, "has times that cannot be read", "have times that cannot be read"),
      phrase(withoutDuration, "ends at or before its start", "end at or before their start"),
      includingTextless ? phrase(withoutText, "has no text", "have no text") : nil,
    ].compactMap(\.self)
  }
}
