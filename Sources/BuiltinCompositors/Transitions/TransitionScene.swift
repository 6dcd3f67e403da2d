import CompositorAPI

/// The input of a transition at one time: the outgoing and the incoming clip, the layers above and below, and the progress.
///
/// The two clips are the instruction's additional tracks if it names two, else its first two layers. Position, opacity and
/// crop are those of their layers. Layers before the two are above the transition, layers after them below both clips.
struct TransitionScene {
  let from: LayerInstruction
  let to: LayerInstruction
  /// Eased progress, 0 … 1; overshoot is clamped.
  let progress: Double
  /// The surface to compose in: the output's own, or planes that are converted at the end.
  let surface: PlanarSurface
  private let request: CompositionRequest
  private let compositor: LayerCompositor
  private let over: [LayerInstruction]
  private let under: [LayerInstruction]

  /// - Throws: `.invalidComposition` if the instruction doesn't name two tracks.
  init(_ request: CompositionRequest, easing: Easing, compositor: LayerCompositor) throws(CompositorError) {
    let instruction = request.instruction
    let named = instruction.additionalTrackIDs
    let pair = named.count >= 2 ? Array(named.prefix(2)) : Array(instruction.requiredTrackIDs.prefix(2))
    guard pair.count == 2 else {
      throw CompositorError(
        .invalidComposition, "A transition needs two tracks; the instruction names \(pair.count).",
        recoverySuggestion: "Give it a layer for the outgoing clip, then one for the incoming clip.",
        at: ErrorLocation(instruction: request.instructionIndex, time: request.time, compositor: instruction.compositor))
    }
    // Before transforms are evaluated for this frame, after which their change over time can't be seen.
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

  /// The part of the canvas that a layer of the scene hides throughout the transition; `nil` if unknown.
  func coverage(of layer: LayerInstruction) -> Rect? {
    let instruction = request.instruction
    return request.sources[layer.trackID].flatMap {
      layer.coverage(of: $0.frame, canvas: request.context.canvas, over: instruction.progressRange ?? instruction.timeRange)
    }
  }

  /// The outgoing frame, placed, over the layers below.
  func fromPicture() throws(CompositorError) -> Frame { try compose([from] + under) }
  /// The incoming frame, placed, over the layers below.
  func toPicture() throws(CompositorError) -> Frame { try compose([to] + under) }

  /// A changed frame in the area of a layer, and the original one around it; all of the changed one if nothing is below the clips.
  ///
  /// - Parameter original: The frame of the layer over the layers below.
  func limiting(
    _ changed: Frame, to layer: LayerInstruction, of original: Frame
  ) throws(CompositorError) -> Frame {
    guard !under.isEmpty, coverage(of: layer)?.covers(request.context.canvas) != true else { return changed }
    let area = try Matte(
      of: layer, channel: .alpha, isInverted: false, in: request, on: surface.context, compositor: compositor)
    return try area.mixing(original, changed, context: surface.context, compositor: compositor)
  }

  /// The finished frame of layers that replace the two clips.
  func finish(_ layers: [LayerInstruction]) throws(CompositorError) -> Frame {
    var request = request
    request.instruction.layers = over + layers + under
    return try compositor.compose(request)
  }

  /// The finished frame, with the layers above the transition.
  func finish(_ picture: Frame) throws(CompositorError) -> Frame {
    guard !over.isEmpty else { return try surface.finish(picture) }
    var request = request
    let trackID = Instruction.composedTrackID
    request.context.compositionToPixels = .identity
    request.sources[trackID] = SourceFrame(
      trackID: trackID, frame: picture, presentationTime: request.time, duration: .indefinite, requestedTime: request.time)
    // Layers are placed on the canvas; the frame is already in pixels.
    let scale = AffineMatrix.scale(x: request.context.renderScale, y: request.context.renderScale)
    var placed = over
    for index in placed.indices { placed[index].place(scale, at: request.time) }
    request.instruction.layers = placed + [LayerInstruction(trackID: trackID)]
    return try compositor.compose(request)
  }

  private func compose(_ layers: [LayerInstruction]) throws(CompositorError) -> Frame {
    try compositor.draw(layers, of: request, over: request.instruction.backgroundColor, into: surface.context)
  }
}

extension LayerInstruction {
  /// The layer with an explicit sampling quality, if that differs from the quality of static layers.
  fileprivate func sampled(in range: TimeRange, context: RenderContext) -> LayerInstruction {
    var layer = self
    layer.sampling = sampling ?? context.sampling ?? (changesSize(in: range) ? .fast : nil)
    return layer
  }

  /// Applies a matrix on top of the layer's own transform at a given time.
  mutating func place(_ matrix: AffineMatrix, at time: MediaTime) {
    transform = PropertyTimeline(default: transform.value(at: time).concatenating(matrix))
  }

  /// Multiplies the layer's opacity at a given time.
  mutating func fade(_ factor: Double, at time: MediaTime) {
    opacity = PropertyTimeline(default: opacity.value(at: time) * factor)
  }
}
