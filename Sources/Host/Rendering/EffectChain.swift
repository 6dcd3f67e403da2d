import BuiltinCompositors
import CompositorPlugins
import CompositorAPI
import CompositorConversion
import CompositorValidation

/// Applies sequences of effects, each of which is called as a compositor of one source: to a layer's frame before it is placed,
/// or to the composed frame.
struct EffectChain: Sendable {
  let stage: CompositorStage
  /// The context of the composed frame.
  let output: RenderContext
  let tracks: TrackSources
  let recent: RecentFrames
  private let stills = StillEffects()
  private let masking: EffectMasking

  /// - Throws: Errors of making the compositor that places masks.
  init(
    stage: CompositorStage, output: RenderContext, tracks: TrackSources, recent: RecentFrames
  ) throws(CompositorError) {
    (self.stage, self.output, self.tracks, self.recent) = (stage, output, tracks, recent)
    masking = try EffectMasking(stage: stage, tracks: tracks, output: output)
  }

  /// Applies layer effects to the sources of a request. Does nothing if no layer has effects.
  func applyLayerEffects(to request: CompositionRequest) async throws(CompositorError) -> CompositionRequest {
    var (result, layers) = (request, request.instruction.layers)
    for (index, layer) in request.instruction.layers.enumerated() where !layer.effects.isEmpty {
      guard var source = try await picture(ofLayer: index, after: layer.effects.count, of: request) else { continue }
      let trackID = request.instruction.trackID(ofChangedLayer: index)
      source.trackID = trackID
      result.sources[trackID] = source
      layers[index].trackID = trackID
      layers[index].effects = []
    }
    result.instruction.layers = layers
    // Compositors see no masks, unless these are shown as well.
    let masks = request.instruction.maskTrackIDs
    if !masks.isEmpty {
      let shown = request.instruction.requiredTrackIDs
      for trackID in masks where !shown.contains(trackID) { result.sources[trackID] = nil }
    }
    return result
  }

  /// The sources of a request's tracks at other times, with layer effects applied.
  ///
  /// - Parameter request: The request before layer effects are applied.
  func others(of request: CompositionRequest) -> OtherTimes {
    { trackID, time throws(CompositorError) in
      let layers = request.instruction.layers
      let changed = layers.indices.first {
        !layers[$0].effects.isEmpty && request.instruction.trackID(ofChangedLayer: $0) == trackID
      }
      guard let changed else { return try await tracks.source(of: trackID, at: time, seenFrom: request) }
      var found = try await picture(ofLayer: changed, after: layers[changed].effects.count, at: time, seenFrom: request)
      found?.source.trackID = trackID
      return found
    }
  }

  /// A layer's frame after its first `count` effects, at a time other than the request's.
  private func picture(
    ofLayer index: Int, after count: Int, at time: MediaTime, seenFrom request: CompositionRequest
  ) async throws(CompositorError) -> TimedSource? {
    let trackID = request.instruction.layers[index].trackID
    guard let bare = try await tracks.source(of: trackID, at: time, seenFrom: request) else { return nil }
    var sources = [trackID: bare.source]
    for case let mask? in request.instruction.layers[index].effects.prefix(count).map(\.mask) where mask.trackID != trackID {
      sources[mask.trackID] = try await tracks.source(of: mask.trackID, at: bare.time, seenFrom: request)?.source
    }
    let other = request.moved(to: bare.time, showing: sources)
    return try await picture(ofLayer: index, after: count, of: other).map { TimedSource(source: $0, time: bare.time) }
  }

  /// A layer's frame after its first `count` effects; `nil` if its track shows nothing.
  private func picture(
    ofLayer index: Int, after count: Int, of request: CompositionRequest
  ) async throws(CompositorError) -> SourceFrame? {
    let layer = request.instruction.layers[index]
    guard var source = request.sources[layer.trackID] else { return nil }
    guard count > 0 else { return source }
    let bare = source
    let effects = layer.effects.prefix(count)
    if let stills = request.stills(bare, effects), tracks.plan.isStatic(effects, instruction: request.instructionIndex) {
      let key = StillEffects.Key(
        instruction: request.instructionIndex, layer: index, effectCount: count, view: request.view)
      source.frame = try await self.stills.frame(key, of: stills) { () throws(CompositorError) in
        try await changed(bare, layer: index, after: count, of: request)
      }
      // The result is cached, so like the still, it has the same memory for every frame.
      source.isStill = true
      return source
    }
    source.frame = try await remembering(request, layer: index, count) { () throws(CompositorError) in
      try await changed(bare, layer: index, after: count, of: request)
    }
    return source
  }

