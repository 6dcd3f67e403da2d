package import CompositorAPI

/// A text of a title that lies under an opaque layer, of its own title or of a later one, whenever it is shown.
package struct CoveredText: Hashable, Sendable {
  /// The key path of the text's layer from its title; empty for the title itself.
  package var path: String
  /// Its name in messages.
  package var name: String
  /// The index of the title with the layer above it.
  package var coveringTitle: Int
}

/// Finds texts under opaque layers by evaluating titles at frames of the movie, without drawing. Only what is certain is found: a
/// rectangle, perhaps with round corners, that a color, a gradient, an image or the frame itself fills over all of a text's letters.
package struct CoveredTexts {
  /// The titles in the order in which they are drawn.
  private let titles: [Layer]
  private let canvas: Size
  private let sizes: TextSizes
  private let opaque: OpaqueContents

  /// The maximum number of layers evaluated for a title: nothing is said of larger trees.
  private static let mostNodes = 100_000

  package init(_ titles: [Layer], canvas: PixelSize, fonts: FontLibrary, opaque: OpaqueContents = OpaqueContents()) {
    (self.titles, self.opaque, sizes) = (titles, opaque, TextSizes(fonts))
    self.canvas = Size(width: Double(canvas.width), height: Double(canvas.height))
  }

  /// The texts of a title that are covered all the time.
  ///
  /// - Parameters:
  ///   - start: The title's start, in seconds of the movie.
  ///   - end: Its end, in seconds of the movie.
  ///   - frame: The length of a frame in seconds, > 0, if frames are at its multiples; `nil` if their times aren't known.
  /// - Throws: Errors of evaluating the layers.
  package func find(
    inTitle index: Int, from start: Double, to end: Double, frame: Double?
  ) throws(CompositorError) -> [CoveredText] {
    guard end > start, titles[index].contains({ $0.content.isWrittenText }) else { return [] }
    let above = titles.indices[(index + 1)...].filter { mayCover(titles[$0]) && titles[$0].isShown(from: start, to: end) }
    guard mayCover(titles[index]) || !above.isEmpty else { return [] }
    let moments = TitleMoments(from: start, to: end, frame: frame)
    var (covered, seen, nodeCount) = ([String: CoveredText](), Set<String>(), 0)
    let times = Set(([index] + above).flatMap { moments.samples(of: titles[$0]) })
    for time in times.sorted() {
      var stack = CoverStack(sizes: sizes, opaque: opaque)
      for title in [index] + above {
        let found = try LayerEvaluator.rehearse(titles[title], at: time, canvas: canvas, layOut: sizes.layout(of:in:)) {
          (text) throws(CompositorError) in try sizes.size(of: text)
        }
        nodeCount += found.count
        guard nodeCount < Self.mostNodes else { return [] }
        (stack.notesTexts, stack.notesCovers) = (title == index, mayCover(titles[title]))
        if let node = found.node { try stack.add(node, node.matrix, title: title) }
      }
      for text in stack.texts {
        if let cover = text.cover {
          covered[text.path] = covered[text.path] ?? CoveredText(path: text.path, name: text.name, coveringTitle: cover)
        } else {
          seen.insert(text.path)
        }
      }
    }
    return covered.values.filter { !seen.contains($0.path) }.sorted { $0.path < $1.path }
  }

  /// Whether a layer of a title may be opaque, and none is in a transition, whose moments cannot be determined.
  private func mayCover(_ tree: Layer) -> Bool {
    tree.contains(opaque.mayCover) && !tree.contains { $0.transitionSource != nil }
  }
}

/// Texts and what is painted over them, in the order in which layers are drawn.
private struct CoverStack {
  /// A text that is drawn.
  struct Text {
    let path, name: String
    let box: Rect
    /// The title whose layer is above it.
    var cover: Int?
  }

  let sizes: TextSizes
  let opaque: OpaqueContents
  /// Whether texts, and layers that cover them, are noted.
  var notesTexts = true, notesCovers = true
  private(set) var texts: [Text] = []

  /// How layers around a node show it.
  private struct Surroundings {
    /// Whether they leave opaque colors as they are.
    var keepsColors = true
    /// The areas that cut it off.
    var areas: [OpaqueArea] = []
  }

  init(sizes: TextSizes, opaque: OpaqueContents) { (self.sizes, self.opaque) = (sizes, opaque) }

  mutating func add(_ node: PresentationNode, _ matrix: Projection, title: Int) throws(CompositorError) {
    try add(node, matrix, title: title, Surroundings())
  }

  private mutating func add(
    _ node: PresentationNode, _ matrix: Projection, title: Int, _ around: Surroundings
  ) throws(CompositorError) {
    var around = around
    around.keepsColors = notesCovers && around.keepsColors && node.keepsColors
    if around.keepsColors, node.layer.masksToBounds {
      if let area = OpaqueArea(node.layer.bounds, radii: node.layer.shownRadii, matrix) {
        around.areas.append(area)
      } else {
        around.keepsColors = false
      }
    }
    if around.keepsColors {
      for area in opaque.areas(of: node.layer, matrix) { cover(area, around.areas, title: title) }
    }
    if notesTexts { try note(node, matrix) }
    for child in node.children { try add(child, child.matrix.concatenating(matrix), title: title, around) }
  }

  /// Notes which texts lie under an area, as far as others don't cut it off.
  private mutating func cover(_ area: OpaqueArea, _ around: [OpaqueArea], title: Int) {
    for index in texts.indices where texts[index].cover == nil {
      let box = texts[index].box
      if area.contains(box), around.allSatisfy({ $0.contains(box) }) { texts[index].cover = title }
    }
  }

  private mutating func note(_ node: PresentationNode, _ matrix: Projection) throws(CompositorError) {
    guard case .text(let text) = node.layer.content, node.layer.opacity > 0, text.reveal > 0, text.hasVisibleLetters else {
      return
    }
    let boxes = try node.letterBoxes(matrix, .ink, opacity: 0, sizes)
    guard let first = boxes.first else { return }
    let margin = text.outlineWidth + 3 * node.layer.filters.blurRadius + (node.units.map(\.blurRadius).max() ?? 0) * 3
    let box = boxes.dropFirst().reduce(first) { $0.hull(with: $1) }.grown(by: margin)
    texts.append(Text(path: node.path, name: node.layer.label, box: box))
  }
}

extension PresentationNode {
  /// Whether it paints opaque colors as they are, so that nothing below them is seen.
  fileprivate var keepsColors: Bool {
    layer.opacity >= 1 && layer.blendMode == .normal && mask == nil && momentCount == 0 && layer.filters.isIdentity
  }
}

extension Layer {
  /// Whether a title is there at some time of a range, in seconds of the movie.
  fileprivate func isShown(from start: Double, to end: Double) -> Bool {
    timing.beginTime < end && (timing.duration <= 0 || timing.beginTime + timing.duration > start)
  }
}
