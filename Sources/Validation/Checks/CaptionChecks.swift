import CompositorAPI
import CompositorCaptions
import CompositorOverlay

/// Checks that captions are seen: what their files have that cannot be shown, what lies outside of the movie, and the fonts of
/// scripts.
struct CaptionChecks {
  private let edit: Edit
  private let fonts: FontLibrary?

  /// - Parameter fonts: Loaded fonts; `nil` to load them if there are scripts.
  static func run(
    _ edit: Edit, fonts: FontLibrary?, into diagnostics: inout DiagnosticCollector
  ) throws(ValidationStopped) {
    let checks = CaptionChecks(edit: edit, fonts: fonts)
    for (index, track) in edit.captions.enumerated() {
      if let found = checks.omissions(of: track, index) { try diagnostics.add(found) }
      if let found = checks.outside(track, index) { try diagnostics.add(found) }
      if let found = checks.betweenFrames(track, index) { try diagnostics.add(found) }
      for found in checks.fonts(of: track, index) { try diagnostics.add(found) }
    }
    guard edit.captions.count(where: { $0.isDefault && $0.presentation.isTrack }) > 1 else { return }
    try diagnostics.add(
      ValidationDiagnostic(
        .invalidValueForKey, "More than one track of captions is the default.",
        recoverySuggestion: "Set default for one of them.", path: "captions"))
  }

  private func omissions(of track: CaptionTrack, _ index: Int) -> ValidationDiagnostic? {
    let phrases = track.omissions.phrases(includingTextless: false)
    guard !phrases.isEmpty else { return nil }
    let list = phrases.joined(separator: ", ")
    return ValidationDiagnostic(
      .captionNotSeen, severity: .warning, "Captions are left out: \(list).",
      recoverySuggestion: "Correct the times in the file, or remove these captions.", path: "captions[\(index)]")
  }

  private func outside(_ track: CaptionTrack, _ index: Int) -> ValidationDiagnostic? {
    let end = edit.composition.duration
    guard end.isNumeric, end > .zero else { return nil }
    let cues = track.timedCues
    let (before, after) = (cues.filter { $0.timeRange.end <= .zero }, cues.filter { $0.timeRange.start >= end })
    // A caption may go on for a moment after the last frame, and one whose end no one stated for longer.
    let stated = track.lastEndIsAssumed ? cues.dropLast() : cues[...]
    let cut =
      cues.filter { $0.timeRange.start < .zero && $0.timeRange.end > .zero }
      + stated.filter { $0.timeRange.start < end && $0.timeRange.end > end + edit.videoComposition.frameDuration }
    guard let first = after.first ?? before.first ?? cut.first else { return nil }
    var phrases: [String] = []
    func add(_ count: Int, _ one: String, _ many: String) {
      if count > 0 { phrases.append("\(count) \(count == 1 ? one : many)") }
    }
    add(before.count, "ends before the movie begins", "end before the movie begins")
    add(after.count, "begins after the movie has ended", "begin after the movie has ended")
    add(cut.count, "is cut off at an end of the movie", "are cut off at an end of the movie")
    let sample = first.beginning
    return ValidationDiagnostic(
      .captionNotSeen, severity: .warning,
      "Of \(cues.count) \(cues.count == 1 ? "caption" : "captions"), \(phrases.joined(separator: ", ")): the movie ends at "
        + "\(end.readable), and “\(sample)” is shown from \(first.timeRange.start.readable) to \(first.timeRange.end.readable).",
      foundTime: first.timeRange.start, cause: "The captions were made for another cut, or for the whole of it.",
      recoverySuggestion: "Shift the captions with an offset, or use those of this movie.", path: "captions[\(index)]")
  }

  /// Captions that are drawn and that no frame shows, unless one beside them has their text: captions that roll up have such steps.
  private func betweenFrames(_ track: CaptionTrack, _ index: Int) -> ValidationDiagnostic? {
    let (end, frame) = (edit.composition.duration, edit.videoComposition.frameDuration)
    guard track.presentation.isBurnedIn, end.isNumeric, edit.videoComposition.sourceTrackIDForFrameTiming == nil,
      let timing = try? FrameTiming(frameDuration: frame)
    else { return nil }
    let cues = track.timedCues
    let lost = cues.indices.filter { place in
      let range = cues[place].timeRange
      guard range.start >= .zero, range.start < end, range.duration < frame,
        timing.frameCount(in: range.start) == timing.frameCount(in: range.end)
      else { return false }
      let beside = cues[max(place - 2, 0)..<min(place + 3, cues.count)]
      return !beside.contains { $0.timeRange != range && $0.words.contains(cues[place].words) }
    }
    guard let first = lost.first.map({ cues[$0] }) else { return nil }
    let count = lost.count == 1 ? "1 caption lies" : "\(lost.count) captions lie"
    return ValidationDiagnostic(
      .captionNotSeen, severity: .warning,
      "\(count) between two frames and \(lost.count == 1 ? "is" : "are") never drawn: “\(first.beginning)” is shown from "
        + "\(first.timeRange.start.readable) to \(first.timeRange.end.readable), less than a frame of \(frame.readable).",
      foundTime: first.timeRange.start, cause: "Times in the file were rounded, or are in another unit.",
      recoverySuggestion: "Let each caption last a frame or more.", path: "captions[\(index)]")
  }

  private func fonts(of track: CaptionTrack, _ index: Int) -> [ValidationDiagnostic] {
    guard track.presentation.isBurnedIn, let script = track.script else { return [] }
    let families = ScriptFonts.families(of: script)
    guard !families.isEmpty, let library = fonts ?? (try? edit.titles.loadFonts()) else { return [] }
    return families.filter { family in
      (try? library.require(TextContent("x", font: TextFont(family: family)))) == nil
    }.map { family in
      ValidationDiagnostic(
        .captionFontMissing, severity: .warning,
        "The script's font “\(family)” is not installed: another one is drawn.",
        recoverySuggestion: "Install it, add its file to fonts, or name another one in the script's styles.",
        path: "captions[\(index)]")
    }
  }
}

extension CaptionCue {
  /// Its text in one line.
  fileprivate var words: String { text.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
  /// At most 40 characters of it, for messages.
  var beginning: String { words.count > 40 ? words.prefix(39) + "…" : words }
}
