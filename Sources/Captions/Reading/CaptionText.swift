import CompositorAPI
import CompositorMediaIO

/// The captions of a text file, in the format that its text shows; its name doesn't matter.
struct CaptionText {
  private(set) var cues: [CaptionCue] = []
  private(set) var omissions = CaptionOmissions()
  /// Whether the format states no end of the last cue.
  private(set) var lastEndIsAssumed = false
  /// The script, if the text is ASS or SSA.
  private(set) var script: String?

  /// - Parameter text: The characters, without a byte order mark.
  /// - Throws: `.unreadableMedia` if it isn't in a supported format.
  init(_ text: String) throws(CompositorError) {
    // Text cannot contain NUL (WebVTT section 6.1 replaces it).
    let text = text.contains("\0") ? text.replacing("\0", with: "\u{fffd}") : text
    guard text.contains(where: { !$0.isWhitespace }) else { return }
    if WebVTTReader.begins(text) {
      let reader = WebVTTReader(text)
      (cues, omissions) = (reader.cues, reader.omissions)
    } else if let script = CaptionText.script(text) {
      let file = try SubtitleReader.readScript(script)
      let track = CaptionTrack(file)
      (cues, omissions, self.script) = (track.cues, track.omissions, file.script)
    } else if let name = CaptionText.unsupported(text) {
      throw CompositorError(
        .unreadableMedia, "The file is \(name), which is not read.",
        recoverySuggestion: "Convert it to SRT or WebVTT with a program that reads it.")
    } else {
      try readLines(text)
    }
  }

  private mutating func readLines(_ text: String) throws(CompositorError) {
    let first = text.captionLines.first { !$0.allSatisfy(\.isWhitespace) } ?? ""
    if SBVReader.times(first) != nil {
      let reader = SBVReader(text)
      (cues, omissions) = (reader.cues, reader.omissions)
      return
    }
    let subRip = SubRipReader(text)
    if subRip.hasTimes {
      (cues, omissions) = (subRip.cues, subRip.omissions)
      return
    }
    let lyrics = LyricsReader(text)
    if lyrics.hasTimes {
      (cues, omissions, lastEndIsAssumed) = (lyrics.cues, lyrics.omissions, true)
      return
    }
    let track = CaptionTrack(try SubtitleReader.readOther(text))
    (cues, omissions) = (track.cues, track.omissions)
  }

  /// The text as an ASS script with its first section; `nil` if it isn't one.
  private static func script(_ text: String) -> String? {
    let beginning = text.prefix(100_000).lowercased()
    if beginning.drop(while: \.isWhitespace).hasPrefix("[script info]") { return text }
    guard beginning.contains("[events]") || beginning.contains("[v4+ styles]") || beginning.contains("[v4 styles]") else {
      return nil
    }
    // Players read scripts without this section, too.
    return "[Script Info]\n" + (beginning.contains("[v4 styles]") ? "ScriptType: v4.00\n\n" : "ScriptType: v4.00+\n\n") + text
  }

  /// The name of a format that isn't read.
  private static func unsupported(_ text: String) -> String? {
    let beginning = text.prefix(2000)
    let start = beginning.drop(while: \.isWhitespace)
    if start.hasPrefix("Scenarist_SCC") { return "SCC (CEA-608 captions)" }
    if start.hasPrefix("<"), beginning.contains("<tt") { return "TTML" }
    if start.wholeMatch(of: /\{\d*\}\{\d*\}[\s\S]*/) != nil {
      return "MicroDVD, whose times count frames of a rate that it may not state"
    }
    if start.hasPrefix("# VobSub index file") { return "the index of VobSub, whose subtitles are bitmaps" }
    if start.hasPrefix("{"), start.dropFirst().drop(while: \.isWhitespace).first == "\"" { return "JSON" }
    return nil
  }
}

extension CaptionTrack {
  init(_ file: SubtitleFile) {
    let header = ScriptHeader(file.header)
    let events = file.events.enumerated().sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }
      .map(\.element)
    var cues: [CaptionCue] = []
    var omissions = CaptionOmissions()
    // The next later start, for cues that don't state an end.
    var later = [MediaTime](repeating: .positiveInfinity, count: events.count)
    for index in events.indices.dropLast().reversed() {
      later[index] = events[index + 1].start > events[index].start ? events[index + 1].start : later[index + 1]
    }
    for (index, event) in events.enumerated() {
      let end = event.end ?? min(later[index], event.start + .seconds(10))
      guard let (spans, place) = file.hasOwnMarkup ? event.markup(file.codec) : event.scriptText(header, file.codec) else {
        continue
      }
      guard end > event.start else {
        omissions.withoutDuration += 1
        continue
      }
      guard !spans.isEmpty else {
        omissions.withoutText += 1
        continue
      }
      let placement = WebVTTSettings(event.settings)?.placement ?? place
      cues.append(CaptionCue(TimeRange(start: event.start, end: end), spans, placement: placement))
    }
    self.init(cues, language: file.language, title: file.title)
    (script, self.omissions) = (file.script, omissions)
  }
}

extension SubtitleFile.Event {
  /// The text of an event of ASS; `nil` if it isn't one.
  fileprivate func scriptText(_ header: ScriptHeader, _ codec: String) -> (spans: [CaptionSpan], placement: CaptionPlacement?)?
  {
    let fields = text.split(separator: ",", maxSplits: 8, omittingEmptySubsequences: false)
    guard fields.count == 9 else { return nil }
    let text = ScriptText(fields[8], style: header.style(fields[2]), canvas: header.canvas, hasComments: codec != "mov_text")
    return (text.spans, text.placement)
  }

  /// The text of a packet in its codec's own markup.
  fileprivate func markup(_ codec: String) -> (spans: [CaptionSpan], placement: CaptionPlacement?) {
    let lines = text.captionLines.joined(separator: "\n")[...]
    if codec == "webvtt" {
      var styled = WebVTTText(lines).text
      styled.trim()
      return (styled.spans, nil)
    }
    var styled = SubRipText(lines)
    styled.trim()
    return (styled.spans, styled.placement)
  }
}
