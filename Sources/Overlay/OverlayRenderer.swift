public import CompositorAPI
import Synchronization

/// Draws a tree of layers over frames.
///
/// A renderer is stateless with respect to time: frames may be drawn in any order, from any thread, with the same result.
/// Glyphs, shapes and painted boxes are cached across frames, up to ``Options/cacheByteLimit``.
///
/// ```swift
/// let renderer = try OverlayRenderer(root: title, renderSize: PixelSize(width: 1920, height: 1080))
/// let titled = try renderer.draw(over: frame, at: time, pool: pool)
/// ```
public final class OverlayRenderer: Sendable {
  /// Settings that are not part of the tree.
  public struct Options: Sendable {
    /// The provider of fonts. Default: the system's fonts.
    public var fonts = FontProvider.system
    /// Fonts that are already loaded, used instead of ``fonts``; `nil` loads ``fonts``.
    public var fontLibrary: FontLibrary?
    /// Images for image layers, by name: packed R, G, B, A frames of known color.
    public var images: [String: Frame] = [:]
    /// The policy that converts sRGB colors and images to the frames' color.
    public var colorConversion = ColorConversionPolicy.standard
    /// The signal domain in which layers are blended with each other and with the frame. Default: encoded.
    public var blending = BlendingSpace.encoded
    /// The size limit of the cache, in bytes, and that of memory kept for drawing the next frames, which is at most what the last
    /// frames needed. Default: 256 MiB.
    public var cacheByteLimit = 256 << 20
    /// Creates default options.
    public init() {}
  }

  package let presenter: LayerPresenter
  private let renderSize: Size
  private let encoding: OutputEncoding
  private let painter: LayerPainter
  private let last = Mutex<Drawn?>(nil)

  /// The last drawn frame. While the tree doesn't change, the next frames repeat its blend commands.
  private struct Drawn: Sendable {
    let node: PresentationNode
    let size: PixelSize
    let commands: [BlendCommand]
  }

  /// Creates a renderer for frames of one format.
  ///
  /// - Parameters:
  ///   - root: The root layer. Its parent is the canvas: `renderSize` units, scaled to the frame.
  ///   - renderSize: The composition's size in its own units; frames of other sizes are scaled.
  ///   - outputFormat: The pixel format of the frames.
  ///   - attributes: Color and alpha of the frames.
  /// - Throws: `.unreadableMedia` if `options.fonts` contains a file that isn't a font, `.conversionNotPossible` if the
  ///   frames' color is unknown, `.invalidValue` if the size is empty or an animation is malformed.
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

  /// Creates a renderer for a tree that is also evaluated elsewhere.
  package init(
    _ presenter: LayerPresenter, fonts: FontLibrary, renderSize: PixelSize, outputFormat: PixelFormat,
    attributes: FrameAttributes, options: Options
  ) throws(CompositorError) {
    guard renderSize.width > 0, renderSize.height > 0 else {
      throw CompositorError(
        .invalidValue, "The render size \(renderSize) is empty.", recoverySuggestion: "Give at least 1x1.")
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
        encoding: encoding, titleSignal: try TitleSignal(encoding), cache: OverlayCache(byteLimit: options.cacheByteLimit),
        memory: SurfaceMemory(byteLimit: options.cacheByteLimit), engine: fonts.engine, images: images))
  }

  /// Bytes and entries in the cache, and the number of misses, which is constant in the steady state.
  public var cacheStatistics: (byteCount: Int, entries: Int, misses: Int) { painter.primitives.cache.statistics }

  /// Bytes of memory that is kept for the surfaces of the next frames, and the number of their allocations, which is constant in the
  /// steady state.
  package var surfaceStatistics: (freeByteCount: Int, allocations: Int) { painter.primitives.memory.statistics }

  /// Draws the tree at a given time over a frame.
  ///
  /// - Parameters:
  ///   - frame: A frame of the renderer's format and color. If the frame is uniquely referenced, its memory is reused;
  ///     otherwise it is copied.
  ///   - time: The movie time.
  ///   - pool: The pool that provides the memory for copies.
  /// - Returns: The frame itself if nothing is visible.
  /// - Throws: `.invalidValue` or `.resourceExhausted` if the tree cannot be drawn; `.fileNotFound` if a font or image is
  ///   missing; `.framePoolExhausted`.
  public func draw(over frame: consuming Frame, at time: MediaTime, pool: FramePool) throws(CompositorError) -> Frame {
    guard let tree = try presenter.presentation(at: time) else { return frame }
    return try draw(tree, over: frame, pool: pool)
  }

  /// Draws an evaluated tree over a frame.
  ///
  /// - Throws: As ``draw(over:at:pool:)``.
  ///
  /// - Parameter movies: Converts frames of the tree's movies. With `nil`, movies are invisible.
  package func draw(
    _ tree: PresentationTree, over frame: consuming Frame, pool: FramePool, movies: (any MovieConverter)? = nil
  ) throws(CompositorError) -> Frame {
    guard frame.format == encoding.format else {
      throw CompositorError(
        .invalidValue, "The frame has format \(frame.format), but the renderer was made for \(encoding.format).",
        recoverySuggestion: "Create the renderer with the frames' format.")
    }
    defer { painter.primitives.memory.endDrawing() }
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
    var target = try frame.makeDrawable(pool: pool)
    try target.withUnsafeMutablePlanes { (planes) throws(CompositorError) in
      var writer = FrameWriter(planes, encoding, size: size)
      (writer.recorder, writer.pool) = (recorder, pool)
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
    var target = try frame.makeDrawable(pool: pool)
    target.withUnsafeMutablePlanes { planes in
      let writer = FrameWriter(planes, encoding, size: size)
      for command in commands { writer.perform(command) }
    }
    return target.freeze()
  }

  /// If a video layer covers the frame and nothing is visible below it, it is the frame itself, and the rest of the tree is
  /// drawn over it.
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

  /// Draws the tree at a given time on an empty frame, which is transparent if the renderer's frames have alpha.
  ///
  /// - Throws: As ``draw(over:at:pool:)``.
  public func draw(at time: MediaTime, size: PixelSize, pool: FramePool) throws(CompositorError) -> Frame {
    try draw(try presenter.presentation(at: time), size: size, pool: pool)
  }

  /// Draws an evaluated tree on an empty frame.
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
