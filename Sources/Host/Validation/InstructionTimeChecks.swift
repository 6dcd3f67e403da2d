import CompositorAPI

/// Instructions cover the composition from its start to its end, each beginning where the one before ended.
enum InstructionTimeChecks {
  static func run(_ edit: Edit, into diagnostics: inout DiagnosticCollector) throws(ValidationStopped) {
    let instructions = edit.videoComposition.instructions
    guard !instructions.isEmpty else {
      return try diagnostics.add(
        ValidationDiagnostic(
          .emptyTimeRange, "The video composition has no instruction.", expectedTime: .zero,
          cause: "The instructions were not assigned.", recoverySuggestion: "Add instructions that cover the composition."))
    }
    var previous: (index: Int, range: TimeRange)?
    for (index, instruction) in instructions.enumerated() {
      let range = instruction.timeRange
      guard try isUsable(range, index: index, into: &diagnostics) else { continue }
      if let previous {
        try checkSequence(range, index: index, after: previous, into: &diagnostics)
      } else if range.start > .zero {
        try diagnostics.add(
          ValidationDiagnostic(
            .emptyTimeRange, "Instruction \(index) starts at \(range.start.readable) instead of 0.", instruction: index,
            expectedTime: .zero, foundTime: range.start, cause: "The first instruction is missing.",
            recoverySuggestion: "Let the first instruction start at 0.",
            timeRange: TimeRange(start: .zero, end: range.start),
            fix: DiagnosticFix(
              "Start instruction \(index) at 0", isSafe: false,
              change: .setTimeRange(instruction: index, TimeRange(start: .zero, end: range.end)))))
      }
      previous = (index, range)
    }
    try checkEnd(of: edit.composition, last: previous, into: &diagnostics)
  }

  private static func isUsable(
    _ range: TimeRange, index: Int, into diagnostics: inout DiagnosticCollector
  ) throws(ValidationStopped) -> Bool {
    let endless = range.duration == .positiveInfinity
    if range.start.isNumeric, endless || (range.duration.isNumeric && range.duration > .zero) { return true }
    try diagnostics.add(
      ValidationDiagnostic(
        .invalidTimeRangeInInstruction,
        "Instruction \(index) is to start at \(range.start.readable) and last \(range.duration.readable).",
        instruction: index, foundTime: range.start,
        cause: "Its range was computed from a time that is not known, or from clips shorter than their transitions.",
        recoverySuggestion: "Give it a finite start and a positive duration."))
    return false
  }

  private static func checkSequence(
    _ range: TimeRange, index: Int, after previous: (index: Int, range: TimeRange), into diagnostics: inout DiagnosticCollector
  ) throws(ValidationStopped) {
    let expected = previous.range.end
    guard range.start != expected else { return }
    let times = "Instruction \(index) starts at \(range.start.readable)"
    if range.start > expected {
      try diagnostics.add(
        ValidationDiagnostic(
          .emptyTimeRange, "\(times), but instruction \(previous.index) ended at \(expected.readable) already.",
          instruction: index, expectedTime: expected, foundTime: range.start,
          cause: "The stretch between two clips or transitions was left out.",
          recoverySuggestion: "Add an instruction for the gap, or let one neighbor reach to the other.",
          timeRange: TimeRange(start: expected, end: range.start),
          fix: DiagnosticFix(
            "End instruction \(previous.index) at \(range.start.readable)", isSafe: false,
            change: .setTimeRange(
              instruction: previous.index, TimeRange(start: previous.range.start, end: range.start)))))
    } else if range.start < previous.range.start {
      try diagnostics.add(
        ValidationDiagnostic(
          .invalidTimeRangeInInstruction,
          "\(times), before instruction \(previous.index), which starts at \(previous.range.start.readable).",
          instruction: index, expectedTime: expected, foundTime: range.start, cause: "They are out of order.",
          recoverySuggestion: "Sort the instructions by start.", timeRange: range,
          fix: DiagnosticFix("Sort the instructions by their starts", isSafe: true, change: .sortInstructions)))
    } else {
      try diagnostics.add(
        ValidationDiagnostic(
          .invalidTimeRangeInInstruction, "\(times) while instruction \(previous.index) ends at \(expected.readable).",
          instruction: index, expectedTime: expected, foundTime: range.start,
          cause: "A clip between two transitions was shortened by one of them only.",
          recoverySuggestion: "End instruction \(previous.index) at \(range.start.readable).",
          timeRange: TimeRange(start: range.start, end: expected),
          fix: range.start > previous.range.start
            ? DiagnosticFix(
              "End instruction \(previous.index) at \(range.start.readable)", isSafe: true,
              change: .setTimeRange(
                instruction: previous.index, TimeRange(start: previous.range.start, end: range.start))) : nil))
    }
  }

  private static func checkEnd(
    of composition: Composition, last: (index: Int, range: TimeRange)?, into diagnostics: inout DiagnosticCollector
  ) throws(ValidationStopped) {
    let duration = composition.duration
    guard let last, duration.isNumeric, last.range.end < duration else { return }
    try diagnostics.add(
      ValidationDiagnostic(
        .emptyTimeRange,
        "The last instruction ends at \(last.range.end.readable), but the composition at \(duration.readable).",
        instruction: last.index, expectedTime: duration, foundTime: last.range.end,
        cause: "Audio or another track is longer than the pictures.",
        recoverySuggestion: "Let the last instruction reach to the end, or shorten the tracks.",
        timeRange: TimeRange(start: last.range.end, end: duration),
        fix: DiagnosticFix(
          "End instruction \(last.index) at \(duration.readable)", isSafe: true,
          change: .setTimeRange(instruction: last.index, TimeRange(start: last.range.start, end: duration)))))
  }
}
