import CompositorAPI

/// Checks for tracks with audio that none of the output's audio tracks plays. The edit doesn't tell them from others, so the
/// timeline is checked instead.
enum UnheardTracks {
  /// Warnings about tracks that are heard nowhere.
  static func diagnostics(of timeline: Timeline, tracks placed: TimelineTracks) -> [ValidationDiagnostic] {
    let outputs = timeline.audioTracks.map(\.tracks)
    guard !outputs.isEmpty, !timeline.audio.isMuted else { return [] }
    return timeline.tracks.indices.compactMap { index in
      let track = timeline.tracks[index]
      guard outputs.allSatisfy({ $0?.contains(index) == false }), !track.audio.isMuted,
        placed.clips.indices.contains(index),
        let first = placed.clips[index].first(where: { $0.media.hasAudio && $0.clip.audio == .played })
      else { return nil }
      let name = track.name.map { "tracks[\(index)] \(quoted($0))" } ?? "tracks[\(index)]"
      return ValidationDiagnostic(
        .unusedTrack, severity: .warning, "The audio of \(name) is in none of output.audioTracks: it is not heard.",
        cause: "The track was added later, or forgotten in one of the lists.",
        recoverySuggestion: (track.name.map { "Add \(quoted($0)) to the tracks of one or more of them" }
          ?? "Give it a name, and add that to the tracks of one or more of them")
          + ", or write mute: true for the track if it is meant to be silent.",
        path: "tracks[\(index)]", timeRange: try? first.range.timeRange())
    }
  }
}
