package import CompositorAPI

/// The visibility of a title, found from positions and sizes without drawing.
package enum TitleVisibility: Hashable, Sendable {
  /// Something lies on the canvas at some time.
  case visible
  /// Everything lies outside the canvas at all sampled times.
  case outside
  /// It has no contents: no text, no image, no color.
  case empty
  /// It is visible at some time, but in none of its frames, of which there are a few or none.
  case betweenFrames(count: Int)

  private static let samples = 33
  private static let mostSamples = 200

  /// Samples a title at many times between two, starting in the middle, and at each frame if there are few.
  ///
  /// - Parameters:
  ///   - start: Start, in seconds of the title's parent.
  ///   - end: End, in seconds of the title's parent; > start.
  ///   - frame: The length of a frame in seconds, > 0, if frames are at its multiples; `nil` if their times aren't known.
  /// - Throws: Errors of evaluating the layer.
  package static func of(
    _ layer: Layer, from start: Double, to end: Double, frame: Double?, canvas: PixelSize, fonts: FontLibrary
  ) throws(CompositorError) -> TitleVisibility {
    // Sampling cannot rule out that particles are visible.
    if layer.contains({ $0.content.isEmitter }) { return .visible }
    let sizes = TextSizes(fonts)
    let found = try of(layer, at: times(of: layer, from: start, to: end), canvas: canvas, sizes)
    guard found == .visible, let frame, (end - start) / frame < Double(samples) else { return found }
    let frames = frames(from: start, to: end, frame)
    let isSeen = try of(layer, at: frames, canvas: canvas, sizes) == .visible
    return isSeen ? .visible : .betweenFrames(count: frames.count)
  }

  private static func of(
    _ layer: Layer, at times: [Double], canvas: PixelSize, _ sizes: TextSizes
  ) throws(CompositorError) -> TitleVisibility {
    let size = Size(width: Double(canvas.width), height: Double(canvas.height))
    var found = TitleVisibility.empty
    for time in times {
      let node = try LayerEvaluator.evaluate(
        layer, at: time, canvas: size, animatesText: false, layOut: sizes.layout(of:in:)
      ) { (text) throws(CompositorError) in try sizes.size(of: text) }
      guard let node else { continue }
      switch try node.visibility(node.matrix, on: Rect(origin: .zero, size: size), sizes) {
      case .visible: return .visible
      case .outside: found = .outside
      case .empty, .betweenFrames: break
      }
    }
    return found
  }

  /// The times of frames in a half-open range.
  static func frames(from start: Double, to end: Double, _ frame: Double) -> [Double] {
    // Times that are frames but for rounding are.
    let tolerance = frame / 1000
    let first = ((start - tolerance) / frame).rounded(.up)
    return stride(from: first * frame, to: end - tolerance, by: frame).map { max($0, start) }
  }

  /// Evenly spaced times, and those at which parts of the title begin.
  private static func times(of layer: Layer, from start: Double, to end: Double) -> [Double] {
    let even = (0..<samples).map { index in
      let share = (Double(index) + 0.5) / Double(samples)
      return start + (end - start) * (share + 0.5).truncatingRemainder(dividingBy: 1)
    }
    let begins = layer.begins(after: 0).prefix(mostSamples).map { $0 + 0.001 }
    return even + begins.filter { $0 >= start && $0 < end }
  }
}

extension Layer {
  /// The start times of it and its sublayers, if time runs evenly.
  func begins(after start: Double, depth: Int = 0) -> [Double] {
    guard depth <= Layer.maximumDepth else { return [] }
    let begin = start + timing.beginTime
    return [begin] + sublayers.flatMap { $0.begins(after: begin, depth: depth + 1) }
  }
}

