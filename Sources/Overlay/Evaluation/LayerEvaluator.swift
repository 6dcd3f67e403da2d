package import CompositorAPI

/// Makes a tree of layers into the tree of what shows at a time: a pure function of the time.
package struct LayerEvaluator {
  /// The most layers that one frame may show, copies and particles counted.
  package static let maximumNodes = 100_000

  /// The size of a text that has no bounds of its own.
  package typealias Measure = (TextContent) throws(CompositorError) -> Size
  /// The pieces of a text in bounds of a size.
  package typealias LayOut = (TextContent, Size) throws(CompositorError) -> TextLayout

  private let measure: Measure
  private let layOut: LayOut?
  private var nodeCount = 0
  /// The way from the root to the layer that is evaluated, for errors.
  private var trail: [Step] = []
  private let keepsPaths: Bool

  /// How a layer belongs to the one above it in the tree.
  enum Step {
    case sublayer(Int), mask, transitionSource

    fileprivate var key: String {
      switch self {
      case .sublayer(let index): "sublayers[\(index)]"
      case .mask: "mask"
      case .transitionSource: "transitionSource"
      }
    }
  }

  private init(keepsPaths: Bool = false, layOut: LayOut?, measure: @escaping Measure) {
    self.measure = measure
    self.layOut = layOut
    self.keepsPaths = keepsPaths
  }

  /// The tree at `time` (seconds of the parent); nil where nothing of it shows.
  ///
  /// - Parameter canvas: The box that the layer lies in.
  /// - Throws: `.invalidValue` for values that cannot be drawn, and for too many or too deeply nested layers; with the key path from
  ///   `layer`.
  package static func evaluate(
    _ layer: Layer, at time: Double, canvas: Size = .zero, layOut: LayOut? = nil, measure: @escaping Measure
  ) throws(CompositorError) -> PresentationNode? {
    var evaluator = LayerEvaluator(layOut: layOut, measure: measure)
    return try evaluator.root(layer, at: time, canvas: canvas)
  }

  /// The same, with the key path of each node, and how many layers were evaluated.
  static func rehearse(
    _ layer: Layer, at time: Double, canvas: Size, layOut: @escaping LayOut, measure: @escaping Measure
  ) throws(CompositorError) -> (node: PresentationNode?, count: Int) {
    var evaluator = LayerEvaluator(keepsPaths: true, layOut: layOut, measure: measure)
    let node = try evaluator.root(layer, at: time, canvas: canvas)
    return (node, evaluator.nodeCount)
  }

  private mutating func root(_ layer: Layer, at time: Double, canvas: Size) throws(CompositorError) -> PresentationNode? {
    do throws(CompositorError) {
      let box = LayoutBox(rect: Rect(origin: .zero, size: canvas))
      var root = try node(layer, nil, at: time, depth: 0, placement: nil, box: box)
      root?.depth = 0
      return root
    } catch {
      throw trail.isEmpty ? error : error.within(path)
    }
  }

  private var path: String { trail.map(\.key).joined(separator: ".") }

  /// A layer and what is above it.
  ///
  /// - Parameter placement: What is done to it after its own place in the parent: the parent's sublayer transform, a copy's
  ///   or a particle's place; nil for nothing.
  /// - Parameter box: What the layer's layout refers to.
  mutating func node(
    _ model: Layer, _ step: Step?, at parentTime: Double, depth: Int, placement: Matrix4?, box: LayoutBox
  ) throws(CompositorError) -> PresentationNode? {
    if let step { trail.append(step) }
    guard depth < Layer.maximumDepth else {
      throw CompositorError(
        .invalidValue, "Layers are nested more than \(Layer.maximumDepth) deep.", recoverySuggestion: "Nest them less."
      )
    }
    nodeCount += 1
    guard nodeCount <= LayerEvaluator.maximumNodes else {
      throw CompositorError(
        .invalidValue, "A frame shows more than \(LayerEvaluator.maximumNodes) layers.",
        recoverySuggestion: "Use fewer copies or particles.")
    }
    guard let sample = model.timing.sample(at: parentTime, standardDuration: .infinity) else {
      if step != nil { trail.removeLast() }
      return nil
    }
    let time = sample.time
    var layer = model
    if model.hasLayout {
      let placed = try model.laidOut(in: box.rect, at: time, measure: measure)
      layer = placed
      for animation in model.animations { animation.apply(to: &layer, model: placed, at: time) }
    } else {
      for animation in model.animations { animation.apply(to: &layer, model: model, at: time) }
    }
    try layer.requireDrawable()
    let shown = try visible(layer, model, at: time, depth: depth, placement: placement, box: box)
    let result = try transitioned(shown, model, at: time, depth: depth, placement: placement, box: box)
    // What throws leaves the way as it is.
    if step != nil { trail.removeLast() }
    return result
  }

  private mutating func visible(
    _ presented: Layer, _ model: Layer, at time: Double, depth: Int, placement: Matrix4?, box: LayoutBox
  ) throws(CompositorError) -> PresentationNode? {
    var layer = presented
    guard !layer.isHidden, layer.opacity > 0 else { return nil }
    try layer.resolveText(at: time, measure: measure)
    let (sublayers, mask) = (layer.sublayers, layer.mask)
    (layer.sublayers, layer.mask, layer.animations) = ([], nil, [])
    (layer.transitionSource, layer.timing) = (nil, LayerTiming())
    let units = try takeUnits(of: &layer, at: time)
    var node = PresentationNode(layer, matrix: layer.matrix(placement: placement))
    node.depth = layer.depth(placement: placement)
    if case .movie = layer.content { node.movie = .at(time) }
    node.isChanging = model.isChanging(at: time)
    node.motion = model.motion(in: box)
    node.units = units
    // What changes by itself is drawn anew; at rest it is a text like any other.
    if !units.isEmpty { node.hasAnimatedDescendants = true }
    if keepsPaths { node.path = path }
    let box = box.inside(model, shownAs: layer)
    if case .emitter = layer.content {
      try addParticles(of: model, to: &node, at: time, depth: depth, box: box)
    } else {
      try addChildren(sublayers, of: layer, to: &node, at: time, depth: depth, box: box)
    }
    if model.movesSublayers { node.letChildrenMove() }
    if let mask {
      node.mask = try self.node(mask, .mask, at: time, depth: depth + 1, placement: nil, box: box)
      node.mask?.depth = 0
      // A mask that shows nothing at this time lets nothing through.
      if node.mask == nil { return nil }
      if mask.isAnimated || mask.isMoved(by: box) || node.mask?.hasAnimatedDescendants == true {
        node.hasAnimatedDescendants = true
      }
    }
    return node
  }

  /// The pieces of the layer's text at a time, and its animators out of it.
  private func takeUnits(of layer: inout Layer, at time: Double) throws(CompositorError) -> [TextUnit] {
    guard case .text(var text) = layer.content, !text.animators.isEmpty, let layOut else { return [] }
    do throws(CompositorError) {
      let layout = try layOut(text, layer.bounds.size)
      let units = try text.units(in: layout, at: time)
      text.animators = []
      layer.content = .text(text)
      return units
    } catch {
      throw error.within("content.text")
    }
  }

  private mutating func addChildren(
    _ sublayers: [Layer], of layer: Layer, to node: inout PresentationNode, at time: Double, depth: Int, box: LayoutBox
  ) throws(CompositorError) {
    if case .replicator(let replicator) = layer.content {
      try addCopies(replicator, of: sublayers, to: &node, at: time, depth: depth, box: box)
      return
    }
    let stage = layer.stage
    for (index, sublayer) in sublayers.enumerated() {
      guard let child = try self.node(sublayer, .sublayer(index), at: time, depth: depth + 1, placement: stage, box: box)
      else { continue }
      node.children.append(child)
      if sublayer.isAnimated || sublayer.isMoved(by: box) || child.hasAnimatedDescendants { node.hasAnimatedDescendants = true }
    }
    node.sortChildren()
  }
}

extension PresentationNode {
  /// Orders by depth; equal depths stay in the order of the list.
  mutating func sortChildren() {
    // What is meant to be in one plane is in one plane, whatever the last digit says.
    let depths = children.map { $0.depth.isFinite ? ($0.depth * 1024).rounded() : 0 }
    // Depths that changed no order are no difference between two frames.
    for index in children.indices { children[index].depth = 0 }
    guard depths.contains(where: { $0 != depths[0] }) else { return }
    let order = children.indices.sorted { (depths[$0], $0) < (depths[$1], $1) }
    children = order.map { children[$0] }
  }

  /// Says that the children change their places all together.
  fileprivate mutating func letChildrenMove() {
    guard !children.isEmpty else { return }
    hasAnimatedDescendants = true
    for index in children.indices { children[index].motion = .transforms }
  }
}
