public import CompositorAPI
import CompositorMediaIO

/// Options for reading captions.
public struct CaptionReadingOptions: Hashable, Sendable {
  /// Index among the subtitle tracks of media, from 0; caption files have one track.
  public var track = 0
  /// The encoding of a caption file that isn't Unicode, as iconv names it (`windows-1252`); `nil` (the default) for UTF-8 and
  /// UTF-16.
  public var encoding: String?

  /// Creates the default options.
  public init() {}
}

extension CaptionTrack {
  /// Reads captions from SRT, WebVTT, ASS and SSA files, and from subtitle tracks of media (MP4, MOV, Matroska, WebM).
  ///
  /// Cues without an end last until the next one, at most 10 s; cues of no duration are omitted. An ASS script is also stored
  /// as `script`, so that it is rendered in its own styles. Media are read to their end.
  ///
  /// ```swift
  /// var captions = try CaptionTrack(contentsOf: "holiday.srt")
  /// captions.language = "de"
  /// ```
  ///
  /// - Throws: `.fileNotFound`, `.sourceRefused`, `.readFailed`; `.unreadableMedia` for a file that is larger than 100 MB, has
  ///   no captions, or isn't Unicode if no encoding is given; `.trackNotFound`; `.decoderNotFound` for bitmap subtitles (PGS,
  ///   DVD); `.invalidValue` for an unknown encoding.
  public init(contentsOf path: String, options: CaptionReadingOptions = CaptionReadingOptions()) throws(CompositorError) {
    self.init(try SubtitleReader.read(path, track: options.track, encoding: options.encoding))
  }

  init(_ file: SubtitleFile) {
    let header = ScriptHeader(file.header)
    let events = file.events.enumerated().sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }
      .map(\.element)
    var cues: [CaptionCue] = []
    // The next later start, for cues that don't state an end.
    var later = [MediaTime](repeating: .positiveInfinity, count: events.count)
    for index in events.indices.dropLast().reversed() {
      later[index] = events[index + 1].start > events[index].start ? events[index + 1].start : later[index + 1]
    }
    for (index, event) in events.enumerated() {
      let end = event.end ?? min(later[index], event.start + .seconds(10))
      let fields = event.text.split(separator: ",", maxSplits: 8, omittingEmptySubsequences: false)
      guard end > event.start, fields.count == 9 else { continue }
      let text = ScriptText(fields[8], style: header.style(fields[2]), canvas: header.canvas)
      guard !text.spans.isEmpty else { continue }
      let placement = WebVTTSettings(event.settings)?.placement ?? text.placement
      cues.append(CaptionCue(TimeRange(start: event.start, end: end), text.spans, placement: placement))
    }
    self.init(cues, language: file.language, title: file.title)
    script = file.script
  }
}

/// The settings of a WebVTT cue, such as `line:0 position:10% align:start`.
struct WebVTTSettings {
  private(set) var placement = CaptionPlacement()

  /// `nil` if nothing is set.
  init?(_ text: String) {
    var (hasAny, align, anchor): (Bool, Substring, Substring) = (false, "center", "")
    for setting in text.split(whereSeparator: \.isWhitespace) {
      let parts = setting.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { continue }
      let values = parts[1].split(separator: ",")
      guard let value = values.first else { continue }
      switch parts[0] {
      case "line": line(value, alignment: values.dropFirst().first)
      case "position":
        placement.x = WebVTTSettings.fraction(value)
        anchor = values.dropFirst().first ?? ""
      case "align": align = value
      default: continue
      }
      hasAny = true
    }
    guard hasAny else { return nil }
    placement.horizontal =
      switch anchor == "line-left" ? "left" : anchor == "line-right" ? "right" : align {
      case "start", "left": .left
      case "end", "right": .right
      default: .center
      }
  }

  /// A line number counts lines of a sixteenth of the canvas from the top, or from the bottom if it is negative. A percentage
  /// positions the top.
  private mutating func line(_ value: Substring, alignment: Substring?) {
    if let fraction = WebVTTSettings.fraction(value) {
      placement.y = fraction
      placement.vertical = alignment == "end" ? .bottom : alignment == "center" ? .middle : .top
    } else if let number = Double(value), abs(number) <= 1000 {
      placement.vertical = number < 0 ? .bottom : .top
      let lines = number < 0 ? -number - 1 : number
      if lines > 0 { placement.y = number < 0 ? max(1 - lines / 16, 0) : min(lines / 16, 1) }
    }
  }

  private static func fraction(_ value: Substring) -> Double? {
    guard value.hasSuffix("%"), let percent = Double(value.dropLast()), (0...100).contains(percent) else { return nil }
    return percent / 100
  }
}
