import CompositorAPI
import CompositorConversion

/// The layers of a frame by how they reach the output's planes: the lower ones are composed plane by plane, the upper ones
/// are converted inside their boxes.
struct PlanarScene {
  /// Front to back, with frames in the output's format and color.
  let base: [ResolvedLayer]
  /// Front to back, in front of all of `base`.
  let overlaid: [ResolvedLayer]

  /// Prepares the lower layers' frames.
  ///
  /// - Parameters:
  ///   - layers: Front to back.
  ///   - preparations: How each of them is prepared.
  /// - Throws: `.conversionNotPossible` if a still's color can't be converted to the output's; `.framePoolExhausted`.
  init(
    _ layers: [ResolvedLayer], _ preparations: [PlanarPreparation], context: RenderContext, stills: StillCache
  ) throws(CompositorError) {
    let split = preparations.lastIndex(of: .overlaid).map { $0 + 1 } ?? 0
    overlaid = Array(layers[..<split])
    var base: [ResolvedLayer] = []
    for (layer, preparation) in zip(layers, preparations).dropFirst(split) {
      base.append(try layer.prepared(preparation, context: context, stills: stills))
    }
    self.base = base
  }
}

extension ResolvedLayer {
  /// The frame's format, size and attributes.
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
    case .asIs, .overlaid: break
    case .repacking: layer.frame = try PlanarRepacking.repacked(frame, for: context)
    case .still(let reduced):
      // A filter needs the frame at full size.
      let level = filter == nil ? reduced : 0
      layer.frame = try stills.picture(of: frame, level: level, context: context)
      layer.reduction = PictureReduction(level: level, size: frame.size)
    }
    return layer
  }
}
