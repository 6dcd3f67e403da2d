public import CompositorAPI
public import CompositorOverlay
import Synchronization

/// A tree of title layers, drawn over composed frames in their own format and color.
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
    let policy: ColorConversionPolicy
    let blending: BlendingSpace
  }

  /// The tree; its parent is the canvas.
  public var root: Layer { presenter.root }
  private let presenter: LayerPresenter
  private let fonts: FontLibrary
  private let canvas: PixelSize
  private let options: OverlayRenderer.Options
  private let renderers = Mutex<[Format: OverlayRenderer]>([:])

  /// Makes an overlay.
  ///
  /// - Parameters:
  ///   - canvas: The composition's render size: what positions in the tree refer to.
  ///   - fonts: Loaded fonts; nil loads the system's.
  ///   - images: Pictures for image layers, by name.
  /// - Throws: `.resourceExhausted` if the system's fonts cannot be loaded, `.invalidValue` if a timing or an animation is malformed.
  public init(
    _ root: Layer, canvas: PixelSize, fonts: FontLibrary? = nil, images: [String: Frame] = [:]
  ) throws(CompositorError) {
    let library: FontLibrary
    if let fonts { library = fonts } else { library = try FontLibrary() }
    self.fonts = library
    self.canvas = canvas
    presenter = try LayerPresenter(root, fonts: library)
    var options = OverlayRenderer.Options()
    options.images = images
    self.options = options
  }

  /// What shows at a time; `nil` if no layer does.
  ///
  /// - Throws: `.invalidValue`, `.resourceExhausted` for what cannot be drawn; `.fileNotFound` for a font that is not there.
  public func appearance(at time: MediaTime) throws(CompositorError) -> PresentationTree? {
    try presenter.presentation(at: time)
  }

  /// Draws the layers that show.
  public func draw(
    _ appearance: PresentationTree, over frame: consuming Frame, context: RenderContext
  ) throws(CompositorError) -> Frame {
    let renderer = try self.renderer(
      for: Format(
        pixelFormat: frame.format, attributes: frame.attributes, policy: context.colorConversion, blending: context.blending))
    return try renderer.draw(appearance, over: frame, pool: context.pool)
  }

  private func renderer(for format: Format) throws(CompositorError) -> OverlayRenderer {
    let result: Result<OverlayRenderer, CompositorError> = renderers.withLock { renderers in
      if let known = renderers[format] { return .success(known) }
      return Result { () throws(CompositorError) in
        var options = options
        (options.colorConversion, options.blending) = (format.policy, format.blending)
        let made = try OverlayRenderer(
          presenter, fonts: fonts, renderSize: canvas, outputFormat: format.pixelFormat, attributes: format.attributes,
          options: options)
        renderers[format] = made
        return made
      }
    }
    return try result.get()
  }
}
