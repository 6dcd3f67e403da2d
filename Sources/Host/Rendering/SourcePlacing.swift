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

  /// The same request with its sources on the canvas and plain layers.
  func placed(_ request: CompositionRequest) throws(CompositorError) -> CompositionRequest {
    var result = request
    for (track, source) in request.sources {
      let layer = request.instruction.layers.first { $0.trackID == track } ?? LayerInstruction(trackID: track)
      result.sources[track]?.frame = try frame(source, layer, request)
      result.sources[track]?.preferredTransform = .identity
    }
    result.instruction.layers = request.instruction.layers.map { LayerInstruction(trackID: $0.trackID) }
    return result
  }

  private func frame(
    _ source: SourceFrame, _ layer: LayerInstruction, _ request: CompositionRequest
  ) throws(CompositorError) -> Frame {
    // An effect's picture, with its alpha.
    if source.frame.size == surface.size, layer == LayerInstruction(trackID: layer.trackID) { return source.frame }
    var single = request
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
