import CompositorAPI
import ReferenceCompositor

/// Reference frames, made once and compared with every compositor's.
final class ReferenceCheck {
  private var pictures: [MediaTime: ReferencePicture] = [:]

  /// The largest difference from the reference, in code values. `nil` if nothing is checked, and for edits that the reference
  /// does not support: with titles, effects, decorations, or frames that are not composed in the output's format.
  func largestError(of frames: [(request: CompositionRequest, frame: Frame)], in edit: Edit) throws -> Double? {
    guard ReferenceCheck.covers(edit) else { return nil }
    var largest: Double?
    for (request, frame) in frames {
      guard request.context.outputFormat.sample == .unsigned, frame.format == request.context.outputFormat,
        frame.size == request.context.size
      else { return nil }
      let picture =
        if let known = pictures[request.time] { known } else { try ReferenceCompositor.compose(exact(request, in: edit)) }
      pictures[request.time] = picture
      largest = max(largest ?? 0, try FrameComparison(frame, picture).largest)
    }
    return largest
  }

  /// The request with the opacities of the edit, which a transition gets without their ramps.
  private func exact(_ request: CompositionRequest, in edit: Edit) -> CompositionRequest {
    let layers = edit.videoComposition.instructions[request.instructionIndex].layers
    guard layers.map(\.trackID) == request.instruction.layers.map(\.trackID) else { return request }
    var (request, shown) = (request, request.instruction.layers)
    for index in layers.indices { shown[index].opacity = layers[index].opacity }
    request.instruction.layers = shown
    return request
  }

  private static func covers(_ edit: Edit) -> Bool {
    edit.titles.isEmpty && edit.captions.isEmpty
      && edit.videoComposition.instructions.allSatisfy { instruction in
        instruction.compositor == .layer && instruction.effects.isEmpty && instruction.passthroughTrackID == nil
          && instruction.layers.allSatisfy { $0.effects.isEmpty && $0.isPlain }
      }
  }
}
