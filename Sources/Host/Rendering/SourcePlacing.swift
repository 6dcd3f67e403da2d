import BuiltinCompositors
import CompositorAPI

/// A request's pictures for compositors that know nothing of layers: each as large as the canvas, as its layer says.
struct SourcePlacing: Sendable {
  private let surface: RenderContext
  private let layers: LayerCompositor

  /// - Parameter surface: Size, format and color of the pictures.
  init(_ surface: RenderContext) throws(CompositorError) {
    self.surface = surface
    layers = try LayerCompositor(parameters: [:], context: surface)
  }

  /// A source on the canvas, as its layer is at a time.
  func placed(
    _ source: SourceFrame, at time: MediaTime, of request: CompositionRequest
  ) throws(CompositorError) -> SourceFrame {
    var result = source
    let layer =
      request.instruction.layers.first { $0.trackID == source.trackID } ?? LayerInstruction(trackID: source.trackID)
    result.frame = try frame(source, layer, request, at: time)
    result.preferredTransform = .identity
    return result
  }

  /// The instruction as it is for sources that are placed: with plain layers.
  func plain(_ instruction: Instruction) -> Instruction {
    var result = instruction
    result.layers = instruction.layers.map { LayerInstruction(trackID: $0.trackID) }
    return result
  }

  private func frame(
    _ source: SourceFrame, _ layer: LayerInstruction, _ request: CompositionRequest, at time: MediaTime
  ) throws(CompositorError) -> Frame {
    // An effect's picture, with its alpha.
    if source.frame.size == surface.size, layer == LayerInstruction(trackID: layer.trackID) { return source.frame }
    var single = request
    single.time = time
    single.askedSources = []
    single.instruction.compositor = .layer
    single.instruction.parameters = [:]
    single.instruction.additionalTrackIDs = []
    single.instruction.layers = [layer]
    single.sources = [layer.trackID: source]
    single.context = surface
    single.context.observer = nil
    return try layers.compose(single)
  }
}
