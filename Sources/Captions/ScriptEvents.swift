import CompositorAPI

/// The times and texts of a script's events, and which of them are animated.
struct ScriptEvents {
  private(set) var cues: [CaptionCue] = []
  private(set) var isAnimated: [Bool] = []

  init(_ script: String) {
    var found: [(cue: CaptionCue, isAnimated: Bool)] = []
    var columns: [Substring] = []
    var isInEvents = false
    for line in script.split(whereSeparator: \.isNewline) {
      if line.hasPrefix("[") { isInEvents = line.lowercased().hasPrefix("[events]") }
      guard isInEvents else { continue }
      if let format = line.value(of: "Format") {
        columns = format.split(separator: ",").map { $0.trimmed }
      } else if let dialogue = line.value(of: "Dialogue"),
        let event = ScriptEvents.event(dialogue, columns.isEmpty ? ScriptEvents.usualColumns : columns)
      {
        found.append(event)
      }
    }
    found = found.enumerated().sorted {
      ($0.element.cue.timeRange.start, $0.offset) < ($1.element.cue.timeRange.start, $1.offset)
    }.map(\.element)
    (cues, isAnimated) = (found.map(\.cue), found.map(\.isAnimated))
  }

  private static let usualColumns: [Substring] = [
    "Layer", "Start", "End", "Style", "Name", "MarginL", "MarginR", "MarginV", "Effect", "Text",
  ]

  private static func event(_ line: Substring, _ columns: [Substring]) -> (CaptionCue, Bool)? {
    let values = line.split(separator: ",", maxSplits: columns.count - 1, omittingEmptySubsequences: false)
    let named = Dictionary(zip(columns, values)) { first, _ in first }
    guard let start = named["Start"].flatMap(time), let end = named["End"].flatMap(time), start < end else { return nil }
    let text = ScriptText(named["Text"] ?? "", style: ScriptStyle(), canvas: .zero)
    let hasEffect = !(named["Effect"] ?? "").trimmed.isEmpty
    return (CaptionCue(TimeRange(start: start, end: end), text.spans), text.isAnimated || hasEffect)
  }

  /// `0:00:01.50`
  private static func time(_ text: Substring) -> MediaTime? {
    let parts = text.trimmed.split(separator: ":")
    guard parts.count == 3, let hours = Int64(parts[0]), let minutes = Int64(parts[1]), (0...1_000_000).contains(hours),
      (0...1000).contains(minutes)
    else { return nil }
    let seconds = parts[2].split(separator: ".", maxSplits: 1)
    guard let whole = seconds.first.flatMap({ Int64($0) }), (0...1000).contains(whole) else { return nil }
    let digits = seconds.count > 1 ? seconds[1].prefix(3) : "0"
    guard let fraction = Int64(digits + String(repeating: "0", count: 3 - digits.count)) else { return nil }
    return MediaTime(value: (hours * 3600 + minutes * 60 + whole) * 1000 + fraction, timescale: 1000)
  }
}

extension Substring {
  fileprivate var trimmed: Substring {
    let start = drop { $0 == " " || $0 == "\t" }
    return start[..<(start.lastIndex { $0 != " " && $0 != "\t" }.map { start.index(after: $0) } ?? start.startIndex)]
  }

  /// The value after a key and a colon.
  fileprivate func value(of key: String) -> Substring? {
    guard hasPrefix(key + ":") else { return nil }
    return dropFirst(key.count + 1)
  }
}
