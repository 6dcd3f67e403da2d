import CompositorAPI

/// Layers that an instruction names in vain. In instructions that were derived from clips, one that is covered for a while is usual.
extension VisibilityChecks {
  /// Checks each written instruction for layers that are hidden all of its time, although others show their tracks.
  ///
  /// - Parameter told: Tracks that were reported.
  func checkLayers(except told: Set<TrackID>, into diagnostics: inout DiagnosticCollector) throws(ValidationStopped) {
    for (index, instruction) in edit.videoComposition.instructions.enumerated() where instruction.timeRange.isUsable {
      guard instruction.compositor == .layer else { continue }
      let cover = covering.index(in: instruction)
      for (place, layer) in instruction.layers.enumerated() where !told.contains(layer.trackID) {
        let above = cover.flatMap { place > $0 ? instruction.layers[$0].trackID : nil }
        // A layer that is there twice is reported elsewhere.
        guard !instruction.layers[..<place].contains(layer),
          let reason = hiddenReason(of: layer, under: above, instruction: index)
        else { continue }
        try diagnostics.add(
          above == layer.trackID
            ? repeated(place, instruction: index) : diagnostic(of: layer, reason, instruction: index))
      }
    }
  }

  private func hiddenReason(of layer: LayerInstruction, under above: TrackID?, instruction index: Int) -> Reason? {
    let instruction = edit.videoComposition.instructions[index]
    let range = instruction.timeRange.intersection(TimeRange(start: .zero, end: edit.composition.duration))
    let uses = instruction.layers.count { $0.trackID == layer.trackID }
    guard range.duration > .zero, !instruction.additionalTrackIDs.contains(layer.trackID),
      !instruction.maskTrackIDs.contains(layer.trackID)
    else { return nil }
    let played = clips(ofTrack: layer.trackID, in: range)
    guard let first = played.first else { return nil }
    let reasons = played.map { reason(layer, $0.segment, in: $0.part) }
    if uses <= 1, let own = reasons[0], reasons.allSatisfy({ $0 != nil }) {
      // A layer that moves or fades in the instruction before or after waits for it, and is not hidden by mistake.
      return own == .outside || isOnItsWay(layer.trackID, at: index) ? nil : own
    }
    guard first.part.duration > .zero, let above, !isOnItsWay(layer.trackID, at: index) else { return nil }
    return .covered(by: above)
  }

  /// Whether a neighboring instruction changes the same track, or a layer above it, over time.
  private func isOnItsWay(_ track: TrackID, at index: Int) -> Bool {
    let instructions = edit.videoComposition.instructions
    return [index - 1, index + 1].contains { neighbor in
      guard instructions.indices.contains(neighbor) else { return false }
      let range = instructions[neighbor].timeRange
      guard let place = instructions[neighbor].layers.firstIndex(where: { $0.trackID == track }) else { return false }
      return instructions[neighbor].layers[...place].contains { $0.changesPlacement(in: range) }
    }
  }

  /// A layer under another one of its track, such as a blurred copy that is in front by mistake.
  private func repeated(_ place: Int, instruction index: Int) -> ValidationDiagnostic {
    let instruction = edit.videoComposition.instructions[index]
    let (range, track) = (instruction.timeRange, instruction.layers[place].trackID)
    return ValidationDiagnostic(
      .layerNotSeen, severity: .warning,
      "A layer of \(Named.track(track)) is not seen in \(Named.instruction(index, range)): another layer of the same "
        + "track lies opaque above it.",
      instruction: index, track: track, foundTime: range.start,
      cause: "The layers of an instruction are in the order from front to back.",
      recoverySuggestion: "Put it before the layer that covers it, or remove it from the instruction.",
      path: "videoComposition.instructions[\(index)].layers[\(place)]", timeRange: range)
  }

  private func diagnostic(of layer: LayerInstruction, _ reason: Reason, instruction index: Int) -> ValidationDiagnostic {
    let range = edit.videoComposition.instructions[index].timeRange
    var isCovered = false
    if case .covered = reason { isCovered = true }
    let fix = isCovered ? bringingToFront(layer, instruction: index) : nil
    return ValidationDiagnostic(
      .layerNotSeen, severity: .warning,
      "\(Named.track(layer.trackID, .video).capitalizedName) is not seen in \(Named.instruction(index, range)): \(reason.text).",
      instruction: index, track: layer.trackID, foundTime: range.start,
      cause: isCovered ? "The layers of an instruction are in the order from front to back." : reason.cause,
      recoverySuggestion: fix == nil
        ? reason.recoverySuggestion
        : "Put it before the layer that covers it, or remove it from the instruction.",
      timeRange: range, fix: fix)
  }

  /// Brings a covered layer to the front; `nil` if it would then hide the others: which of them is meant cannot be known.
  private func bringingToFront(_ layer: LayerInstruction, instruction index: Int) -> DiagnosticFix? {
    let range = edit.videoComposition.instructions[index].timeRange
    guard !covering.hidesEverything(layer, during: range) else { return nil }
    return DiagnosticFix(
      "Bring \(Named.track(layer.trackID)) to the front in \(Named.instruction(index))", isSafe: false,
      change: .bringToFront(instruction: index, layer.trackID))
  }
}
