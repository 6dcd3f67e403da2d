package import CompositorAPI

/// Finds parts of a layer tree that cannot be drawn before any frame is drawn: evaluates the tree at the times at which
/// something begins, ends or reaches a value, and measures what each layer needs without drawing it.
package struct LayerRehearsal {
  /// The maximum number of times to evaluate; if there are more, an evenly spread subset is used.
  private static let maximumTimes = 200
  /// The maximum number of layers evaluated at all times together: large trees are evaluated at fewer times.
  private static let maximumNodes = 100_000

  private let presenter: LayerPresenter
  private let primitives: LayerPrimitives

  /// - Parameter root: Its parent is the canvas.
  package init(_ root: Layer, canvas: PixelSize, fonts: FontLibrary) throws(CompositorError) {
    presenter = try LayerPresenter(root, canvas: canvas, fonts: fonts)
    let attributes = FrameAttributes(color: .sRGB)
    let encoding = try OutputEncoding(format: .rgba16, attributes: attributes, size: PixelSize(width: 16, height: 16))
    primitives = LayerPrimitives(
      encoding: encoding, titleSignal: nil, cache: OverlayCache(byteLimit: 1 << 20), memory: .unkept, engine: fonts.engine,
      images: [:])
  }

  /// Evaluates and measures. Starts with the latest times, when most growing layers are at their largest.
  ///
  /// - Throws: Errors of evaluating and drawing, with the key path from the tree.
  package func run() throws(CompositorError) {
    let times = presenter.root.criticalTimes()
    let step = max(Double(times.count) / Double(LayerRehearsal.maximumTimes), 1)
    var (position, nodeCount) = (Double(times.count) - 1, 0)
    while position >= 0, nodeCount < LayerRehearsal.maximumNodes {
      let evaluated = try presenter.rehearsal(at: times[Int(position)])
      nodeCount += evaluated.count
      guard let node = evaluated.node else {
        position -= step
        continue
      }
      nodeCount += node.pieceCount
      try measure(node, node.matrix, node.motion)
      position -= step
    }
  }

  private func measure(
    _ node: PresentationNode, _ matrix: Projection, _ motion: PresentationNode.Motion
  ) throws(CompositorError) {
    if node.hasOwnPaint, let placement = MaskPlacement(matrix, motion: motion, bounds: node.layer.bounds) {
      do throws(CompositorError) {
        try primitives.requireRoom(for: node.layer, on: placement.grid)
      } catch {
        throw node.path.isEmpty ? error : error.within(node.path)
      }
    }
    for child in node.children + [node.mask].compactMap({ $0 }) {
      try measure(child, child.matrix.concatenating(matrix), max(motion, child.motion))
    }
  }
}

extension PresentationNode {
  /// The number of units of animated texts in it.
  fileprivate var pieceCount: Int { children.reduce(units.count) { $0 + $1.pieceCount } + (mask?.pieceCount ?? 0) }
}

extension LayerPrimitives {
  /// Checks that a layer's own contents are not too large or too expensive to draw on a grid.
  fileprivate func requireRoom(for layer: Layer, on grid: RasterGrid) throws(CompositorError) {
    func require(_ key: String, _ body: () throws(CompositorError) -> Void) throws(CompositorError) {
      do throws(CompositorError) { try body() } catch { throw error.within(key) }
    }
    if layer.backgroundColor != nil || layer.borderWidth > 0 {
      try require("bounds") { () throws(CompositorError) in try grid.requireRoom(around: layer.bounds) }
    }
    switch layer.content {
    case .none, .replicator, .emitter: break
    case .gradient, .video, .image, .movie:
      try require("bounds") { () throws(CompositorError) in try grid.requireRoom(around: layer.bounds) }
    case .shape(let shape):
      try require("content.shape.path") { () throws(CompositorError) in
        if shape.fillColor != nil { try shape.path.requireFillable(on: grid) }
        if shape.strokeColor != nil, shape.lineWidth > 0 { try StrokeStyle(shape).requireDrawable(on: grid) }
      }
    case .text(let text):
      let styled = StyledText(text, size: layer.bounds.size)
      guard !styled.string.isEmpty else { return }
      try require("content.text") { () throws(CompositorError) in
        let extents = try extents(styled)
        try grid.requireRoom(around: extents.ink, margin: styled.outlineWidth + 1)
        guard let background = text.background else { return }
        let lines = Rect(x: 0, y: 0, width: extents.size.width, height: extents.size.height)
        try grid.requireRoom(around: lines, margin: background.padding)
      }
    }
  }
}

extension Layer {
  /// The times of the parent at which part of the tree begins, ends or reaches a value, ascending.
  func criticalTimes() -> [MediaTime] {
    var times: Set<Double> = [0]
    addTimes(to: &times, depth: 0) { $0 }
    // Ending parts are last visible just before their end.
    let near = times.flatMap { [$0, $0 - 1e-4] }.filter { (0...1e6).contains($0) }
    return near.sorted().map { MediaTime(seconds: $0, preferredTimescale: 1_000_000) }
  }

  private func addTimes(to times: inout Set<Double>, depth: Int, _ toCanvas: (Double) -> Double) {
    guard depth <= Layer.maximumDepth, times.count < 20_000 else { return }
    let (speed, begin, offset) = (timing.speed, timing.beginTime, timing.timeOffset)
    // A local time of the first iteration; a stopped clock has no others.
    func toParent(_ local: Double) -> Double {
      let local = timing.duration > 0 ? timing.stretch?.time(ofContent: local, in: timing.duration) ?? local : local
      return toCanvas(speed == 0 ? begin : begin + (local - offset) / speed)
    }
    times.insert(toCanvas(begin))
    for length in [timing.duration, timing.repeatDuration, timing.duration * timing.repeatCount] where length > 0 && speed != 0
    {
      times.insert(toCanvas(begin + length / abs(speed)))
    }
    for animation in animations { animation.addTimes(to: &times, within: nil, toParent) }
    if case .emitter(let emitter) = content {
      // By then the emitter has reached its largest number of particles.
      times.insert(toParent(emitter.lifetime + abs(emitter.lifetimeRange)))
    }
    for layer in sublayers { layer.addTimes(to: &times, depth: depth + 1, toParent) }
    mask?.addTimes(to: &times, depth: depth + 1, toParent)
    transitionSource?.addTimes(to: &times, depth: depth + 1, toCanvas)
  }
}

extension Animation {
  fileprivate func addTimes(to times: inout Set<Double>, within length: Double?, _ toCanvas: (Double) -> Double) {
    let pass = timing.duration > 0 ? timing.duration : length ?? Animation.standardDuration
    let begin = timing.beginTime
    let speed = abs(timing.speed)
    guard pass.isFinite, speed > 0 else {
      times.insert(toCanvas(begin))
      return
    }
    var parts: [Double] = [0, 0.25, 0.5, 0.75, 1]
    if case .keyframes(_, let frames) = kind {
      let count = min(max(frames.values.count, 2), 1000)
      parts += (0..<count).map { Double($0) / Double(count - 1) }
      parts += Array(frames.keyTimes.prefix(1000))
    }
    for part in parts { times.insert(toCanvas(begin + part * pass / speed)) }
    let passes = timing.repeatDuration > 0 ? timing.repeatDuration : pass * max(timing.repeatCount, 1)
    if passes.isFinite { times.insert(toCanvas(begin + passes / speed)) }
    guard case .group(let members) = kind else { return }
    for member in members { member.addTimes(to: &times, within: pass) { toCanvas(begin + $0 / speed) } }
  }
}
