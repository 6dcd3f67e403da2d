import CompositorAPI

/// Checks for motion blur of clips that don't move. In the edit it is that of parts of a clip, some of which may not move, so the
/// timeline is checked instead.
enum StillMotionBlurs {
  /// Warnings about settings that change nothing. Transitions may move clips.
  static func diagnostics(of tracks: TimelineTracks, instructions: [TimelineInstruction]?) -> [ValidationDiagnostic] {
    // Explicit layers may move clips, or have a motion blur of their own.
    guard instructions == nil else { return [] }
    return tracks.clips.flatMap { clips in
      clips.enumerated().compactMap { index, placed in
        let next = index + 1 < clips.count ? clips[index + 1].clip.transition : nil
        let isMoved = placed.clip.transition != nil || next != nil || placed.clip.changesOverTime
        guard placed.clip.motionBlur != nil, placed.media.picture != nil, !isMoved else { return nil }
        return diagnostic(placed)
      }
    }
  }

  private static func diagnostic(_ placed: PlacedClip) -> ValidationDiagnostic {
    ValidationDiagnostic(
      .effectUnchanging, severity: .warning,
      "The motion blur changes nothing: the clip has no keyframes by which it would move.",
      foundTime: placed.range.start.mediaTime, cause: "Motion inside of the media is not blurred.",
      recoverySuggestion: "Give the clip keyframes, or remove it.", path: "\(placed.path).motionBlur",
      timeRange: try? placed.range.timeRange())
  }
}

extension TimelineClip {
  /// Whether its opacity, place, crop or decoration has keyframes.
  fileprivate var changesOverTime: Bool {
    if case .keyframes = opacity { return true }
    if case .keyframes = placement { return true }
    if case .keyframes? = crop { return true }
    return decoration != nil
  }
}
