package import CompositorAPI

/// Checks for clips that are to last as long as everything else, and whose media ends earlier. Video that leaves a part of the movie
/// without any picture is reported as such. The edit doesn't tell silence from a pause, or a clip that isn't there from one that ends, so
/// the timeline is checked instead.
package enum UnfilledClips {
  /// The shortest rest to report, in seconds.
  private static let least = 1.0

  /// Warnings about music, and about pictures over others, that end early.
  package static func diagnostics(of timeline: Timeline, tracks: TimelineTracks) -> [ValidationDiagnostic] {
    tracks.clips.compactMap(\.last).compactMap { placed in
      guard mayEndEarly(placed.clip), let rest = try? tracks.end - placed.range.end, rest.seconds > least else { return nil }
      if placed.media.picture != nil {
        return isOverOthers(placed, tracks) ? diagnostic("picture", placed, tracks, isVideo: true) : nil
      }
      return isHeard(placed, timeline) ? diagnostic("audio", placed, tracks, isVideo: false) : nil
    }
  }

  /// The dubbings of a movie in several languages may end early.
  private static func isHeard(_ placed: PlacedClip, _ timeline: Timeline) -> Bool {
    timeline.audioTracks.isEmpty && !timeline.audio.isMuted && placed.clip.audio == .played && placed.media.hasAudio
      && !timeline.tracks[placed.track].audio.isMuted
  }

  /// Whether another track shows something when the clip has ended. Otherwise the movie is black there, which is reported.
  private static func isOverOthers(_ placed: PlacedClip, _ tracks: TimelineTracks) -> Bool {
    tracks.clips.joined().contains { other in
      other.track != placed.track && other.media.picture != nil && other.range.contains(placed.range.end)
    }
  }

  private static func diagnostic(
    _ what: String, _ placed: PlacedClip, _ tracks: TimelineTracks, isVideo: Bool
  ) -> ValidationDiagnostic {
    let (start, end) = (placed.range.end.mediaTime, tracks.end.mediaTime)
    let hold: Wording = isVideo ? ", \(setting: .holdsLastFrame, value: "true") to hold the last frame" : ""
    return ValidationDiagnostic(
      .unevenEnds, severity: .warning,
      "The \(what) is to fill the movie, but its media ends at \(start.readable), and the movie at \(end.readable).",
      foundTime: start, cause: "The media is shorter than the movie.",
      path: "\(placed.path).duration", timeRange: TimeRange(start: start, end: end)
    ).advising(
      """
      Write \(setting: .loop, value: "true") to repeat it\(hold), use longer media, or write its duration if it is to end \
      there.
      """)
  }

  /// Whether a clip fills the movie only as long as its media lasts.
  package static func mayEndEarly(_ clip: TimelineClip) -> Bool { clip.length == .fill && clip.loop != .untilEnd }
}
