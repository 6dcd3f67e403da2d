import CompositorAPI
import CompositorOverlay

/// Finds what titles need beside themselves, fonts and pictures, before anything is rendered: what is missing is told at once,
/// with its place, and not in the middle of a movie.
struct TitleNeeds {
  let file: ProjectFile
  let fonts: FontLibrary

  /// The pictures that the titles of a project, or of one of its assets, show.
  ///
  /// - Parameters:
  ///   - root: What was read from `object`.
  ///   - object: What has the key `titles`.
  /// - Throws: `.fileNotFound` for a font, characters or a picture that are not there; `.invalidValue` for numbers that cannot be
  ///   drawn; what reading pictures throws.
  func images(of root: Layer, _ object: ProjectObject) throws(CompositorError) -> [String: Frame] {
    var images: [String: Frame] = [:]
    for (title, value) in zip(root.sublayers, try object["titles"]?.list() ?? []) {
      let path = value.path.description
      let tree = try value.map().contains { $0.key == "layer" } ? title.sublayers.first : nil
      try (tree ?? title).visit(tree == nil ? path : path + ".layer") { (layer, place) throws(CompositorError) in
        do throws(CompositorError) {
          try layer.requireDrawable()
          for text in layer.texts { try fonts.require(text) }
          for name in layer.pictures where images[name] == nil { images[name] = try file.picture(named: name) }
        } catch {
          // Places inside a ready-made title mean nothing to its author.
          throw file.locating(error.locating(ErrorLocation(path: tree == nil ? path : place)))
        }
      }
    }
    return images
  }
}

extension Layer {
  /// Calls with every layer of the tree and its key path.
  fileprivate func visit(
    _ path: String, _ body: (Layer, String) throws(CompositorError) -> Void
  ) throws(CompositorError) {
    try body(self, path)
    for (index, layer) in sublayers.enumerated() { try layer.visit("\(path).sublayers[\(index)]", body) }
    try mask?.visit(path + ".mask", body)
    try transitionSource?.visit(path + ".transitionSource", body)
  }

  /// The names of its picture, and of those that animations put in its place.
  fileprivate var pictures: [String] {
    guard case .image(let image) = content else { return [] }
    return [image.image] + animations.flatMap(\.strings)
  }

  /// Its text, and what animations make of it.
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
  /// The texts that it shows.
  fileprivate var strings: [String] {
    let values: [AnimationValue?] =
      switch kind {
      case .basic(_, let from, let to, let by): [from, to, by]
      case .keyframes(_, let frames): frames.values
      case .spring(_, let from, let to, _): [from, to]
      case .group(let members): members.flatMap(\.strings).map(AnimationValue.text)
      case .transition: []
      }
    return values.compactMap { if case .text(let text) = $0 { text } else { nil } }
  }
}
