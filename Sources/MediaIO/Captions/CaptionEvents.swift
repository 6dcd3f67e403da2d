package import CompositorAPI

/// Cues as ASS events, the input of libavcodec's subtitle encoders, which know a part of ASS's notation only.
package struct CaptionEvents {
  /// An event: `ReadOrder,Layer,Style,Name,MarginL,MarginR,MarginV,Effect,Text`.
  package struct Event: Hashable, Sendable {
    package var range: TimeRange
    package var text: String
  }

  /// A script's header, with the styles that events name.
  package private(set) var header: String
  /// The events, ordered by start.
  package private(set) var events: [Event]

  /// The header for captions without a script: a default style on a 4:3 canvas, as for SRT.
  package static let usualHeader = """
    [Script Info]
    ScriptType: v4.00+
    PlayResX: 384
    PlayResY: 288
    ScaledBorderAndShadow: yes

    [V4+ Styles]
    Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, \
    ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
    Style: Default,Arial,16,&H00FFFFFF,&H00FFFFFF,&H00000000,&H00000000,0,0,0,0,100,100,0,0,1,1,0,2,10,10,10,1

    [Events]
    Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text

    """.replacing("\n", with: "\r\n")

  /// Converts the cues inside a range. Times are relative to the start of the range.
  ///
  /// - Parameters:
  ///   - keepsScript: Whether a script's own events, with its own styles, are used if there is a script.
  ///   - mayOverlap: Whether events may overlap in time; otherwise overlapping events are merged.
  ///   - hasMarkup: Whether the encoder writes text as markup, in which `&`, `<` and `>` have a meaning, without escaping it (WebVTT).
  /// - Throws: `.unreadableMedia` for a script that cannot be read.
  package init(
    _ track: CaptionTrack, in range: TimeRange, keepsScript: Bool, mayOverlap: Bool, hasMarkup: Bool
  ) throws(CompositorError) {
    if keepsScript, let script = track.script {
      let file = try SubtitleReader.readScript(script)
      header = file.header
      events = file.events.compactMap { event in
        guard let end = event.end else { return nil }
        let cut = TimeRange(start: event.start + track.offset, end: end + track.offset).cut(to: range)
        return cut.map { Event(range: $0, text: event.text) }
      }.sortedByStart()
      return
    }
    let cues = track.cues(in: range)
    header = CaptionEvents.usualHeader
    events = (mayOverlap ? cues : cues.flattened()).enumerated().map { index, cue in
      Event(range: cue.timeRange, text: "\(index),0,Default,,0,0,0,,\(cue.encoderText(hasMarkup: hasMarkup))")
    }
  }
}

extension TimeRange {
  /// The part inside another range, relative to its start; `nil` if there is none.
  fileprivate func cut(to range: TimeRange) -> TimeRange? {
    let (start, end) = (max(self.start, range.start), min(self.end, range.end))
    return start < end ? TimeRange(start: start - range.start, end: end - range.start) : nil
  }
}

extension [CaptionEvents.Event] {
  fileprivate func sortedByStart() -> [CaptionEvents.Event] {
    enumerated().sorted { ($0.element.range.start, $0.offset) < ($1.element.range.start, $1.offset) }.map(\.element)
  }
}

extension [CaptionCue] {
  /// Cues that don't overlap: lines of cues shown at the same time are stacked, the first at the top.
  fileprivate func flattened() -> [CaptionCue] {
    let times = Set(flatMap { [$0.timeRange.start, $0.timeRange.end] }).sorted()
    var (result, shown, next): ([CaptionCue], [CaptionCue], Int) = ([], [], 0)
    for (start, end) in zip(times, times.dropFirst()) {
      shown.removeAll { $0.timeRange.end <= start }
      while next < count, self[next].timeRange.start <= start {
        shown.append(self[next])
        next += 1
      }
      guard let first = shown.first else { continue }
      var joined = CaptionCue(TimeRange(start: start, end: end), first.spans, placement: first.placement)
      for cue in shown.dropFirst() { joined.spans += [CaptionSpan("\n")] + cue.spans }
      result.append(joined)
    }
    return result
  }
}

extension CaptionCue {
  /// The text with ASS tags, as a script holds it.
  package var scriptText: String {
    taggedText(placement?.scriptTag, endsStyles: false) { text in
      text.replacing("\\", with: "\\\u{2060}").replacing("{", with: "\\{").replacing("}", with: "\\}")
        .replacing("\u{a0}", with: "\\h")
    }
  }

  /// The text as libavcodec's encoders read it. They know tags and line breaks, but neither `\h` nor escaped braces; a word joiner keeps what
  /// only looks like a tag or a line break from being one.
  fileprivate func encoderText(hasMarkup: Bool) -> String {
    taggedText(placement?.sideTag, endsStyles: true) { text in
      var text = text
      if hasMarkup {
        text = text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      }
      return text.replacing("{\\", with: "{\u{2060}\\").replacing("\\n", with: "\\\u{2060}n").replacing(
        "\\N", with: "\\\u{2060}N")
    }
  }

