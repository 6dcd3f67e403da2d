import BuiltinCompositors
public import CompositorAPI
public import CompositorMedia
public import CompositorMediaIO
public import CompositorOverlay
package import CompositorValidation

/// A tree of title layers as media: frames with alpha, for a track of a composition. Everything that a layer compositor does
/// with a clip (placing, cropping, fading, dissolving) applies to it. The tree's time is the media's.
///
/// ```swift
/// let badge = Layer(canvas: PixelSize(width: 320, height: 320)) { star.spinning(every: .seconds(4)) }
/// catalog.provide(try TitleMedia(badge, size: PixelSize(width: 320, height: 320)), as: "badge")
/// let clip = TimelineClip(.custom(name: "badge"))
/// ```
public struct TitleMedia: MediaProvider {
  /// The only track: packed R, G, B, A with 16 bits, premultiplied.
  public let track: VideoTrackInfo
  private let blending: BlendingSpace
  private let colorConversion: ColorConversionPolicy
  private let renderer: OverlayRenderer
  private let fonts: FontLibrary?
  /// The texts that rest across the edge of the frame.
  private let cutTexts: [TitleSafety]
  private let movies: [TitleMovie.Key: TitleMovie]
  /// The sources of its movie layers, and the sources that these read themselves.
  public let sources: [MediaSource]
  /// The properties that were taken from the output, because the titles have none of their own.
  package var followed: FollowedProperties = []

  /// Creates media. Nothing is drawn yet.
  ///
  /// - Parameters:
  ///   - root: The root of the tree. Its parent is the frame.
  ///   - size: The frame size, each side 1 … 16,384 pixels.
  ///   - frameRate: Frames per second: how often the tree is drawn again.
  ///   - duration: The duration; `.positiveInfinity` for endless media.
  ///   - color: Primaries and transfer function of the frames; ideally those of the output, so that no conversion is needed.
  ///   - blending: The signal domain in which layers are blended with each other; ideally that of the edit.
  ///   - colorConversion: How colors are converted to those of the frames; ideally as in the edit.
  ///   - fonts: Loaded fonts; `nil` to load the system's.
  ///   - images: The images of image layers, by name.
  ///   - movies: The sources of movie layers, by name. Titles among them must already be registered with the catalog.
  ///   - catalog: The catalog that describes and opens these sources.
  /// - Throws: `.invalidValue` if the size, rate or duration is invalid, or an animation follows the movie's audio; `.frameTooLarge`; the errors of `OverlayRenderer`;
  ///   any error of reading a movie, located at its layer.
  public init(
    _ root: Layer, size: PixelSize, frameRate: Rational = Rational(30, 1), duration: MediaTime = .positiveInfinity,
    color: ColorTags = .bt709, blending: BlendingSpace = .encoded, colorConversion: ColorConversionPolicy = .standard,
    fonts: FontLibrary? = nil, images: [String: Frame] = [:], movies: [String: MediaSource] = [:],
    catalog: MediaCatalog = MediaCatalog()
  ) throws(CompositorError) {
    try root.requireNoAudioLevels()
    var found = TitleMovies(movies, catalog: catalog)
    try found.require(root)
    try self.init(
      root, size: size, frameRate: frameRate, duration: duration, color: color, blending: blending,
      colorConversion: colorConversion, fonts: fonts, images: images, movies: found)
  }

  /// The same with movies that were resolved before.
  package init(
    _ root: Layer, size: PixelSize, frameRate: Rational, duration: MediaTime = .positiveInfinity, color: ColorTags,
    blending: BlendingSpace, colorConversion: ColorConversionPolicy, fonts: FontLibrary?, images: [String: Frame] = [:],
    movies: TitleMovies
  ) throws(CompositorError) {
    (self.movies, self.fonts) = (movies.movies, fonts)
    sources = movies.sourcesOfMovies
    try Self.check(size, duration)
    let tags = ColorTags(
      primaries: color.primaries, transfer: color.transfer, matrix: .identity, range: .full)
    track = VideoTrackInfo(
      index: 0, codec: VideoTrackInfo.titleCodec, size: size, format: .rgba16,
      attributes: FrameAttributes(color: tags, alphaMode: .premultiplied),
      nominalFrameRate: try frameRate.checkedFrameRate(file: "titles"),
      timeRange: TimeRange(start: .zero, duration: duration))
    var options = OverlayRenderer.Options()
    options.fontLibrary = fonts
    (options.images, options.blending, options.colorConversion) = (images, blending, colorConversion)
    (self.blending, self.colorConversion) = (blending, colorConversion)
    let root = try root.anchored(until: duration.isNumeric ? duration.seconds : .infinity)
    renderer = try OverlayRenderer(
      root: root, renderSize: size, outputFormat: track.format, attributes: track.attributes, options: options)
    let end = duration.isNumeric ? min(duration.seconds, Self.longestCheck) : Self.longestCheck
    let whole = Rect(x: 0, y: 0, width: Double(size.width), height: Double(size.height))
    cutTexts =
      if let fonts {
        try TitleSafety.textsOutside(of: root, from: 0, to: end, canvas: size, area: whole, fonts: fonts)
      } else { [] }
  }

