package import CompositorAPI

/// A text that crosses the edge of the title-safe area, found from positions and sizes without drawing.
///
/// The area is the middle 90 % of the width and of the height (SMPTE ST 2046-1). Text that moves, is revealed unit by unit,
/// is generated, masked, copied or tilted is not checked: it may legitimately cross the edge. So may faint text, such as a watermark, but
/// not the edge of the canvas.
package struct TitleSafety: Hashable, Sendable {
  /// The text.
  package var text: String
  /// A rectangle around its ink, in pixels of the canvas.
  package var box: Rect
  /// The time at which it was there, in seconds of the title's parent.
  package var time: Double

  /// The minimum time in seconds that a text must stay in place to count as at rest, in a title that lasts long enough for it.
  package static let rest = 0.5
  /// The same, as a share of a short title's time.
  private static let shareAtRest = 0.3
  /// Tolerance in pixels for antialiased edges and rounded percentages.
  private static let tolerance = 1.0
  private static let samples = 5
  private static let mostSamples = 21
  /// The most texts to report of one title.
  private static let most = 6
  /// The least opacity of text that is meant to be read, and of text that is meant to be seen.
  private static let (readable, visible) = (0.5, 0.2)

  /// The title-safe area of a canvas.
  package static func area(of canvas: PixelSize) -> Rect {
    let (width, height) = (Double(canvas.width), Double(canvas.height))
    return Rect(x: width * 0.05, y: height * 0.05, width: width * 0.9, height: height * 0.9)
  }

  /// Its beginning in one line, for messages.
  package var name: String { text.beginningInOneLine }
  /// How many pixels it extends beyond the edge of an area that it crosses most, and the name of that edge.
  package func excess(beyond area: Rect) -> (edge: String, pixels: Int) {
    let distances = distances(beyond: area)
    let farthest = distances.max { $0.pixels < $1.pixels } ?? distances[0]
    return (farthest.edge, Int(farthest.pixels.rounded(.up)))
  }

  /// The edges of an area at which the text is cut off, if that is all that is shown: `left and top`; `nil` if it is whole.
  package func edges(cutBy area: Rect) -> String? {
    let edges = distances(beyond: area).filter { $0.pixels > Self.tolerance }.map(\.edge)
    return edges.isEmpty ? nil : edges.joined(separator: " and ") + (edges.count > 1 ? " edges" : " edge")
  }

  private func distances(beyond area: Rect) -> [(edge: String, pixels: Double)] {
    [
      ("left", area.minX - box.minX), ("right", box.maxX - area.maxX), ("top", area.minY - box.minY),
      ("bottom", box.maxY - area.maxY),
    ]
  }

  /// The texts found at rest across the edge of the area, in the order in which they appear, each once; at most six.
  ///
  /// - Parameters:
  ///   - start: Start, in seconds of the title's parent.
  ///   - end: End, in seconds of the title's parent; > start.
  ///   - area: The area in pixels of the canvas; `nil` for the title-safe area.
  /// - Throws: Errors of evaluating the layer.
  package static func textsOutside(
    of layer: Layer, from start: Double, to end: Double, canvas: PixelSize, area: Rect? = nil, fonts: FontLibrary
  ) throws(CompositorError) -> [TitleSafety] {
    guard end > start, layer.contains({ $0.content.isText }) else { return [] }
    let rest = min(rest, (end - start) * shareAtRest)
    let search = Search(layer: layer, canvas: canvas, area: area ?? self.area(of: canvas), sizes: TextSizes(fonts))
    var texts: [TitleSafety] = []
    for time in times(of: layer, from: start, to: end - rest) where texts.count < most {
      // A text that comes to rest in another place is the same one.
      let known = Set(texts.map(\.text))
      let found = try search.texts(at: time).filter { !known.contains($0.text) }
      guard !found.isEmpty else { continue }
      // Twice, because a swinging text may have returned to its position.
      let (soon, later) = (try search.texts(at: time + rest * 0.37), try search.texts(at: time + rest))
      texts += found.filter { text in
        soon.contains(where: text.isAtTheSamePlace) && later.contains(where: text.isAtTheSamePlace)
      }
    }
    return Array(texts.prefix(most))
  }

  private static func times(of layer: Layer, from start: Double, to last: Double) -> [Double] {
    let isStill = !layer.contains {
      !$0.animations.isEmpty || $0.timing != LayerTiming() || $0.content.isEmitter || $0.transitionSource != nil
    }
    guard !isStill else { return [start] }
    let even = (0..<samples).map { start + (last - start) * (Double($0) + 0.5) / Double(samples) }
    let begins = layer.begins(after: 0).prefix(mostSamples - samples).map { $0 + 0.001 }
    return even + begins.filter { $0 >= start && $0 <= last }
  }

  private func isAtTheSamePlace(as other: TitleSafety) -> Bool {
    text == other.text && abs(box.minX - other.box.minX) < 0.5 && abs(box.maxX - other.box.maxX) < 0.5
      && abs(box.minY - other.box.minY) < 0.5 && abs(box.maxY - other.box.maxY) < 0.5
  }

  /// A title as seen at one time.
  private struct Search {
    let layer: Layer
    let canvas: PixelSize
    let area: Rect
    let sizes: TextSizes

    /// The texts that cross the edge of the area.
    func texts(at time: Double) throws(CompositorError) -> [TitleSafety] {
      let size = Size(width: Double(canvas.width), height: Double(canvas.height))
      let sizes = sizes
      let node = try LayerEvaluator.evaluate(
        layer, at: time, canvas: size, animatesText: false, layOut: sizes.layout(of:in:)
      ) { (text) throws(CompositorError) in try sizes.size(of: text) }
      var found: [TitleSafety] = []
      if let node { try collect(node, node.matrix, opacity: 1, at: time, into: &found) }
      return found
    }

    private func collect(
      _ node: PresentationNode, _ matrix: Projection, opacity: Double, at time: Double, into found: inout [TitleSafety]
    ) throws(CompositorError) {
      let opacity = opacity * node.layer.opacity
      guard opacity >= visible, node.mask == nil, !node.layer.masksToBounds, !node.layer.content.isEmitter,
        !node.layer.content.isReplicator
      else { return }
      if case .text(let text) = node.layer.content, let box = try box(of: text, in: node, matrix, opacity: opacity),
        isAcross(box, isFaint: opacity < readable)
      {
        found.append(TitleSafety(text: text.runs.map(\.text).joined(), box: box, time: time))
      }
      for child in node.children {
        try collect(child, child.matrix.concatenating(matrix), opacity: opacity, at: time, into: &found)
      }
    }

    /// The bounds of a text's ink on the canvas: of a text on a path, those of its letters that are meant to be seen.
    private func box(
      of text: TextContent, in node: PresentationNode, _ matrix: Projection, opacity: Double
    ) throws(CompositorError) -> Rect? {
      guard node.units.isEmpty else { return try node.letterBox(matrix, opacity: visible / opacity, sizes) }
      return try ink(of: text, in: node.layer.bounds).flatMap(matrix.boundingBox)
    }

    /// The bounds of a text's ink, in the layer's coordinates.
    private func ink(of text: TextContent, in bounds: Rect) throws(CompositorError) -> Rect? {
      guard !bounds.isEmpty, text.runs.contains(where: { $0.text.contains { !$0.isWhitespace } }) else { return nil }
      let layout = try sizes.layout(of: text, in: bounds.size)
      let origin = text.origin(in: bounds, layout.extents)
      let ink = layout.extents.ink
      return Rect(x: ink.minX + origin.x, y: ink.minY + origin.y, width: ink.size.width, height: ink.size.height)
    }

    private func isAcross(_ box: Rect, isFaint: Bool) -> Bool {
      let whole = Rect(x: 0, y: 0, width: Double(canvas.width), height: Double(canvas.height))
      let isOnCanvas = box.minX < whole.maxX && box.maxX > 0 && box.minY < whole.maxY && box.maxY > 0
      return isOnCanvas && !(isFaint ? whole : area).grown(by: tolerance).contains(box)
    }
  }
}

extension String {
  /// At most 40 characters of a text, for messages.
  var beginningInOneLine: String {
    let words = split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return words.count > 40 ? words.prefix(39) + "…" : words
  }
}

extension LayerContent {
  fileprivate var isText: Bool {
    // Generated text such as a timecode is for the editors of the movie.
    if case .text(let text) = self { text.generator == nil } else { false }
  }

  fileprivate var isReplicator: Bool {
    if case .replicator = self { true } else { false }
  }
}
