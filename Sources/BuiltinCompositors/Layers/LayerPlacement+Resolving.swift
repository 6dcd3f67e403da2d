package import CompositorAPI
package import CompositorConversion

extension LayerPlacement {
  /// The visible layers of an instruction, front to back.
  ///
  /// - Parameters:
  ///   - time: The composition time; `nil` for the whole instruction, with layers marked that change during it.
  ///   - sources: Tracks that have a frame. A layer of another track shows nothing.
  /// - Throws: `.invalidValue` with the track if opacity, transform, crop or pixel aspect are not finite.
  package static func resolve(
    _ instruction: Instruction, at time: MediaTime?, sources: [TrackID: SourceDescription], context: RenderContext
  ) throws(CompositorError) -> [LayerPlacement] {
    if let trackID = instruction.passthroughTrackID {
      return try sources[trackID].map { source throws(CompositorError) in
        [try fitted(source, of: trackID, context: context)]
      } ?? []
    }
    return try resolve(instruction.layers, during: instruction.timeRange, at: time, sources: sources, context: context)
  }

  /// The visible layers among those of a part of the timeline, front to back; see
  /// ``resolve(_:at:sources:context:)``. Layers are dropped here if they are transparent, outside the output, or below one that
  /// is axis-parallel, opaque and covers it, because the route depends on what is left. Which samples the layers that are left
  /// hide is known only from the geometry of planes, in ``PlanarPlan``.
  static func resolve(
    _ layers: [LayerInstruction], during range: TimeRange, at time: MediaTime?, sources: [TrackID: SourceDescription],
    context: RenderContext
  ) throws(CompositorError) -> [LayerPlacement] {
    var placements: [LayerPlacement] = []
    for layer in layers {
      guard let source = sources[layer.trackID] else { continue }
      let place = ErrorLocation(track: layer.trackID, time: time)
      let change = time == nil && layer.changes(in: range) ? range : nil
      var placement = try LayerPlacement(
        layer, source, at: time ?? range.start, changingDuring: change, context: context, place: place)
      placement.filter = LayerFilter.of(layer, in: range, context: context)
      if layer.motionBlur != nil {
        try placement.expose(layer, at: time, during: range, context: context, place: place)
      }
      guard placement.isVisible else { continue }
      placements.append(placement)
      if placement.hidesEverythingUnder(outputSize: context.size) { break }
    }
    // Layers outside the output don't affect the route unless there are no others.
    let reaching = placements.filter { $0.reaches(outputSize: context.size) }
    return reaching.isEmpty ? placements : reaching
  }

  /// The part of a layer's frame that the output may show at a given time, in stored pixels; infinite if that isn't known.
  package static func visibleRegion(
    of layer: LayerInstruction, in instruction: Instruction, at time: MediaTime, source: SourceDescription,
    context: RenderContext
  ) throws(CompositorError) -> Rect {
    // Shadows show parts that lie outside the output, and motion blur those of other times.
    guard layer.decoration == nil, layer.motionBlur == nil else { return .infinite }
    let placed = try resolve(
      [layer], during: instruction.timeRange, at: time, sources: [layer.trackID: source], context: context
    ).first
    guard let placed, let toSource = placed.sourceToOutput.inverted else { return .infinite }
    // A filter reaches three samples of the coarser grid; subsampled chroma doubles that.
    let margin = 8.0
    let (width, height) = (Double(context.size.width), Double(context.size.height))
    let canvas = Rect(x: -margin, y: -margin, width: width + 2 * margin, height: height + 2 * margin)
    let box = toSource.boundingBox(of: canvas).intersection(placed.crop)
    return Rect(
      x: box.minX - margin, y: box.minY - margin, width: box.size.width + 2 * margin, height: box.size.height + 2 * margin)
  }

  /// A frame placed by a transform, at full opacity and without a crop.
  init(
    _ source: SourceDescription, transform: AffineMatrix, context: RenderContext
  ) throws(CompositorError) {
    var layer = LayerInstruction(trackID: 0)
    layer.transform = PropertyTimeline(default: transform)
    try self.init(layer, source, at: .zero, changingDuring: nil, context: context, place: ErrorLocation())
    filter = LayerFilter.ofConstantLayers(context)
  }