  /// Checks that titles of a size and a duration can be drawn.
  private static func check(_ size: PixelSize, _ duration: MediaTime) throws(CompositorError) {
    guard size.isRenderable else {
      throw CompositorError(
        .invalidValue, "Titles of \(size) were requested.",
        recoverySuggestion: "Give sides of 1 to \(PixelSize.renderableSides.upperBound) pixels.")
    }
    guard size.width * size.height <= MediaLimits.maximumPixelCount else {
      throw CompositorError(
        .frameTooLarge, "Titles of \(size) have more than \(MediaLimits.maximumPixelCount) pixels.",
        recoverySuggestion: "Request smaller ones.")
    }
    guard duration == .positiveInfinity || (duration.isNumeric && duration > .zero) else {
      throw CompositorError(
        .invalidValue, "Titles last \(duration.readable).", recoverySuggestion: "Give a duration above 0, or none.")
    }
  }

  /// Seconds of endless titles in which text is looked for.
  private static let longestCheck = 10.0

  /// Describes a single video track.
  public func describe() -> MediaInfo {
    let size = Size(width: Double(track.size.width), height: Double(track.size.height))
    let warnings = cutTexts.map { text in
      let (edge, pixels) = text.excess(beyond: Rect(origin: .zero, size: size))
      return MediaWarning(
        .textCutOff,
        "The text “\(text.name)” extends \(pixels) pixels beyond the \(edge) edge of the titles, which are \(track.size), and is cut off there."
      )
    }
    return MediaInfo(
      source: .custom(name: "titles"), container: "titles", duration: track.timeRange.duration, videoTracks: [track],
      warnings: warnings)
  }

  /// The root of the tree.
  package var root: Layer { renderer.presenter.root }

  /// The warnings about a title that shows nothing, parts of one that are never seen, and animations that never begin.
  ///
  /// - Parameters:
  ///   - title: A sublayer of the root.
  ///   - path: Its key path.
  ///   - end: The end of what is shown, in seconds of the media.
  ///   - range: The time of the movie at which it is shown.
  package func warnings(of title: Layer, path: String, until end: Double, in range: TimeRange) -> [ValidationDiagnostic] {
    guard let fonts, let (start, last) = times(of: title, until: end), track.nominalFrameRate.value > 0 else { return [] }
    // Titles that cannot be evaluated have been rejected.
    let parts = try? TitleParts(
      title, from: start, to: last, frame: 1 / track.nominalFrameRate.value, canvas: track.size, fonts: fonts)
    let visibility = try? TitleVisibility.of(title, from: start, to: last, frame: nil, canvas: track.size, fonts: fonts)
    guard let parts, let visibility else { return [] }
    var checks = TitlePartChecks(title: title, path: path, range: range, canvas: track.size)
    // The clips of the movie aren't below the titles of an asset.
    checks.isOverMovie = root.sublayers.first != title
    return checks.diagnostics(of: parts, visibility)
  }

  /// The smallest text of a title that was shrunk to fit, at any size; `nil` if there is none.
  ///
  /// - Parameter end: The end of what is shown, in seconds of the media.
  package func smallestShrunkText(of title: Layer, until end: Double) -> TitleLegibility? {
    guard let fonts, let (start, last) = times(of: title, until: end) else { return nil }
    return try? TitleLegibility.tooSmall(
      in: title, from: start, to: last, canvas: track.size, below: .infinity, fonts: fonts)
  }

