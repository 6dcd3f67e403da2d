import CompositorAPI

/// Checks for effects and written instructions in whose time no frame begins, and for clips that are to hold their last frame for no
/// time. The edit doesn't contain them, so the timeline is checked instead.
enum ShortTimeChecks {
  /// Warnings about what no frame shows.
  ///
  /// - Parameter instructions: The instructions of the timeline's edit.
  static func diagnostics(of timeline: Timeline, instructions: [Instruction]) -> [ValidationDiagnostic] {
    guard let frame = try? ExactTime(frame: 1, rate: timeline.rate).mediaTime,
      let timing = try? FrameTiming(frameDuration: frame)
    else { return [] }
    func warning(_ name: String, _ range: TimeRange, _ path: String) -> ValidationDiagnostic? {
      guard range.start >= .zero, range.duration > .zero, range.duration < frame,
        timing.frameCount(in: range.start) == timing.frameCount(in: range.end)
      else { return nil }
      return ValidationDiagnostic(
        .shorterThanFrame, severity: .warning,
        "\(name) lasts \(range.duration.readable) at \(range.start.readable), less than a frame of \(frame.readable): no frame shows it.",
        expectedTime: frame, foundTime: range.start, cause: "A time was rounded, or is in the wrong unit.",
        recoverySuggestion: "Remove it, or let it last a frame or more.", path: path, timeRange: range)
    }
    let effects = timeline.effects.enumerated().compactMap { warning("The effect", $1.timeRange, "effects[\($0)]") }
    let written = timeline.instructions == nil ? [] : instructions.map(\.timeRange)
    return effects + written.enumerated().compactMap { warning("The instruction", $1, "instructions[\($0)]") } + holds(timeline)
  }

  private static func holds(_ timeline: Timeline) -> [ValidationDiagnostic] {
    timeline.tracks.enumerated().flatMap { track, value in
      value.clips.enumerated().compactMap { index, clip in
        guard clip.holdsLastFrame, clip.length == .media else { return nil }
        return ValidationDiagnostic(
          .effectUnchanging, severity: .warning,
          "The clip has no duration, so that hold has no effect: it ends with its media.",
          cause: "A freeze frame was meant.",
          recoverySuggestion: "Give the clip a duration that is longer than its media, or remove hold.",
          path: "tracks[\(track)].clips[\(index)].hold")
      }
    }
  }
}
