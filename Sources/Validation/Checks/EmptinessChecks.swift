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
    for (index, instruction) in edit.videoComposition.instructions.enumerated() where instruction.timeRange.isUsable {
      if end > .zero, let diagnostic = checks.lateness(of: instruction, index, after: end) { try diagnostics.add(diagnostic) }
      if hasVideo, let diagnostic = checks.emptiness(of: instruction, index) { try diagnostics.add(diagnostic) }
      if let diagnostic = checks.repetition(in: instruction, index) { try diagnostics.add(diagnostic) }
    }
  }

  /// The shortest empty part to report: a moment at a seam is no mistake of the edit.
  private static let leastSeconds = 0.1

  private func emptiness(of instruction: Instruction, _ index: Int) -> ValidationDiagnostic? {
    let range = instruction.timeRange.intersection(TimeRange(start: .zero, end: edit.composition.duration))
    guard instruction.passthroughTrackID == nil, instruction.compositor == .layer, instruction.layers.isEmpty,
      instruction.additionalTrackIDs.isEmpty, instruction.effects.isEmpty, instruction.backgroundColor == nil,
      range.duration > frame, range.duration.seconds > Self.leastSeconds, !edit.showsGraphics(in: range)
    else { return nil }
    return ValidationDiagnostic(
      .nothingShown, severity: .warning,
      "Nothing is shown from \(range.start.readable) to \(range.end.readable): the frames are black.",
      instruction: index, foundTime: range.start, cause: "No clip plays then, or the instruction has no layers.",
      recoverySuggestion: "Show a clip then. If black is meant, write background: \"black\", in output or in the instruction.",
      timeRange: range)
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
    let layers = instruction.passthroughTrackID == nil ? instruction.layers : []
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
  /// Whether titles or burned-in captions may be visible at some time of a range.
  func showsGraphics(in range: TimeRange) -> Bool {
    let hasTitle = titles.layers.contains { layer in
      let start = layer.timing.beginTime
      let end = layer.timing.duration > 0 ? start + layer.timing.duration : .infinity
      return start.isBefore(range.end.seconds) && range.start.seconds.isBefore(end)
    }
    return hasTitle || captions.contains { $0.presentation.isBurnedIn }
  }
}