  /// - Parameter change: The range in which the layer changes, if the placement describes all of it.
  init(
    _ layer: LayerInstruction, _ source: SourceDescription, at time: MediaTime, changingDuring change: TimeRange?,
    context: RenderContext, place: ErrorLocation
  ) throws(CompositorError) {
    func invalid(_ what: String, _ recoverySuggestion: String) -> CompositorError {
      CompositorError(.invalidValue, what, recoverySuggestion: recoverySuggestion, at: place)
    }
    let opacity = layer.opacity.value(at: time)
    guard !opacity.isNaN else {
      throw invalid("The layer's opacity is not a number.", "Give an opacity of 0 … 1.")
    }
    let transform = layer.transform.value(at: time)
    let aspect = source.attributes.pixelAspectRatio.value
    guard aspect.isFinite, aspect > 0 else {
      throw invalid(
        "The source's pixel aspect is \(source.attributes.pixelAspectRatio).", "Set a positive pixel aspect.")
    }
    let matrix = AffineMatrix.scale(x: aspect, y: 1).concatenating(transform)
      .concatenating(context.compositionToPixels)
    guard transform.isFinite, matrix.isFinite else {
      throw invalid("The layer's transform \(transform) is not finite.", "Give six finite numbers.")
    }
    let crop = layer.crop.value(at: time)
    guard crop.isFinite else {
      throw invalid("The layer's crop \(crop) is not finite.", "Give a finite rectangle, or the infinite one for no crop.")
    }
    self.init(
      trackID: layer.trackID, source: source, opacity: min(max(opacity, 0), 1), sourceToOutput: matrix,
      crop: crop.stored(in: source, aspect: aspect), isChanging: change != nil,
      decoration: try layer.decoration.flatMap { decoration throws(CompositorError) in
        let look = change.map(decoration.firstVisible) ?? decoration.value(at: time)
        if let fault = look.fault { throw invalid("The layer's \(fault).", "Give finite numbers that are not negative.") }
        return look.isPlain ? nil : ResolvedDecoration(look: look, aspect: aspect)
      })
  }

  /// A frame, upright, scaled to fit the canvas and centered: the result of a pass-through instruction.
  ///
  /// - Parameter trackID: The frame's track, if it is one of a composition's.
  static func fitted(
    _ source: SourceDescription, of trackID: TrackID?, context: RenderContext
  ) throws(CompositorError) -> LayerPlacement {
    let aspect = source.attributes.pixelAspectRatio.value
    let upright = AffineMatrix.scale(x: aspect, y: 1).concatenating(source.preferredTransform)
    let frame = Rect(x: 0, y: 0, width: Double(source.size.width), height: Double(source.size.height))
    let box = upright.boundingBox(of: frame)
    let canvas = context.size.size
    let scale = min(canvas.width / box.size.width, canvas.height / box.size.height)
    let matrix = upright.concatenating(.translation(x: -box.minX, y: -box.minY)).concatenating(.scale(x: scale, y: scale))
      .concatenating(
        .translation(
          x: (canvas.width - box.size.width * scale) / 2, y: (canvas.height - box.size.height * scale) / 2))
    guard aspect.isFinite, aspect > 0, matrix.isFinite, matrix.inverted != nil else {
      throw CompositorError(
        .invalidValue, "The track's pixel aspect or preferred transform cannot be shown.",
        recoverySuggestion: "Place the track by a layer with a transform of your own.", at: ErrorLocation(track: trackID))
    }
    return LayerPlacement(
      trackID: trackID ?? 0, source: source, opacity: 1, sourceToOutput: matrix, crop: frame, isChanging: false,
      filter: LayerFilter.ofConstantLayers(context))
  }
}

extension PropertyTimeline<LayerDecoration> {
  /// A visible value of a range, the first one at an end of a ramp; if all are invisible, that at the start.
  fileprivate func firstVisible(in range: TimeRange) -> LayerDecoration {
    let start = value(at: range.start)
    let inside = ramps.lazy.filter { $0.timeRange.start < range.end && $0.timeRange.end > range.start }
    return start.isPlain ? inside.flatMap { [$0.start, $0.end] }.first { !$0.isPlain } ?? start : start
  }
}

extension Rect {
  fileprivate var isFinite: Bool {
    minX.isFinite && minY.isFinite && maxX.isFinite && maxY.isFinite && size.width.isFinite && size.height.isFinite
  }

  /// A rectangle of display space in stored pixels, clipped to the frame.
  fileprivate func stored(in source: SourceDescription, aspect: Double) -> Rect {
    let frame = Rect(x: 0, y: 0, width: Double(source.size.width), height: Double(source.size.height))
    if isInfinite { return frame }
    return Rect(x: minX / aspect, y: minY, width: size.width / aspect, height: size.height).intersection(frame)
  }
}
