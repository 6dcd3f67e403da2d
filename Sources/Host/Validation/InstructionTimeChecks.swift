import CompositorAPI

/// Instructions cover the composition from its start to its end, each beginning where the one before ended. What is wrong is told with the
/// reason for it, as far as tracks, durations and neighbors give it away.
struct InstructionTimeChecks {
  private let edit: Edit
  private let instructions: [Instruction]
  /// Seconds from frame to frame; 0 if that is not known.
  private let frame: Double

  static func run(_ edit: Edit, into diagnostics: inout DiagnosticCollector) throws(ValidationStopped) {
    let checks = InstructionTimeChecks(edit)
    guard !checks.instructions.isEmpty else {
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
      "Remove instruction \(index)", isSafe: instructions.count > 1, change: .removeInstruction(index: index))
    return ValidationDiagnostic(
      .invalidTimeRangeInInstruction,
      "Instruction \(index) is to start at \(range.start.readable) and last \(range.duration.readable).",
      instruction: index, foundTime: range.start, cause: cause + ".",
      recoverySuggestion: "Give it a finite start and a positive duration, or leave it out if nothing is to be seen.",
      timeRange: hole,
      fix: hole.map {
        DiagnosticFix(
          "Let instruction \(index) last from \($0.start.readable) to \($0.end.readable)", isSafe: true,
          change: .setTimeRange(instruction: index, $0))
      } ?? removal)
  }