  /// The texts of a title that rest across the edge of an area.
  ///
  /// - Parameters:
  ///   - end: The end of what is shown, in seconds of the media.
  ///   - area: The area, in pixels of the frame.
  package func texts(of title: Layer, until end: Double, cutBy area: Rect) -> [TitleSafety] {
    let frame = Rect(x: 0, y: 0, width: Double(track.size.width), height: Double(track.size.height))
    guard !area.contains(frame), let fonts, let (start, last) = times(of: title, until: end) else { return [] }
    let texts = try? TitleSafety.textsOutside(
      of: title, from: start, to: last, canvas: track.size, area: area, fonts: fonts)
    return texts ?? []
  }

  /// When a title is shown, in seconds of the media; `nil` if it isn't, or without end.
  private func times(of title: Layer, until end: Double) -> (start: Double, end: Double)? {
    let start = max(title.timing.beginTime, 0)
    let last = title.timing.duration > 0 ? min(end, title.timing.beginTime + title.timing.duration) : end
    return last.isFinite && last > start ? (start, last) : nil
  }

  /// Opens the track for one owner. Caches (glyphs, painted layers) are shared between readers.
  ///
  /// - Throws: `.trackNotFound` for any other track.
  public func openVideo(trackIndex: Int, options: VideoReaderOptions) throws(CompositorError) -> any VideoReader {
    guard trackIndex == 0 else {
      throw CompositorError(.trackNotFound, "Titles have no video track \(trackIndex).", recoverySuggestion: "Request track 0.")
    }
    return try TitleVideoReader(
      track, renderer, TitleMovieReaders(movies, options: options), blending: blending, colorConversion: colorConversion)
  }
}

/// Draws titles frame by frame. While they don't change, it returns the same frame again.
private final class TitleVideoReader: VideoReader {
  let info: VideoTrackInfo
  private let renderer: OverlayRenderer
  private let clock: Timebase
  private let movies: TitleMovieReaders
  private let converter: ClipConverter
  private let pool = FramePool(maximumOutstanding: 1024)
  private var last: (shown: PresentationTree?, frame: Frame)?

  init(
    _ info: VideoTrackInfo, _ renderer: OverlayRenderer, _ movies: TitleMovieReaders, blending: BlendingSpace,
    colorConversion: ColorConversionPolicy
  ) throws(CompositorError) {
    (self.info, self.renderer, self.movies) = (info, renderer, movies)
    clock = Timebase(frameRate: info.nominalFrameRate)
    let context = RenderContext(
      size: info.size, outputFormat: info.format, outputAttributes: info.attributes, blending: blending,
      colorConversion: colorConversion, pool: pool)
    converter = ClipConverter(compositor: try LayerCompositor(context: context), context: context)
  }

  var damage: [MediaDamage] { movies.damage }
  var decodedCount: Int { movies.decodedCount }

  func frame(at time: MediaTime) throws(CompositorError) -> DecodedVideoFrame? {
    try time.requireNumeric(file: "titles")
    var index = clock.lastTick(notAfter: time)
    guard index >= 0 else { return nil }
    let end = info.timeRange.duration
    if end.isNumeric, time >= end {
      index = clock.lastTick(notAfter: end)
      if clock.time(index) == end { index -= 1 }
    }
    let start = clock.time(max(index, 0))
    return DecodedVideoFrame(frame: try picture(at: start), presentationTime: start, duration: clock.time(1))
  }

  private func picture(at time: MediaTime) throws(CompositorError) -> Frame {
    var shown = try renderer.presenter.presentation(at: time)
    if let tree = shown, !movies.isEmpty { shown = tree.showing(try movies.frames(for: tree.movieShots)) }
    if let last, last.shown == shown { return last.frame }
    let frame = try renderer.draw(shown, size: info.size, pool: pool, movies: movies.isEmpty ? nil : converter)
    last = (shown, frame)
    return frame
  }
}

extension TitleMedia: OutputFollowingMedia {}

extension TitleMedia: LayerTreeMedia {
  package var frameSize: PixelSize { track.size }
  package var textFonts: FontLibrary? { fonts }
}

extension MediaCatalog {
  /// The titles that are registered under a name; `nil` if it is other media, or there is none.
  package func titles(named name: String) -> TitleMedia? { media(named: name) as? TitleMedia }
}
