public import CompositorAPI
public import CompositorOverlay
import Synchronization

/// A tree of title layers, drawn over composed frames in their own format and colour.
///
/// The titles of an edit (``Edit/titles``) are drawn by one; a program's own can be drawn over them:
///
/// ```swift
/// let canvas = PixelSize(width: 1920, height: 1080)
/// let bug = Layer(canvas: canvas) { logo }
/// settings.render.overlays = [try TitleOverlay(bug, canvas: canvas)]
/// ```
///
/// One overlay serves stills, preview and export alike; for each format and color that frames come in it keeps one renderer.
public final class TitleOverlay: FrameOverlay {
  private struct Format: Hashable {
    let pixelFormat: PixelFormat
    let attributes: FrameAttributes
  }

  /// The tree; its parent is the canvas.
  public let root: Layer
  private let canvas: PixelSize
  private let options: OverlayRenderer.Options
  private let renderers = Mutex<[Format: OverlayRenderer]>([:])

  /// Makes an overlay.
  ///
  /// - Parameters:
  ///   - canvas: The composition's render size: what positions in the tree refer to.
  ///   - fonts: Loaded fonts; nil loads the system's.
  ///   - images: Pictures for image layers, by name.
  /// - Throws: `.resourceExhausted` where the system's fonts cannot be loaded.
  public init(
    _ root: Layer, canvas: PixelSize, fonts: FontLibrary? = nil, images: [String: Frame] = [:]
  ) throws(CompositorError) {
    self.root = root
    self.canvas = canvas
    var options = OverlayRenderer.Options()
    if let fonts { options.fontLibrary = fonts } else { options.fontLibrary = try FontLibrary() }
    options.images = images
    self.options = options
  }

  /// Whether any layer shows at a time.
  public func isVisible(at time: MediaTime) -> Bool { !OverlayRenderer.isSame(root, at: time.seconds, as: nil) }

  /// Whether any layer differs between two times.
  public func changes(between first: MediaTime, and second: MediaTime) -> Bool {
    !OverlayRenderer.isSame(root, at: first.seconds, as: second.seconds)
  }

  /// Draws the layers that show at a time.
  public func draw(over frame: consuming Frame, at time: MediaTime, context: RenderContext) throws -> Frame {
    let renderer = try self.renderer(for: Format(pixelFormat: frame.format, attributes: frame.attributes))
    return try renderer.draw(over: frame, at: time, pool: context.pool)
  }

  private func renderer(for format: Format) throws(CompositorError) -> OverlayRenderer {
    let result: Result<OverlayRenderer, CompositorError> = renderers.withLock { renderers in
      if let known = renderers[format] { return .success(known) }
      return Result { () throws(CompositorError) in
        let made = try OverlayRenderer(
          root: root, renderSize: canvas, outputFormat: format.pixelFormat, attributes: format.attributes, options: options)
        renderers[format] = made
        return made
      }
    }
    return try result.get()
  }
}
