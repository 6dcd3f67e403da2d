public import Foundation

/// Receives the faults of a video composition. Each method returns whether to continue the check; by default it continues.
public protocol AVVideoCompositionValidationHandling: NSObjectProtocol {
  /// A property has a value that cannot be rendered.
  func videoComposition(
    _ videoComposition: AVVideoComposition, shouldContinueValidatingAfterFindingInvalidValueForKey key: String
  ) -> Bool
  /// No instruction covers a range.
  func videoComposition(
    _ videoComposition: AVVideoComposition, shouldContinueValidatingAfterFindingEmptyTimeRange timeRange: CMTimeRange
  ) -> Bool
  /// The range of an instruction is invalid, overlaps that of the one before, or begins before it.
  func videoComposition(
    _ videoComposition: AVVideoComposition,
    shouldContinueValidatingAfterFindingInvalidTimeRangeIn videoCompositionInstruction:
      any AVVideoCompositionInstructionProtocol
  ) -> Bool
  /// A layer shows a track that the asset does not have, or that is no video track.
  func videoComposition(
    _ videoComposition: AVVideoComposition,
    shouldContinueValidatingAfterFindingInvalidTrackIDIn videoCompositionInstruction:
      any AVVideoCompositionInstructionProtocol, layerInstruction: AVVideoCompositionLayerInstruction, asset: AVAsset
  ) -> Bool
}

extension AVVideoCompositionValidationHandling {
  /// True.
  public func videoComposition(
    _ videoComposition: AVVideoComposition, shouldContinueValidatingAfterFindingInvalidValueForKey key: String
  ) -> Bool { true }
  /// True.
  public func videoComposition(
    _ videoComposition: AVVideoComposition, shouldContinueValidatingAfterFindingEmptyTimeRange timeRange: CMTimeRange
  ) -> Bool { true }
  /// True.
  public func videoComposition(
    _ videoComposition: AVVideoComposition,
    shouldContinueValidatingAfterFindingInvalidTimeRangeIn videoCompositionInstruction:
      any AVVideoCompositionInstructionProtocol
  ) -> Bool { true }
  /// True.
  public func videoComposition(
    _ videoComposition: AVVideoComposition,
    shouldContinueValidatingAfterFindingInvalidTrackIDIn videoCompositionInstruction:
      any AVVideoCompositionInstructionProtocol, layerInstruction: AVVideoCompositionLayerInstruction, asset: AVAsset
  ) -> Bool { true }
}

extension AVVideoComposition {
  /// Whether the video composition can be rendered.
  ///
  /// - Parameters:
  ///   - asset: The asset whose tracks are shown; `nil` to leave tracks, and the end of the asset, unchecked.
  ///   - timeRange: The range in which instructions are checked; `(.zero, .positiveInfinity)` for all of the asset.
  ///   - validationDelegate: Receives each fault. `nil` ends the check with the first one. It must not change the video composition.
  public func isValid(
    for asset: AVAsset?, timeRange: CMTimeRange, validationDelegate: (any AVVideoCompositionValidationHandling)?
  ) -> Bool {
    var check = VideoCompositionCheck(
      videoComposition: self, asset: asset, delegate: validationDelegate, range: timeRange)
    return check.run()
  }

  /// Whether the video composition can be rendered; see the other method of this name.
  ///
  /// - Throws: `AVError`: why the asset cannot be read.
  public func isValid(
    for asset: AVAsset?, timeRange: CMTimeRange, validationDelegate: (any AVVideoCompositionValidationHandling)?
  ) async throws -> Bool {
    _ = try asset?.readTracks()
    var check = VideoCompositionCheck(
      videoComposition: self, asset: asset, delegate: validationDelegate, range: timeRange)
    return check.run()
  }
}

/// One check of a video composition, which ends early if the delegate wants it.
///
/// Not the compositor's own `isValid`: that one names the cause of a fault (instructions in the wrong order are no gap), and knows nothing
/// of an asset's range without its tracks. A delegate written for AVFoundation expects gaps and instructions in the order of the list.
private struct VideoCompositionCheck {
  let videoComposition: AVVideoComposition
  let asset: AVAsset?
  let delegate: (any AVVideoCompositionValidationHandling)?
  let range: CMTimeRange
  private var isValid = true

  init(
    videoComposition: AVVideoComposition, asset: AVAsset?, delegate: (any AVVideoCompositionValidationHandling)?,
    range: CMTimeRange
  ) {
    (self.videoComposition, self.asset, self.delegate, self.range) = (videoComposition, asset, delegate, range)
  }

  /// Checks everything until the delegate has enough.
  mutating func run() -> Bool {
    _ = checkValues() && checkInstructions()
    return isValid
  }

  /// Notes a fault.
  ///
  /// - Returns: Whether the check goes on.
  private mutating func found(_ ask: (any AVVideoCompositionValidationHandling) -> Bool) -> Bool {
    isValid = false
    return delegate.map(ask) ?? false
  }

  private mutating func checkValues() -> Bool {
    let size = videoComposition.renderSize
    let faults = [
      ("frameDuration", !videoComposition.frameDuration.isNumeric || videoComposition.frameDuration <= .zero),
      ("renderSize", !(size.width > 0 && size.height > 0)), ("renderScale", !(videoComposition.renderScale > 0)),
    ]
    for (key, isWrong) in faults where isWrong {
      guard
        found({ [videoComposition] in
          $0.videoComposition(videoComposition, shouldContinueValidatingAfterFindingInvalidValueForKey: key)
        })
      else { return false }
    }
    return true
  }

  /// Checks instructions that have a part in the range, in their order.
  private mutating func checkInstructions() -> Bool {
    let last = asset.map { min($0.duration, range.end) } ?? range.end
    var end = range.start
    for instruction in videoComposition.instructions {
      let own = instruction.timeRange
      guard own.isValid, own.start.isNumeric, own.duration > .zero else {
        guard isAccepted(instruction) else { return false }
        continue
      }
      if own.end <= range.start || own.start >= last { continue }
      if own.start > end, !checkGap(from: end, to: own.start) { return false }
      if own.start < end, end > range.start, !isAccepted(instruction) { return false }
      guard checkTracks(of: instruction) else { return false }
      end = max(end, own.end)
    }
    // Without an end, nothing can be missing after the last instruction.
    return !last.isNumeric || end >= last || checkGap(from: end, to: last)
  }

  private mutating func isAccepted(_ instruction: any AVVideoCompositionInstructionProtocol) -> Bool {
    found { [videoComposition] in
      $0.videoComposition(videoComposition, shouldContinueValidatingAfterFindingInvalidTimeRangeIn: instruction)
    }
  }

  private mutating func checkGap(from start: CMTime, to end: CMTime) -> Bool {
    found { [videoComposition] in
      $0.videoComposition(
        videoComposition, shouldContinueValidatingAfterFindingEmptyTimeRange: CMTimeRange(start: start, end: end))
    }
  }

  private mutating func checkTracks(of instruction: any AVVideoCompositionInstructionProtocol) -> Bool {
    guard let asset, let layers = (instruction as? AVVideoCompositionInstruction)?.layerInstructions else { return true }
    let known = Set(asset.tracks.filter { $0.mediaType == .video }.map(\.trackID))
    for layer in layers where !known.contains(layer.trackID) {
      guard
        found({ [videoComposition] in
          $0.videoComposition(
            videoComposition, shouldContinueValidatingAfterFindingInvalidTrackIDIn: instruction, layerInstruction: layer,
            asset: asset)
        })
      else { return false }
    }
    return true
  }
}
