import CompositorAPI

/// Checks for parts of the movie in which nothing is shown, for instructions after its end, and for layers that are there twice.
struct EmptinessChecks {
  private let edit: Edit
  private let frame: MediaTime

  static func run(
    _ edit: Edit, frame: MediaTime, into diagnostics: inout DiagnosticCollector
  ) throws(ValidationStopped) {
    let checks = EmptinessChecks(edit: edit, frame: frame)
    let end = edit.composition.duration
    let hasVideo = edit.composition.tracks(.video).contains { track in track.segments.contains { !$0.isEmpty } }
    // Overlays for other programs are transparent between their titles and clips: that is what alpha is for.
    let fillsGaps = edit.output.alphaMode == .opaque
    for (index, instruction) in edit.videoComposition.instructions.enumerated() where instruction.timeRange.isUsable {
      if end > .zero, let diagnostic = checks.lateness(of: instruction, index, after: end) { try diagnostics.add(diagnostic) }
      if hasVideo, fillsGaps { for diagnostic in checks.emptiness(of: instruction, index) { try diagnostics.add(diagnostic) } }
      if let diagnostic = checks.repetition(in: instruction, index) { try diagnostics.add(diagnostic) }
    }
  }

  /// The shortest empty part at the end, or beside a title, to report: a moment at a seam is no mistake of the edit.
  private static let leastSeconds = 0.1

  /// The parts of an instruction in which nothing is shown, at most three.
  private func emptiness(of instruction: Instruction, _ index: Int) -> [ValidationDiagnostic] {
    let end = edit.composition.duration
    let range = instruction.timeRange.intersection(TimeRange(start: .zero, end: end))
    guard instruction.passthroughTrackID == nil, instruction.compositor == .layer, instruction.layers.isEmpty,
      instruction.additionalTrackIDs.isEmpty, instruction.effects.isEmpty, instruction.backgroundColor == nil
    else { return [] }
    let parts = edit.partsWithoutGraphics(of: range).filter { part in
      // Between two clips a single frame is seen to flash.
      part == range && range.end < end
        ? containsFrame(range) : part.duration > frame && part.duration.seconds > Self.leastSeconds
    }
    return parts.prefix(3).map { part in
      ValidationDiagnostic(
        .nothingShown, severity: .warning,
        "Nothing is shown from \(part.start.readable) to \(part.end.readable): the frames are black.",
        instruction: index, foundTime: part.start, cause: "No clip plays then, or the instruction has no layers.",
        timeRange: part
      ).advising("Show a clip then. If black is meant, write \(setting: .instructionBackground, value: "black").")
    }
  }

  /// Whether a frame of the output begins in a range.
  private func containsFrame(_ range: TimeRange) -> Bool {
    guard frame.isNumeric, frame > .zero, range.duration.isNumeric else { return false }
    let number = (range.start.seconds / frame.seconds).rounded()
    guard abs(number) < 1e15 else { return false }
    return (0...1).contains { range.contains(frame.multiplied(by: Int64(number) + $0, over: 1)) }
  }

  private func lateness(of instruction: Instruction, _ index: Int, after end: MediaTime) -> ValidationDiagnostic? {
    let range = instruction.timeRange
    guard range.end.isNumeric, range.end - end > frame else { return nil }
    let isAfter = range.start >= end
    let fix =
      isAfter
      ? DiagnosticFix("Remove \(Named.instruction(index))", isSafe: true, change: .removeInstruction(index: index))
      : DiagnosticFix(
        "End \(Named.instruction(index)) at \(end.readable)", isSafe: true,
        change: .setTimeRange(instruction: index, TimeRange(start: range.start, end: end)))
    return ValidationDiagnostic(
      .instructionBeyondEnd, severity: .warning,
      "\(Named.instruction(index).capitalizedName) lasts from \(range.start.readable) to \(range.end.readable), but the movie ends at "
        + "\(end.readable): " + (isAfter ? "no frame shows it." : "the rest is never shown."),
      instruction: index, expectedTime: end, foundTime: range.end,
      cause: "The clips became shorter, or an instruction's end was written as its duration.",
      recoverySuggestion: "\(fix.title), or lengthen the clips.",
      timeRange: TimeRange(start: max(range.start, end), end: range.end),
      fix: fix)
  }

  private func repetition(in instruction: Instruction, _ index: Int) -> ValidationDiagnostic? {
    let layers = instruction.layers
    guard layers.count > 1, instruction.compositor == .layer else { return nil }
    let repeated = layers.indices.first { place in layers[..<place].contains(layers[place]) }
    guard let repeated else { return nil }
    let name = Named.track(layers[repeated].trackID)
    return ValidationDiagnostic(
      .layerNotSeen, severity: .warning,
      "\(Named.instruction(index).capitalizedName) shows \(name) twice in the same place.", instruction: index,
      track: layers[repeated].trackID, foundTime: instruction.timeRange.start, cause: "A layer was copied.",
      recoverySuggestion: "Remove one of the two layers.", timeRange: instruction.timeRange,
      fix: DiagnosticFix(
        "Remove the second layer of \(name) from \(Named.instruction(index))", isSafe: false,
        change: .removeRepeatedLayers(instruction: index)))
  }
}

extension Edit {
  /// The parts of a range in which no title and no burned-in caption may be visible, in order.
  func partsWithoutGraphics(of range: TimeRange) -> [TimeRange] {
    var parts = [range]
    for shown in graphicsRanges { parts = parts.flatMap { $0.subtracting(shown) } }
    return parts
  }

  /// The times of titles and of burned-in captions.
  private var graphicsRanges: [TimeRange] {
    let end = composition.duration.isNumeric ? composition.duration.seconds : .infinity
    let titles = titles.layers.map { layer in
      // A title that has no anchor is reported elsewhere.
      let shown = ((try? layer.anchored(until: end)) ?? layer).timing.shownTime
      return TimeRange(
        start: .seconds(max(shown.start, 0)), end: shown.end.isFinite ? .seconds(max(shown.end, 0)) : .positiveInfinity)
    }
    let drawn = captions.filter(\.presentation.isBurnedIn)
    let cues = drawn.flatMap { track in
      track.cues.map { TimeRange(start: $0.timeRange.start + track.offset, end: $0.timeRange.end + track.offset) }
    }
    // What a script draws is known to its renderer alone.
    let scripts = drawn.contains { $0.script != nil } ? [TimeRange(start: .zero, end: .positiveInfinity)] : []
    return titles + cues + scripts
  }
}

extension TimeRange {
  /// The parts before and after another range; itself, if they don't overlap.
  fileprivate func subtracting(_ other: TimeRange) -> [TimeRange] {
    guard other.start < end, start < other.end else { return [self] }
    let before = start < other.start ? [TimeRange(start: start, end: other.start)] : []
    return before + (other.end < end ? [TimeRange(start: other.end, end: end)] : [])
  }
}