extension PresentationNode {
  /// The visibility of it and its sublayers.
  ///
  /// - Parameter matrix: From its bounds space to the canvas.
  func visibility(_ matrix: Projection, on canvas: Rect, _ sizes: TextSizes) throws(CompositorError) -> TitleVisibility {
    guard layer.opacity > 0, let open = try opening(matrix, on: canvas, sizes) else { return .empty }
    var found = try ownVisibility(matrix, on: open, sizes)
    if found == .visible { return .visible }
    let inner = clipped(open, matrix)
    for child in inner == nil ? [] : children {
      switch try child.visibility(child.matrix.concatenating(matrix), on: inner ?? open, sizes) {
      case .visible: return .visible
      case .outside: found = .outside
      case .empty, .betweenFrames: break
      }
    }
    // What lies outside of a mask, or of bounds that cut it off, may lie on the canvas.
    return found == .outside && inner != canvas ? .empty : found
  }

  /// The part of an area in which its sublayers are shown, if it cuts them off at its bounds; `nil` if there is none.
  func clipped(_ area: Rect, _ matrix: Projection) -> Rect? {
    guard layer.masksToBounds else { return area }
    guard !layer.bounds.isEmpty else { return nil }
    // Bounds without a box, because of perspective, may be anywhere.
    guard let box = matrix.boundingBox(of: layer.bounds) else { return area }
    let both = box.intersection(area)
    return both.isEmpty ? nil : both
  }

  /// The part of the canvas that its mask, if any, may show; `nil` if the mask shows nothing.
  func opening(_ matrix: Projection, on canvas: Rect, _ sizes: TextSizes) throws(CompositorError) -> Rect? {
    guard let mask, !layer.maskMode.isInverted else { return canvas }
    let place = mask.matrix.concatenating(matrix)
    guard try mask.visibility(place, on: canvas, sizes) == .visible else { return nil }
    return try mask.reached(place, of: canvas, sizes)
  }

  /// A box around the part of the canvas on which it or its sublayers may draw; `nil` for nothing.
  private func reached(_ matrix: Projection, of canvas: Rect, _ sizes: TextSizes) throws(CompositorError) -> Rect? {
    // Particles may be anywhere, and a blur of sublayers extends over their boxes.
    guard !layer.content.isEmitter, layer.filters.blurRadius <= 0 || children.isEmpty else { return canvas }
    var found: Rect?
    if let area = try painted(sizes) {
      guard let box = matrix.boundingBox(of: area.grown(by: try textReach(sizes))) else { return canvas }
      found = box
    }
    for child in children {
      guard let box = try child.reached(child.matrix.concatenating(matrix), of: canvas, sizes) else { continue }
      found = found?.hull(with: box) ?? box
    }
    return found?.intersection(canvas)
  }

  /// The visibility of what the layer itself draws, without its sublayers.
  func ownVisibility(_ matrix: Projection, on canvas: Rect, _ sizes: TextSizes) throws(CompositorError) -> TitleVisibility {
    if let area = try painted(sizes) {
      if matrix.isVisible(area, on: canvas) { return .visible }
      let reach = try textReach(sizes)
      return reach > 0 && matrix.isVisible(area.grown(by: reach), on: canvas) ? .visible : .outside
    }
    return .empty
  }

  /// How far its text may extend over its bounds: text that is larger does so on any side, and letters a little over their lines.
  /// Those that move on their own may be anywhere.
  private func textReach(_ sizes: TextSizes) throws(CompositorError) -> Double {
    guard case .text(let text) = layer.content, !liesOnPath else { return 0 }
    let size = try sizes.size(of: text)
    guard text.animators.isEmpty else { return max(size.width, size.height) }
    let excess = max(0, size.width - layer.bounds.size.width, size.height - layer.bounds.size.height)
    return excess + min(size.width, size.height) / 4
  }

  /// Whether its letters are units that lie on a path.
  private var liesOnPath: Bool {
    guard case .text(let text) = layer.content, text.linePath != nil else { return false }
    return !units.isEmpty
  }

