public import CompositorAPI
public import CompositorHost
import CompositorMediaIO
public import CompositorTimeline

extension Timeline {
  /// Media files one after another on one track, at the size and frame rate of the first.
  ///
  /// - Parameters:
  ///   - paths: Media files, at least one; a still image is shown for 5 s.
  ///   - transition: `dissolve:1s`, `push-up:12f`, `wipe-left:1s` and every other name of a transition; nil for cuts.
  /// - Throws: `.invalidValue` for a transition that cannot be read, what the catalog throws for the first file.
  public init(joining paths: [String], transition: String? = nil, catalog: MediaCatalog) throws(CompositorError) {
    var clips = paths.map { TimelineClip(.file(path: $0)) }
    guard !clips.isEmpty else {
      throw CompositorError(.invalidValue, "There is nothing to join.", recoverySuggestion: "Name media files.")
    }
    let written = try transition.map { text throws(CompositorError) in try Timeline.joint(text) }
    var draft = Timeline()
    draft.tracks = [TimelineTrack(clips: clips)]
    let defaults = try OutputDefaults(draft, catalog: catalog)
    if let written {
      let length = try written.length.time(atFrameRate: defaults.frameRate)
      for index in clips.indices.dropFirst() { clips[index].transition = Transition(written.kind, duration: length) }
    }
    self.init(canvas: defaults.canvas, frameRate: defaults.frameRate)
    tracks = [TimelineTrack(clips: clips)]
    try giveStillsDuration(catalog: catalog)
  }

  /// Reads `KIND:LENGTH`.
  package static func joint(_ text: String) throws(CompositorError) -> (kind: Transition.Kind, length: ProjectTime) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2 else {
      throw CompositorError(
        .invalidValue, "\(quoted(text)) is not a transition.", recoverySuggestion: "Write \"dissolve:1s\" or \"push:12f\".")
    }
    guard let kind = TransitionName.kind(parts[0]) else {
      throw CompositorError(
        .invalidValue, "There is no transition \(quoted(parts[0])).",
        recoverySuggestion: recoverySuggestion(for: parts[0], among: TransitionName.all))
    }
    return (kind, try ProjectTime(parts[1]))
  }
}

extension ProjectTime {
  /// A part of a timeline, `A..B`; either may be left out.
  ///
  /// - Throws: `.invalidValue` where it cannot be read, is empty, or does not lie before `end`.
  package static func range(_ text: String, frameRate: Rational, end: MediaTime) throws(CompositorError) -> TimeRange {
    let parts = text.split(separator: "..", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2 else {
      throw CompositorError(
        .invalidValue, "\(quoted(text)) is not a range.", recoverySuggestion: "Write it as \"2s..5s\", \"2s..\" or \"..5s\".")
    }
    let first = parts[0].isEmpty ? MediaTime.zero : try ProjectTime(parts[0]).time(atFrameRate: frameRate)
    let last = parts[1].isEmpty ? end : min(end, try ProjectTime(parts[1]).time(atFrameRate: frameRate))
    guard first < last else {
      throw CompositorError(
        .invalidValue, "The range \(text) has no part of the timeline, which ends at \(end).",
        recoverySuggestion: "Choose times inside.")
    }
    return TimeRange(start: first, end: last)
  }
}
