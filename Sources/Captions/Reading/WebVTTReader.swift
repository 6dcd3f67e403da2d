import CompositorAPI

/// Reads WebVTT by the parser of its specification (W3C, WebVTT: The Web Video Text Tracks Format, section 6.1), which finds the
/// cues between style sheets, regions and comments.
///
/// Unlike browsers it also reads times with a comma or without a fraction.
struct WebVTTReader {
  private(set) var cues: [CaptionCue] = []
  private(set) var omissions = CaptionOmissions()

  private let lines: [Substring]
  private var next = 0
  private var regions: [Substring: WebVTTRegion] = [:]

  /// Whether a text is WebVTT: `WEBVTT`, alone or before white space.
  static func begins(_ text: String) -> Bool {
    text.hasPrefix("WEBVTT") && (text.dropFirst(6).first.map { $0.isNewline || $0 == " " || $0 == "\t" } ?? true)
  }

  init(_ text: String) {
    lines = text.captionLines
    next = 1
    // The header ends at an empty line, or where a cue begins.
    if next < lines.count, !lines[next].isEmpty { readBlock(isHeader: true) }
    while next < lines.count {
      if lines[next].isEmpty { next += 1 } else { readBlock(isHeader: false) }
    }
  }

  /// The specification's "collect a WebVTT block".
  private mutating func readBlock(isHeader: Bool) {
    let start = next
    var (timing, hasTiming): (CaptionTiming?, Bool) = (nil, false)
    var buffer: [Substring] = []
    while next < lines.count, !lines[next].isEmpty {
      let line = lines[next]
      if line.contains("-->") {
        // The second one of a block begins the next block.
        guard !isHeader, !hasTiming, next - start < 2 else { break }
        hasTiming = true
        timing = CaptionTiming(line)
        if timing == nil, CaptionTiming.isDamaged(line) { omissions.withUnreadableTimes += 1 }
        buffer = []
      } else {
        buffer.append(line)
      }
      next += 1
    }
    if hasTiming {
      if let timing { add(timing, buffer) }
    } else if let first = buffer.first, first.trimmingSpaces == "REGION", first.hasPrefix("REGION") {
      let region = WebVTTRegion(buffer.dropFirst())
      if let id = region.id { regions[id] = region }
    } else if !isHeader, buffer.prefix(2).contains(where: { CaptionTiming($0) != nil }) {
      // Times with an arrow of another notation, which players ignore with their text.
      omissions.withUnreadableTimes += 1
    }
  }

  private mutating func add(_ timing: CaptionTiming, _ text: [Substring]) {
    var styled = WebVTTText(text.joined(separator: "\n")[...]).text
    styled.trim()
    guard timing.end > timing.start else {
      omissions.withoutDuration += 1
      return
    }
    guard !styled.spans.isEmpty else {
      omissions.withoutText += 1
      return
    }
    let settings = String(timing.rest)
    cues.append(
      CaptionCue(TimeRange(start: timing.start, end: timing.end), styled.spans, placement: placement(of: settings)))
  }

  private func placement(of settings: String) -> CaptionPlacement? {
    let placement = WebVTTSettings(settings)?.placement
    let names = settings.split(whereSeparator: \.isWhitespace)
    // A line of its own takes a cue out of its region.
    guard !names.contains(where: { $0.hasPrefix("line:") }), let name = names.first(where: { $0.hasPrefix("region:") }),
      let region = regions[name.dropFirst("region:".count)]
    else { return placement }
    return region.placement(placement ?? CaptionPlacement())
  }
}

/// A region of WebVTT, in which cues are shown (section 3.4).
struct WebVTTRegion {
  private(set) var id: Substring?
  private var width = 1.0
  private var anchor = (x: 0.0, y: 1.0)
  private var viewport = (x: 0.0, y: 1.0)

