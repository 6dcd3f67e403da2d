import Compositor

/// Mixes two clips by the opacity of the first one's layer.
struct PlainDissolve: VideoCompositor {
  static let descriptor = CompositorDescriptor(
    id: "org.example.plain-dissolve", name: "Plain dissolve", summary: "Mixes two clips by the opacity of the first."
  ) {
    $0.outputFormats = [.yuv420p, .yuv422p, .yuv444p]
  }

  init(parameters: ParameterValues, context: RenderContext) throws {}

  func compose(_ request: CompositionRequest) throws -> Frame {
    // Frames arrive in the output's format and color, in the order of the instruction's layers.
    let frames = request.instruction.requiredTrackIDs.compactMap(request.frame)
    guard frames.count == 2, frames.allSatisfy({ $0.size == request.context.size }) else {
      throw CompositorError(.compositorFailed, "Two clips of the canvas's size are needed.")
    }
    let weight = Int((request.instruction.layers[0].opacity.value(at: request.time) * 256).rounded())
    print(request.time, weight)
    return frames[0]
  }
}