  /// The bounds of what the layer itself draws, in its own coordinates, with text within its bounds; `nil` if it draws
  /// nothing.
  private func painted(_ sizes: TextSizes) throws(CompositorError) -> Rect? {
    let hasBox =
      (layer.backgroundColor?.alpha ?? 0) > 0 || layer.filtersBackdrop || (layer.borderWidth > 0 && layer.borderColor.alpha > 0)
    let shadows = layer.shownShadows.filter { !$0.isInner }.map { max(abs($0.offset.x), abs($0.offset.y)) + 4 * $0.radius }
    let reach = (shadows.max() ?? 0) + 3 * (layer.filters.blurRadius + layer.filters.glowRadius)
    switch (try contentArea(sizes), hasBox && !layer.bounds.isEmpty ? layer.bounds : nil) {
    case (let area?, let box?): return area.hull(with: box).grown(by: reach)
    case (let one?, nil), (nil, let one?): return one.grown(by: reach)
    case (nil, nil): return nil
    }
  }

  private func contentArea(_ sizes: TextSizes) throws(CompositorError) -> Rect? {
    switch layer.content {
    case .none, .replicator, .emitter: return nil
    case .gradient, .image, .movie, .video: return layer.bounds.isEmpty ? nil : layer.bounds
    case .shape(let shape):
      let colors = [shape.fillColor, shape.strokeColor].compactMap { $0 }
      guard !shape.path.isEmpty, colors.contains(where: { $0.alpha > 0 }) else { return nil }
      return shape.path.controlBounds.grown(by: shape.strokeColor == nil ? 0 : 2 * shape.lineWidth)
    case .text(let text):
      guard text.revealsLetters, units.isEmpty ? text.hasVisibleLetters : units.contains(where: { $0.shows(text) }) else {
        return nil
      }
      if liesOnPath { return try letterBox(.identity, opacity: 0, sizes)?.grown(by: text.outlineWidth) }
      return layer.bounds.grown(by: max(text.outlineWidth, text.background?.padding ?? 0))
    }
  }
}

extension TextContent {
  /// Whether every font has a size of 0 or less, so that nothing is drawn.
  var isWithoutSize: Bool { (runs.isEmpty ? [font] : runs.map { $0.font ?? font }).allSatisfy { $0.size <= 0 } }

  /// Whether a letter, a line under or through it, or its background has a color that isn't fully transparent. Animators may give
  /// it one.
  var hasVisibleLetters: Bool {
    guard !isWithoutSize else { return false }
    let letters = runs.filter { $0.text.contains { !$0.isWhitespace } }
    if let background, background.color.alpha > 0, !letters.isEmpty { return true }
    if runs.contains(where: { !$0.text.isEmpty && hasColoredLine($0) }) { return true }
    guard gradient == nil, animators.isEmpty, outlineWidth <= 0 || outlineColor.alpha <= 0 else { return !letters.isEmpty }
    return letters.contains { ($0.color ?? color).alpha > 0 }
  }

  /// Whether a run has a visible line in a color of its own.
  private func hasColoredLine(_ run: TextRun) -> Bool {
    [run.underline ?? underline, run.strikethrough ?? strikethrough].contains { line in
      line.map { $0.style != .none && ($0.color?.alpha ?? 0) > 0 } ?? false
    }
  }
}

extension TextUnit {
  /// Whether it has a color that isn't fully transparent, of its own or of its text.
  fileprivate func shows(_ text: TextContent) -> Bool {
    guard opacity > 0, !text.isWithoutSize else { return false }
    return highlight > 0 || [color, outlineColor].contains { ($0?.alpha ?? 0) > 0 } || text.hasVisibleLetters
  }
}

extension TextContent {
  /// Whether the first character is revealed.
  fileprivate var revealsLetters: Bool {
    reveal >= 1 || (reveal + .progressTolerance) * Double(runs.reduce(0) { $0 + $1.text.count }) >= 1
  }
}

extension Projection {
  /// Whether a rectangle intersects the canvas. A rectangle without a bounding box, because of perspective, may.
  fileprivate func isVisible(_ area: Rect, on canvas: Rect) -> Bool {
    guard let box = boundingBox(of: area) else { return true }
    // What is scaled to nothing covers no pixel.
    guard box.size.width > 1e-6, box.size.height > 1e-6 else { return false }
    return box.minX < canvas.maxX && box.maxX > canvas.minX && box.minY < canvas.maxY && box.maxY > canvas.minY
  }
}