  init(_ lines: ArraySlice<Substring>) {
    for setting in lines.joined(separator: " ").split(whereSeparator: \.isWhitespace) {
      let parts = setting.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { continue }
      let values = parts[1].split(separator: ",").compactMap { WebVTTSettings.fraction($0) }
      switch parts[0] {
      case "id": id = Substring(String(parts[1]))
      case "width": width = values.first ?? width
      case "regionanchor": if values.count == 2 { anchor = (values[0], values[1]) }
      case "viewportanchor": if values.count == 2 { viewport = (values[0], values[1]) }
      default: break
      }
    }
  }

  /// The place of a cue in the region.
  func placement(_ cue: CaptionPlacement) -> CaptionPlacement {
    var cue = cue
    let left = viewport.x - anchor.x * width
    let share = cue.x ?? (cue.horizontal == .left ? 0 : cue.horizontal == .center ? 0.5 : 1)
    cue.x = min(max(left + share * width, 0), 1)
    cue.y = min(max(viewport.y, 0), 1)
    cue.vertical = anchor.y < 1.0 / 3 ? .top : anchor.y > 2.0 / 3 ? .bottom : .middle
    return cue
  }
}

/// The text of a WebVTT cue (section 6.4): its tags `b`, `i`, `u`, `v`, `c`, `lang`, `ruby`, `rt`, times and character references.
struct WebVTTText {
  private(set) var text = StyledText()
  /// The open tags with the style before each.
  private var open: [(name: Substring, look: CaptionSpan)] = []

  init(_ markup: Substring) {
    var rest = markup
    while let character = rest.first {
      if character == "<" {
        // A tag without an end takes the rest of the text, as in browsers.
        let close = rest.firstIndex(of: ">") ?? rest.endIndex
        apply(rest[rest.index(after: rest.startIndex)..<close])
        rest = close == rest.endIndex ? rest[close...] : rest[rest.index(after: close)...]
        continue
      }
      if character == "&", let reference = CharacterReference.first(in: rest) {
        text.add(reference.characters)
        rest = reference.rest
        continue
      }
      let next = rest.dropFirst().firstIndex { $0 == "<" || $0 == "&" } ?? rest.endIndex
      text.add(rest[..<next])
      rest = rest[next...]
    }
  }

  private mutating func apply(_ tag: Substring) {
    if tag.first == "/" {
      guard let index = open.lastIndex(where: { $0.name == tag.dropFirst().trimmingSpaces }) else { return }
      text.look = open[index].look
      open.removeSubrange(index...)
      return
    }
    let name = tag.prefix { $0.isLetter }
    let annotation = tag.drop { !$0.isWhitespace }.trimmingSpaces
    let classes = tag.dropFirst(name.count).prefix { !$0.isWhitespace }.split(separator: ".")
    guard ["b", "i", "u", "v", "c", "lang", "ruby", "rt"].contains(name) else { return }
    if name == "v" { endVoice() }
    open.append((name, text.look))
    switch name {
    case "b": text.look.isBold = true
    case "i": text.look.isItalic = true
    case "u": text.look.isUnderlined = true
    case "v" where !annotation.isEmpty:
      let name = WebVTTText(annotation).text.spans.map(\.text).joined()
      text.look.speaker = name.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    default: break
    }
    for name in classes { text.look.color = WebVTTText.colors[name] ?? text.look.color }
  }

  /// Another speaker ends the speech of the one before.
  private mutating func endVoice() {
    guard let index = open.lastIndex(where: { $0.name == "v" }) else { return }
    open.remove(at: index)
    for index in open.indices { open[index].look.speaker = nil }
    text.look.speaker = nil
  }

  /// The colors that classes name without a style sheet (section 5.1).
  private static let colors: [Substring: Color] = [
    "white": Color(red: 1, green: 1, blue: 1), "lime": Color(red: 0, green: 1, blue: 0),
    "cyan": Color(red: 0, green: 1, blue: 1),
    "red": Color(red: 1, green: 0, blue: 0), "yellow": Color(red: 1, green: 1, blue: 0),
    "magenta": Color(red: 1, green: 0, blue: 1), "blue": Color(red: 0, green: 0, blue: 1),
    "black": Color(red: 0, green: 0, blue: 0),
  ]
}
