package import CompositorAPI

/// Makes a tree of layers into the tree of what shows at a time: a pure function of the time.
package struct LayerEvaluator {
  /// The most layers that one frame may show, copies and particles counted.
  package static let maximumNodes = 100_000
  /// The deepest nesting of layers.
  package static let maximumDepth = 128

  /// The size of a text that has no bounds of its own.
  package typealias Measure = (TextContent) throws(CompositorError) -> Size

  private let measure: Measure
  private var nodeCount = 0

  private init(measure: @escaping Measure) { self.measure = measure }

  /// The tree at `time` (seconds of the parent); nil where nothing of it shows.
  ///
  /// - Throws: `.invalidValue` for values that cannot be drawn, and for too many or too deeply nested layers.
  package static func evaluate(
    _ layer: Layer, at time: Double, measure: @escaping Measure
  ) throws(CompositorError) -> PresentationNode? {
    var evaluator = LayerEvaluator(measure: measure)
    return try evaluator.node(layer, at: time, depth: 0, perspective: nil)
  }

  /// An eye in front of a point of the parent.
  private struct Perspective {
    var distance: Double
    var center: Point
  }

  private mutating func node(
    _ model: Layer, at parentTime: Double, depth: Int, perspective: Perspective?
  ) throws(CompositorError) -> PresentationNode? {
    guard depth < LayerEvaluator.maximumDepth else {
      throw CompositorError(
        .invalidValue, "Layers are nested more than \(LayerEvaluator.maximumDepth) deep.", remedy: "Nest them less.")
    }
    nodeCount += 1
    guard nodeCount <= LayerEvaluator.maximumNodes else {
      throw CompositorError(
        .invalidValue, "A frame shows more than \(LayerEvaluator.maximumNodes) layers.",
        remedy: "Use fewer copies or particles.")
    }
    guard let sample = model.timing.sample(at: parentTime, standardDuration: .infinity) else { return nil }
    let time = sample.time
    var layer = model
    for animation in model.animations { animation.apply(to: &layer, model: model, at: time) }
    try layer.requireDrawable()
    let shown = try visible(layer, model, at: time, depth: depth, perspective: perspective)
    return try transitioned(shown, model, at: time, depth: depth, perspective: perspective)
  }

  private mutating func visible(
    _ presented: Layer, _ model: Layer, at time: Double, depth: Int, perspective: Perspective?
  ) throws(CompositorError) -> PresentationNode? {
    var layer = presented
    guard !layer.isHidden, layer.opacity > 0 else { return nil }
    try layer.resolveText(at: time, measure: measure)
    let (sublayers, mask) = (layer.sublayers, layer.mask)
    (layer.sublayers, layer.mask, layer.animations) = ([], nil, [])
    (layer.transitionSource, layer.timing) = (nil, MediaTiming())
    var node = PresentationNode(layer, matrix: LayerEvaluator.matrix(of: layer, perspective: perspective))
    node.motion = model.motion
    try addChildren(sublayers, of: layer, to: &node, at: time, depth: depth)
    if let mask {
      node.mask = try self.node(mask, at: time, depth: depth + 1, perspective: nil)
      // A mask that shows nothing at this time lets nothing through.
      if node.mask == nil { return nil }
      if mask.isAnimated || node.mask?.hasAnimatedDescendants == true { node.hasAnimatedDescendants = true }
    }
    return node
  }

  private mutating func addChildren(
    _ sublayers: [Layer], of layer: Layer, to node: inout PresentationNode, at time: Double, depth: Int
  ) throws(CompositorError) {
    switch layer.content {
    case .replicator(let replicator):
      try addCopies(replicator, of: sublayers, to: &node, at: time, depth: depth)
      return
    case .emitter(let emitter):
      try addParticles(emitter, of: sublayers, to: &node, at: time, depth: depth)
      return
    default: break
    }
    let center = Point(x: layer.bounds.minX + layer.bounds.size.width / 2, y: layer.bounds.minY + layer.bounds.size.height / 2)
    let eye = layer.perspective > 0 ? Perspective(distance: layer.perspective, center: center) : nil
    for sublayer in sublayers {
      guard let child = try self.node(sublayer, at: time, depth: depth + 1, perspective: eye) else { continue }
      node.children.append(child)
      if sublayer.isAnimated || child.hasAnimatedDescendants { node.hasAnimatedDescendants = true }
    }
    node.sortChildren()
  }

  private mutating func addCopies(
    _ replicator: ReplicatorContent, of sublayers: [Layer], to node: inout PresentationNode, at time: Double, depth: Int
  ) throws(CompositorError) {
    let bounds = node.layer.bounds
    let center = Matrix4.translation(-bounds.minX - bounds.size.width / 2, -bounds.minY - bounds.size.height / 2)
    let back = Matrix4.translation(bounds.minX + bounds.size.width / 2, bounds.minY + bounds.size.height / 2)
    let step = center.concatenating(replicator.instanceTransform.matrix).concatenating(back).projection
    var placement = Projection.identity
    for copy in 0..<min(max(replicator.instanceCount, 0), 10_000) {
      let opacity = min(max(1 + Double(copy) * replicator.instanceOpacityOffset, 0), 1)
      for sublayer in sublayers where opacity > 0 {
        let copyTime = time - Double(copy) * replicator.instanceDelay
        guard var child = try self.node(sublayer, at: copyTime, depth: depth + 1, perspective: nil) else { continue }
        child.matrix = child.matrix.concatenating(placement)
        child.layer.opacity *= opacity
        node.children.append(child)
        if sublayer.isAnimated || child.hasAnimatedDescendants { node.hasAnimatedDescendants = true }
      }
      placement = placement.concatenating(step)
    }
    node.sortChildren()
  }

  private mutating func addParticles(
    _ emitter: EmitterContent, of sublayers: [Layer], to node: inout PresentationNode, at time: Double, depth: Int
  ) throws(CompositorError) {
    guard let cell = sublayers.first else { return }
    node.hasAnimatedDescendants = true
    let bounds = node.layer.bounds
    for particle in try emitter.particles(at: time) {
      guard var child = try self.node(cell, at: particle.age, depth: depth + 1, perspective: nil) else { continue }
      let source = Point(
        x: bounds.minX + bounds.size.width * emitter.emitterPosition.x,
        y: bounds.minY + bounds.size.height * emitter.emitterPosition.y)
      let placement = AffineMatrix.scale(x: particle.scale, y: particle.scale)
        .concatenating(.rotation(radians: particle.angle))
        .concatenating(.translation(x: source.x + particle.offset.x, y: source.y + particle.offset.y))
      let centered = AffineMatrix.translation(x: -cell.position.x, y: -cell.position.y)
      child.matrix = child.matrix.concatenating(Projection(centered)).concatenating(Projection(placement))
      child.layer.opacity *= particle.opacity
      child.motion = .transforms
      node.children.append(child)
    }
  }

  private static func matrix(of layer: Layer, perspective: Perspective?) -> Projection {
    let anchor = Point(
      x: layer.bounds.minX + layer.anchorPoint.x * layer.bounds.size.width,
      y: layer.bounds.minY + layer.anchorPoint.y * layer.bounds.size.height)
    if layer.transform == .identity, perspective == nil {
      return Projection(.translation(x: layer.position.x - anchor.x, y: layer.position.y - anchor.y))
    }
    var matrix = Matrix4.translation(-anchor.x, -anchor.y).concatenating(layer.transform.matrix)
      .concatenating(.translation(layer.position.x, layer.position.y))
    if let perspective {
      let center = perspective.center
      matrix = matrix.concatenating(.translation(-center.x, -center.y))
        .concatenating(.perspective(distance: perspective.distance)).concatenating(.translation(center.x, center.y))
    }
    return matrix.projection
  }

  /// The layer, what it comes from, or both on their way.
  private mutating func transitioned(
    _ shown: PresentationNode?, _ model: Layer, at time: Double, depth: Int, perspective: Perspective?
  ) throws(CompositorError) -> PresentationNode? {
    guard let (transition, animation) = model.firstTransition else { return shown }
    let length = Animation.standardDuration
    let sample = animation.timing.sample(at: time, standardDuration: length)
    let isOver = time >= animation.timing.beginTime
    if sample == nil, isOver { return shown }
    let progress = animation.curve.value(at: sample?.progress ?? 0)
    var source: PresentationNode?
    if let previous = model.transitionSource {
      source = try node(previous, at: time, depth: depth + 1, perspective: perspective)
    }
    if sample == nil { return source }
    var group = PresentationNode(Layer(), matrix: .identity)
    group.hasAnimatedDescendants = true
    let size = (shown ?? source)?.layer.bounds.size ?? .zero
    let places = transition.places(progress, size: size)
    if var old = source {
      old.move(by: places.old)
      if transition.kind == .fade { old.layer.opacity *= 1 - progress }
      group.children.append(old)
    }
    if var new = shown {
      new.move(by: places.new)
      if transition.kind == .fade { new.layer.opacity *= progress }
      group.children.append(new)
    }
    if transition.kind == .reveal { group.children.reverse() }
    group.children.removeAll { $0.layer.opacity <= 0 }
    return group
  }
}

