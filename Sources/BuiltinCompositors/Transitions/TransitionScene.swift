import CompositorAPI

/// What a transition is asked for at one time: which picture gives way to which, what lies over and under both, and how far it
/// has come.
///
/// The two are the instruction's additional tracks, where it names two, else its first two layers. Their places, opacities and
/// crops are those of the layers; layers before the two lie over the transition, layers after them under both pictures.
struct TransitionScene {
  let from: LayerInstruction
  let to: LayerInstruction
  /// 0 … 1, eased. An easing that overshoots stays at the end that it passes.
  let progress: Double
  /// The surface the pictures are made in: the output's, or planes that are converted at the end.
  let surface: PlanarSurface
  private let request: CompositionRequest
  private let compositor: LayerCompositor
  private let over: [LayerInstruction]
  private let under: [LayerInstruction]

  /// - Throws: `.invalidComposition` where the instruction does not name two tracks.
  init(_ request: CompositionRequest, easing: Easing, compositor: LayerCompositor) throws(CompositorError) {
    let instruction = request.instruction
    let named = instruction.additionalTrackIDs
    let pair = named.count >= 2 ? Array(named.prefix(2)) : Array(instruction.requiredTrackIDs.prefix(2))
    guard pair.count == 2 else {
      throw CompositorError(
        .invalidComposition, "A transition needs two tracks; the instruction names \(pair.count).",
        recoverySuggestion: "Give it a layer for the old picture, then one for the new picture.",
        at: ErrorLocation(instruction: request.instructionIndex, time: request.time, compositor: instruction.compositor))
    }
    // Before transforms are fixed for this frame, and it can no longer be seen that they change.
    let layers = instruction.layers.map { $0.sampled(in: instruction.timeRange, context: request.context) }
    from = layers.first { $0.trackID == pair[0] } ?? LayerInstruction(trackID: pair[0])
    to = layers.first { $0.trackID == pair[1] } ?? LayerInstruction(trackID: pair[1])
    let first = layers.firstIndex { pair.contains($0.trackID) } ?? layers.endIndex
    over = Array(layers[..<first])
    under = layers[first...].filter { !pair.contains($0.trackID) }
    progress = min(max(easing.value(at: request.progress), 0), 1)
    surface = PlanarSurface(request.context)
    self.request = request
    self.compositor = compositor
  }

  /// The part of the canvas that a layer of the scene hides all through the transition; `nil` if that cannot be said.
  func coverage(of layer: LayerInstruction) -> Rect? {
    let instruction = request.instruction
    return request.sources[layer.trackID].flatMap {
      layer.coverage(of: $0.frame, canvas: request.context.canvas, over: instruction.progressRange ?? instruction.timeRange)
    }
  }

  /// The old picture, placed, over what lies under it.
  func fromPicture() throws(CompositorError) -> Frame { try compose([from] + under) }
  /// The new picture, placed, over what lies under it.
  func toPicture() throws(CompositorError) -> Frame { try compose([to] + under) }

  /// The finished frame of layers that stand in for the two pictures.
  func finish(_ layers: [LayerInstruction]) throws(CompositorError) -> Frame {
    var request = request
    request.instruction.layers = over + layers + under
    return try compositor.compose(request)
  }

  /// The finished frame, with what lies over the transition.
  func finish(_ picture: Frame) throws(CompositorError) -> Frame {
    guard !over.isEmpty else { return try surface.finish(picture) }
    var request = request
    let trackID = Instruction.composedTrackID
    request.instruction.layers = over + [LayerInstruction(trackID: trackID)]
    request.context.compositionToPixels = .identity
    request.sources[trackID] = SourceFrame(
      trackID: trackID, frame: picture, presentationTime: request.time, duration: .indefinite, requestedTime: request.time)
    // Layers are placed on the canvas, the picture is in pixels already.
    let scale = AffineMatrix.scale(x: request.context.renderScale, y: request.context.renderScale)
    for index in over.indices { request.instruction.layers[index].place(scale, at: request.time) }
    return try compositor.compose(request)
  }

  private func compose(_ layers: [LayerInstruction]) throws(CompositorError) -> Frame {
    var request = request
    request.instruction.layers = layers
    request.context = surface.context
    request.context.observer = nil
    return try compositor.compose(request)
  }
}

extension LayerInstruction {
  /// The layer with the quality it is sampled with, if that is not the one of layers that hold still.
  fileprivate func sampled(in range: TimeRange, context: RenderContext) -> LayerInstruction {
    var layer = self
    layer.sampling = sampling ?? context.sampling ?? (changesSize(in: range) ? .fast : nil)
    return layer
  }

  /// Moves the layer by a matrix on top of its own placement at a time.
  mutating func place(_ matrix: AffineMatrix, at time: MediaTime) {
    transform = PropertyTimeline(default: transform.value(at: time).concatenating(matrix))
  }

  /// Multiplies the layer's opacity at a time.
  mutating func fade(_ factor: Double, at time: MediaTime) {
    opacity = PropertyTimeline(default: opacity.value(at: time) * factor)
  }
}
