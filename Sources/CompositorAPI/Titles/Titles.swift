/// The titles of an edit: layer trees that are drawn over its composed frames, in movie time.
///
/// Each frame is composed first; titles are then drawn in its own format and color, inside their bounds only. Instructions that disable
/// post-processing show none.
///
/// ```swift
/// var edit = try timeline.edit(catalog: catalog)
/// let magic = TitleTemplate.title("Magic").layer(canvas: edit.videoComposition.renderSize, start: .zero, duration: .seconds(5))
/// edit.titles.layers.append(magic)
/// ```
public struct Titles: Hashable, Sendable, Codable {
  /// Layers, back to front. Their parent is the canvas (``VideoComposition/renderSize``); their time is the
  /// composition's, in seconds.
  public var layers: [Layer]
  /// Font files available beside the system's, by path.
  public var fonts: [String]
  /// Sources of what image and movie layers show, by the name that they use. An image layer shows the first frame of a movie.
  public var images: [String: MediaSource]

  /// Makes titles; by default none.
  public init(layers: [Layer] = [], fonts: [String] = [], images: [String: MediaSource] = [:]) {
    self.layers = layers
    self.fonts = fonts
    self.images = images
  }

  /// Whether nothing is ever drawn.
  public var isEmpty: Bool { layers.isEmpty }

  /// The key path of a layer in an edit.
  package static func path(ofLayer index: Int) -> String { "titles.layers[\(index)]" }

  /// The layer that a key path in an edit leads to or into, and what follows; `nil` for other paths.
  package static func layerIndex(inPath path: String) -> (index: Int, rest: Substring)? {
    let prefix = "titles.layers["
    guard path.hasPrefix(prefix), let end = path.firstIndex(of: "]"),
      let index = Int(path[path.index(path.startIndex, offsetBy: prefix.count)..<end])
    else { return nil }
    return (index, path[path.index(after: end)...])
  }
}
