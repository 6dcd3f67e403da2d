import CompositorAPI
import CompositorConversion

/// The layers of a frame by how they come into the output's planes: those below are composed plane by plane, those above are converted
/// where they reach.
struct PlanarScene {
  /// Front to back, their frames in the output's format and color.
  let base: [ResolvedLayer]
  /// Front to back, in front of all of `base`.
  let overlaid: [ResolvedLayer]

  /// Prepares the lower layers' frames.
  ///
  /// - Parameter layers: Front to back.
  /// - Throws: `.conversionNotPossible` if a still's color cannot become the output's; `.framePoolExhausted`.
  init(_ layers: [ResolvedLayer], context: RenderContext, stills: StillCache) throws(CompositorError) {
    let preparations = layers.map { layer in
      PlanarPreparation.choose(
        layer.description, sourceToOutput: layer.sourceToOutput, isDecorated: layer.decoration != nil, context: context
      ).preparation
    }
    let split = preparations.lastIndex(of: nil).map { $0 + 1 } ?? 0
    overlaid = Array(layers[..<split])
    var base: [ResolvedLayer] = []
    for (layer, preparation) in zip(layers, preparations).dropFirst(split) where layer.opacity > 0 {
      base.append(try layer.prepared(preparation ?? .none, context: context, stills: stills))
    }
    self.base = base
  }
}

extension ResolvedLayer {
  /// What its frame is.
  var description: SourceDescription {
    var description = SourceDescription(frame)
    description.isStill = isStill
    return description
  }

  fileprivate func prepared(
    _ preparation: PlanarPreparation, context: RenderContext, stills: StillCache
  ) throws(CompositorError) -> ResolvedLayer {
    var layer = self
    switch preparation {
    case .none: break
    case .repacking: layer.frame = try PlanarRepacking.repacked(frame, for: context)
    case .still(let reduced):
      // A filter takes the picture as it is.
      let level = filter == nil ? reduced : 0
      layer.frame = try stills.picture(of: frame, level: level, context: context)
      layer.reduction = PictureReduction(level: level, size: frame.size)
    }
    return layer
  }
}
