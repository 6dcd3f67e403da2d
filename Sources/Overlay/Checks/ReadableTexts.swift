package import CompositorAPI

/// A text of a title that can be read at one time.
package struct ReadableText: Hashable, Sendable {
  /// The text.
  package var text: String
  /// The boxes of its lines, from ascent to descent, or of its letters if they move on their own, and of the plate that it lies on, in
  /// pixels of the canvas.
  package var boxes: [Rect]

  /// Its beginning in one line, for messages.
  package var name: String { text.beginningInOneLine }
}

/// The texts of a title that can be read at given times, found from positions and sizes without drawing.
package struct ReadableTexts: Sendable {
  /// The least opacity of text that is meant to be read.
  private static let leastOpacity = 0.5
  /// The least opacity of a plate, and the most of the canvas that it covers: what is larger is a background of the movie.
  private static let (leastPlateOpacity, largestPlate) = (0.3, 0.4)

  private let title: Layer
  private let canvas: Rect
  private let sizes: TextSizes
  /// Whether its texts are the same whenever it is shown.
  package let isStill: Bool

  /// - Returns: `nil` if the title has no text that someone wrote.
  package init?(_ layer: Layer, canvas: PixelSize, fonts: FontLibrary) {
    guard layer.contains({ $0.content.isWrittenText }) else { return nil }
    title = layer
    self.canvas = Rect(x: 0, y: 0, width: Double(canvas.width), height: Double(canvas.height))
    sizes = TextSizes(fonts)
    var tree = layer
    tree.timing = LayerTiming()
    isStill = !tree.contains { $0.mayMove }
  }

  /// The texts at a time, in seconds of the title's parent.
  ///
  /// - Throws: Errors of evaluating the layer.
  package func texts(at time: Double) throws(CompositorError) -> [ReadableText] {
    let sizes = sizes
    let node = try LayerEvaluator.evaluate(title, at: time, canvas: canvas.size, layOut: sizes.layout(of:in:)) {
      (text) throws(CompositorError) in try sizes.size(of: text)
    }
    var found: [ReadableText] = []
    if let node { try collect(node, node.matrix, Surroundings(area: canvas), into: &found) }
    return found
  }

  /// How layers around a node show it.
  private struct Surroundings {
    /// The part of the canvas that masks and bounds may show.
    var area: Rect
    var opacity = 1.0
    /// The innermost plate.
    var plate: Rect?
  }

  private func collect(
    _ node: PresentationNode, _ matrix: Projection, _ around: Surroundings, into found: inout [ReadableText]
  ) throws(CompositorError) {
    var around = around
    around.opacity *= node.layer.opacity
    guard around.opacity >= Self.leastOpacity, !node.layer.content.isEmitter,
      let open = try node.opening(matrix, on: around.area, sizes), let inner = node.clipped(open, matrix)
    else { return }
    around.area = inner
    if let plate = plate(of: node, matrix, around) { around.plate = plate }
    if case .text(let text) = node.layer.content, text.isReadable(at: around.opacity, least: Self.leastOpacity) {
      let lines = try node.letterBoxes(matrix, .lines, opacity: Self.leastOpacity / around.opacity, sizes)
      let seen = lines.map { $0.intersection(inner) }.filter { !$0.isEmpty }
      if let first = seen.first {
        let whole = seen.dropFirst().reduce(first) { $0.hull(with: $1) }
        let plates = [around.plate].compactMap { $0 }.filter { $0.grown(by: 1).contains(whole) }
        found.append(ReadableText(text: text.runs.map(\.text).joined(), boxes: plates + seen))
      }
    }
    for child in node.children {
      try collect(child, child.matrix.concatenating(matrix), around, into: &found)
    }
  }

  /// The plate that a layer paints behind texts in it; `nil` if it paints none.
  private func plate(of node: PresentationNode, _ matrix: Projection, _ around: Surroundings) -> Rect? {
    guard let color = node.layer.backgroundColor, color.alpha * around.opacity >= Self.leastPlateOpacity,
      !node.layer.bounds.isEmpty, let box = matrix.boundingBox(of: node.layer.bounds)?.intersection(around.area)
    else { return nil }
    let share = box.size.width * box.size.height / (canvas.size.width * canvas.size.height)
    return box.isEmpty || share > Self.largestPlate ? nil : box
  }
}

/// What is measured of letters.
enum LetterMeasure {
  /// Their ink.
  case ink
  /// The width of their ink, and the height of their line from ascent to descent, with the background of the line.
  case lines
}

extension PresentationNode {
  /// The box of each line of its text, or of each letter that moves on its own, in the coordinates that `matrix` leads to. Those
  /// without a box, because of perspective, are left out.
  ///
  /// - Parameters:
  ///   - matrix: From the layer's own coordinates.
  ///   - opacity: The least opacity of letters that count.
  func letterBoxes(
    _ matrix: Projection, _ measure: LetterMeasure, opacity: Double, _ sizes: TextSizes
  ) throws(CompositorError) -> [Rect] {
    guard case .text(let text) = layer.content, !layer.bounds.isEmpty else { return [] }
    let layout = try sizes.layout(of: text, in: layer.bounds.size)
    let origin = text.origin(in: layer.bounds, layout.extents)
    guard units.isEmpty else {
      return units.filter { $0.opacity > 0 && $0.opacity >= opacity && !$0.ink.isEmpty }.compactMap { unit in
        let place = unit.transform(about: origin)?.concatenating(matrix) ?? matrix
        return place.boundingBox(of: unit.ink.offsetBy(x: origin.x, y: origin.y))
      }
    }
    let padding = measure == .lines ? text.seenPadding : 0
    var lines: [Int: (ink: Rect, box: Rect)] = [:]
    for cluster in layout.clusters where !cluster.ink.isEmpty {
      let known = lines[cluster.line] ?? (cluster.ink, cluster.box)
      lines[cluster.line] = (known.ink.hull(with: cluster.ink), known.box.hull(with: cluster.box))
    }
    return lines.sorted { $0.key < $1.key }.compactMap { _, line in
      var rect = line.ink
      if measure == .lines, text.writingMode == .horizontal {
        (rect.origin.y, rect.size.height) = (line.box.minY, line.box.size.height)
      }
      return matrix.boundingBox(of: rect.offsetBy(x: origin.x, y: origin.y).grown(by: padding))
    }
  }
}

extension TextContent {
  /// How far the background of its lines extends beyond them; 0 if there is none, or a faint one.
  fileprivate var seenPadding: Double {
    guard let background, background.color.alpha >= 0.3, path == nil else { return 0 }
    return background.padding
  }

  /// Whether all of it is shown in colors that can be read, in a layer of an opacity.
  fileprivate func isReadable(at opacity: Double, least: Double) -> Bool {
    guard reveal >= 1, runs.contains(where: { $0.text.contains { !$0.isWhitespace } }) else { return false }
    let alpha = runs.map { ($0.color ?? color).alpha }.max() ?? color.alpha
    return gradient != nil || alpha * opacity >= least
  }
}

extension Layer {
  /// Whether what it shows may differ from time to time, disregarding its sublayers.
  fileprivate var mayMove: Bool {
    if !animations.isEmpty || timing != LayerTiming() || transitionSource != nil || content.isEmitter { return true }
    guard case .text(let text) = content else { return false }
    return !text.animators.isEmpty || text.generator != nil
  }
}
