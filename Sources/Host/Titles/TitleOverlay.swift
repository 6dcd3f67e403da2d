import BuiltinCompositors
public import CompositorAPI
public import CompositorOverlay
import CompositorValidation
import Synchronization

/// A tree of title layers that is drawn over composed frames in their own format and color.
///
/// The titles of an edit (`Edit.titles`) are drawn by such an overlay. A program can draw its own titles over them:
///
/// ```swift
/// let canvas = PixelSize(width: 1920, height: 1080)
/// let bug = Layer(canvas: canvas) { logo }
/// settings.render.overlays = [try TitleOverlay(bug, canvas: canvas)]
/// ```
///
/// The same overlay can be used for stills, preview and export. It keeps one renderer for each format and color of frames.
public final class TitleOverlay: FrameOverlay {
  private struct Format: Hashable {
    let pixelFormat: PixelFormat
    let attributes: FrameAttributes
    let policy: ColorConversionPolicy
    let blending: BlendingSpace
  }

  /// The root of the tree. Its parent is the canvas.
  public var root: Layer { presenter.root }
  private let presenter: LayerPresenter
  private let fonts: FontLibrary
  private let canvas: PixelSize
  private let options: OverlayRenderer.Options
  /// The movies that the tree shows.
  let movies: [TitleMovie.Key: TitleMovie]
  /// Places the frames of movies.
  private let compositor: LayerCompositor
  private let renderers = Mutex<[Format: OverlayRenderer]>([:])

  /// Creates an overlay.
  ///
  /// - Parameters:
  ///   - canvas: The composition's render size, which positions in the tree refer to.
  ///   - fonts: Loaded fonts; `nil` to load the system's.
  ///   - images: The images of image layers, by name.
  /// - Throws: `.resourceExhausted` if the system's fonts cannot be loaded, `.invalidValue` if a timing or an animation is malformed,
  ///   or follows the movie's audio.
  ///
  /// Movie layers, and animations that follow audio, are only supported in an edit's own titles (`Edit.titles`) and in ``TitleMedia``.
  public convenience init(
    _ root: Layer, canvas: PixelSize, fonts: FontLibrary? = nil, images: [String: Frame] = [:]
  ) throws(CompositorError) {
    guard !root.showsMovies else {
      throw CompositorError(
        .invalidValue, "Movie layers cannot be drawn by a standalone overlay.",
        recoverySuggestion: "Add the layer to the edit's titles, or make a TitleMedia of it.")
    }
    try root.requireNoAudioLevels()
    try self.init(root, canvas: canvas, fonts: fonts, images: images, movies: [:])
  }

  /// Creates the overlay of an edit's titles.
  convenience init(_ titles: ResolvedTitles) throws(CompositorError) {
    try self.init(
      titles.root, canvas: titles.canvas, fonts: titles.fonts, images: titles.images, movies: titles.movies)
  }

  /// The same with the tree's movies.
  private init(
    _ root: Layer, canvas: PixelSize, fonts: FontLibrary?, images: [String: Frame], movies: [TitleMovie.Key: TitleMovie]
  ) throws(CompositorError) {
    self.movies = movies
    compositor = try LayerCompositor(context: RenderContext(size: canvas))
    let library: FontLibrary
    if let fonts { library = fonts } else { library = try FontLibrary() }
    self.fonts = library
    self.canvas = canvas
    presenter = try LayerPresenter(root, canvas: canvas, fonts: library)
    var options = OverlayRenderer.Options()
    options.images = images
    self.options = options
  }

  /// The visible layers at a given time; `nil` if there are none.
  ///
  /// - Throws: `.invalidValue` or `.resourceExhausted` if a layer cannot be drawn; `.fileNotFound` if a font is missing.
  public func appearance(at time: MediaTime) throws(CompositorError) -> PresentationTree? {
    try presenter.presentation(at: time)
  }

  /// Requests for the frames of movies that a tree shows.
  func movieRequests(of tree: PresentationTree) -> [MovieRequest] {
    tree.movieShots.compactMap { shot in
      guard let movie = movies[TitleMovie.Key(shot.content)] else { return nil }
      return MovieRequest(shot: shot, movie: movie, mediaTime: movie.mediaTime(of: shot), titles: self)
    }
  }

  /// The key path in an edit of the layer that shows a movie, for error messages.
  func path(ofMovie content: MovieContent) -> String? { root.path(ofMovie: content) }

  /// Draws the visible layers.
  public func draw(
    _ appearance: PresentationTree, over frame: consuming Frame, context: RenderContext
  ) throws(CompositorError) -> Frame {
    let renderer = try self.renderer(
      for: Format(
        pixelFormat: frame.format, attributes: frame.attributes, policy: context.colorConversion, blending: context.blending))
    return try renderer.draw(appearance, over: frame, pool: context.pool, movies: converter(context))
  }

  private func converter(_ context: RenderContext) -> ClipConverter? {
    movies.isEmpty ? nil : ClipConverter(compositor: compositor, context: context)
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

extension Layer {
  /// The key path in an edit of the first layer of its titles that shows a movie.
  fileprivate func path(ofMovie content: MovieContent) -> String? {
    for (index, layer) in sublayers.enumerated() {
      if let path = layer.path(ofMovie: content, at: Titles.path(ofLayer: index)) { return path }
    }
    return nil
  }

  private func path(ofMovie content: MovieContent, at place: String) -> String? {
    if movies.contains(where: { TitleMovie.Key($0) == TitleMovie.Key(content) && $0.from == content.from }) { return place }
    for (index, layer) in sublayers.enumerated() {
      if let path = layer.path(ofMovie: content, at: "\(place).sublayers[\(index)]") { return path }
    }
    return mask?.path(ofMovie: content, at: place + ".mask")
      ?? transitionSource?.path(ofMovie: content, at: place + ".transitionSource")
  }
}
