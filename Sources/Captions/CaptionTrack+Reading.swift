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
  /// Reads captions from SRT, WebVTT, ASS, SSA, SBV and LRC files, from further text formats that libavformat reads (SAMI,
  /// SubViewer, MPL2 and others), and from subtitle tracks of media (MP4, MOV, Matroska, WebM).
  ///
  /// Cues without an end last until the next one, at most 10 s. Cues that cannot be shown are counted in ``omissions``. An ASS
  /// script is also stored as `script`, so that it is rendered in its own styles. Media are read to their end.
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
    do throws(CompositorError) {
      switch try SubtitleReader.read(path, track: options.track, encoding: options.encoding) {
      case .track(let file): self.init(file)
      case .text(let text):
        let read = try CaptionText(text)
        self.init(read.cues.stablySortedByStart)
        (script, omissions, lastEndIsAssumed) = (read.script, read.omissions, read.lastEndIsAssumed)
      }
    } catch {
      throw error.locating(ErrorLocation(file: path))
    }
    guard cues.isEmpty, !drawsShapes else { return }
    let reasons = omissions.phrases()
    throw CompositorError(
      .unreadableMedia,
      "The file has no captions that can be shown\(reasons.isEmpty ? "" : ": \(reasons.joined(separator: ", "))").",
      recoverySuggestion: "Name a file with captions, or leave it out.", at: ErrorLocation(file: path))
  }

  /// Whether a script has events without text that draw vector shapes, which libass shows.
  private var drawsShapes: Bool {
    guard let script, omissions.withoutText > 0 else { return false }
    return script.contains(/\\p[1-9]/)
  }
}

extension [CaptionCue] {
  /// The cues in the order of their starts; those that start together stay in order.
  fileprivate var stablySortedByStart: [CaptionCue] {
    enumerated().sorted { ($0.element.timeRange.start, $0.offset) < ($1.element.timeRange.start, $1.offset) }.map(\.element)
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

  static func fraction(_ value: Substring) -> Double? {
    guard value.hasSuffix("%"), let percent = Double(value.dropLast()), (0...100).contains(percent) else { return nil }
    return percent / 100
  }
}
