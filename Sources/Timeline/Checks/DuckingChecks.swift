import CompositorAPI

/// Checks for ducking that never lowers anything. The edit doesn't contain it, so the timeline is checked instead.
enum DuckingChecks {
  /// Warnings about tracks that duck others although they, or all of the others, play no audio.
  static func diagnostics(of timeline: Timeline, tracks placed: TimelineTracks) -> [ValidationDiagnostic] {
    timeline.tracks.indices.compactMap { index in
      let track = timeline.tracks[index]
      guard let ducking = track.audio.ducking else { return nil }
      let name = track.name.map { "The track \(quoted($0))" } ?? "Track \(index)"
      if placed.soundingTrackIDs(ofTrack: index).isEmpty {
        return idle(
          "\(name) lowers other tracks while it is heard, but it plays no audio.",
          "Give its clips audio, or remove duck.", at: index)
      }
      let others = timeline.tracks.indices.filter { other in
        other != index && ducking.tracks.map { names in timeline.tracks[other].name.map(names.contains) ?? false } ?? true
      }
      guard others.allSatisfy({ placed.soundingTrackIDs(ofTrack: $0).isEmpty }) else { return nil }
      return idle(
        "\(name) lowers other tracks while it is heard, but none of them plays audio.",
        ducking.tracks == nil ? "Add another track with audio, or remove duck." : "Name tracks with audio, or remove duck.",
        at: index)
    }
  }

  private static func idle(_ message: String, _ suggestion: String, at index: Int) -> ValidationDiagnostic {
    ValidationDiagnostic(
      .invalidVolume, severity: .warning, message, recoverySuggestion: suggestion, path: "tracks[\(index)].duck")
  }
}