extension PresentationNode {
  fileprivate mutating func sortChildren() {
    guard children.contains(where: { $0.layer.zPosition != children[0].layer.zPosition }) else { return }
    let order = children.indices.sorted {
      (children[$0].layer.zPosition, $0) < (children[$1].layer.zPosition, $1)
    }
    children = order.map { children[$0] }
  }

  fileprivate mutating func move(by offset: Point) {
    motion = max(motion, .moves)
    matrix = matrix.concatenating(Projection(.translation(x: offset.x, y: offset.y)))
  }
}

extension LayerTransition {
  /// How far the old and the new layer are from their place.
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
  /// Whether anything about it follows the time.
  package var isAnimated: Bool {
    if !animations.isEmpty { return true }
    if case .text(let text) = content { return text.generator != nil }
    return false
  }

  /// How its place changes over all times.
  package var motion: PresentationNode.Motion {
    var motion = PresentationNode.Motion.still
    for leaf in animations.lazy.flatMap(\.leaves) {
      switch leaf.kind {
      case .basic(let property, _, _, _), .spring(let property, _, _, _): motion = max(motion, property.effect.motion)
      case .keyframes(let property, let frames):
        motion = max(motion, frames.rotation == .none ? property.effect.motion : .transforms)
      case .group, .transition: break
      }
    }
    return motion
  }

  fileprivate var firstTransition: (LayerTransition, Animation)? {
    for animation in animations {
      if case .transition(let transition) = animation.kind { return (transition, animation) }
    }
    return nil
  }
}

extension LayerContent {
  /// Whether what it shows follows the time by itself.
  var isEmitter: Bool { if case .emitter = self { true } else { false } }
}

extension LayerProperty.Effect {
  fileprivate var motion: PresentationNode.Motion {
    switch self {
    case .movement: .moves
    case .transform: .transforms
    case .opacity, .content: .still
    }
  }
}
