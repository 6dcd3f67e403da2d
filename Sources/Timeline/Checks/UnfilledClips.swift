package import CompositorAPI

/// Checks for audio that is to last as long as everything else, and whose media ends earlier. Video that does so leaves a part of the
/// movie without a picture, which is reported as such; the edit doesn't tell silence from a pause, so the timeline is checked instead.
package enum UnfilledClips {
  /// The shortest silence to report, in seconds.
  private static let least = 1.0

  /// Warnings about music that ends early. The dubbings of a movie in several languages do.
  package static func diagnostics(of timeline: Timeline, tracks: TimelineTracks) -> [ValidationDiagnostic] {
    guard timeline.audioTracks.isEmpty, !timeline.audio.isMuted else { return [] }
    return tracks.clips.compactMap(\.last).compactMap { placed in
      guard mayEndEarly(placed.clip), placed.clip.audio == .played, placed.media.picture == nil, placed.media.hasAudio,
        !timeline.tracks[placed.track].audio.isMuted, let rest = try? tracks.end - placed.range.end, rest.seconds > least
      else { return nil }
      let (start, end) = (placed.range.end.mediaTime, tracks.end.mediaTime)
      return ValidationDiagnostic(
        .unevenEnds, severity: .warning,
        "The audio is to fill the movie, but its media ends at \(start.readable), and the movie at \(end.readable).",
        foundTime: start, cause: "The media is shorter than the movie.",
        recoverySuggestion:
          "Write loop: true to repeat it, use longer media, or write its duration if it is to end there.",
        path: "\(placed.path).duration", timeRange: TimeRange(start: start, end: end))
    }
  }

  /// Whether a clip fills the movie only as long as its media lasts.
  package static func mayEndEarly(_ clip: TimelineClip) -> Bool { clip.length == .fill && clip.loop != .untilEnd }
}
