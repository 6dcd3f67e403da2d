import CompositorAPI

/// Transitions from one layer to another.
extension LayerEvaluator {
  /// The new layer, the old one, or both during the transition.
  @inline(never) mutating func transitioned(
    _ shown: PresentationNode?, _ model: Layer, at time: Double, depth: Int, placement: Matrix4?,
    box: LayoutBox
  ) throws(CompositorError) -> PresentationNode? {
    guard let (transition, animation) = model.firstTransition else { return shown }
    let length = Animation.standardDuration
    let sample = animation.timing.sample(at: time, standardDuration: length)
    let isOver = !time.isBefore(animation.timing.beginTime)
    if sample == nil, isOver { return shown }
    let progress = animation.easing.value(at: sample?.progress ?? 0, isBefore: sample?.isBefore ?? true)
    var source: PresentationNode?
    if let previous = model.transitionSource {
      source = try node(previous, .transitionSource, at: time, depth: depth + 1, placement: placement, box: box)
    }
    if sample == nil { return source }
    var group = PresentationNode(Layer(), matrix: .identity)
    group.hasAnimatedDescendants = true
    group.depth = (shown ?? source)?.depth ?? 0
    let size = (shown ?? source)?.layer.bounds.size ?? .zero
    let places = transition.places(progress, size: size)
    if var old = source {
      old.move(by: places.old)
      if transition.kind == .fade { old.layer.opacity *= 1 - progress }
      group.children.append(old)
    }
    if var new = shown {
      new.move(by: places.new)
      if transition.kind == .fade {
        // The sum of both shares, so that nothing shows through where both are opaque.
        new.layer.opacity *= progress
        if source != nil { (new.layer.blendMode, group.blendsApart) = (.plusLighter, true) }
      }
      group.children.append(new)
    }
    for index in group.children.indices { group.children[index].depth = 0 }
    if transition.kind == .reveal { group.children.reverse() }
    group.children.removeAll { $0.layer.opacity <= 0 }
    return group
  }
}

extension PresentationNode {
  fileprivate mutating func move(by offset: Point) {
    motion = max(motion, .moves)
    matrix = matrix.concatenating(Projection(.translation(x: offset.x, y: offset.y)))
  }
}

extension LayerTransition {
  /// The offsets of the old and the new layer from their positions.
  fileprivate func places(_ progress: Double, size: Size) -> (old: Point, new: Point) {
    let way: Point =
      switch side {
      case .left: Point(x: -size.width, y: 0)
      case .right: Point(x: size.width, y: 0)
      case .top: Point(x: 0, y: -size.height)
      case .bottom: Point(x: 0, y: size.height)
      }
    func part(_ share: Double) -> Point { Point(x: way.x * share, y: way.y * share) }
    return switch kind {
    case .fade: (.zero, .zero)
    case .moveIn: (.zero, part(1 - progress))
    case .push: (part(-progress), part(1 - progress))
    case .reveal: (part(-progress), .zero)
    }
  }
}

extension Layer {
  fileprivate var firstTransition: (LayerTransition, Animation)? {
    for animation in animations {
      if case .transition(let transition) = animation.kind { return (transition, animation) }
    }
    return nil
  }
}
