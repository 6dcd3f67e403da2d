import CompositorAPI

/// Reads SubViewer as YouTube writes it (SBV): `0:00:01.000,0:00:02.500` before the text of each cue.
struct SBVReader {
  private(set) var cues: [CaptionCue] = []
  private(set) var omissions = CaptionOmissions()
  private var range: (start: MediaTime, end: MediaTime)?
  private var lines: [Substring] = []

  /// The times of a line; `nil` for other lines.
  static func times(_ line: Substring) -> (start: MediaTime, end: MediaTime)? {
    let parts = line.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ $0.first?.isNumber == true && $0.contains(":") && $0.contains(".") }) else {
      return nil
    }
    var (left, right) = (parts[0], parts[1])
    guard let start = CaptionTiming.time(&left), left.isEmpty, let end = CaptionTiming.time(&right),
      right.allSatisfy(\.isWhitespace)
    else { return nil }
    return (start, end)
  }

  init(_ text: String) {
    for line in text.captionLines {
      if let next = SBVReader.times(line) {
        end()
        range = next
      } else {
        lines.append(line)
      }
    }
    end()
  }

  private mutating func end() {
    defer { lines = [] }
    guard let range else { return }
    var text = SubRipText(lines.filter { !$0.allSatisfy(\.isWhitespace) }.joined(separator: "\n")[...])
    text.trim()
    guard range.end > range.start else {
      omissions.withoutDuration += 1
      return
    }
    guard !text.spans.isEmpty else {
      omissions.withoutText += 1
      return
    }
    cues.append(CaptionCue(TimeRange(start: range.start, end: range.end), text.spans))
  }
}

/// Reads lyrics (LRC): `[01:23.45]` before each line, which is shown until the next one.
struct LyricsReader {
  private(set) var cues: [CaptionCue] = []
  private(set) var omissions = CaptionOmissions()
  /// Whether there is a line with a time, so that the text is LRC at all.
  private(set) var hasTimes = false

  /// How long a line is shown at most.
  private static let longest = MediaTime.seconds(10)

  init(_ text: String) {
    var events: [(start: MediaTime, text: String)] = []
    var offset = MediaTime.zero
    for line in text.captionLines {
      var rest = line.trimmingSpaces
      var starts: [MediaTime] = []
      while rest.first == "[", let close = rest.firstIndex(of: "]") {
        var body = rest[rest.index(after: rest.startIndex)..<close]
        if let start = CaptionTiming.time(&body), body.isEmpty {
          starts.append(start)
        } else if starts.isEmpty, body.lowercased().hasPrefix("offset:"), let value = Int64(body.dropFirst(7).trimmingSpaces) {
          // A positive offset shows lyrics earlier.
          offset = MediaTime(value: -value, timescale: 1000)
        } else {
          break
        }
        rest = rest[rest.index(after: close)...]
      }
      let words = LyricsReader.withoutTimes(rest.trimmingSpaces)
      events += starts.map { ($0, words) }
    }
    hasTimes = !events.isEmpty
    let sorted = events.enumerated().sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }.map(\.element)
    for (index, event) in sorted.enumerated() where !event.text.isEmpty {
      let next = sorted[index...].first { $0.start > event.start }?.start ?? .positiveInfinity
      let end = min(next, event.start + LyricsReader.longest)
      cues.append(CaptionCue(TimeRange(start: event.start + offset, end: end + offset), event.text))
    }
  }

  /// The line without the times of its words (`<00:12.34>`).
  private static func withoutTimes(_ line: Substring) -> String {
    var (result, rest) = ("", line)
    while let open = rest.firstIndex(of: "<"), let close = rest[open...].firstIndex(of: ">") {
      var body = rest[rest.index(after: open)..<close]
      let isTime = CaptionTiming.time(&body) != nil && body.isEmpty
      result += isTime ? rest[..<open] : rest[...close]
      rest = rest[rest.index(after: close)...]
    }
    return (result + rest).split(separator: " ").joined(separator: " ")
  }
}
