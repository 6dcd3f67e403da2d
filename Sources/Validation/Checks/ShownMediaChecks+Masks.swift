import CompositorAPI

/// Checks for the two parts of a mask.
extension ShownMediaChecks {
  /// A matte without media shows nothing of what it masks, and without that there is nothing to mask.
  func checkMask(
    _ instruction: Instruction, index: Int, in range: TimeRange, into diagnostics: inout DiagnosticCollector
  ) throws(ValidationStopped) {
    let matteID = instruction.additionalTrackIDs.first
    let masked = instruction.layers.first { $0.trackID != matteID }?.trackID
    let parts = [
      (masked, "masks", "there is nothing to mask", "The clip"),
      (matteID, "is masked by", "what it masks isn't shown", "The matte's clip"),
    ]
    for (trackID, does, outcome, clip) in parts {
      guard let trackID, let missing = tracks[trackID]?.emptyRanges(in: range).first(where: { $0.duration > frame }) else {
        continue
      }
      let cut = missing.start > range.start ? missing.start : missing.end
      let hasCut = cut > range.start && cut < range.end
      let divide = hasCut ? ", or divide the instruction at \(cut.readable)" : ""
      try diagnostics.add(
        ValidationDiagnostic(
          .trackWithoutMedia, severity: .warning,
          "\(Named.instruction(index).capitalizedName) \(does) \(Named.track(trackID)) from \(range.start.readable) to \(range.end.readable), but that has no "
            + "media from \(missing.start.readable) to \(missing.end.readable): \(outcome) there.",
          instruction: index, track: trackID, expectedTime: range.start, foundTime: missing.start,
          cause: "\(clip) begins later or ends earlier than the instruction.",
          recoverySuggestion:
            "Let \(clip.first?.lowercased() ?? "")\(clip.dropFirst()) last as long as the instruction\(divide).",
          timeRange: missing))
    }
  }
}
