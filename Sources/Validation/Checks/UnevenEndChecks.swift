package import CompositorAPI
import CompositorMediaIO

/// Reports clips whose video and audio begin or end at different times, unless the edit states which of them applies.
enum UnevenEndChecks {
  static func run(
    _ edit: Edit, for mediaTypes: Set<MediaType>, into diagnostics: inout DiagnosticCollector
  ) throws(ValidationStopped) {
    for end in edit.unevenEnds where !end.isChosen && mediaTypes.contains(end.mediaType) {
      try diagnostics.add(
        ValidationDiagnostic(
          .unevenEnds, severity: .warning, "\(end.sentence).", foundTime: end.timeRange.start,
          cause: "Video and audio of the file \(end.isBeginning ? "begin" : "end") at different times.",
          path: end.path, timeRange: end.timeRange
        ).advising(
          "Write ends: \"longest\" if this is meant, or \"shortest\", \"video\" or \"audio\" to cut the clip there (\(setting: .ends))."
        ))
    }
  }
}

extension UnevenEnd {
  /// The type of the track that is affected.
  package var mediaType: MediaType { outcome == .held || outcome == .videoLeftOut ? .video : .audio }

  /// What becomes of the difference, without a period.
  package var sentence: String {
    let length = length.readable
    let frames = count == 1 ? "1 frame" : "\(count) frames"
    let passes = passCount > 1 ? " in each of \(passCount) passes" : ""
    let isAtStart = isBeginning != isReversed
    let edge = isAtStart ? "begins" : "ends"
    let clip = isReversed ? "the clip, which plays it backward" : "the clip"
    let frame = isBeginning ? "first" : "last"
    switch outcome {
    case .held:
      let place = isAtStart ? "its \(frame) frame is shown before that" : "its \(frame) frame is held"
      return
        "the video of \(source) \(edge) \(length) \(isAtStart ? "after" : "before") \(clip): \(place), for \(frames)\(passes)"
    case .silent:
      return
        "the audio\(namedTracks) of \(source) \(edge) \(length) \(isAtStart ? "after" : "before") \(clip): silence for \(count) samples\(passes)"
    case .videoLeftOut:
      return
        "the video of \(source) \(edge) \(length) \(isAtStart ? "before" : "after") \(clip): \(frames) left out\(passes)"
    case .audioLeftOut:
      return
        "the audio of \(source) \(edge) \(length) \(isAtStart ? "before" : "after") \(clip): \(count) samples left out\(passes)"
    }
  }

  /// The duration of the difference to the millisecond.
  private var length: MediaTime { MediaTime(seconds: duration.seconds, preferredTimescale: 1000) }

  /// The same without its place and whatever else its sentence doesn't name: equal for differences that are noted together.
  fileprivate var noted: UnevenEnd {
    var noted = self
    (noted.path, noted.timeRange, noted.duration, noted.isChosen) = ("", .zero, length, false)
    if outcome != .silent { noted.audioTracks = nil }
    return noted
  }

  /// The audio tracks that are affected, if not all of them are; otherwise empty.
  private var namedTracks: String {
    guard let audioTracks else { return "" }
    return (audioTracks.count == 1 ? " track " : " tracks ") + audioTracks.map { "\($0)" }.joined(separator: ", ")
  }
}

extension ValidatedComposition {
  /// A note for each difference between the ends of video and audio in a part of the timeline, at most ten and a count of the
  /// others.
  ///
  /// - Parameters:
  ///   - range: The part of the timeline; `nil` for all of it.
  ///   - mediaTypes: The types of tracks that are written.
  package func notesOnEnds(in range: TimeRange?, of mediaTypes: Set<MediaType>) -> [String] {
    let met = edit.unevenEnds.filter { end in
      guard mediaTypes.contains(end.mediaType) else { return false }
      guard let range else { return true }
      // What is left out has no duration; what is held or silent is none of a part that only touches it.
      guard end.timeRange.duration > .zero else {
        return end.timeRange.start <= range.end && end.timeRange.end >= range.start
      }
      return end.timeRange.start < range.end && end.timeRange.end > range.start
    }
    var groups: [(end: UnevenEnd, count: Int, seconds: Double)] = []
    for end in met {
      let seconds = end.duration.seconds * Double(end.passCount)
      if let index = groups.firstIndex(where: { $0.end == end.noted }) {
        (groups[index].count, groups[index].seconds) = (groups[index].count + 1, groups[index].seconds + seconds)
      } else {
        groups.append((end.noted, 1, seconds))
      }
    }
    let most = 10
    let notes = groups.map { $0.count == 1 ? $0.end.sentence : "\($0.end.sentence), \($0.count) times" }
    guard notes.count > most else { return notes }
    let others = groups.dropFirst(most - 1)
    let total = MediaTime(seconds: others.reduce(0) { $0 + $1.seconds }, preferredTimescale: 1000).readable
    return notes.prefix(most - 1) + [
      "video and audio begin or end at different times in \(others.count) more places, \(total) in all"
    ]
  }
}
