import CompositorAPI

/// Checks the segments of each track: from 0 on, without gaps or overlaps, with valid times.
enum TrackChecks {
  /// - Parameter mediaTypes: The types of tracks to render.
  static func run(
    _ edit: Edit, for mediaTypes: Set<MediaType>, into diagnostics: inout DiagnosticCollector
  ) throws(ValidationStopped) {
    let composition = edit.composition
    let hasAudio = !composition.tracks(.audio).allSatisfy(\.segments.isEmpty)
    // Audio alone can be rendered if the output has audio, and titles or captions are shown while it plays.
    let isAudioAlone = composition.tracks(.video).isEmpty && hasAudio
    if isAudioAlone, !mediaTypes.contains(.audio), !edit.showsPictures {
      try diagnostics.add(
        ValidationDiagnostic(
          .nothingToRender, "There is audio, but no video to render.", cause: "All of the media are audio files.",
          recoverySuggestion:
            "Show something while it plays: a title, or a movie, a still image or a generated pattern on a track of a project.")
      )
    } else if composition.tracks(.video).isEmpty, !isAudioAlone {
      try diagnostics.add(
        ValidationDiagnostic(
          .nothingToRender, "The composition has no video track.",
          cause: "Nothing was inserted yet.", recoverySuggestion: "Add a video track with at least one clip."))
    } else if composition.tracks.allSatisfy(\.segments.isEmpty) {
      try diagnostics.add(
        ValidationDiagnostic(
          .nothingToRender, "The composition's tracks are all empty.", cause: "Nothing was inserted yet.",
          recoverySuggestion: "Insert at least one clip."))
    }
    for track in composition.tracks {
      var expected = MediaTime.zero
      for (index, segment) in track.segments.enumerated() {
        try check(segment, index: index, of: track, startingAt: expected, into: &diagnostics)
        expected = segment.timeMapping.target.end
      }
    }
  }

  private static func check(
    _ segment: CompositionTrackSegment, index: Int, of track: CompositionTrack, startingAt expected: MediaTime,
    into diagnostics: inout DiagnosticCollector
  ) throws(ValidationStopped) {
    let (source, target) = (segment.timeMapping.source, segment.timeMapping.target)
    let place = "\(Named.segment(index, of: track.trackID).capitalizedName)"
    guard target.start.isNumeric, target.duration.isNumeric, target.duration > .zero else {
      return try diagnostics.add(
        ValidationDiagnostic(
          .invalidSegments,
          "\(place) is to play at \(target.start.readable) for \(target.duration.readable).", track: track.trackID,
          foundTime: target.start, cause: "A clip was cut to nothing, or its duration is not known.",
          recoverySuggestion: "Give it a finite start and a positive duration."))
    }
    if target.start != expected {
      try diagnostics.add(displacement(to: target.start, from: expected, place, track.trackID))
    }
    guard !segment.isEmpty else { return }
    if !source.start.isNumeric || !source.duration.isNumeric || source.duration < .zero {
      try diagnostics.add(
        ValidationDiagnostic(
          .invalidSegments,
          "\(place) takes its media from \(source.start.readable) for \(source.duration.readable).",
          track: track.trackID, foundTime: source.start, cause: "The media's duration is not known, or negative.",
          recoverySuggestion: "Give it a finite start and a duration ≥ 0; 0 is a freeze frame."))
    } else if !segment.isFreezeFrame, segment.hasUsableSpeeds, track.mediaType == .audio, !segment.isMuted,
      !segment.hasAudibleSpeeds
    {
      try diagnostics.add(silence(of: segment, place, track.trackID))
    } else if !segment.isFreezeFrame, !segment.hasUsableSpeeds {
      let (low, high) = (segment.speeds.lowerBound, segment.speeds.upperBound)
      try diagnostics.add(
        ValidationDiagnostic(
          .invalidSegments,
          "\(place) plays at \(low == high ? "\(low)" : "\(low) to \(high)") times the speed of its media.",
          track: track.trackID,
          foundTime: target.start, cause: "Its source range is too long or too short for its time on the track.",
          recoverySuggestion: "Use speeds of 1/10000 to 10000, or a source of zero duration for a freeze frame."))
    }
  }

  private static func displacement(
    to start: MediaTime, from expected: MediaTime, _ place: String, _ track: TrackID
  ) -> ValidationDiagnostic {
    ValidationDiagnostic(
      .invalidSegments, "\(place) starts at \(start.readable) instead of \(expected.readable).",
      track: track, expectedTime: expected, foundTime: start,
      cause: start > expected ? "A gap was left out." : "Two clips of one track overlap.",
      recoverySuggestion: start > expected ? "Fill the gap with an empty segment." : "Put overlapping clips on two tracks.")
  }

  private static func silence(
    of segment: CompositionTrackSegment, _ place: String, _ track: TrackID
  ) -> ValidationDiagnostic {
    let target = segment.timeMapping.target
    let speed =
      segment.speeds.upperBound > SegmentRetiming.audibleSpeeds.upperBound
      ? segment.speeds.upperBound : segment.speeds.lowerBound
    return ValidationDiagnostic(
      .silentAudio, severity: .warning,
      "\(place) plays at \((speed * 1000).rounded() / 1000) times the speed of its media: its audio is silent from "
        + "\(target.start.readable) to \(target.end.readable).",
      track: track, foundTime: target.start, cause: "Audio is heard at 1/32 to 32 times its speed.",
      timeRange: target
    ).advising("Write \(setting: .clipAudio, value: "false") if this is meant, or use a speed of 1/32 to 32.")
  }
}

extension CompositionTrackSegment {
  /// Whether its speeds are 1/10000 … 10000, allowing for rounded times.
  fileprivate var hasUsableSpeeds: Bool {
    let (low, high) = (SegmentRetiming.speeds.lowerBound, SegmentRetiming.speeds.upperBound)
    return speeds.lowerBound >= low * (1 - 1e-6) && speeds.upperBound <= high * (1 + 1e-6)
  }
}
