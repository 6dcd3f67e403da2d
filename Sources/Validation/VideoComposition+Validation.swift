public import CompositorAPI

/// Receives the problems of a video composition and decides whether to continue, like AVFoundation's
/// `AVVideoCompositionValidationHandling`.
///
/// The default of every method is to continue. Methods are called on the calling thread.
public protocol VideoCompositionValidationDelegate {
  /// A value of the video composition or of one of its instructions is out of range or isn't finite.
  ///
  /// - Parameter key: The path of the value, such as `frameDuration` or `instructions[2].layers[0].opacity`.
  /// - Returns: Whether to continue.
  func videoComposition(
    _ videoComposition: VideoComposition, shouldContinueValidatingAfterFindingInvalidValueForKey key: String
  ) -> Bool

  /// No instruction covers a part of the timeline.
  ///
  /// - Returns: Whether to continue.
  func videoComposition(
    _ videoComposition: VideoComposition, shouldContinueValidatingAfterFindingEmptyTimeRange timeRange: TimeRange
  ) -> Bool

  /// An instruction has an invalid or empty time range, or overlaps or precedes an earlier instruction.
  ///
  /// - Returns: Whether to continue.
  func videoComposition(
    _ videoComposition: VideoComposition, shouldContinueValidatingAfterFindingInvalidTimeRangeIn instruction: Instruction
  ) -> Bool

  /// An instruction uses a track that the composition doesn't have, or that isn't a video track.
  ///
  /// - Parameter layerInstruction: The layer that uses it; `nil` if it is passed through, or is one of
  ///   `Instruction.additionalTrackIDs`.
  /// - Returns: Whether to continue.
  func videoComposition(
    _ videoComposition: VideoComposition, shouldContinueValidatingAfterFindingInvalidTrackIDIn instruction: Instruction,
    layerInstruction: LayerInstruction?, composition: Composition
  ) -> Bool
}

extension VideoCompositionValidationDelegate {
  /// Continues.
  public func videoComposition(
    _ videoComposition: VideoComposition, shouldContinueValidatingAfterFindingInvalidValueForKey key: String
  ) -> Bool { true }

  /// Continues.
  public func videoComposition(
    _ videoComposition: VideoComposition, shouldContinueValidatingAfterFindingEmptyTimeRange timeRange: TimeRange
  ) -> Bool { true }

  /// Continues.
  public func videoComposition(
    _ videoComposition: VideoComposition, shouldContinueValidatingAfterFindingInvalidTimeRangeIn instruction: Instruction
  ) -> Bool { true }

  /// Continues.
  public func videoComposition(
    _ videoComposition: VideoComposition, shouldContinueValidatingAfterFindingInvalidTrackIDIn instruction: Instruction,
    layerInstruction: LayerInstruction?, composition: Composition
  ) -> Bool { true }
}

extension VideoComposition {
  /// Whether the instructions are valid, regardless of media. Makes the checks of AVFoundation's validation.
  ///
  /// ``CompositionValidator`` finds the same problems and more, and reports causes. Use this method in code written for
  /// AVFoundation's four callbacks, or to check many edits quickly.
  ///
  /// - Parameters:
  ///   - composition: The composition that the instructions belong to; `nil` to skip the checks of their tracks and of its end.
  ///   - timeRange: Only instructions that overlap this range, and gaps inside it, are checked; by default all are. Values such
  ///     as `frameDuration` are always checked. An invalid or empty range contains no instructions.
  ///   - delegate: Receives all problems, values first, then instructions by index. `nil` stops at the first problem.
  /// - Returns: Whether there are no problems. If there are any, `false` even if the delegate continued.
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
    // In list order, so that a delegate receives all problems of one instruction together.
    for (index, instruction) in instructions.enumerated() {
      while let fault = faults.first, fault.place ?? .max <= index {
        faults.removeFirst()
        isValid = false
        guard goesOn(after: fault, delegate) else { return false }
      }
      guard instruction.timeRange.overlaps(range) else { continue }
      guard goesOn(after: instruction, index, for: composition, delegate, &isValid) else { return false }
    }
    for fault in faults {
      isValid = false
      guard goesOn(after: fault, delegate) else { return false }
    }
    return isValid
  }

  /// Checks the values and the tracks of an instruction; returns whether to go on.
  private func goesOn(
    after instruction: Instruction, _ index: Int, for composition: Composition?,
    _ delegate: (any VideoCompositionValidationDelegate)?, _ isValid: inout Bool
  ) -> Bool {
    for key in instruction.invalidKeys {
      isValid = false
      guard
        delegate?.videoComposition(
          self, shouldContinueValidatingAfterFindingInvalidValueForKey: "instructions[\(index)].\(key)") == true
      else { return false }
    }
    guard let composition else { return true }
    for trackID in instruction.readTrackIDs where composition.track(trackID)?.mediaType != .video {
      isValid = false
      let layer = instruction.layers.first { $0.trackID == trackID }
      guard
        delegate?.videoComposition(
          self, shouldContinueValidatingAfterFindingInvalidTrackIDIn: instruction, layerInstruction: layer,
          composition: composition) == true
      else { return false }
    }
    return true
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

  /// The keys of the video composition itself that have invalid values.
  private var invalidKeys: [String] {
    let isScaled = renderScale.isFinite && renderScale > 0
    let isPlaced = renderSize.isRenderable
    return [
      frameDuration.isNumeric && frameDuration > .zero ? nil : "frameDuration",
      isPlaced ? nil : "renderSize",
      isScaled && (!isPlaced || CanvasChecks.canScale(renderSize, by: renderScale)) ? nil : "renderScale",
    ].compactMap(\.self)
  }
}

extension Instruction {
  /// The keys of the instruction's layers and background that have invalid values.
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
      Checks.wrongDecoration(of: self) == nil ? nil : "decoration",
    ].compactMap(\.self)
  }
}