  /// Applies effect `count - 1`, counted from 0, to a layer's frame after the effects before it.
  private func changed(
    _ source: SourceFrame, layer index: Int, after count: Int, of request: CompositionRequest
  ) async throws(CompositorError) -> Frame {
    let layer = request.instruction.layers[index]
    guard let before = try await picture(ofLayer: index, after: count - 1, of: request) else { return source.frame }
    do throws(CompositorError) {
      let shown = try visibleRegion(of: before, layer: index, after: count, of: request)
      return try await apply(layer.effects[count - 1], to: before, showing: shown, of: request) {
        _, time throws(CompositorError) in
        try await picture(ofLayer: index, after: count - 1, at: time, seenFrom: request)
      }
    } catch {
      throw error.naming("effect \(count - 1) of layer \(index)", track: layer.trackID)
    }
  }

  /// The part of a layer's frame after `count` effects that is shown: of the last effect's frame, if nothing but the built-in
  /// compositor places it and no other frame needs it.
  private func visibleRegion(
    of source: SourceFrame, layer index: Int, after count: Int, of request: CompositionRequest
  ) throws(CompositorError) -> Rect {
    let layer = request.instruction.layers[index]
    guard count == layer.effects.count, request.instruction.compositor == .layer, !source.isStill,
      !tracks.plan.needsOtherTimes(instruction: request.instructionIndex)
    else { return .infinite }
    return try LayerPlacement.visibleRegion(
      of: layer, in: request.instruction, at: request.time, source: SourceDescription(source), context: output)
  }

  /// Applies one effect to one track's frame, in the frame's own size.
  private func apply(
    _ effect: EffectReference, to source: SourceFrame, showing region: Rect, of request: CompositionRequest,
    others: OtherTimes
  ) async throws(CompositorError) -> Frame {
    let descriptor = try stage.instances.descriptor(of: effect.compositor)
    let surface = SourceDescription(source).surface(for: effect, descriptor, output: output)
    var asked = request.asking(about: source, in: surface)
    asked.visibleRegion = region
    return try await masking.frame(of: effect, to: source, asked: asked, request: request, others: others)
  }

  /// Applies effect `number` of the instruction, counted from 0, to the composed frame.
  ///
  /// - Parameter others: The composed frame at other times, before that effect.
  func applyInstructionEffect(
    _ number: Int, to frame: consuming Frame, of request: CompositionRequest,
    others: @escaping @Sendable (MediaTime) async throws(CompositorError) -> (frame: Frame, time: MediaTime)
  ) async throws(CompositorError) -> Frame {
    let composed = { @Sendable (frame: Frame, time: MediaTime) in
      SourceFrame(
        trackID: Instruction.composedTrackID, frame: frame, presentationTime: time, duration: .indefinite,
        requestedTime: time)
    }
    let source = composed(frame, request.time)
    let asked = request.asking(about: source, in: output)
    do throws(CompositorError) {
      let changed = try await masking.frame(
        of: request.instruction.effects[number], to: source, asked: asked, request: request
      ) { _, time throws(CompositorError) in
        let (frame, shown) = try await others(time)
        return TimedSource(source: composed(frame, shown), time: shown)
      }
      return try output.converted(changed)
    } catch {
      throw error.naming("effect \(number)", track: nil)
    }
  }

  /// Caches a frame that neighboring frames may request, if the instruction has effects that need other times.
  ///
  /// - Parameters:
  ///   - layer: The layer's index; `nil` for the composed frame.
  ///   - count: The number of effects applied so far.
  func remembering(
    _ request: CompositionRequest, layer: Int?, _ count: Int, make: () async throws(CompositorError) -> Frame
  ) async throws(CompositorError) -> Frame {
    let (plan, index) = (tracks.plan, request.instructionIndex)
    // A compositor that needs frames in order must be called for every frame.
    guard plan.needsOtherTimes(instruction: index), !plan.needsOrder(instruction: index) else { return try await make() }
    let key = RecentFrames.Key(
      instruction: request.instructionIndex, layer: layer, view: request.view, effectCount: count, time: request.time)
    return try await recent.frame(key, make: make)
  }
}

extension CompositionRequest {
  /// A request for the same time with one frame as the only layer.
  fileprivate func asking(about source: SourceFrame, in surface: RenderContext) -> CompositionRequest {
    let layer = Instruction(timeRange: instruction.timeRange, layers: [LayerInstruction(trackID: source.trackID)])
    var surface = surface
    surface.view = view
    return CompositionRequest(
      time: time, frameDuration: frameDuration, instruction: layer, instructionIndex: instructionIndex,
      sources: [source.trackID: source], context: surface)
  }
}

extension CompositorError {
  /// A copy of the error that names the effect.
  fileprivate func naming(_ effect: String, track: TrackID?) -> CompositorError {
    CompositorError(
      code, "\(effect.prefix(1).uppercased())\(effect.dropFirst()): \(message)", recoverySuggestion: recoverySuggestion,
      cause: cause, at: location
    ).locating(ErrorLocation(track: track))
  }
}
