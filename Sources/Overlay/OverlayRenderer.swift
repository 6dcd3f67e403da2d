public import CompositorAPI
import Synchronization

/// Draws a tree of layers over frames.
///
/// A renderer holds no time: any frame may be asked for in any order, from any thread, and comes out the same. What was made
/// once (glyphs, shapes, painted boxes) is kept for other frames, bounded by ``Options/cacheByteLimit``.
///
/// ```swift
/// let renderer = try OverlayRenderer(root: title, renderSize: PixelSize(width: 1920, height: 1080))
/// let titled = try renderer.draw(over: frame, at: time, pool: pool)
/// ```
public final class OverlayRenderer: Sendable {
  /// Settings that are not part of the tree.
  public struct Options: Sendable {
    /// Where fonts come from.
    public var fonts = FontProvider.system
    /// Fonts that are loaded already, instead of ``fonts``; nil loads them.
    public var fontLibrary: FontLibrary?
    /// Pictures for image layers, by name: packed R, G, B, A frames in a known colour.
    public var images: [String: Frame] = [:]
    /// The most that is kept for other frames, in bytes.
    public var cacheByteLimit = 256 << 20
    /// Usual settings.
    public init() {}
  }

  private let root: Layer
  private let renderSize: Size
  private let encoding: OutputEncoding
  private let painter: LayerPainter
  private let hasVideoLayer: Bool
  /// Whether the tree shows the same at all times.
  private let isStill: Bool
  private let last = Mutex<Drawn?>(nil)

  /// How the last frame was drawn. While nothing changes, the next ones are drawn by the same steps.
  private struct Drawn: Sendable {
    let node: PresentationNode
    let size: PixelSize
    let commands: [BlendCommand]
  }

  /// Prepares a tree for frames of one format.
  ///
  /// - Parameters:
  ///   - root: Its parent is the canvas: `renderSize` units, scaled to the frame.
  ///   - renderSize: The composition's size in its own units; a frame of another size is a scaled one.
  ///   - outputFormat: Format of the frames.
  ///   - attributes: Colour and alpha of the frames.
  /// - Throws: `.unreadableMedia` for a font file that is none, `.conversionNotPossible` for colours that are not known,
  ///   `.invalidValue` for an empty size and for animations that cannot be.
  public init(
    root: Layer, renderSize: PixelSize, outputFormat: PixelFormat = .yuv420p, attributes: FrameAttributes = FrameAttributes(),
    options: Options = Options()
  ) throws(CompositorError) {
    guard renderSize.width > 0, renderSize.height > 0 else {
      throw CompositorError(
        .invalidValue, "Titles of \(renderSize) were asked for.", recoverySuggestion: "Ask for at least 1x1.")
    }
    try root.requireUsable()
    self.root = root
    self.renderSize = renderSize.size
    encoding = try OutputEncoding(format: outputFormat, attributes: attributes, size: renderSize)
    var images: [String: [Picture]] = [:]
    for (name, frame) in options.images {
      do {
        images[name] = try Picture(frame, in: encoding.attributes.color).pyramid
      } catch {
        throw error.locating(ErrorLocation(file: name))
      }
    }
    let library: FontLibrary
    if let shared = options.fontLibrary { library = shared } else { library = try FontLibrary(options.fonts) }
    painter = LayerPainter(
      primitives: LayerPrimitives(
        encoding: encoding, cache: OverlayCache(byteLimit: options.cacheByteLimit), engine: library.engine,
        images: images))
    hasVideoLayer = root.contains { $0.content == .video }
    isStill = !root.contains { $0.isAnimated || !$0.timing.isIdentity || $0.content.isEmitter }
  }

  /// Bytes kept for other frames, things kept, and how often something had to be made: in the steady state the last stands still.
  public var cacheStatistics: (byteCount: Int, entries: Int, misses: Int) { painter.primitives.cache.statistics }

  /// Draws what shows at a time over a frame.
  ///
  /// - Parameters:
  ///   - frame: Of the format and colour that the renderer was made for. Where nobody else holds it, it is drawn into; else a copy is.
  ///   - time: Movie time.
  ///   - pool: Where a copy comes from.
  /// - Returns: The frame itself where nothing shows.
  /// - Throws: `.invalidValue`, `.resourceExhausted` for what cannot be drawn; `.fileNotFound` for a font or picture that is not
  ///   there; `.framePoolExhausted`.
  public func draw(over frame: consuming Frame, at time: MediaTime, pool: FramePool) throws(CompositorError) -> Frame {
    guard frame.format == encoding.format else {
      throw CompositorError(
        .invalidValue, "A frame of format \(frame.format) came to titles made for \(encoding.format).",
        recoverySuggestion: "Make the renderer for the frames' format.")
    }
    guard time.isNumeric else { return frame }
    let drawn = last.withLock { $0 }
    if isStill, let drawn, drawn.size == frame.size { return try repeating(drawn.commands, over: frame, pool: pool) }
    let framesVideo = hasVideoLayer && root.framesVideo(at: time.seconds)
    let shown = try evaluate(at: time.seconds)
    guard let node = shown ?? (framesVideo ? PresentationNode(Layer(), matrix: .identity) : nil) else { return frame }
    if let drawn, drawn.size == frame.size, drawn.node == node {
      return try repeating(drawn.commands, over: frame, pool: pool)
    }
    let toCanvas = Projection(
      .scale(x: Double(frame.size.width) / renderSize.width, y: Double(frame.size.height) / renderSize.height))
    if framesVideo { return try drawWithVideo(node, toCanvas, over: frame, pool: pool) }
    return try draw(
      OverlayDrawing(encoding: encoding, painter: painter, node: node, toCanvas: toCanvas), over: frame, pool: pool)
  }

