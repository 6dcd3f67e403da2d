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
    /// Pictures for image layers, by name: packed R, G, B, A frames in a known color.
    public var images: [String: Frame] = [:]
    /// How colors become the frames'.
    public var colorConversion = ColorConversionPolicy.standard
    /// The signal in which layers are blended with each other and with the frame. Default encoded.
    public var blending = BlendingSpace.encoded
    /// The most that is kept for other frames, in bytes.
    public var cacheByteLimit = 256 << 20
    /// Usual settings.
    public init() {}
  }

  package let presenter: LayerPresenter
  private let renderSize: Size
  private let encoding: OutputEncoding
  private let painter: LayerPainter
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
  ///   - attributes: Color and alpha of the frames.
  /// - Throws: `.unreadableMedia` if `options.fonts` contains a file that isn't a font, `.conversionNotPossible` for colors that are not
  ///   known, `.invalidValue` for an empty size and if an animation is malformed.
  public convenience init(
    root: Layer, renderSize: PixelSize, outputFormat: PixelFormat = .yuv420p, attributes: FrameAttributes = FrameAttributes(),
    options: Options = Options()
  ) throws(CompositorError) {
    let fonts: FontLibrary
    if let shared = options.fontLibrary { fonts = shared } else { fonts = try FontLibrary(options.fonts) }
    try self.init(
      LayerPresenter(root, canvas: renderSize, fonts: fonts), fonts: fonts, renderSize: renderSize, outputFormat: outputFormat,
      attributes: attributes, options: options)
  }

  /// The same for a tree that others evaluate too.
  package init(
    _ presenter: LayerPresenter, fonts: FontLibrary, renderSize: PixelSize, outputFormat: PixelFormat,
    attributes: FrameAttributes, options: Options
  ) throws(CompositorError) {
    guard renderSize.width > 0, renderSize.height > 0 else {
      throw CompositorError(
        .invalidValue, "Titles of \(renderSize) were asked for.", recoverySuggestion: "Ask for at least 1x1.")
    }
    self.presenter = presenter
    self.renderSize = renderSize.size
    encoding = try OutputEncoding(
      format: outputFormat, attributes: attributes, size: renderSize, policy: options.colorConversion,
      blending: options.blending)
    var images: [String: [Picture]] = [:]
    for (name, frame) in options.images {
      do {
        images[name] = try Picture(frame, for: encoding).pyramid
      } catch {
        throw error.locating(ErrorLocation(file: name))
      }
    }
    painter = LayerPainter(
      primitives: LayerPrimitives(
        encoding: encoding, cache: OverlayCache(byteLimit: options.cacheByteLimit), engine: fonts.engine,
        images: images))
  }

  /// Bytes kept for other frames, things kept, and how often something had to be made: in the steady state the last stands still.
  public var cacheStatistics: (byteCount: Int, entries: Int, misses: Int) { painter.primitives.cache.statistics }

  /// Draws what shows at a time over a frame.
  ///
  /// - Parameters:
  ///   - frame: Of the format and color that the renderer was made for. Where nobody else holds it, it is drawn into; else a copy is.
  ///   - time: Movie time.
  ///   - pool: Where a copy comes from.
  /// - Returns: The frame itself where nothing shows.
  /// - Throws: `.invalidValue`, `.resourceExhausted` for what cannot be drawn; `.fileNotFound` for a font or picture that is not
  ///   there; `.framePoolExhausted`.
  public func draw(over frame: consuming Frame, at time: MediaTime, pool: FramePool) throws(CompositorError) -> Frame {
    guard let tree = try presenter.presentation(at: time) else { return frame }
    return try draw(tree, over: frame, pool: pool)
  }

  /// Draws what a tree was found to show.
  ///
  /// - Throws: As ``draw(over:at:pool:)``.
  ///
  /// - Parameter movies: Makes pictures of the tree's movies; with `nil` they show nothing.
  package func draw(
    _ tree: PresentationTree, over frame: consuming Frame, pool: FramePool, movies: (any MovieConverter)? = nil
  ) throws(CompositorError) -> Frame {
    guard frame.format == encoding.format else {
      throw CompositorError(
        .invalidValue, "A frame of format \(frame.format) came to titles made for \(encoding.format).",
        recoverySuggestion: "Make the renderer for the frames' format.")
    }
    let drawn = last.withLock { $0 }
    if let drawn, drawn.size == frame.size, presenter.isStill || drawn.node == tree.node {
      return try repeating(drawn.commands, over: frame, pool: pool)
    }
    let toCanvas = Projection(
      .scale(x: Double(frame.size.width) / renderSize.width, y: Double(frame.size.height) / renderSize.height))
    var painter = painter
    if tree.needsMovies { painter.moving.converter = movies }
    let drawing = OverlayDrawing(encoding: encoding, painter: painter, node: tree.node, toCanvas: toCanvas)
    if tree.framesVideo { return try drawWithVideo(drawing, over: frame, pool: pool) }
    return try draw(drawing, over: frame, pool: pool)
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
    if recorder.isComplete, !presenter.hasVideoLayer {
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
    _ drawing: OverlayDrawing, over frame: consuming Frame, pool: FramePool
  ) throws(CompositorError) -> Frame {
    var drawing = drawing
    let node = drawing.node
    guard frame.attributes.alphaMode == .opaque,
      let rest = node.withoutFullVideo(node.matrix.concatenating(drawing.toCanvas), frame.size)
    else { return try drawing.drawAround(frame, pool: pool) }
    drawing.node = rest
    if rest.showsVideo { drawing.painter.moving.video = try OverlayDrawing.video(frame, encoding) }
    return try draw(drawing, over: frame, pool: pool)
  }

  /// Draws what shows at a time on a frame that is empty: transparent where the renderer's frames keep alpha.
  ///
  /// - Throws: As ``draw(over:at:pool:)``.
  public func draw(at time: MediaTime, size: PixelSize, pool: FramePool) throws(CompositorError) -> Frame {
    try draw(try presenter.presentation(at: time), size: size, pool: pool)
  }

  /// Draws what a tree was found to show on a frame that is empty.
  package func draw(
    _ tree: PresentationTree?, size: PixelSize, pool: FramePool, movies: (any MovieConverter)? = nil
  ) throws(CompositorError) -> Frame {
    var empty = try pool.makeFrame(format: encoding.format, size: size, attributes: encoding.attributes)
    let encoding = encoding
    empty.withUnsafeMutablePlanes { planes in FrameWriter(planes, encoding, size: size).fillEmpty() }
    guard let tree else { return empty.freeze() }
    return try draw(tree, over: empty.freeze(), pool: pool, movies: movies)
  }
}
