import CompositorAPI

/// Checks that instructions cover the composition from its start to its end, each beginning at the end of the previous one.
/// Errors are reported with a cause if tracks, durations and neighbors indicate one.
struct InstructionTimeChecks {
  let edit: Edit
  let instructions: [Instruction]
  /// The duration of a frame in seconds; 0 if unknown.
  let frame: Double

  /// - Parameter mediaTypes: The types of tracks to render. Audio alone needs no instructions.
  static func run(
    _ edit: Edit, for mediaTypes: Set<MediaType>, into diagnostics: inout DiagnosticCollector
  ) throws(ValidationStopped) {
    let checks = InstructionTimeChecks(edit)
    guard !checks.instructions.isEmpty else {
      guard mediaTypes.contains(.video) else { return }
      return try diagnostics.add(
        ValidationDiagnostic(
          .emptyTimeRange, "The video composition has no instruction.", expectedTime: .zero,
          cause: "The instructions were not assigned.", recoverySuggestion: "Add instructions that cover the composition."))
    }
    for fault in InstructionFaults(checks.instructions, until: edit.composition.duration).faults {
      try diagnostics.add(checks.diagnostic(of: fault))
    }
  }

  private init(_ edit: Edit) {
    self.edit = edit
    instructions = edit.videoComposition.instructions
    frame = edit.videoComposition.usableFrameDuration?.seconds ?? 0
  }

  private func diagnostic(of fault: InstructionFaults.Fault) -> ValidationDiagnostic {
    switch fault {
    case .unusable(let index, let hole): unusable(index, hole: hole)
    case .outOfOrder(let index, let earlier): outOfOrder(index, after: earlier)
    case .overlap(let range, let first, let second): overlap(range, first, second)
    case .gap(let gap, nil, let next?): lateStart(gap, of: next)
    case .gap(let gap, let last?, nil): earlyEnd(gap, of: last)
    case .gap(let gap, let last, let next): hole(gap, after: last, before: next)
    }
  }

  // MARK: One instruction

  private func unusable(_ index: Int, hole: TimeRange?) -> ValidationDiagnostic {
    let range = instructions[index].timeRange
    let cause: String
    if !range.start.isNumeric || !range.duration.isNumeric {
      cause = "Its range was computed from a time that is not known, such as the duration of media that is not loaded yet"
    } else if range.duration == .zero {
      cause = "Its clip is exactly as long as its transitions, which leaves no time for it alone"
    } else if range.duration < .zero {
      cause = "Its clip is shorter than its transitions together, by \((.zero - range.duration).readable)"
    } else {
      cause = "Its end is later than a time can be"
    }
    let removal = DiagnosticFix(
      "Remove \(Named.instruction(index))", isSafe: instructions.count > 1, change: .removeInstruction(index: index))
    return ValidationDiagnostic(
      .invalidTimeRangeInInstruction,
      "\(Named.instruction(index).capitalizedName) is to start at \(range.start.readable) and last \(range.duration.readable).",
      instruction: index, foundTime: range.start, cause: cause + ".",
      recoverySuggestion: "Give it a finite start and a positive duration, or leave it out if nothing is to be seen.",
      timeRange: hole,
      fix: hole.map {
        DiagnosticFix(
          "Let \(Named.instruction(index)) last from \($0.start.readable) to \($0.end.readable)", isSafe: true,
          change: .setTimeRange(instruction: index, $0))
      } ?? removal)
  }

  private func outOfOrder(_ index: Int, after earlier: Int) -> ValidationDiagnostic {
    let (range, other) = (instructions[index].timeRange, instructions[earlier].timeRange)
    return ValidationDiagnostic(
      .invalidTimeRangeInInstruction,
      "\(Named.instruction(index).capitalizedName) starts at \(range.start.readable), before \(Named.instruction(earlier)), which starts at "
        + "\(other.start.readable).",
      instruction: index, expectedTime: other.end, foundTime: range.start,
      cause: "Instructions are in the order in which they were made, not in the order of time.",
      recoverySuggestion: "Sort the instructions by start.", timeRange: range,
      fix: DiagnosticFix("Sort the instructions by their starts", isSafe: true, change: .sortInstructions))
  }

  // MARK: Two that overlap

  private func overlap(_ overlap: TimeRange, _ first: Int, _ second: Int) -> ValidationDiagnostic {
    let (before, after) = (instructions[first].timeRange, instructions[second].timeRange)
    let explanation = explanation(ofOverlap: overlap, first, second)
    return ValidationDiagnostic(
      .invalidTimeRangeInInstruction,
      "\(Named.instruction(second).capitalizedName) starts at \(after.start.readable) while \(Named.instruction(first)) ends at \(before.end.readable).",
      instruction: second, expectedTime: before.end, foundTime: after.start, cause: explanation.cause + ".",
      recoverySuggestion: "\(explanation.fix.title).", timeRange: overlap, fix: explanation.fix)
  }

