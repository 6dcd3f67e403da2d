public import CompositorAPI

/// Told of each thing that is wrong with a video composition, and asked whether to go on: `AVVideoCompositionValidationHandling` of the
/// editing model.
///
/// Every method has a default that goes on. Callbacks come on the calling thread.
public protocol VideoCompositionValidationDelegate {
  /// A value of the video composition or of one of its instructions is outside of its range, or not a number.
  ///
  /// - Parameter key: The path of the value, such as `frameDuration` or `instructions[2].layers[0].opacity`.
  /// - Returns: Whether to go on.
  func videoComposition(
    _ videoComposition: VideoComposition, shouldContinueValidatingAfterFindingInvalidValueForKey key: String
  ) -> Bool

  /// No instruction covers a part of the timeline.
  ///
  /// - Returns: Whether to go on.
  func videoComposition(
    _ videoComposition: VideoComposition, shouldContinueValidatingAfterFindingEmptyTimeRange timeRange: TimeRange
  ) -> Bool

  /// An instruction has a time range that is not valid or is empty, overlaps that of an instruction before it, or starts before it.
  ///
  /// - Returns: Whether to go on.
  func videoComposition(
    _ videoComposition: VideoComposition, shouldContinueValidatingAfterFindingInvalidTimeRangeIn instruction: Instruction
  ) -> Bool

  /// An instruction names a track that the composition does not have, or that is not a video track.
  ///
  /// - Parameter layerInstruction: The layer that names it; `nil` if it is passed through, or is one of
  ///   ``Instruction/additionalTrackIDs``.
  /// - Returns: Whether to go on.
  func videoComposition(
    _ videoComposition: VideoComposition, shouldContinueValidatingAfterFindingInvalidTrackIDIn instruction: Instruction,
    layerInstruction: LayerInstruction?, composition: Composition
  ) -> Bool
}

extension VideoCompositionValidationDelegate {
  /// Goes on.
  public func videoComposition(
    _ videoComposition: VideoComposition, shouldContinueValidatingAfterFindingInvalidValueForKey key: String
  ) -> Bool { true }

  /// Goes on.
  public func videoComposition(
    _ videoComposition: VideoComposition, shouldContinueValidatingAfterFindingEmptyTimeRange timeRange: TimeRange
  ) -> Bool { true }

  /// Goes on.
  public func videoComposition(
    _ videoComposition: VideoComposition, shouldContinueValidatingAfterFindingInvalidTimeRangeIn instruction: Instruction
  ) -> Bool { true }

  /// Goes on.
  public func videoComposition(
    _ videoComposition: VideoComposition, shouldContinueValidatingAfterFindingInvalidTrackIDIn instruction: Instruction,
    layerInstruction: LayerInstruction?, composition: Composition
  ) -> Bool { true }
}