  /// The text with ASS tags.
  ///
  /// - Parameters:
  ///   - place: The tag for its position; `nil` for none.
  ///   - endsStyles: Whether each style ends where another begins, instead of being changed in part: libavcodec's encoders close the wrong
  ///     one of nested tags (SubRip), or forget the outer ones (3GPP timed text).
  ///   - escaping: Replaces what has a meaning in the notation, except line breaks.
  private func taggedText(_ place: String?, endsStyles: Bool, escaping: (String) -> String) -> String {
    var text = place ?? ""
    var last = CaptionSpan("")
    for span in spans {
      let tags = endsStyles ? span.tagsEnding(last) : span.tagsChanging(last)
      last = span
      if !tags.isEmpty { text += "{\(tags)}" }
      text += escaping(span.text).replacing("\r\n", with: "\\N").replacing("\n", with: "\\N")
    }
    return text
  }
}

extension CaptionSpan {
  /// The tags for what differs from the style before.
  fileprivate func tagsChanging(_ last: CaptionSpan) -> String {
    var tags = ""
    if isBold != last.isBold { tags += "\\b\(isBold ? 1 : 0)" }
    if isItalic != last.isItalic { tags += "\\i\(isItalic ? 1 : 0)" }
    if isUnderlined != last.isUnderlined { tags += "\\u\(isUnderlined ? 1 : 0)" }
    if color != last.color { tags += "\\1c" + (color?.scriptNotation ?? "") }
    return tags
  }

  /// The tags that end all of the style before, the innermost first, and begin all of this one; none if both are the same.
  fileprivate func tagsEnding(_ last: CaptionSpan) -> String {
    guard !tagsChanging(last).isEmpty else { return "" }
    let plain = CaptionSpan("")
    var tags = last.color == nil ? "" : "\\1c"
    if last.isUnderlined { tags += "\\u0" }
    if last.isItalic { tags += "\\i0" }
    if last.isBold { tags += "\\b0" }
    return tags + tagsChanging(plain)
  }
}

extension CaptionPlacement {
  /// The third of the canvas that a caption of one line is in, as a key of a numeric keypad: 2 is bottom center.
  package var keypadNumber: Int { Self.keypadNumber(shownVertical, shownHorizontal) }

  /// The tag for it in SubRip, which knows no other positions; empty for the bottom center.
  package var sideTag: String { keypadNumber == 2 ? "" : "{\\an\(keypadNumber)}" }

  /// The tag for its alignment and its position on the canvas of `CaptionEvents.usualHeader`.
  fileprivate var scriptTag: String {
    guard x != nil || y != nil else { return sideTag }
    let margin = 10.0
    let across = x.map { $0 * 384 } ?? (horizontal == .left ? margin : horizontal == .center ? 192 : 384 - margin)
    let down = y.map { $0 * 288 } ?? (vertical == .top ? margin : vertical == .middle ? 144 : 288 - margin)
    let number = Self.keypadNumber(vertical, horizontal)
    return "{\\an\(number)\\pos(\(Self.tenths(across)),\(Self.tenths(down)))}"
  }

  private static func keypadNumber(_ vertical: Vertical, _ horizontal: Horizontal) -> Int {
    let row = vertical == .bottom ? 0 : vertical == .middle ? 1 : 2
    return row * 3 + (horizontal == .left ? 1 : horizontal == .center ? 2 : 3)
  }

  private static func tenths(_ number: Double) -> String {
    let tenths = Int((min(max(number, -10_000), 10_000) * 10).rounded())
    let (whole, rest) = abs(tenths).quotientAndRemainder(dividingBy: 10)
    return (tenths < 0 ? "-" : "") + (rest == 0 ? "\(whole)" : "\(whole).\(rest)")
  }

  /// Where the middle of a line is seen.
  private var shownVertical: Vertical {
    guard let y else { return vertical }
    // The usual height of a line.
    let height = 0.06
    let middle = vertical == .top ? y + height / 2 : vertical == .middle ? y : y - height / 2
    return middle < 1.0 / 3 ? .top : middle > 2.0 / 3 ? .bottom : .middle
  }

  /// Where most of a line is seen. One that begins in the right half is on the right, one that ends in the left half on the left.
  private var shownHorizontal: Horizontal {
    guard let x else { return horizontal }
    switch horizontal {
    case .left: return x < 1.0 / 3 ? .left : x < 0.5 ? .center : .right
    case .center: return x < 1.0 / 3 ? .left : x > 2.0 / 3 ? .right : .center
    case .right: return x > 2.0 / 3 ? .right : x > 0.5 ? .center : .left
    }
  }
}

extension Color {
  /// `&HBBGGRR&`
  package var scriptNotation: String {
    func hex(_ part: Double) -> String {
      let digits = String(Int((min(max(part, 0), 1) * 255).rounded()), radix: 16, uppercase: true)
      return digits.count < 2 ? "0" + digits : digits
    }
    return "&H\(hex(blue))\(hex(green))\(hex(red))&"
  }
}