  private func explanation(
    ofOverlap overlap: TimeRange, _ first: Int, _ second: Int
  ) -> (cause: String, fix: DiagnosticFix) {
    let (before, after) = (instructions[first].timeRange, instructions[second].timeRange)
    guard after.start > before.start else {
      if after.end > before.end {
        let once = cause(ofOverlapCountedOnce: second, first)
        return (
          once ?? "Both start at the same time",
          DiagnosticFix(
            "Start \(Named.instruction(second)) at \(before.end.readable)", isSafe: once != nil,
            change: .setTimeRange(instruction: second, TimeRange(start: before.end, end: after.end)))
        )
      }
      let what =
        before == after
        ? "The same range was given twice"
        : "\(Named.instruction(second).capitalizedName) lies inside \(Named.instruction(first))"
      return (
        what, DiagnosticFix("Remove \(Named.instruction(second))", isSafe: false, change: .removeInstruction(index: second))
      )
    }
    func shortening(isSafe: Bool) -> DiagnosticFix {
      DiagnosticFix(
        "End \(Named.instruction(first)) at \(after.start.readable)", isSafe: isSafe,
        change: .setTimeRange(instruction: first, TimeRange(start: before.start, end: after.start)))
    }
    if isRounding(overlap.duration) { return (Self.rounding(overlap.duration), shortening(isSafe: true)) }
    if let cause = cause(ofOverlapCountedOnce: first, second) { return (cause, shortening(isSafe: true)) }
    if after.end < before.end {
      return (
        "\(Named.instruction(second).capitalizedName) lies inside \(Named.instruction(first)): what is seen together belongs to one instruction, as layers",
        shortening(isSafe: false)
      )
    }
    return (
      "Both are in force for \(overlap.duration.readable): one ends too late, or the other starts too early",
      shortening(isSafe: false)
    )
  }

  /// The cause of an overlap if clips are on alternating tracks and the instructions between transitions are shortened for only
  /// one of their two transitions.
  private func cause(ofOverlapCountedOnce clip: Int, _ transition: Int) -> String? {
    let (alone, crossing) = (instructions[clip], instructions[transition])
    let (tracks, length) = (alone.requiredTrackIDs, crossing.timeRange.duration)
    let isAtEnd = alone.timeRange.end == crossing.timeRange.end
    guard tracks.count == 1, crossing.requiredTrackIDs.count == 2, crossing.requiredTrackIDs.contains(tracks[0]),
      isAtEnd || alone.timeRange.start == crossing.timeRange.start
    else { return nil }
    let place =
      isAtEnd
      ? "until that transition ends, when it should end as it starts" : "from its start, when it should start at its end"
    return
      "The transition of \(Named.instruction(transition)), which lasts \(length.readable), was not taken off: \(Named.instruction(clip)) shows "
      + "\(Named.track(tracks[0])) alone \(place). A clip between two transitions is seen alone for its duration less both of them, and here "
      + "one was subtracted once for both"
  }

  // MARK: Durations

  func isRounding(_ duration: MediaTime) -> Bool { duration.seconds < frame / 2 }

  static func rounding(_ duration: MediaTime) -> String {
    "Times were rounded, as seconds in floating point are: they are off by \(amount(duration)), less than half a frame"
  }

  /// A duration for messages: below a millisecond, the exact ratio and the microseconds.
  static func amount(_ duration: MediaTime) -> String {
    guard duration.seconds < 0.001 else { return duration.readable }
    let nanoseconds = (duration.seconds * 1e9).rounded()
    return "\(duration.value)/\(duration.timescale) s (\(nanoseconds / 1000) µs)"
  }
}

extension VideoComposition {
  /// The frame duration, if valid.
  var usableFrameDuration: MediaTime? { frameDuration.isNumeric && frameDuration > .zero ? frameDuration : nil }
}

extension CompositionTrack {
  /// The first part of a range in which the track has no media; `nil` if it has media throughout. O(log n) plus the segments
  /// inside.
  func emptyRange(in range: TimeRange) -> TimeRange? {
    guard range.start.isNumeric, range.end > range.start else { return nil }
    let next = segments.partitioningIndex { $0.timeMapping.target.end > range.start }
    var covered = range.start
    for segment in segments[next...] {
      guard covered < range.end else { return nil }
      let target = segment.timeMapping.target
      if segment.isEmpty || target.start > covered {
        let end = segment.isEmpty ? target.end : target.start
        return TimeRange(start: covered, end: min(end, range.end))
      }
      covered = target.end
    }
    return covered < range.end ? TimeRange(start: covered, end: range.end) : nil
  }
}