  private func draw(
    _ drawing: OverlayDrawing, over frame: consuming Frame, pool: FramePool
  ) throws(CompositorError) -> Frame {
    let size = frame.size
    guard try drawing.isVisible(on: size) else { return frame }
    let (encoding, recorder) = (encoding, BlendRecorder())
    var target = try frame.makeMutable(pool: pool)
    try target.withUnsafeMutablePlanes { (planes) throws(CompositorError) in
      var writer = FrameWriter(planes, encoding, size: size)
      writer.recorder = recorder
      try drawing.draw(into: writer)
    }
    if recorder.isComplete, !hasVideoLayer {
      let drawn = Drawn(node: drawing.node, size: size, commands: recorder.commands)
      last.withLock { $0 = drawn }
    }
    return target.freeze()
  }

  private func repeating(
    _ commands: [BlendCommand], over frame: consuming Frame, pool: FramePool
  ) throws(CompositorError) -> Frame {
    guard !commands.isEmpty else { return frame }
    let (encoding, size) = (encoding, frame.size)
    var target = try frame.makeMutable(pool: pool)
    target.withUnsafeMutablePlanes { planes in
      let writer = FrameWriter(planes, encoding, size: size)
      for command in commands { writer.perform(command) }
    }
    return target.freeze()
  }

  /// A video layer that is the whole frame, with nothing to be seen beneath it, is the frame itself: the rest lies over it.
  private func drawWithVideo(
    _ node: PresentationNode, _ toCanvas: Projection, over frame: consuming Frame, pool: FramePool
  ) throws(CompositorError) -> Frame {
    var drawing = OverlayDrawing(encoding: encoding, painter: painter, node: node, toCanvas: toCanvas)
    guard frame.attributes.alphaMode == .opaque,
      let rest = node.withoutFullVideo(node.matrix.concatenating(toCanvas), frame.size)
    else { return try drawing.drawAround(frame, pool: pool) }
    drawing = OverlayDrawing(encoding: encoding, painter: painter, node: rest, toCanvas: toCanvas)
    if rest.showsVideo { drawing.painter.video = try OverlayDrawing.video(frame, encoding) }
    return try draw(drawing, over: frame, pool: pool)
  }

  /// Draws what shows at a time on a frame that is empty: transparent where the renderer's frames keep alpha.
  ///
  /// - Throws: As ``draw(over:at:pool:)``.
  public func draw(at time: MediaTime, size: PixelSize, pool: FramePool) throws(CompositorError) -> Frame {
    var empty = try pool.makeFrame(format: encoding.format, size: size, attributes: encoding.attributes)
    let encoding = encoding
    empty.withUnsafeMutablePlanes { planes in FrameWriter(planes, encoding, size: size).fillEmpty() }
    return try draw(over: empty.freeze(), at: time, pool: pool)
  }

  /// Whether a tree shows the same at two times, in seconds; with nil, whether it shows nothing at the first. Needs no fonts.
  /// What cannot be evaluated counts as a difference, so that drawing it says why.
  public static func isSame(_ root: Layer, at first: Double, as second: Double?) -> Bool {
    guard first.isFinite, second?.isFinite ?? true else { return false }
    // Sizes of texts follow from their contents: where those are the same, so are the sizes.
    let unit: LayerEvaluator.Measure = { (text) throws(CompositorError) in Size(width: 1, height: 1) }
    do {
      let shown = try LayerEvaluator.evaluate(root, at: first, measure: unit)
      guard let second else { return shown.map { !$0.showsSomething } ?? true && !root.framesVideo(at: first) }
      guard shown == (try LayerEvaluator.evaluate(root, at: second, measure: unit)) else { return false }
      return root.framesVideo(at: first) == root.framesVideo(at: second)
    } catch {
      return false
    }
  }

  /// The tree at a time, in seconds.
  package func evaluate(at seconds: Double) throws(CompositorError) -> PresentationNode? {
    let primitives = painter.primitives
    return try LayerEvaluator.evaluate(root, at: seconds) { (text) throws(CompositorError) in try primitives.measure(text) }
  }
}

extension Layer {
  /// Whether the frame has a place in the tree at a time of the parent, shown or not; else the tree lies over the frame. Looks no
  /// deeper than a tree may be.
  fileprivate func framesVideo(at parentTime: Double, depth: Int = 0) -> Bool {
    guard depth <= Layer.maximumDepth,
      let sample = timing.sample(at: parentTime, standardDuration: .infinity)
    else { return false }
    return content == .video || sublayers.contains { $0.framesVideo(at: sample.time, depth: depth + 1) }
      || (mask?.framesVideo(at: sample.time, depth: depth + 1) ?? false)
  }

  /// Whether the layer or one above it is as asked for; looks no deeper than a tree may be.
  func contains(depth: Int = 0, _ isWanted: (Layer) -> Bool) -> Bool {
    guard depth <= Layer.maximumDepth else { return false }
    return isWanted(self) || sublayers.contains { $0.contains(depth: depth + 1, isWanted) }
      || (mask?.contains(depth: depth + 1, isWanted) ?? false)
  }
}
