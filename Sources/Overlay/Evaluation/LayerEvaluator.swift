package import CompositorAPI

/// Evaluates a tree of layers at a given time: a pure function of the time.
package struct LayerEvaluator {
  /// The maximum number of layers in a frame, including copies and particles.
  package static let maximumNodes = 100_000

  /// Measures a text that has no bounds of its own.
  package typealias Measure = (TextContent) throws(CompositorError) -> Size
  /// Lays out a text in bounds of a size.
  package typealias LayOut = (TextContent, Size) throws(CompositorError) -> TextLayout

  let measurer: TextMeasurer
  let animatesText: Bool
  private var nodeCount = 0
  /// The path from the root to the current layer, for errors.
  private var trail: [Step] = []
  let keepsPaths: Bool

  /// The relation of a layer to its parent in the tree.
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

  private init(keepsPaths: Bool = false, animatesText: Bool = true, layOut: LayOut?, measure: @escaping Measure) {
    measurer = TextMeasurer(size: measure, layOut: layOut)
    (self.animatesText, self.keepsPaths) = (animatesText, keepsPaths)
  }

  /// The tree at `time` (seconds of the parent); `nil` if nothing of it shows.
  ///
  /// - Parameters:
  ///   - canvas: The box that contains the layer.
  ///   - animatesText: Whether texts with animators are taken apart, like those on a path.
  ///   - layOut: `nil` leaves all texts whole; those on a path then have the bounds of the bare path.
  /// - Throws: `.invalidValue` with the key path from `layer` if a value cannot be drawn, or if there are too many or too
  ///   deeply nested layers.
  package static func evaluate(
    _ layer: Layer, at time: Double, canvas: Size = .zero, animatesText: Bool = true, layOut: LayOut? = nil,
    measure: @escaping Measure
  ) throws(CompositorError) -> PresentationNode? {
    var evaluator = LayerEvaluator(animatesText: animatesText, layOut: layOut, measure: measure)
    return try evaluator.root(layer, at: time, canvas: canvas)
  }

  /// The tree at a given time with the key path of each node, and the number of evaluated layers.
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

  var path: String { trail.map(\.key).joined(separator: ".") }

  /// Evaluates a layer and its sublayers.
  ///
  /// - Parameters:
  ///   - placement: A transform applied after the layer's own: the parent's sublayer transform, or the placement of a copy or
  ///     particle; `nil` for none.
  ///   - box: The box that the layer's layout refers to.
  @inline(never) mutating func node(
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
    if let blur = model.motionBlur {
      let result = try exposed(model, blur, at: parentTime, depth: depth, placement: placement, box: box)
      if step != nil { trail.removeLast() }
      return result
    }
    guard let sample = model.timing.sample(at: parentTime, standardDuration: .infinity) else {
      if step != nil { trail.removeLast() }
      return nil
    }
    let time = sample.time
    let shown = try visible(model, at: time, depth: depth, placement: placement, box: box)
    let result = try transitioned(shown, model, at: time, depth: depth, placement: placement, box: box)
    // After an error the trail remains, for its key path.
    if step != nil { trail.removeLast() }
    return result
  }

  /// A layer at a time, without its sublayers and its mask.
  private struct Opening {
    var node: PresentationNode
    let sublayers: [Layer]
    let mask: Layer?
    /// Scrambled letters of its text, which are below the sublayers.
    let letters: PresentationNode?
    /// The box that the layouts of the sublayers refer to.
    let box: LayoutBox
  }

  @inline(never) private mutating func visible(
    _ model: Layer, at time: Double, depth: Int, placement: Matrix4?, box: LayoutBox
  ) throws(CompositorError) -> PresentationNode? {
    guard var opening = try opening(model, at: time, placement: placement, box: box) else { return nil }
    if case .emitter = opening.node.layer.content {
      try addParticles(of: model, to: &opening.node, at: time, depth: depth, box: opening.box)
    } else {
      try addChildren(opening.sublayers, to: &opening.node, at: time, depth: depth, box: opening.box)
    }
    if let letters = opening.letters { opening.node.children.insert(letters, at: 0) }
    if model.movesSublayers { opening.node.letChildrenMove() }
    guard let mask = opening.mask else { return opening.node }
    return try add(mask, to: &opening.node, at: time, depth: depth, box: opening.box) ? opening.node : nil
  }

  /// The layer with its animations applied.
  @inline(never) private func presented(
    _ model: Layer, at time: Double, in rect: Rect
  ) throws(CompositorError) -> Layer {
    var layer = model
    if model.isLaidOut {
      let placed = try model.laidOut(in: rect, at: time, measurer)
      layer = placed
      for animation in model.animations { animation.apply(to: &layer, model: placed, at: time) }
    } else {
      for animation in model.animations { animation.apply(to: &layer, model: model, at: time) }
    }
    try layer.requireDrawable()
    return layer
  }

  /// The layer itself; `nil` if it, or what faces the viewer, is hidden.
  ///
  /// Never inlined, like the functions that it calls: their many copies of a layer would be on the stack at each level of a tree.
  @inline(never) private mutating func opening(
    _ model: Layer, at time: Double, placement: Matrix4?, box: LayoutBox
  ) throws(CompositorError) -> Opening? {
    var layer = try presented(model, at: time, in: box.rect)
    guard !layer.isHidden, layer.opacity > 0 else { return nil }
    // An easing or a wiggle may exceed it.
    layer.opacity = min(layer.opacity, 1)
    try layer.resolveText(at: time, measurer)
    guard !layer.hidesBack(placement: placement) else { return nil }
    let sublayers = try layer.hasFlex ? arranged(layer, model, at: time, in: box) : layer.sublayers
    let mask = layer.mask
    (layer.sublayers, layer.mask, layer.animations) = ([], nil, [])
    (layer.transitionSource, layer.timing, layer.flex) = (nil, LayerTiming(), nil)
    let hasAnimators = layer.hasAnimators
    let (units, letters) = try takeUnits(of: &layer, at: time)
    var node = PresentationNode(layer, matrix: layer.matrix(placement: placement))
    node.depth = layer.depth(placement: placement)
    if case .movie = layer.content { node.movie = .at(time) }
    node.isChanging = model.isChanging(at: time)
    node.motion = model.motion(in: box)
    node.units = units
    // Changing units are drawn for each frame; units at rest are drawn like any other text.
    if !units.isEmpty || letters != nil, hasAnimators { node.hasAnimatedDescendants = true }
    if keepsPaths { node.path = path }
    return Opening(node: node, sublayers: sublayers, mask: mask, letters: letters, box: box.inside(model, shownAs: layer))
  }

  /// The sublayers of a layer with a flexible layout, at their places.
  @inline(never) private func arranged(
    _ layer: Layer, _ model: Layer, at time: Double, in box: LayoutBox
  ) throws(CompositorError) -> [Layer] {
    try layer.arrangedSublayers(
      at: time, isHeightDefinite: model.hasDefiniteHeight(in: box.rect.size), measurer)
  }

  /// Adds a layer's mask; returns whether anything is shown.
  @inline(never) private mutating func add(
    _ mask: Layer, to node: inout PresentationNode, at time: Double, depth: Int, box: LayoutBox
  ) throws(CompositorError) -> Bool {
    node.mask = try self.node(mask, .mask, at: time, depth: depth + 1, placement: nil, box: box)
    node.mask?.depth = 0
    // A mask that shows nothing at this time hides the layer, or all of it is shown.
    if node.mask == nil, !node.layer.maskMode.isInverted { return false }
    if mask.isAnimated || mask.isMoved(by: box) || node.mask?.hasAnimatedDescendants == true {
      node.hasAnimatedDescendants = true
    }
    return true
  }

  private mutating func addChildren(
    _ sublayers: [Layer], to node: inout PresentationNode, at time: Double, depth: Int, box: LayoutBox
  ) throws(CompositorError) {
    if case .replicator(let replicator) = node.layer.content {
      try addCopies(replicator, of: sublayers, to: &node, at: time, depth: depth, box: box)
      return
    }
    let stage = node.layer.stage
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
  /// Sorts by depth; equal depths keep the order of the list.
  mutating func sortChildren() {
    // Rounded, so that layers in the same plane stay in it regardless of rounding errors.
    let depths = children.map { $0.depth.isFinite ? ($0.depth * 1024).rounded() : 0 }
    // After sorting, depths don't make two frames different.
    for index in children.indices { children[index].depth = 0 }
    guard depths.contains(where: { $0 != depths[0] }) else { return }
    let order = children.indices.sorted { (depths[$0], $0) < (depths[$1], $1) }
    children = order.map { children[$0] }
  }

  /// Marks the children as moving together.
  fileprivate mutating func letChildrenMove() {
    guard !children.isEmpty else { return }
    hasAnimatedDescendants = true
    for index in children.indices { children[index].motion = .transforms }
  }
}
