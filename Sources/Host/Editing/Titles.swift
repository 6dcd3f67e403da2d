public import CompositorAPI
import CompositorMediaIO
public import CompositorOverlay

/// The titles of an edit: layer trees that are drawn over its composed frames, in movie time.
///
/// Each frame is composed first; titles are then drawn in its own format and color, inside their bounds only. Instructions that disable
/// post-processing show none.
///
/// ```swift
/// var edit = try timeline.edit(catalog: catalog)
/// let magic = TitleTemplate.title("Magic").layer(canvas: edit.videoComposition.renderSize, start: 0, duration: 5)
/// edit.titles.layers.append(magic)
/// ```
public struct Titles: Hashable, Sendable, Codable {
  /// Layers, back to front. Their parent is the canvas (``CompositorAPI/VideoComposition/renderSize``); their time is the
  /// composition's, in seconds.
  public var layers: [Layer]
  /// Font files available beside the system's, by path.
  public var fonts: [String]
  /// Sources of the pictures that image layers show, by the name that they use: a still, or the first frame of a movie.
  public var images: [String: MediaSource]

  /// Makes titles; by default none.
  public init(layers: [Layer] = [], fonts: [String] = [], images: [String: MediaSource] = [:]) {
    self.layers = layers
    self.fonts = fonts
    self.images = images
  }

  /// Whether nothing is ever drawn.
  public var isEmpty: Bool { layers.isEmpty }

  /// The system's fonts and those of the files. Loading takes a part of a second; one library may serve many edits.
  ///
  /// - Throws: `.fileNotFound`, `.sourceRefused` or `.unreadableMedia` if a file of ``fonts`` isn't a font;
  ///   `.resourceExhausted` if the system's fonts cannot be loaded.
  public func loadFonts() throws(CompositorError) -> FontLibrary {
    var provider = FontProvider.system
    for (index, path) in fonts.enumerated() {
      do throws(CompositorError) {
        let bytes = try RegularFile.bytes(of: path, maximumByteCount: Titles.maximumFontByteCount)
        provider.files.append(FontProvider.File(name: path, bytes: bytes))
      } catch {
        throw error.locating(ErrorLocation(path: "titles.fonts[\(index)]"))
      }
    }
    return try FontLibrary(provider)
  }

  private static let maximumFontByteCount = 64 << 20

  /// The first frame of the source that a name stands for.
  ///
  /// - Throws: `.fileNotFound` for a name without a source; what reading the source throws.
  package func image(named name: String, catalog: MediaCatalog) throws(CompositorError) -> Frame {
    guard let source = images[name] else {
      throw CompositorError(
        .fileNotFound, "A title shows the picture \(quoted(name)), which is no picture among the assets.",
        recoverySuggestion: recoverySuggestion(for: name, among: images.keys.sorted()))
    }
    return try TitleResources.firstFrame(of: source, catalog: catalog)
  }

  /// The key path of a layer in an edit.
  static func path(ofLayer index: Int) -> String { "titles.layers[\(index)]" }

  /// The layer that a key path in an edit leads to or into, and what follows; `nil` for other paths.
  package static func layerIndex(inPath path: String) -> (index: Int, rest: Substring)? {
    let prefix = "titles.layers["
    guard path.hasPrefix(prefix), let end = path.firstIndex(of: "]"),
      let index = Int(path[path.index(path.startIndex, offsetBy: prefix.count)..<end])
    else { return nil }
    return (index, path[path.index(after: end)...])
  }
}
