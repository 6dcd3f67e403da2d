import BuiltinCompositors
public import CompositorAPI
import CompositorConversion
package import CompositorMedia
import CompositorMediaIO
public import CompositorOverlay

/// Finds the resources of titles, fonts and images, before anything is rendered, so that missing ones are reported at once with
/// their location, rather than in the middle of a render.
package struct TitleResources {
  let fonts: FontLibrary
  /// The canvas of the layer trees.
  let canvas: PixelSize
  /// Returns the image with a name.
  let image: (String) throws(CompositorError) -> Frame
  /// The images found so far.
  package private(set) var images: [String: Frame] = [:]
  /// The movies found so far.
  package private(set) var movies: TitleMovies

  package init(
    fonts: FontLibrary, canvas: PixelSize, movies: TitleMovies, image: @escaping (String) throws(CompositorError) -> Frame
  ) {
    self.fonts = fonts
    self.canvas = canvas
    self.movies = movies
    self.image = image
  }

  /// Checks a layer tree and collects the images that it shows.
  ///
  /// - Parameter path: The key path of the tree, for error messages.
  /// - Throws: `.fileNotFound` if a font, a character or an image is missing; `.invalidValue` if numbers cannot be drawn; any
  ///   error of reading images. All are located at the layer.
  package mutating func require(_ root: Layer, path: String) throws(CompositorError) {
    do throws(CompositorError) {
      try root.visit { (layer, place) throws(CompositorError) in
        try layer.requireUsableTiming()
        try layer.requireUsableAnimations()
        try layer.requireUsableLayout()
        try layer.requireDrawable()
        for text in layer.texts { try fonts.require(text) }
        let whole = place.isEmpty ? path : "\(path).\(place)"
        for name in layer.pictures {
          if images[name] == nil { images[name] = try image(name) }
          try movies.note(image: name, path: whole)
        }
        for movie in layer.movies { try movies.require(movie, path: whole) }
      }
      try LayerRehearsal(root, canvas: canvas, fonts: fonts).run()
    } catch {
      throw error.within(path)
    }
    movies.notePlayingBackwards(in: root)
  }

  /// The first frame of a source as R, G, B, A in square pixels, upright according to the source.
  static func firstFrame(
    of source: MediaSource, catalog: MediaCatalog, color: SourceColor?
  ) throws(CompositorError) -> Frame {
    guard let track = try catalog.info(for: source).videoTracks.first else {
      throw CompositorError(.noFrame, "\(source) has no video.", recoverySuggestion: "Name a still or a movie.")
    }
    var options = VideoReaderOptions()
    options.generated = .precise
    let reader = try catalog.openVideo(source, trackIndex: track.index, options: options, allocator: nil, color: color)
    guard let decoded = try reader.frame(at: reader.info.timeRange.start) else {
      throw CompositorError(.noFrame, "\(source) has no frame.", recoverySuggestion: "Name a still or a movie.")
    }
    return try upright(decoded.frame, reader.info)
  }

  private static func upright(_ frame: Frame, _ info: VideoTrackInfo) throws(CompositorError) -> Frame {
    let pool = FramePool(maximumOutstanding: 16)
    var attributes = frame.attributes
    // It keeps its own primaries and curve, and HDR its light, until it is converted to the output's.
    let color = attributes.color.completed(for: frame.format, size: frame.size)
    attributes.color = ColorTags(primaries: color.primaries, transfer: color.transfer, matrix: .identity, range: .full)
    guard info.preferredTransform != .identity || attributes.pixelAspectRatio != .one else {
      return try FrameConverter.convert(frame, to: .rgba16, attributes: attributes, pool: pool)
    }
    attributes.pixelAspectRatio = .one
    let size = info.displaySize
    let context = RenderContext(
      size: PixelSize(width: max(Int(size.width.rounded()), 1), height: max(Int(size.height.rounded()), 1)),
      outputFormat: .rgba16, outputAttributes: attributes, pool: pool)
    var source = SourceDescription(frame)
    source.preferredTransform = info.preferredTransform
    return try LayerCompositor(context: context).fit(frame, source, into: context)
  }
}

extension Layer {
  /// The names of the layer's image and of those that animations replace it with.
  package var pictures: [String] {
    guard case .image(let image) = content else { return [] }
    return [image.image] + animations.flatMap(\.strings)
  }

  /// The layer's text and the results of its animations.
  fileprivate var texts: [TextContent] {
    guard case .text(let text) = content else { return [] }
    return [text]
      + animations.flatMap(\.strings).map { string in
        var changed = text
        changed.string = string
        return changed
      }
  }
}

extension Animation {
  /// The strings that the animation shows.
  var strings: [String] {
    let values: [AnimationValue?] =
      switch kind {
      case .basic(_, let from, let to, let by): [from, to, by]
      case .keyframes(_, let frames): frames.values
      case .spring(_, let from, let to, _), .audio(_, let from, let to, _): [from, to]
      case .group(let members): members.flatMap(\.strings).map(AnimationValue.text)
      case .transition, .wiggle: []
      }
    return values.compactMap { if case .text(let text) = $0 { text } else { nil } }
  }
}

extension Titles {
  /// Loads the system's fonts and those of the files, which takes a fraction of a second. One library may be used for many
  /// edits.
  ///
  /// - Throws: `.fileNotFound`, `.sourceRefused` or `.unreadableMedia` if a file of `fonts` isn't a font;
  ///   `.resourceExhausted` if the system's fonts cannot be loaded.
  public func loadFonts() throws(CompositorError) -> FontLibrary { try FontLibrary(fontProvider()) }

  /// The fonts before they are loaded.
  func fontProvider() throws(CompositorError) -> FontProvider {
    var provider = FontProvider.system
    for (index, path) in fonts.enumerated() {
      do throws(CompositorError) {
        let bytes = try RegularFile.bytes(of: path, maximumByteCount: Titles.maximumFontByteCount)
        provider.files.append(FontProvider.File(name: path, bytes: bytes))
      } catch {
        throw error.locating(ErrorLocation(path: "titles.fonts[\(index)]"))
      }
    }
    return provider
  }

  private static let maximumFontByteCount = 64 << 20

  /// The first frame of the source with a name.
  ///
  /// - Throws: `.fileNotFound` if the name has no source; any error of reading the source.
  package func image(
    named name: String, catalog: MediaCatalog, colors: [MediaSource: SourceColor] = [:]
  ) throws(CompositorError) -> Frame {
    guard let source = images[name] else {
      throw CompositorError(
        .fileNotFound, "A title shows the image \(quoted(name)), which isn't among the assets.",
        recoverySuggestion: recoverySuggestion(for: name, among: images.keys.sorted()))
    }
    return try TitleResources.firstFrame(of: source, catalog: catalog, color: colors[source])
  }
}

extension VideoTrackInfo {
  /// The codec name of titles that are media.
  package static let titleCodec = "titles"
}
