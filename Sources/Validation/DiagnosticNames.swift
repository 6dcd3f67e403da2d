package import CompositorAPI

/// The names of an edit's parts in messages: by default their numbers in the edit. A project gives its own, as the numbers of an edit that
/// was derived from it appear nowhere in its text.
package struct DiagnosticNames: Sendable {
  /// The name of a track, with the type of media that it is about, if the message says it.
  package var track: @Sendable (_ track: TrackID, _ mediaType: MediaType?) -> String
  /// The name of a track's segment.
  package var segment: @Sendable (_ index: Int, _ track: TrackID) -> String
  /// The name of an instruction, with a time if the message says one.
  package var instruction: @Sendable (_ index: Int, _ time: TimeRange?) -> String
  /// The name of a source.
  package var source: @Sendable (_ source: MediaSource) -> String
  /// The name of a title.
  package var title: @Sendable (_ index: Int) -> String = { "title \($0)" }

  /// Creates names.
  package init(
    track: @escaping @Sendable (TrackID, MediaType?) -> String, segment: @escaping @Sendable (Int, TrackID) -> String,
    instruction: @escaping @Sendable (Int, TimeRange?) -> String, source: @escaping @Sendable (MediaSource) -> String
  ) {
    (self.track, self.segment, self.instruction, self.source) = (track, segment, instruction, source)
  }

  /// The numbers of the edit.
  package static let numbers = DiagnosticNames(
    track: { track, mediaType in "\(mediaType.map { "\($0.rawValue) " } ?? "")track \(track)" },
    segment: { index, track in "segment \(index) of track \(track)" },
    instruction: { index, time in "instruction \(index)\(time.map { ", \($0.readable)" } ?? "")" }, source: { $0.description })

  /// The names that messages of the current task use, of which the loader of a project sets its own for one validation.
  ///
  /// It is a value of the task, not an argument: about a hundred sentences of the checks name parts, most of them in functions that
  /// know of nothing but the part, and each function between the validator and a sentence would have to pass the names on.
  @TaskLocal package static var current = numbers
}

/// The parts of an edit, as messages name them.
package enum Named {
  /// The name of a track.
  package static func track(_ track: TrackID) -> String { DiagnosticNames.current.track(track, nil) }
  /// The name of a track, of which a message says the type of media.
  package static func track(_ track: TrackID, _ mediaType: MediaType) -> String {
    DiagnosticNames.current.track(track, mediaType)
  }
  /// The name of a track's segment.
  package static func segment(_ index: Int, of track: TrackID) -> String { DiagnosticNames.current.segment(index, track) }
  /// The name of an instruction.
  package static func instruction(_ index: Int) -> String { DiagnosticNames.current.instruction(index, nil) }
  /// The name of an instruction with a time, which some are named by.
  package static func instruction(_ index: Int, _ range: TimeRange) -> String {
    DiagnosticNames.current.instruction(index, range)
  }
  /// The name of a source.
  package static func source(_ source: MediaSource) -> String { DiagnosticNames.current.source(source) }
  /// The name of a title.
  package static func title(_ index: Int) -> String { DiagnosticNames.current.title(index) }
}

extension String {
  /// The name at the start of a sentence: capitalized, unless it is a key path.
  package var capitalizedName: String {
    let word = prefix { $0 != " " }
    guard !word.contains("["), !word.contains("."), let first else { return self }
    return first.uppercased() + dropFirst()
  }
}
