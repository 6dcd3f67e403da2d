public import CompositorAPI
import CompositorMediaIO

/// A caption file format.
public enum CaptionFileFormat: String, Hashable, Sendable, CaseIterable {
  /// SubRip: bold, italic, underlined and colored text; the side of the canvas as a tag that players understand (`{\an8}`).
  case srt
  /// WebVTT: bold, italic and underlined text, its eight colors as classes; position and alignment as settings.
  case vtt
  /// Advanced SubStation Alpha. A script that was read stays unchanged, unless it is shifted.
  case ass

  /// The format of a file by its extension. Case is ignored.
  ///
  /// - Throws: `.unsupportedOutput` for another extension.
  public init(path: String) throws(CompositorError) {
    let suffix = path.split(separator: ".").last?.lowercased() ?? ""
    guard let format = CaptionFileFormat(rawValue: suffix) else {
      throw CompositorError(
        .unsupportedOutput, "Captions are not written into a file with this name.",
        recoverySuggestion: "Name it .srt, .vtt or .ass.", at: ErrorLocation(file: path))
    }
    self = format
  }
}

extension CaptionTrack {
  /// The contents of a caption file, in UTF-8 with line feeds. Times are rounded to milliseconds, in ASS to hundredths of a
  /// second.
  ///
  /// ```swift
  /// let text = try CaptionTrack(contentsOf: "movie.mkv").text(as: .srt)
  /// ```
  ///
  /// - Parameter range: The part of the captions to write. Its start is the file's 0. By default everything from 0.
  public func text(
    as format: CaptionFileFormat, in range: TimeRange = TimeRange(start: .zero, duration: .positiveInfinity)
  ) -> String {
    let cues = cues(in: range, namingSpeakers: format == .vtt ? false : nil)
    switch format {
    case .srt:
      return cues.enumerated().map { index, cue in
        "\(index + 1)\n\(cue.start(",")) --> \(cue.end(","))\n\(cue.placement?.sideTag ?? "")\(cue.marked(.srt))\n"
      }.joined(separator: "\n")
    case .vtt:
      return "WEBVTT\n"
        + cues.map { "\n\($0.start(".")) --> \($0.end("."))\($0.webVTTSettings)\n\($0.marked(.vtt))\n" }.joined()
    case .ass:
      let isWhole = range.start == .zero && range.duration.isInfinite
      if let script, offset == .zero, isWhole { return script }
      let lines = cues.map { cue in
        "Dialogue: 0,\(cue.timeRange.start.scriptTime),\(cue.timeRange.end.scriptTime),Default,,0,0,0,,\(cue.scriptText)\n"
      }
      return CaptionEvents.usualHeader.replacing("\r\n", with: "\n") + lines.joined()
    }
  }
}

extension CaptionCue {
  fileprivate func start(_ point: String) -> String { CaptionCue.clock(timeRange.start.milliseconds, point) }
  fileprivate func end(_ point: String) -> String {
    CaptionCue.clock(max(timeRange.end.milliseconds, timeRange.start.milliseconds + 1), point)
  }

  private static func clock(_ milliseconds: Int64, _ point: String) -> String {
    func padded(_ number: Int64, _ count: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(count - digits.count, 0)) + digits
    }
    let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
    return "\(padded(seconds / 3600, 2)):\(padded(seconds / 60 % 60, 2)):\(padded(seconds % 60, 2))\(point)\(padded(rest, 3))"
  }

  fileprivate var webVTTSettings: String {
    guard let placement else { return "" }
    func percent(_ fraction: Double) -> String {
      let tenths = Int((min(max(fraction, 0), 1) * 1000).rounded())
      return tenths % 10 == 0 ? "\(tenths / 10)%" : "\(tenths / 10).\(tenths % 10)%"
    }
    var settings = ""
    let anchor = placement.vertical == .bottom ? ",end" : placement.vertical == .middle ? ",center" : ""
    if let y = placement.y {
      settings += " line:\(percent(y))\(anchor)"
    } else if placement.vertical != .bottom {
      settings += placement.vertical == .top ? " line:0" : " line:50%,center"
    }
    if let x = placement.x { settings += " position:\(percent(x))" }
    if placement.horizontal != .center { settings += " align:\(placement.horizontal == .left ? "start" : "end")" }
    return settings
  }

  /// The text with the tags of a format. Empty lines would end a cue, so they get a no-break space.
  fileprivate func marked(_ format: CaptionFileFormat) -> String {
    var (text, speaker): (String, String?) = ("", nil)
    for span in spans {
      if format == .vtt, span.speaker != speaker {
        if speaker != nil { text += "</v>" }
        speaker = span.speaker
        if let speaker { text += "<v \(speaker.escapedForWebVTT)>" }
      }
      text += span.marked(format)
    }
    if speaker != nil { text += "</v>" }
    let lines = text.replacing("\r\n", with: "\n").split(separator: "\n", omittingEmptySubsequences: false)
    return lines.map { $0.isEmpty ? "\u{a0}" : String($0) }.joined(separator: "\n")
  }
}

extension CaptionSpan {
  fileprivate func marked(_ format: CaptionFileFormat) -> String {
    var text = format == .vtt ? self.text.escapedForWebVTT : CharacterReference.escaping(self.text)
    if isUnderlined { text = "<u>\(text)</u>" }
    if isItalic { text = "<i>\(text)</i>" }
    if isBold { text = "<b>\(text)</b>" }
    guard let color else { return text }
    if format == .srt { return "<font color=\"\(color.hexNotation)\">\(text)</font>" }
    return color.webVTTClass.map { "<c.\($0)>\(text)</c>" } ?? text
  }
}

extension MediaTime {
  fileprivate var milliseconds: Int64 { max(rounded(toUnitsOf: Rational(1, 1000)), 0) }
}

extension String {
  fileprivate var escapedForWebVTT: String {
    replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}

extension Color {
  fileprivate var hexNotation: String {
    let (red, green, blue) = bytes
    return "#" + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// The WebVTT class of the color.
  fileprivate var webVTTClass: String? {
    switch bytes {
    case (255, 255, 255): "white"
    case (0, 255, 0): "lime"
    case (0, 255, 255): "cyan"
    case (255, 0, 0): "red"
    case (255, 255, 0): "yellow"
    case (255, 0, 255): "magenta"
    case (0, 0, 255): "blue"
    case (0, 0, 0): "black"
    default: nil
    }
  }
}
