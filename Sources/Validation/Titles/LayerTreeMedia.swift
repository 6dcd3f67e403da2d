package import CompositorAPI
package import CompositorMedia
package import CompositorOverlay

/// Media that is drawn from a tree of layers, whose texts checks can look at.
package protocol LayerTreeMedia: MediaProvider {
  /// The root of the tree, with all times from the beginning; its sublayers are the titles.
  var root: Layer { get }
  /// The size of its frames, in pixels.
  var frameSize: PixelSize { get }
  /// The fonts with which it is drawn; `nil` if they aren't known.
  var textFonts: FontLibrary? { get }
}

extension MediaCatalog {
  /// The layer tree that a source is drawn from; `nil` for other media.
  func layerTree(of source: MediaSource) -> (any LayerTreeMedia)? {
    guard case .custom(let name) = source else { return nil }
    return media(named: name) as? any LayerTreeMedia
  }
}
