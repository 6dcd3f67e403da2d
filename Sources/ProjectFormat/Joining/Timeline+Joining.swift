public import CompositorAPI
import CompositorHost
public import CompositorMedia
import CompositorMediaIO
public import CompositorTimeline

extension Timeline {
  /// Creates a timeline of media files one after another on one track, with the size and frame rate of the first.
  ///
  /// - Parameters:
  ///   - paths: Paths of media files, at least one. A still image is shown for 5 s.
  ///   - transition: `dissolve:1s`, `push-up:12f`, `wipe-left:1s` or any other transition by name, or a compositor by its ID
  ///     (`org.example.reveal:1s`); `nil` for cuts.
  ///   - audio: How the audio is cross-faded during transitions.
  /// - Throws: `.invalidValue` if the transition cannot be parsed; the errors of the catalog for the first file.
  public init(
    joining paths: [String], transition: String? = nil, audio: AudioCrossFade = .equalPower, catalog: MediaCatalog
  ) throws(CompositorError) {
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
      var joint = Transition(written.kind, duration: length)
      joint.audio = audio
      for index in clips.indices.dropFirst() { clips[index].transition = joint }
    }
    self.init(canvas: defaults.canvas, frameRate: defaults.frameRate)
    tracks = [TimelineTrack(clips: clips)]
    try giveStillsDuration(catalog: catalog)
  }

  /// Adds background music to the existing timeline, on a separate track `music`. It loops until the end, where it fades out
  /// over 2 s, or over a quarter of a timeline shorter than 8 s.
  ///
  /// - Parameters:
  ///   - source: The music. Only its audio is used.
  ///   - volume: Linear gain, 0 … 1000.
  ///   - isDucked: Whether the music is lowered by 12 dB while one of the other tracks is above −40 dBFS.
  ///   - catalog: The catalog that the timeline is exported with, if it is one of your own.
  /// - Throws: The errors of `edit(catalog:)` for the existing timeline.
  public mutating func addMusic(
    _ source: MediaSource, volume: Double = 1, isDucked: Bool = false, catalog: MediaCatalog = MediaCatalog()
  ) throws(CompositorError) {
    let length = try edit(catalog: catalog).composition.duration
    var music = TimelineClip(source)
    music.showsVideo = false
    music.volume = .constant(volume)
    music.loop = .untilEnd
    music.length = .fill
    music.fadeOut = AudioFade(min(.seconds(2), try (ExactTime(length) * Rational(1, 4)).mediaTime))
    if isDucked {
      var ducking = TrackDucking()
      ducking.tracks = ["music"]
      for track in tracks.indices { tracks[track].audio.ducking = ducking }
    }
    tracks.append(TimelineTrack(name: "music", clips: [music]))
  }

  /// Parses `KIND:LENGTH`.
  package static func joint(_ text: String) throws(CompositorError) -> (kind: Transition.Kind, length: ProjectTime) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    // As in projects, names with a dot are those of compositors, of which plugins may have any.
    let isCompositor = parts[0].contains(".") && near(parts[0]) == nil
    guard let kind = TransitionName.kind(parts[0]) ?? (isCompositor ? .compositor(CompositorID(rawValue: parts[0])) : nil)
    else {
      guard parts.count == 2 || near(parts[0]) != nil else {
        throw CompositorError(
          .invalidValue, "\(quoted(text)) is not a transition.", recoverySuggestion: "Write \"dissolve:1s\" or \"push:12f\".")
      }
      let advice = near(parts[0]).map { "Did you mean \(quoted(parts.count == 2 ? $0 : $0 + ":1s"))?" }
      throw CompositorError(
        .invalidValue, "There is no transition \(quoted(parts[0])).",
        recoverySuggestion: advice ?? recoverySuggestion(for: parts[0], among: TransitionName.all))
    }
    guard parts.count == 2 else {
      throw CompositorError(
        .invalidValue, "The transition \(quoted(text)) has no duration.", recoverySuggestion: "Write \(quoted(text + ":1s")).")
    }
    return (kind, try ProjectTime(parts[1]))
  }

  /// The name and the duration of a transition written as for `join`, such as `wipe:2s`, with defaults for what is missing.
  static func jointWords(_ text: String) -> (name: String, length: String) {
    let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
    let name = parts.first.map { FalseFriend.value($0, among: TransitionName.all) ?? $0 }
    let length = parts.count > 1 && (try? ProjectTime(parts[1])) != nil ? parts[1] : "1s"
    return (name.flatMap { TransitionName.kind($0) == nil ? nil : $0 } ?? "dissolve", length)
  }

  /// The transition that an unknown name probably means.
  private static func near(_ name: String) -> String? {
    FalseFriend.value(name, among: TransitionName.all) ?? suggestion(for: name, among: TransitionName.all)
  }
}

extension ProjectTime {
  /// Parses a part of a timeline, `A..B`. Either end may be omitted.
  ///
  /// - Throws: `.invalidValue` if it cannot be parsed, is empty, or isn't before `end`.
  package static func range(_ text: String, frameRate: Rational, end: MediaTime) throws(CompositorError) -> TimeRange {
    let parts = text.split(separator: "..", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2 else {
      throw CompositorError(
        .invalidValue, "\(quoted(text)) is not a range.", recoverySuggestion: "Write it as \"2s..5s\", \"2s..\" or \"..5s\".")
    }
    let first = parts[0].isEmpty ? MediaTime.zero : try ProjectTime(parts[0]).time(atFrameRate: frameRate)
    let wanted = parts[1].isEmpty ? end : try ProjectTime(parts[1]).time(atFrameRate: frameRate)
    guard parts[1].isEmpty || wanted > first else {
      throw CompositorError(
        .invalidValue,
        wanted < first ? "The range \(text) ends before it starts." : "The range \(text) ends where it starts.",
        recoverySuggestion: wanted < first
          ? "Write the earlier time first: \(parts[1])..\(parts[0])." : "Choose a later end, such as 2s..5s.")
    }
    let last = min(end, wanted)
    guard first < last else {
      throw CompositorError(
        .invalidValue, "The range \(text) has no part of the timeline, which ends at \(end.readable).",
        recoverySuggestion: "Choose times inside.")
    }
    return TimeRange(start: first, end: last)
  }
}
