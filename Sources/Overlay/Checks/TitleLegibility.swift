package import CompositorAPI

/// A text that was shrunk to fit until it cannot be read, found from sizes without drawing.
package struct TitleLegibility: Hashable, Sendable {
  /// The text.
  package var text: String
  /// The height of its capitals, in pixels of the canvas, where it is largest.
  package var height: Double
  /// The share of the size that it was given, below 1.
  package var scale: Double

  /// Height of capitals that can be read, as a share of the canvas's shorter side: 16 pixels of 1080.
  package static let leastShare = 0.015
  /// Height of capitals as a share of the font's size, as in most fonts.
  private static let capitals = 0.72
  private static let samples = 9

  /// Its beginning in one line, for messages.
  package var name: String { text.beginningInOneLine }

  /// The readable height of capitals on a canvas, in pixels.
  package static func leastHeight(on canvas: PixelSize) -> Double { leastShare * Double(min(canvas.width, canvas.height)) }

  /// The smallest text that shrinks to fit and stays below the readable height all the time; `nil` if there is none. Text that is small by choice doesn't
  /// count.
  ///
  /// - Parameters:
  ///   - start: Start, in seconds of the title's parent.
  ///   - end: End, in seconds of the title's parent; > start.
  ///   - least: The readable height, in pixels of the canvas; `nil` for that of a canvas that is shown in its own size.
  /// - Throws: Errors of evaluating the layer.
  package static func tooSmall(
    in layer: Layer, from start: Double, to end: Double, canvas: PixelSize, below least: Double? = nil, fonts: FontLibrary
  ) throws(CompositorError) -> TitleLegibility? {
    var chosen: [String: Double] = [:]
    layer.gatherShrinking(into: &chosen)
    guard end > start, !chosen.isEmpty else { return nil }
    let size = Size(width: Double(canvas.width), height: Double(canvas.height))
    let sizes = TextSizes(fonts)
    var largest: [String: TitleLegibility] = [:]
    for index in 0..<samples {
      let time = start + (end - start) * (Double(index) + 0.5) / Double(samples)
      let node = try LayerEvaluator.evaluate(
        layer, at: time, canvas: size, animatesText: false, layOut: sizes.layout(of:in:)
      ) { (text) throws(CompositorError) in try sizes.size(of: text) }
      node?.gatherHeights(node?.matrix ?? .identity, chosen, into: &largest)
    }
    let least = least ?? leastHeight(on: canvas)
    return largest.values.filter { $0.height < least && $0.scale < 0.99 }.min { ($0.height, $0.text) < ($1.height, $1.text) }
  }

  /// Height of capitals below which a text is a line or nothing, in pixels.
  private static let invisibleHeight = 1.0

  /// A text whose capitals are lower than a pixel all the time, as it was written; `nil` if there is none.
  ///
  /// - Parameters:
  ///   - start: Start, in seconds of the title's parent.
  ///   - end: End, in seconds of the title's parent; > start.
  /// - Throws: Errors of evaluating the layer.
  package static func invisible(
    in layer: Layer, from start: Double, to end: Double, canvas: PixelSize, fonts: FontLibrary
  ) throws(CompositorError) -> TitleLegibility? {
    guard end > start, layer.hasTinyText else { return nil }
    let size = Size(width: Double(canvas.width), height: Double(canvas.height))
    let sizes = TextSizes(fonts)
    var largest: [String: Double] = [:]
    for index in 0..<samples {
      let time = start + (end - start) * (Double(index) + 0.5) / Double(samples)
      let node = try LayerEvaluator.evaluate(
        layer, at: time, canvas: size, animatesText: false, layOut: sizes.layout(of:in:)
      ) { (text) throws(CompositorError) in try sizes.size(of: text) }
      node?.gatherHeights(node?.matrix ?? .identity, into: &largest)
    }
    return largest.filter { $0.value > 0 && $0.value < invisibleHeight }
      .min { ($0.value, $0.key) < ($1.value, $1.key) }.map { TitleLegibility(text: $0.key, height: $0.value, scale: 1) }
  }

  fileprivate static func height(ofCapitals text: TextContent, _ matrix: Projection) -> Double? {
    guard let affine = matrix.affine else { return nil }
    let scale = min(
      (affine.a * affine.a + affine.b * affine.b).squareRoot(), (affine.c * affine.c + affine.d * affine.d).squareRoot())
    return text.font.size * capitals * scale
  }
}

extension TextContent {
  fileprivate var string: String { runs.map(\.text).joined() }
}

extension Layer {
  /// The largest size that each shrinking text was given.
  fileprivate func gatherShrinking(into sizes: inout [String: Double], depth: Int = 0) {
    guard depth <= Layer.maximumDepth else { return }
    if case .text(let text) = content, text.fit == .shrink, text.generator == nil,
      text.string.contains(where: { !$0.isWhitespace })
    {
      sizes[text.string] = max(sizes[text.string] ?? 0, text.font.size)
    }
    for layer in sublayers { layer.gatherShrinking(into: &sizes, depth: depth + 1) }
  }
}

extension Layer {
  /// The font size from which a text of a layer that isn't scaled can be seen.
  private static let visibleSize = 2.0

  /// Whether a text of the tree is written so small that it may be invisible.
  fileprivate var hasTinyText: Bool { hasTinyText(depth: 0) }

  private func hasTinyText(depth: Int) -> Bool {
    guard depth <= Layer.maximumDepth else { return false }
    if case .text(let text) = content, text.font.size < Self.visibleSize { return true }
    return sublayers.contains { $0.hasTinyText(depth: depth + 1) }
  }
}

extension PresentationNode {
  /// The height of the capitals of each text where it is largest, in pixels of the canvas.
  fileprivate func gatherHeights(_ matrix: Projection, into largest: inout [String: Double]) {
    if case .text(let text) = layer.content, layer.opacity > 0, text.string.contains(where: { !$0.isWhitespace }),
      let height = TitleLegibility.height(ofCapitals: text, matrix)
    {
      largest[text.string] = max(largest[text.string] ?? 0, height)
    }
    for child in children { child.gatherHeights(child.matrix.concatenating(matrix), into: &largest) }
  }

  fileprivate func gatherHeights(
    _ matrix: Projection, _ chosen: [String: Double], into largest: inout [String: TitleLegibility]
  ) {
    if case .text(let text) = layer.content, text.fit == .shrink, layer.opacity > 0, let size = chosen[text.string], size > 0,
      let height = TitleLegibility.height(ofCapitals: text, matrix), height > largest[text.string]?.height ?? 0
    {
      largest[text.string] = TitleLegibility(text: text.string, height: height, scale: text.font.size / size)
    }
    for child in children { child.gatherHeights(child.matrix.concatenating(matrix), chosen, into: &largest) }
  }
}
