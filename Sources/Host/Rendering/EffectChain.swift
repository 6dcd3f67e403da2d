import BuiltinCompositors
import CompositorAPI

/// Effects one after another, each asked as a compositor of one source: on a layer's picture before it is placed, or on the
/// composed picture.
struct EffectChain: Sendable {
  let stage: CompositorStage
  /// The surface of the composed picture.
  let output: RenderContext

  /// The request with every layer's picture as its effects leave it. Nothing is done where no layer has any.
  func applyLayerEffects(to request: CompositionRequest) async throws(CompositorError) -> CompositionRequest {
    var result = request
    for (index, layer) in request.instruction.layers.enumerated() where !layer.effects.isEmpty {
      guard var source = request.sources[layer.trackID] else { continue }
      let trackID = request.instruction.trackID(ofChangedLayer: index)
      for (number, effect) in layer.effects.enumerated() {
        do throws(CompositorError) {
          source = try await apply(effect, to: source, of: request)
        } catch {
          throw error.naming("effect \(number) of layer \(index)", track: layer.trackID)
        }
      }
      source.trackID = trackID
      result.sources[trackID] = source
      result.instruction.layers[index].trackID = trackID
      result.instruction.layers[index].effects = []
    }
    return result
  }

  /// One effect on one track's picture, in the picture's own size.
  private func apply(
    _ effect: EffectReference, to source: SourceFrame, of request: CompositionRequest
  ) async throws(CompositorError) -> SourceFrame {
    let descriptor = try stage.instances.descriptor(of: effect.compositor)
    let surface = SourceDescription(source).surface(for: descriptor, output: output)
    var result = source
    switch try await stage.answer(to: request.asking(about: source, in: surface), by: effect) {
    case .made(let frame): result.frame = frame
    case .source(let unchanged): result.frame = unchanged.frame
    }
    return result
  }

  /// The composed picture as the instruction's effects leave it.
  func applyInstructionEffects(
    to frame: consuming Frame, of request: CompositionRequest
  ) async throws(CompositorError) -> Frame {
    var frame = frame
    for (number, effect) in request.instruction.effects.enumerated() {
      let source = SourceFrame(
        trackID: Instruction.composedTrackID, frame: frame, presentationTime: request.time, duration: .indefinite,
        requestedTime: request.time)
      do throws(CompositorError) {
        switch try await stage.answer(to: request.asking(about: source, in: output), by: effect) {
        case .made(let changed): frame = changed
        case .source(let unchanged): frame = unchanged.frame
        }
        frame = try output.converted(frame)
      } catch {
        throw error.naming("effect \(number)", track: nil)
      }
    }
    return frame
  }
}

extension EffectChain {
  /// What a source's frames are after effects, before any frame is there; unknown effects change nothing.
  static func description(
    of source: SourceDescription, after effects: [EffectReference], registry: CompositorRegistry, output: RenderContext
  ) -> SourceDescription {
    effects.reduce(source) { source, effect in
      guard let descriptor = registry[effect.compositor]?.descriptor else { return source }
      let surface = SourceConforming(descriptor, output: source.surface(for: descriptor, output: output)).context
      var result = source
      (result.format, result.attributes) = (surface.outputFormat, surface.outputAttributes)
      return result
    }
  }
}

extension SourceDescription {
  /// What an effect on a layer renders to: the source's own size, colour, depth and chroma in planes of Y′CbCr, with alpha
  /// where there is some or where the effect makes some.
  fileprivate func surface(for descriptor: CompositorDescriptor, output: RenderContext) -> RenderContext {
    let keepsAlpha = usesAlpha || descriptor.makesAlpha
    let depth = format.sample == .unsigned ? format.bitDepth : 16
    let planar = PixelFormat.planar(format.subsampling, bitDepth: depth, alpha: keepsAlpha)
    var attributes = attributes
    attributes.color = attributes.color.described(as: planar)
    attributes.alphaMode = keepsAlpha ? (usesAlpha ? attributes.alphaMode : .straight) : .opaque
    var surface = output
    surface.size = size
    surface.renderScale = 1
    // Display units to stored pixels.
    surface.compositionToPixels = .scale(x: 1 / attributes.pixelAspectRatio.value, y: 1)
    surface.outputFormat = planar
    surface.outputAttributes = attributes
    return surface
  }
}

extension CompositionRequest {
  /// The same moment, with one picture as the only layer.
  fileprivate func asking(about source: SourceFrame, in surface: RenderContext) -> CompositionRequest {
    let layer = Instruction(timeRange: instruction.timeRange, layers: [LayerInstruction(trackID: source.trackID)])
    return CompositionRequest(
      time: time, instruction: layer, instructionIndex: instructionIndex, sources: [source.trackID: source],
      context: surface)
  }
}

extension Instruction {
  /// The track as which a layer's changed picture goes on: its own, or one made up where another layer shows the same track.
  func trackID(ofChangedLayer index: Int) -> TrackID {
    let trackID = layers[index].trackID
    let isShared = layers.indices.contains { $0 != index && layers[$0].trackID == trackID }
    return isShared ? Instruction.composedTrackID - 1 - TrackID(index) : trackID
  }
}

extension CompositorError {
  /// The same error, saying which effect it is about.
  fileprivate func naming(_ effect: String, track: TrackID?) -> CompositorError {
    CompositorError(
      code, "\(effect.prefix(1).uppercased())\(effect.dropFirst()): \(message)", remedy: remedy, cause: cause, at: location
    ).locating(ErrorLocation(track: track))
  }
}