  private func outOfOrder(_ index: Int, after earlier: Int) -> ValidationDiagnostic {
    let (range, other) = (instructions[index].timeRange, instructions[earlier].timeRange)
    return ValidationDiagnostic(
      .invalidTimeRangeInInstruction,
      "Instruction \(index) starts at \(range.start.readable), before instruction \(earlier), which starts at "
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
      "Instruction \(second) starts at \(after.start.readable) while instruction \(first) ends at \(before.end.readable).",
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
            "Start instruction \(second) at \(before.end.readable)", isSafe: once != nil,
            change: .setTimeRange(instruction: second, TimeRange(start: before.end, end: after.end)))
        )
      }
      let what = before == after ? "The same range was given twice" : "Instruction \(second) lies inside instruction \(first)"
      return (
        what, DiagnosticFix("Remove instruction \(second)", isSafe: false, change: .removeInstruction(index: second))
      )
    }
    func shortening(isSafe: Bool) -> DiagnosticFix {
      DiagnosticFix(
        "End instruction \(first) at \(after.start.readable)", isSafe: isSafe,
        change: .setTimeRange(instruction: first, TimeRange(start: before.start, end: after.start)))
    }
    if isRounding(overlap.duration) { return (Self.rounding(overlap.duration), shortening(isSafe: true)) }
    if let cause = cause(ofOverlapCountedOnce: first, second) { return (cause, shortening(isSafe: true)) }
    if after.end < before.end {
      return (
        "Instruction \(second) lies inside instruction \(first): what is seen together belongs to one instruction, as layers",
        shortening(isSafe: false)
      )
    }
    return (
      "Both are in force for \(overlap.duration.readable): one ends too late, or the other starts too early",
      shortening(isSafe: false)
    )
  }

  /// Clips on alternating tracks, whose instructions alone are shortened by one of their two transitions only.
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
      "The transition of instruction \(transition), which lasts \(length.readable), was not taken off: instruction \(clip) shows "
      + "track \(tracks[0]) alone \(place). A clip between two transitions is seen alone for its duration less both of them, and here "
      + "one was subtracted once for both"
  }

  // MARK: Gaps

  private func lateStart(_ gap: TimeRange, of index: Int) -> ValidationDiagnostic {
    let range = instructions[index].timeRange
    let shown = tracksWithMedia(throughout: gap)
    let cause =
      isRounding(gap.duration)
      ? Self.rounding(gap.duration)
      : shown.isEmpty
        ? "Nothing plays before: the movie starts with a gap, which needs an instruction too"
        : "\(Self.list(shown)) from 0 on, but the instruction for it is missing or was counted from another zero"
    return ValidationDiagnostic(
      .emptyTimeRange, "Instruction \(index) starts at \(range.start.readable) instead of 0.", instruction: index,
      expectedTime: .zero, foundTime: range.start, cause: cause + ".",
      recoverySuggestion: "Let the first instruction start at 0.", timeRange: gap,
      fix: DiagnosticFix(
        "Start instruction \(index) at 0", isSafe: isRounding(gap.duration),
        change: .setTimeRange(instruction: index, TimeRange(start: .zero, end: range.end))))
  }

  private func earlyEnd(_ gap: TimeRange, of index: Int) -> ValidationDiagnostic {
    let (end, duration) = (gap.start, gap.end)
    let range = instructions[index].timeRange
    let isShort = gap.duration.seconds < frame
    let longer = edit.composition.tracks.filter { $0.timeRange.end > end }
    let cause: String
    if let audio = longer.max(by: { $0.timeRange.end < $1.timeRange.end }), longer.allSatisfy({ $0.mediaType == .audio }) {
      let video = edit.composition.tracks(.video).map(\.timeRange.end).max() ?? .zero
      let than = video == end ? "the video" : "the instructions"
      cause =
        "Audio track \(audio.trackID) is longer than \(than), by \(Self.amount(gap.duration))"
        + (isShort ? ": encoders end audio and video a fraction of a frame apart" : "")
    } else if isRounding(gap.duration) {
      cause = Self.rounding(gap.duration)
    } else {
      let media = longer.filter { $0.mediaType == .video }.map(\.trackID)
      cause =
        "\(Self.list(media)) until \(duration.readable), but the last instruction is \(Self.amount(gap.duration)) too short"
    }
    return ValidationDiagnostic(
      .emptyTimeRange, "The last instruction ends at \(end.readable), but the composition at \(duration.readable).",
      instruction: index, expectedTime: duration, foundTime: end, cause: cause + ".",
      recoverySuggestion: "Let the last instruction reach to the end, or shorten the tracks.", timeRange: gap,
      fix: DiagnosticFix(
        "End instruction \(index) at \(duration.readable)", isSafe: isShort || canReachOn(index),
        change: .setTimeRange(instruction: index, TimeRange(start: range.start, end: duration))))
  }

  private func hole(_ gap: TimeRange, after last: Int?, before next: Int?) -> ValidationDiagnostic {
    let index = next ?? last
    let message =
      if let last, let next {
        "Instruction \(next) starts at \(gap.end.readable), but instruction \(last) ended at \(gap.start.readable) already."
      } else {
        "No instruction covers \(gap.start.readable) to \(gap.end.readable)."
      }
    let shown = tracksWithMedia(throughout: gap)
    let cause =
      isRounding(gap.duration)
      ? Self.rounding(gap.duration)
      : shown.isEmpty
        ? "Nothing plays there: a gap between clips needs an instruction too"
        : "\(Self.list(shown)) there, but no instruction shows it: the stretch between two clips or transitions was left out"
    return ValidationDiagnostic(
      .emptyTimeRange, message, instruction: index, expectedTime: gap.start, foundTime: gap.end, cause: cause + ".",
      recoverySuggestion: "Add an instruction for the gap, or let one neighbor reach to the other.", timeRange: gap,
      fix: fix(ofHole: gap, after: last, before: next, shown: Set(shown)))
  }

  /// Of the two neighbors, the one that doesn't start or end where the clips say is moved.
  private func fix(ofHole gap: TimeRange, after last: Int?, before next: Int?, shown: Set<TrackID>) -> DiagnosticFix {
    let isSafe = isRounding(gap.duration)
    let canEndLater = last.map { canReachOn($0) && shown.isSuperset(of: instructions[$0].requiredTrackIDs) } ?? false
    let canStartEarlier =
      next.map {
        (canReachOn($0) || isTransitionCutShort($0, by: gap)) && shown.isSuperset(of: instructions[$0].requiredTrackIDs)
      }
      ?? false
    let startsEarlier = isClipBoundary(gap.start) && !isClipBoundary(gap.end)
    if let last, isSafe || canEndLater, !(startsEarlier && canStartEarlier) {
      return DiagnosticFix(
        "End instruction \(last) at \(gap.end.readable)", isSafe: isSafe,
        change: .setTimeRange(instruction: last, TimeRange(start: instructions[last].timeRange.start, end: gap.end)))
    }
    if let next, canStartEarlier {
      return DiagnosticFix(
        "Start instruction \(next) at \(gap.start.readable)", isSafe: isSafe && startsEarlier,
        change: .setTimeRange(instruction: next, TimeRange(start: gap.start, end: instructions[next].timeRange.end)))
    }
    return DiagnosticFix(
      "Show the background from \(gap.start.readable) to \(gap.end.readable)", isSafe: false,
      change: .insertInstruction(index: next ?? instructions.count, gap))
  }

  // MARK: What gives causes away

  /// Whether a longer range leaves what an instruction shows as it is: a transition's progress would be stretched.
  private func canReachOn(_ index: Int) -> Bool {
    let instruction = instructions[index]
    return instruction.passthroughTrackID != nil || instruction.compositor == .layer || instruction.progressRange != nil
  }

  /// Whether a transition starts after the clips that it mixes begin to overlap, by a gap: it is then to start with the overlap.
  private func isTransitionCutShort(_ index: Int, by gap: TimeRange) -> Bool {
    let tracks = instructions[index].requiredTrackIDs.compactMap { edit.composition.track($0) }
    return tracks.count == 2 && tracks.contains { $0.segmentStarts(at: gap.start) }
      && tracks.contains { $0.segmentStarts(at: instructions[index].timeRange.end) }
  }

  /// Whether a clip of a video track starts or ends at a time, and so perhaps the overlap of two.
  private func isClipBoundary(_ time: MediaTime) -> Bool {
    edit.composition.tracks(.video).contains { $0.segmentStarts(at: time) }
  }

  /// Video tracks that have media in all of a range.
  private func tracksWithMedia(throughout range: TimeRange) -> [TrackID] {
    edit.composition.tracks(.video).filter { $0.emptyRange(in: range) == nil }.map(\.trackID)
  }

  private func isRounding(_ duration: MediaTime) -> Bool { duration.seconds < frame / 2 }

  private static func rounding(_ duration: MediaTime) -> String {
    "Times were rounded, as seconds in floating point are: they are off by \(amount(duration)), less than half a frame"
  }

  private static func list(_ tracks: [TrackID]) -> String {
    let names = tracks.map(String.init).joined(separator: ", ")
    return tracks.count == 1 ? "Video track \(names) has media" : "Video tracks \(names) have media"
  }

  /// A duration, of which milliseconds say nothing in microseconds.
  private static func amount(_ duration: MediaTime) -> String {
    guard duration.seconds < 0.001 else { return duration.readable }
    let nanoseconds = (duration.seconds * 1e9).rounded()
    return "\(duration.value)/\(duration.timescale) s (\(nanoseconds / 1000) µs)"
  }
}

extension VideoComposition {
  /// The frame duration, if it is one.
  var usableFrameDuration: MediaTime? { frameDuration.isNumeric && frameDuration > .zero ? frameDuration : nil }
}

extension CompositionTrack {
  /// Whether a segment, also an empty one, starts at a time, or the last one ends there. O(log n).
  fileprivate func segmentStarts(at time: MediaTime) -> Bool {
    let next = segments.partitioningIndex { $0.timeMapping.target.start >= time }
    return next < segments.endIndex
      ? segments[next].timeMapping.target.start == time : segments.last?.timeMapping.target.end == time
  }

  /// The first part of a range in which the track has no media; `nil` if it has media throughout. O(log n) and the segments inside.
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
