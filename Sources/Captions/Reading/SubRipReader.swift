import CompositorAPI

/// Reads SubRip (SRT): blocks of a number, a line of times, and text.
///
/// The format has no specification. What programs write is read: without blank lines or numbers, with text that has empty lines,
/// with any notation of ``CaptionTiming``, coordinates, HTML and tags of ASS.
struct SubRipReader {
  private(set) var cues: [CaptionCue] = []
  private(set) var omissions = CaptionOmissions()
  /// Whether there is a line of times, so that the text is SubRip at all.
  private(set) var hasTimes = false

  private var timing: CaptionTiming?
  private var lines: [Substring] = []
  /// The number of the current cue.
  private var number: Int?
  /// Whether the times of the current cue cannot be read.
  private var isDamaged = false

  init(_ text: String) {
    for line in text.captionLines {
      if let next = CaptionTiming(line) {
        begin(next)
      } else if CaptionTiming.isDamaged(line) {
        omissions.withUnreadableTimes += 1
        begin(nil)
      } else {
        lines.append(line)
      }
    }
    end(nextNumber: nil)
  }

  private mutating func begin(_ next: CaptionTiming?) {
    // A number directly before the times is the cue's, unless it is all the text that the cue before has.
    var nextNumber: Int?
    if let last = lines.last, let found = Int(last.trimmingSpaces), found >= 0 {
      let isText = timing != nil && lines.count == 1 && number.map { found != $0 + 1 } ?? false
      if !isText {
        lines.removeLast()
        nextNumber = found
      }
    }
    end(nextNumber: nextNumber)
    (timing, isDamaged, hasTimes) = (next, next == nil, true)
    number = nextNumber
  }

  /// Adds the current cue.
  private mutating func end(nextNumber: Int?) {
    defer { (timing, lines) = (nil, []) }
    guard let timing else { return }
    var text = SubRipText(lines.filter { !$0.allSatisfy(\.isWhitespace) }.joined(separator: "\n")[...])
    text.trim()
    guard timing.end > timing.start else {
      omissions.withoutDuration += 1
      return
    }
    guard !text.spans.isEmpty else {
      omissions.withoutText += 1
      return
    }
    let placement = text.placement ?? SubRipReader.placement(timing.rest)
    cues.append(CaptionCue(TimeRange(start: timing.start, end: timing.end), text.spans, placement: placement))
  }

  /// The place of coordinates (`X1:100 X2:600 Y1:40 Y2:90`), in pixels of a DVD's 720 × 480, or of a cue's settings as in
  /// WebVTT.
  private static func placement(_ rest: Substring) -> CaptionPlacement? {
    var values: [Substring: Double] = [:]
    for part in rest.split(whereSeparator: \.isWhitespace) {
      let pair = part.split(separator: ":")
      if pair.count == 2, let value = Double(pair[1]) { values[pair[0]] = value }
    }
    guard let x1 = values["X1"], let y1 = values["Y1"] else { return WebVTTSettings(String(rest))?.placement }
    func fraction(_ value: Double, _ whole: Double) -> Double { min(max(value / whole, 0), 1) }
    guard let x2 = values["X2"], let y2 = values["Y2"], x2 >= x1, y2 >= y1, x2 > x1 || y2 > y1 else {
      return CaptionPlacement(.bottom, .left, x: fraction(x1, 720), y: fraction(y1, 480))
    }
    return CaptionPlacement(.middle, .center, x: fraction((x1 + x2) / 2, 720), y: fraction((y1 + y2) / 2, 480))
  }
}

/// The text of a SubRip cue: HTML's `b`, `i`, `u` and `font`, tags of ASS, character references.
struct SubRipText {
  private(set) var placement: CaptionPlacement?
  private var text = StyledText()
  private var (bold, italic, underlined) = (0, 0, 0)
  private var colors: [Color?] = []

  var spans: [CaptionSpan] { text.spans }

  init(_ markup: Substring) {
    var rest = markup
    while let character = rest.first {
      switch character {
      case "<":
        if let tag = SubRipText.tag(in: rest) {
          apply(tag.name, tag.attributes, isEnd: tag.isEnd)
          rest = tag.rest
          continue
        }
      case "&":
        if let reference = CharacterReference.first(in: rest) {
          text.add(reference.characters)
          rest = reference.rest
          continue
        }
      case "{":
        if let end = rest.firstIndex(of: "}"), applyScript(rest[...end]) {
          rest = rest[rest.index(after: end)...]
          continue
        }
      default: break
      }
      let next = rest.dropFirst().firstIndex { "<&{".contains($0) } ?? rest.endIndex
      text.add(rest[..<next])
      rest = rest[next...]
    }
  }

