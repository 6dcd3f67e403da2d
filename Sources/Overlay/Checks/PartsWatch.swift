import CompositorAPI

/// What is seen of a title's parts.
struct PartsWatch {
  private let size: Size
  private let sizes: TextSizes
  /// The key paths of layers that haven't been seen yet.
  private(set) var wanted: Set<String>
  /// Why they weren't.
  private(set) var reasons: [String: UnseenLayer.Reason] = [:]
  /// Texts with animators, and texts that are typed, by key path.
  var texts: [String: TextWatch] = [:]
  var typing: [String: TypingWatch] = [:]
  private(set) var nodeCount = 0

  init(canvas: PixelSize, fonts: FontLibrary, wanted: Set<String>) {
    size = Size(width: Double(canvas.width), height: Double(canvas.height))
    (sizes, self.wanted) = (TextSizes(fonts), wanted)
  }

  var isDone: Bool { wanted.isEmpty && texts.isEmpty && typing.isEmpty }

  mutating func evaluate(_ title: Layer, at time: Double) throws(CompositorError) {
    let sizes = sizes
    let found = try LayerEvaluator.rehearse(title, at: time, canvas: size, layOut: sizes.layout(of:in:)) {
      (text) throws(CompositorError) in try sizes.size(of: text)
    }
    nodeCount += found.count
    if let node = found.node { try note(node, node.matrix, on: canvas, within: canvas, opacity: 1, at: time) }
  }

  private var canvas: Rect { Rect(origin: .zero, size: size) }

  /// - Parameters:
  ///   - area: The part of the canvas that the masks of layers around the node may show.
  ///   - bounds: The part of the canvas inside of the bounds at which layers around the node cut it off.
  private mutating func note(
    _ node: PresentationNode, _ matrix: Projection, on area: Rect, within bounds: Rect, opacity: Double, at time: Double
  ) throws(CompositorError) {
    let opacity = opacity * node.layer.opacity
    // Less than one step of a code value of 8 bits.
    guard opacity > 1 / 512 else { return }
    guard let open = try node.opening(matrix, on: area, sizes) else {
      if wanted.contains(node.path) { reasons[node.path] = .masked }
      return explain(inside: node, by: .masked)
    }
    if wanted.contains(node.path) {
      switch try node.ownVisibility(matrix, on: open.intersection(bounds), sizes) {
      case .visible: wanted.remove(node.path)
      case .outside:
        let isOnCanvas = try node.ownVisibility(matrix, on: canvas, sizes) == .visible
        let isInBounds = try node.ownVisibility(matrix, on: bounds, sizes) == .visible
        reasons[node.path] = !isOnCanvas ? .outside : isInBounds ? .outsideMask : .cutByBounds
      case .empty, .betweenFrames:
        if let flatness = node.layer.flatness { reasons[node.path] = flatness }
      }
    }
    if case .text(let text) = node.layer.content {
      if let watch = texts[node.path] {
        let settled = watch.isScrambledNaturally ? watch.text : text
        let layout = try sizes.layout(of: settled, in: node.layer.bounds.size)
        texts[node.path]?.note(
          watch.isScrambledNaturally ? [] : node.units, of: settled, layout, opacity: opacity, at: time)
      }
      typing[node.path]?.note(text)
    }
    guard let inner = node.clipped(bounds, matrix) else { return explain(inside: node, by: .cutByBounds) }
    for child in node.children {
      try note(child, child.matrix.concatenating(matrix), on: open, within: inner, opacity: opacity, at: time)
    }
  }

  /// Notes why nothing is seen of the layers inside of another one.
  private mutating func explain(inside node: PresentationNode, by reason: UnseenLayer.Reason) {
    for path in wanted where path != node.path && (node.path.isEmpty || path.hasPrefix(node.path + ".")) {
      reasons[path] = reason
    }
  }
}

extension Layer {
  /// The reason why nothing is seen of a layer, as evaluated at a time, that is as large as its bounds and has none.
  fileprivate var flatness: UnseenLayer.Reason? {
    switch content {
    case .none, .image, .movie, .gradient, .video: break
    case .text(let text):
      guard text.runs.contains(where: { $0.text.contains { !$0.isWhitespace } }) else { return nil }
    default: return nil
    }
    let (hasNoWidth, hasNoHeight) = (bounds.size.width <= 0, bounds.size.height <= 0)
    return hasNoWidth || hasNoHeight ? .flat(hasNoWidth: hasNoWidth, hasNoHeight: hasNoHeight) : nil
  }
}
