import CompositorAPI

/// Checks for times that no instruction covers: at the start, at the end, or between two.
extension InstructionTimeChecks {
  func lateStart(_ gap: TimeRange, of index: Int) -> ValidationDiagnostic {
    let range = instructions[index].timeRange
    let shown = tracksWithMedia(throughout: gap)
    let cause = cause(
      of: gap,
      shown.isEmpty
        ? "Nothing plays before: the movie starts with a gap, which needs an instruction too"
        : "\(Self.list(shown)) from 0 on, but the instruction for it is missing or uses a different time origin")
    return ValidationDiagnostic(
      .emptyTimeRange, "\(Named.instruction(index).capitalizedName) starts at \(range.start.readable) instead of 0.",
      instruction: index,
      expectedTime: .zero, foundTime: range.start, cause: cause + ".",
      recoverySuggestion: "Let the first instruction start at 0.", timeRange: gap,
      fix: DiagnosticFix(
        "Start \(Named.instruction(index)) at 0", isSafe: isRounding(gap.duration),
        change: .setTimeRange(instruction: index, TimeRange(start: .zero, end: range.end))))
  }

  func earlyEnd(_ gap: TimeRange, of index: Int) -> ValidationDiagnostic {
    let (end, duration) = (gap.start, gap.end)
    let range = instructions[index].timeRange
    let isShort = gap.duration.seconds < frame
    let longer = edit.composition.tracks.filter { $0.timeRange.end > end }
    let cause: String
    if let audio = longer.max(by: { $0.timeRange.end < $1.timeRange.end }), longer.allSatisfy({ $0.mediaType == .audio }) {
      let video = edit.composition.tracks(.video).map(\.timeRange.end).max() ?? .zero
      let than = video == end ? "the video" : "the instructions"
      cause =
        "\(Named.track(audio.trackID, .audio).capitalizedName) is longer than \(than), by \(Self.amount(gap.duration))"
        + (isShort ? ": encoders end audio and video a fraction of a frame apart" : "")
    } else {
      let media = longer.filter { $0.mediaType == .video }.map(\.trackID)
      cause = self.cause(
        of: gap,
        "\(Self.list(media)) until \(duration.readable), but the last instruction is \(Self.amount(gap.duration)) too short")
    }
    return ValidationDiagnostic(
      .emptyTimeRange, "The last instruction ends at \(end.readable), but the composition at \(duration.readable).",
      instruction: index, expectedTime: duration, foundTime: end, cause: cause + ".",
      recoverySuggestion: "Let the last instruction reach to the end, or shorten the tracks.", timeRange: gap,
      fix: DiagnosticFix(
        "End \(Named.instruction(index)) at \(duration.readable)", isSafe: isShort || canReachOn(index),
        change: .setTimeRange(instruction: index, TimeRange(start: range.start, end: duration))))
  }

  func hole(_ gap: TimeRange, after last: Int?, before next: Int?) -> ValidationDiagnostic {
    let index = next ?? last
    let message =
      if let last, let next {
        "\(Named.instruction(next).capitalizedName) starts at \(gap.end.readable), but \(Named.instruction(last)) ended at \(gap.start.readable) already."
      } else {
        "No instruction covers \(gap.start.readable) to \(gap.end.readable)."
      }
    let shown = tracksWithMedia(throughout: gap)
    let cause = cause(
      of: gap,
      shown.isEmpty
        ? "Nothing plays there: a gap between clips needs an instruction too"
        : "\(Self.list(shown)) there, but no instruction shows it: the stretch between two clips or transitions was left out")
    return ValidationDiagnostic(
      .emptyTimeRange, message, instruction: index, expectedTime: gap.start, foundTime: gap.end, cause: cause + ".",
      recoverySuggestion: "Add an instruction for the gap, or let one neighbor reach to the other.", timeRange: gap,
      fix: fix(ofHole: gap, after: last, before: next, shown: Set(shown)))
  }

  /// Moves the neighbor whose start or end doesn't coincide with that of a clip.
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
        "End \(Named.instruction(last)) at \(gap.end.readable)", isSafe: isSafe,
        change: .setTimeRange(instruction: last, TimeRange(start: instructions[last].timeRange.start, end: gap.end)))
    }
    if let next, canStartEarlier {
      return DiagnosticFix(
        "Start \(Named.instruction(next)) at \(gap.start.readable)", isSafe: isSafe && startsEarlier,
        change: .setTimeRange(instruction: next, TimeRange(start: gap.start, end: instructions[next].timeRange.end)))
    }
    return DiagnosticFix(
      "Show the background from \(gap.start.readable) to \(gap.end.readable)", isSafe: false,
      change: .insertInstruction(index: next ?? instructions.count, gap))
  }

  // MARK: Causes

  /// A gap of less than half a frame is caused by rounding, any other one by the given cause.
  private func cause(of gap: TimeRange, _ otherwise: String) -> String {
    isRounding(gap.duration) ? Self.rounding(gap.duration) : otherwise
  }

  /// Whether extending an instruction doesn't change what it shows. A transition's progress would be stretched.
  private func canReachOn(_ index: Int) -> Bool {
    let instruction = instructions[index]
    return instruction.compositor == .layer || instruction.progressRange != nil
  }

  /// Whether a transition starts after the overlap of its clips by the length of a gap, so that it should start with the
  /// overlap.
  private func isTransitionCutShort(_ index: Int, by gap: TimeRange) -> Bool {
    let tracks = instructions[index].requiredTrackIDs.compactMap { edit.composition.track($0) }
    return tracks.count == 2 && tracks.contains { $0.segmentStarts(at: gap.start) }
      && tracks.contains { $0.segmentStarts(at: instructions[index].timeRange.end) }
  }

  /// Whether a clip of a video track starts or ends at a given time, which may be the boundary of an overlap.
  private func isClipBoundary(_ time: MediaTime) -> Bool {
    edit.composition.tracks(.video).contains { $0.segmentStarts(at: time) }
  }

  /// Video tracks that have media throughout a range.
  private func tracksWithMedia(throughout range: TimeRange) -> [TrackID] {
    edit.composition.tracks(.video).filter { $0.emptyRange(in: range) == nil }.map(\.trackID)
  }

  private static func list(_ tracks: [TrackID]) -> String {
    let names = tracks.map { Named.track($0, .video) }.joined(separator: ", ").capitalizedName
    return "\(names) \(tracks.count == 1 ? "has" : "have") media"
  }
}

extension CompositionTrack {
  /// Whether a segment, possibly an empty one, starts at a given time, or the last one ends there. O(log n).
  fileprivate func segmentStarts(at time: MediaTime) -> Bool {
    let next = segments.partitioningIndex { $0.timeMapping.target.start >= time }
    return next < segments.endIndex
      ? segments[next].timeMapping.target.start == time : segments.last?.timeMapping.target.end == time
  }
}
