import BuiltinCompositors
package import CompositorAPI
import CompositorConversion

/// A request's sources as required by effects that do not handle layers: frames of the canvas's size, in one format.
package struct PlacedSources: Sendable {
  private let surface: RenderContext
  private let layers: LayerCompositor

  /// - Parameter surface: Size, format and color of the frames.
  package init(_ surface: RenderContext) throws(CompositorError) {
    self.surface = surface
    layers = try LayerCompositor(parameters: [:], context: surface)
  }

  /// The number of frames that an effect takes.
  ///
  /// A single frame is the composition of all layers. Several are one track each, in the instruction's order, placed like its
  /// layer; a track without a clip at the time gives the background.
  ///
  /// - Throws: `.invalidComposition` if the number of tracks does not match.
  package func frames(_ request: CompositionRequest, count: Int) throws(CompositorError) -> [Frame] {
    if count == 0 { return [] }
    let tracks = request.instruction.requiredTrackIDs
    if count == 1 {
      if let frame = try only(request) { return [frame] }
      return [try place(request.instruction.layers, of: request)]
    }
    guard tracks.count == count else {
      throw CompositorError(
        .invalidComposition,
        "The compositor takes \(count) frames, but the instruction has \(tracks.count) track\(tracks.count == 1 ? "" : "s").",
        recoverySuggestion: "Give it \(count) layers.")
    }
    var frames: [Frame] = []
    for track in tracks {
      let layer = request.instruction.layers.first { $0.trackID == track } ?? LayerInstruction(trackID: track)
      frames.append(try place([layer], of: request))
    }
    return frames
  }

  /// The frame of an effect's only source, with its alpha; `nil` if a layer must be placed.
  private func only(_ request: CompositionRequest) throws(CompositorError) -> Frame? {
    let tracks = request.instruction.requiredTrackIDs
    guard tracks.count == 1, let frame = request.frame(tracks[0]), frame.size == surface.size,
      request.instruction.layers == [LayerInstruction(trackID: tracks[0])]
    else { return nil }
    return try surface.converted(frame)
  }

  /// Layers of a request on the effect's own surface.
  private func place(_ shown: [LayerInstruction], of request: CompositionRequest) throws(CompositorError) -> Frame {
    try layers.draw(shown, of: request, over: request.instruction.backgroundColor, into: surface)
  }
}

extension RenderContext {
  /// The same surface in another format.
  package func described(as format: PixelFormat) -> RenderContext {
    var context = self
    context.observer = nil
    context.outputFormat = format
    context.outputAttributes.color = outputAttributes.color.described(as: format)
    if !format.hasAlpha || !outputFormat.hasAlpha { context.outputAttributes.alphaMode = .opaque }
    if context.outputAttributes.alphaMode == .premultiplied { context.outputAttributes.alphaMode = .straight }
    return context
  }
}

extension ColorTags {
  /// The same color, with the matrix and range of a format of the other family (RGB or Y′CbCr).
  package func described(as format: PixelFormat) -> ColorTags {
    var tags = self
    if format.isRGB {
      (tags.matrix, tags.range) = (.identity, .full)
    } else if tags.matrix == .identity {
      (tags.matrix, tags.range) = (.bt709, .limited)
    }
    return tags
  }
}
