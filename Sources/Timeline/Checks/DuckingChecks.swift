import CompositorAPI

/// Checks for ducking that never lowers anything. The edit doesn't contain it, so the timeline is checked instead.
enum DuckingChecks {
  /// Warnings about tracks that duck others although they, or all of the others, play no audio, play none at the same time, or never
  /// reach the threshold.
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
      guard others.allSatisfy({ placed.soundingTrackIDs(ofTrack: $0).isEmpty }) else {
        return silent(name, ducking, of: track, at: index) ?? apart(name, ducking, of: index, others, in: timeline, placed)
      }
      return idle(
        "\(name) lowers other tracks while it is heard, but none of them plays audio.",
        ducking.tracks == nil ? "Add another track with audio, or remove duck." : "Name tracks with audio, or remove duck.",
        at: index)
    }
  }

  /// The warning about a threshold at full scale, unless a volume or an effect may bring the audio above it.
  private static func silent(
    _ name: String, _ ducking: TrackDucking, of track: TimelineTrack, at index: Int
  ) -> ValidationDiagnostic? {
    guard case .level(0...) = ducking.trigger, isPlain(track) else { return nil }
    return idle(
      "\(name) lowers other tracks while it is above 0 dB, which is full scale: it never is.",
      "Write a lower threshold: -40dB is usual for speech.", at: index, key: ".threshold")
  }

  /// Whether nothing makes the audio of a track louder or longer.
  private static func isPlain(_ track: TimelineTrack) -> Bool {
    func isRaised(_ volume: Animated<Double>) -> Bool { volume.values.contains { $0 > 1 } }
    return track.audio.effects.isEmpty && !isRaised(track.audio.volume)
      && track.clips.allSatisfy { $0.audioEffects.isEmpty && !isRaised($0.volume) }
  }

  /// The warning about a track whose clips, with the time until the others have recovered, overlap none of the others.
  private static func apart(
    _ name: String, _ ducking: TrackDucking, of index: Int, _ others: [Int], in timeline: Timeline, _ placed: TimelineTracks
  ) -> ValidationDiagnostic? {
    let tracks = (others + [index]).map { timeline.tracks[$0] }
    guard tracks.allSatisfy({ $0.audio.effects.isEmpty }) else { return nil }
    let (before, after) = (ducking.attack.seconds, ducking.hold.seconds + ducking.release.seconds)
    func heard(_ track: Int) -> [ClosedRange<Double>] {
      placed.clips[track].filter { $0.clip.audio == .played && $0.media.hasAudio }
        .map { $0.range.start.mediaTime.seconds...max($0.range.start.mediaTime.seconds, $0.range.end.mediaTime.seconds) }
    }
    let lowering = heard(index).map { ($0.lowerBound - before)...($0.upperBound + after) }
    guard !lowering.isEmpty, !others.flatMap(heard).contains(where: { other in lowering.contains { $0.overlaps(other) } })
    else { return nil }
    return idle(
      "\(name) lowers other tracks while it is heard, but no clip of them plays then.",
      "Let clips play at the same time, or remove duck.", at: index)
  }

  private static func idle(_ message: String, _ suggestion: String, at index: Int, key: String = "") -> ValidationDiagnostic {
    ValidationDiagnostic(
      .invalidVolume, severity: .warning, message, recoverySuggestion: suggestion, path: "tracks[\(index)].duck\(key)")
  }
}