  mutating func trim() { text.trim() }

  private static let names: Set<String> = [
    "b", "i", "u", "s", "font", "strong", "em", "br", "span", "p", "c", "v", "ruby", "rt", "strike", "del",
  ]

  /// Whether a string starts with a tag.
  static func isTag(_ text: Substring) -> Bool { tag(in: text) != nil }

  private static func tag(in text: Substring) -> (name: String, attributes: Substring, isEnd: Bool, rest: Substring)? {
    guard let close = text.firstIndex(of: ">") else { return nil }
    var body = text[text.index(after: text.startIndex)..<close]
    let isEnd = body.first == "/"
    if isEnd { body.removeFirst() }
    let name = body.prefix { $0.isLetter }.lowercased()
    let attributes = body.dropFirst(name.count)
    guard names.contains(name), attributes.first.map({ $0.isWhitespace || $0 == "/" || $0 == "." }) ?? true else { return nil }
    return (name, attributes, isEnd, text[text.index(after: close)...])
  }

  private mutating func apply(_ name: String, _ attributes: Substring, isEnd: Bool) {
    let step = isEnd ? -1 : 1
    switch name {
    case "b", "strong": bold = max(bold + step, 0)
    case "i", "em": italic = max(italic + step, 0)
    case "u": underlined = max(underlined + step, 0)
    case "font": if isEnd { _ = colors.popLast() } else { colors.append(SubRipText.color(attributes) ?? colors.last ?? nil) }
    case "br": text.add("\n")
    default: break
    }
    (text.look.isBold, text.look.isItalic, text.look.isUnderlined) = (bold > 0, italic > 0, underlined > 0)
    text.look.color = colors.last ?? nil
  }

  /// The value of `color` in a tag, in quotes or not, as hexadecimal digits with or without `#`, or as a name.
  private static func color(_ attributes: Substring) -> Color? {
    guard let key = attributes.lowercased().firstRange(of: "color") else { return nil }
    let value = attributes.lowercased()[key.upperBound...].drop { $0.isWhitespace || $0 == "=" || $0 == "\"" || $0 == "'" }
      .prefix { !$0.isWhitespace && !"\"'/>".contains($0) }
    if let color = Color(notation: String(value)) { return color }
    return value.count == 6 && value.allSatisfy(\.isHexDigit) ? Color(notation: "#" + value) : nil
  }

  /// Applies tags in braces: those of ASS (`{\an8}`), or those of MicroDVD (`{y:i}`). Returns false for braces that are text.
  private mutating func applyScript(_ block: Substring) -> Bool {
    let body = block.dropFirst().dropLast()
    if body.first == "\\" {
      let script = ScriptText(block + "x", style: ScriptStyle(), canvas: Size(width: 384, height: 288))
      placement = script.placement ?? placement
      guard let look = script.spans.last else { return true }
      // Only what the block itself says changes.
      let names = body.split(separator: "\\").map { $0.prefix { $0.isLetter } }
      if names.contains("b") { bold = look.isBold ? 1 : 0 }
      if names.contains("i") { italic = look.isItalic ? 1 : 0 }
      if names.contains("u") { underlined = look.isUnderlined ? 1 : 0 }
      if names.contains("c") || body.contains("\\1c") { colors = [look.color] }
      apply("", "", isEnd: false)
      return true
    }
    let parts = body.split(separator: ":", maxSplits: 1)
    guard parts.count == 2, ["y", "Y"].contains(parts[0]), parts[1].allSatisfy({ "biusBIUS,".contains($0) }) else {
      return false
    }
    let letters = parts[1].lowercased()
    if letters.contains("b") { bold = 1 }
    if letters.contains("i") { italic = 1 }
    if letters.contains("u") { underlined = 1 }
    apply("", "", isEnd: false)
    return true
  }
}

extension Substring {
  /// The string without white space at both ends.
  var trimmingSpaces: Substring {
    var text = drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }
}