extension VideoComposition {
  /// Whether the instructions are valid, without a look at media: the editing model's own validation.
  ///
  /// ``CompositionValidator`` finds the same and more, and says causes. This one is for code that is written for the model's four callbacks,
  /// and for programs that check many edits.
  ///
  /// - Parameters:
  ///   - composition: What the instructions are for; `nil` leaves out that they name tracks of it and reach its end.
  ///   - timeRange: Only instructions that overlap this are looked at, and only gaps inside it count. By default all are. Values such as
  ///     `frameDuration` are always looked at. A range that is not valid, or empty, holds no instruction.
  ///   - delegate: Told of everything that is wrong, values first, then instructions in the order of their index. `nil` stops at the first.
  /// - Returns: Whether nothing is wrong. `false` if something is, also if the delegate went on.
  /// - Complexity: O(n log n) in instructions.
  public func isValid(
    for composition: Composition?, timeRange: TimeRange = .all, delegate: (any VideoCompositionValidationDelegate)? = nil
  ) -> Bool {
    for key in invalidKeys {
      guard let delegate else { return false }
      guard delegate.videoComposition(self, shouldContinueValidatingAfterFindingInvalidValueForKey: key) else { return false }
    }
    var isValid = invalidKeys.isEmpty
    let range = timeRange.isValid ? timeRange : .zero
    let times = InstructionFaults(instructions, until: composition?.duration, within: range)
    if instructions.isEmpty, let end = composition?.duration, end.isNumeric {
      let gap = range.intersection(TimeRange(start: .zero, end: end))
      guard gap.isEmpty || goesOn(after: .gap(gap, after: nil, before: nil), delegate) else { return false }
      isValid = isValid && gap.isEmpty
    }
    var faults = times.faults[...]
    // In the order of the list, so that a delegate hears everything of one instruction together.
    for (index, instruction) in instructions.enumerated() {
      while let fault = faults.first, fault.place ?? .max <= index {
        faults.removeFirst()
        isValid = false
        guard goesOn(after: fault, delegate) else { return false }
      }
      guard instruction.timeRange.overlaps(range) else { continue }
      for key in instruction.invalidKeys {
        isValid = false
        guard
          delegate?.videoComposition(
            self, shouldContinueValidatingAfterFindingInvalidValueForKey: "instructions[\(index)].\(key)") == true
        else { return false }
      }
      guard let composition else { continue }
      for trackID in instruction.requiredTrackIDs where composition.track(trackID)?.mediaType != .video {
        isValid = false
        let layer = instruction.passthroughTrackID == nil ? instruction.layers.first { $0.trackID == trackID } : nil
        guard
          delegate?.videoComposition(
            self, shouldContinueValidatingAfterFindingInvalidTrackIDIn: instruction, layerInstruction: layer,
            composition: composition) == true
        else { return false }
      }
    }
    for fault in faults {
      isValid = false
      guard goesOn(after: fault, delegate) else { return false }
    }
    return isValid
  }

  private func goesOn(
    after fault: InstructionFaults.Fault, _ delegate: (any VideoCompositionValidationDelegate)?
  ) -> Bool {
    switch fault {
    case .gap(let gap, _, _):
      delegate?.videoComposition(self, shouldContinueValidatingAfterFindingEmptyTimeRange: gap) ?? false
    case .unusable(let index, _), .outOfOrder(let index, _), .overlap(_, _, let index):
      delegate?.videoComposition(self, shouldContinueValidatingAfterFindingInvalidTimeRangeIn: instructions[index]) ?? false
    }
  }

  /// Keys of the video composition itself whose values cannot be used.
  private var invalidKeys: [String] {
    let sides = [renderSize.width, renderSize.height]
    let isScaled = renderScale.isFinite && renderScale > 0
    let isPlaced = sides.allSatisfy { (1...CanvasChecks.maximumSide).contains($0) }
    return [
      frameDuration.isNumeric && frameDuration > .zero ? nil : "frameDuration",
      isPlaced ? nil : "renderSize",
      isScaled && (!isPlaced || CanvasChecks.canScale(renderSize, by: renderScale)) ? nil : "renderScale",
    ].compactMap(\.self)
  }
}

extension Instruction {
  /// Keys of its layers and its background whose values cannot be used.
  fileprivate var invalidKeys: [String] {
    let colors = backgroundColor.map(InstructionContentChecks.isUsable) == false ? ["backgroundColor"] : []
    return colors + layers.enumerated().flatMap { index, layer in layer.invalidKeys.map { "layers[\(index)].\($0)" } }
  }
}

extension LayerInstruction {
  fileprivate var invalidKeys: [String] {
    typealias Checks = InstructionContentChecks
    return [
      Checks.wrongOpacity(of: self) == nil ? nil : "opacity",
      Checks.wrongTransform(of: self) == nil ? nil : "transform",
      Checks.wrongCrop(of: self) == nil ? nil : "crop",
      decoration?.fault == nil ? nil : "decoration",
    ].compactMap(\.self)
  }
}
