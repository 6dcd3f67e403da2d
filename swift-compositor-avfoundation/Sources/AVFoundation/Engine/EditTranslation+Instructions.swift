internal import Compositor
internal import Foundation

/// Instructions as the compositor takes them.
extension EditTranslation {
  /// A video composition until the end of the asset.
  ///
  /// - Parameter compositor: The program's compositor, which then makes all frames.
  /// - Throws: What the video composition says that cannot be rendered.
  func translated(
    _ videoComposition: AVVideoComposition, by compositor: CustomCompositor?, of composition: Composition
  ) throws(AVError) -> VideoComposition {
    let size = videoComposition.renderSize
    guard size.pixels.width >= 1, size.pixels.height >= 1, videoComposition.frameDuration > .zero,
      videoComposition.renderScale == 1
    else {
      throw AVError(
        .invalidVideoComposition,
        "A render size of \(size.width) × \(size.height), a frame duration of \(videoComposition.frameDuration.seconds) s and a "
          + "scale of \(videoComposition.renderScale) cannot be rendered.",
        suggestion: "Set renderSize and frameDuration above 0, and leave renderScale at 1.")
    }
    var video = VideoComposition(frameDuration: videoComposition.frameDuration.media, renderSize: size.pixels)
    if videoComposition.sourceTrackIDForFrameTiming != kCMPersistentTrackID_Invalid {
      video.sourceTrackIDForFrameTiming = videoComposition.sourceTrackIDForFrameTiming
    }
    video.colorPrimaries = try ColorNames.value(
      of: videoComposition.colorPrimaries, in: ColorNames.primaries, property: "colorPrimaries")
    video.transferFunction = try ColorNames.value(
      of: videoComposition.colorTransferFunction, in: ColorNames.transferFunctions, property: "colorTransferFunction")
    video.matrix = try ColorNames.value(
      of: videoComposition.colorYCbCrMatrix, in: ColorNames.matrices, property: "colorYCbCrMatrix")
    for (index, instruction) in videoComposition.instructions.enumerated() {
      let range = instruction.timeRange.media
      guard range.isValid, range.start < composition.duration else { continue }
      let cut = TimeRange(start: range.start, end: min(range.end, composition.duration))
      video.instructions.append(
        compositor == nil
          ? try layered(instruction, cut) : composed(instruction, cut, index: index, of: composition))
    }
    return video
  }

  /// An instruction for the compositor of layers.
  private func layered(
    _ instruction: any AVVideoCompositionInstructionProtocol, _ range: TimeRange
  ) throws(AVError) -> Instruction {
    guard let own = instruction as? AVVideoCompositionInstruction else {
      throw AVError(
        .invalidVideoComposition, "An instruction of \(type(of: instruction)) needs a compositor of its own.",
        suggestion: "Set customVideoCompositorClass, or use AVVideoCompositionInstruction.")
    }
    var result = Instruction(timeRange: range, layers: own.layerInstructions.map(\.layer))
    // Frames are opaque, so the color's alpha does not count.
    result.backgroundColor = own.backgroundColor?.copy(alpha: 1)?.color
    result.enablePostProcessing = own.enablePostProcessing
    return result
  }

  /// An instruction for the program's compositor, which finds its object again by its tag.
  private func composed(
    _ instruction: any AVVideoCompositionInstructionProtocol, _ range: TimeRange, index: Int, of composition: Composition
  ) -> Instruction {
    var result = Instruction(timeRange: range)
    if instruction.passthroughTrackID != kCMPersistentTrackID_Invalid {
      result = Instruction(timeRange: range, passthroughTrackID: instruction.passthroughTrackID)
    } else {
      result.compositor = CustomCompositor.id
      let named = instruction.requiredSourceTrackIDs?.compactMap { ($0 as? NSNumber)?.int32Value }
      result.additionalTrackIDs = named ?? composition.tracks(.video).filter(\.isEnabled).map(\.trackID)
    }
    result.containsTweeningOverride = instruction.containsTweening
    result.enablePostProcessing = instruction.enablePostProcessing
    result.backgroundColor = (instruction as? AVVideoCompositionInstruction)?.backgroundColor?.copy(alpha: 1)?.color
    result.tag = "\(index)"
    return result
  }
}
