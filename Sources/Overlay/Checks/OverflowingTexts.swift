package import CompositorAPI

/// A text that is larger than its box, or longer than the closed path on which it lies, whenever it is shown.
package struct OverflowingText: Hashable, Sendable {
  /// What the text is too large for.
  package enum Room: Hashable, Sendable {
    /// The box of its own layer, of which the background or the border is seen.
    case ownBox
    /// Its own layer, which cuts it off (`masksToBounds`).
    case cut
    /// The box of the layer that arranges it (`flex`).
    case arrangingBox
    /// A closed path, on which it lies on itself.
    case closedPath
  }

  /// The key path of the text's layer from its title; empty for the title itself.
  package var path: String
  /// Its name in messages.
  package var name: String
  package var room: Room
  /// How many pixels of the layer it is too large, and the edge beyond which it extends; `nil` for a path.
  package var excess: Double
  package var edge: String?
  /// Whether its lines are broken to fit.
  package var wraps: Bool
}

/// Finds texts that overflow by evaluating a title at a few times, without drawing. Those that are generated, or of which units are
/// animated, aren't looked at, and nor are faint ones.
package struct OverflowingTexts {
  private let title: Layer
  private let canvas: Size
  private let sizes: TextSizes
  /// The paths of texts that layers with `flex` arrange.
  private var arranged: Set<String> = []

  private static let samples = 5
  /// The least opacity of text, and of the box around it.
  private static let (leastOpacity, leastBoxOpacity) = (0.5, 0.1)
  /// How far ink may extend beyond a box, in font sizes and in pixels: letters of some fonts are a little larger than their lines.
  private static let (leastShare, leastPixels) = (0.15, 1.5)

  package init(_ title: Layer, canvas: PixelSize, fonts: FontLibrary) {
    (self.title, sizes) = (title, TextSizes(fonts))
    self.canvas = Size(width: Double(canvas.width), height: Double(canvas.height))
    title.gatherArranged(into: &arranged)
  }

  /// The texts that overflow whenever they are shown.
  ///
  /// - Parameters:
  ///   - start: The title's start, in seconds of its parent.
  ///   - end: Its end, in seconds of its parent.
  /// - Throws: Errors of evaluating the layer.
  package func find(from start: Double, to end: Double) throws(CompositorError) -> [OverflowingText] {
    let root = title
    guard end > start, root.contains({ $0.content.isWrittenText }) else { return [] }
    var (found, fitting) = ([String: OverflowingText](), Set<String>())
    for index in 0..<Self.samples {
      let time = start + (end - start) * (Double(index) + 0.5) / Double(Self.samples)
      let evaluated = try LayerEvaluator.rehearse(title, at: time, canvas: canvas, layOut: sizes.layout(of:in:)) {
        (text) throws(CompositorError) in try sizes.size(of: text)
      }
      if let node = evaluated.node { try collect(node, in: nil, opacity: 1, &found, &fitting) }
    }
    return found.values.filter { !fitting.contains($0.path) }.sorted { $0.path < $1.path }
  }

  private func collect(
    _ node: PresentationNode, in parent: PresentationNode?, opacity: Double, _ found: inout [String: OverflowingText],
    _ fitting: inout Set<String>
  ) throws(CompositorError) {
    let opacity = opacity * node.layer.opacity
    guard opacity >= Self.leastOpacity else { return }
    if case .text(let text) = node.layer.content, text.generator == nil, text.animators.isEmpty, text.hasVisibleLetters,
      !node.layer.bounds.isEmpty
    {
      if let overflow = try overflow(of: text, node, in: parent) {
        found[node.path] = found[node.path] ?? overflow
      } else {
        fitting.insert(node.path)
      }
    }
    for child in node.children { try collect(child, in: node, opacity: opacity, &found, &fitting) }
  }

  private func overflow(
    of text: TextContent, _ node: PresentationNode, in parent: PresentationNode?
  ) throws(CompositorError) -> OverflowingText? {
    let size = text.runs.map { ($0.font ?? text.font).size }.max() ?? text.font.size
    func made(_ room: OverflowingText.Room, _ excess: Double, _ edge: String?) -> OverflowingText {
      OverflowingText(
        path: node.path, name: node.layer.label, room: room, excess: excess, edge: edge, wraps: text.wraps)
    }
    if text.linePath != nil {
      // Blanks at the end lie on nothing that is seen.
      var shown = text
      if let last = shown.runs.indices.last {
        while shown.runs[last].text.last?.isWhitespace == true { shown.runs[last].text.removeLast() }
      }
      let layout = try sizes.layout(of: shown, in: node.layer.bounds.size)
      guard let path = TextPath(of: shown, layout, origin: .zero), path.isClosed, path.path.length > 0 else { return nil }
      let longest = path.lines.values.map { $0.upperBound - $0.lowerBound }.max() ?? 0
      let excess = longest - path.path.length
      return excess > Self.leastShare * size ? made(.closedPath, excess, nil) : nil
    }
    let tolerance = max(Self.leastShare * size, Self.leastPixels)
    func excess(_ ink: [Rect], beyond box: Rect) -> (edge: String, pixels: Double)? {
      guard let first = ink.first else { return nil }
      let whole = ink.dropFirst().reduce(first) { $0.hull(with: $1) }
      let distances = [
        ("left", box.minX - whole.minX), ("right", whole.maxX - box.maxX), ("top", box.minY - whole.minY),
        ("bottom", whole.maxY - box.maxY),
      ]
      return distances.filter { $0.1 > tolerance }.max { $0.1 < $1.1 }.map { ($0.0, $0.1) }
    }
    if node.layer.masksToBounds || node.layer.hasSeenBox(least: Self.leastBoxOpacity) {
      let ink = try node.letterBoxes(.identity, .ink, opacity: 0, sizes)
      guard let found = excess(ink, beyond: node.layer.bounds) else { return nil }
      return made(node.layer.masksToBounds ? .cut : .ownBox, found.pixels, found.edge)
    }
    guard let parent, arranged.contains(node.path), parent.layer.hasSeenBox(least: Self.leastBoxOpacity),
      !parent.layer.masksToBounds
    else { return nil }
    let ink = try node.letterBoxes(node.matrix, .ink, opacity: 0, sizes)
    return excess(ink, beyond: parent.layer.bounds).map { made(.arrangingBox, $0.pixels, $0.edge) }
  }
}

extension Layer {
  /// Collects the paths of layers that others arrange, and that don't move.
  fileprivate func gatherArranged(into found: inout Set<String>, path: String = "", depth: Int = 0) {
    guard depth < Layer.maximumDepth else { return }
    for (index, layer) in sublayers.enumerated() {
      let own = path.appending(key: "sublayers[\(index)]")
      // One that is moved, turned or enlarged is meant to leave its place.
      let stays = layer.animations.isEmpty && layer.transform == .identity
      if flex != nil, stays, layer.isArranged { found.insert(own) }
      layer.gatherArranged(into: &found, path: own, depth: depth + 1)
    }
  }

  /// Whether its background or its border is seen.
  fileprivate func hasSeenBox(least: Double) -> Bool {
    guard !bounds.isEmpty else { return false }
    return (backgroundColor?.alpha ?? 0) >= least || borderWidth > 0 && borderColor.alpha >= least
  }
}
