package import CompositorAPI
package import CompositorCaptions
package import CompositorOverlay

/// What an edit's titles are drawn with: their layers, and the fonts, images and movies that these name. A reference, so that a
/// composition, which the task of every frame holds, stays small.
package final class ResolvedTitles: Sendable {
  /// The root of the layers. Its parent is the canvas.
  package let root: Layer
  /// The canvas, which positions refer to.
  package let canvas: PixelSize
  /// Loaded fonts. Renders share them, with the glyphs that they have drawn.
  package let fonts: FontLibrary
  /// The images of image layers, by name.
  package let images: [String: Frame]
  /// The movies of movie layers.
  package let movies: [TitleMovie.Key: TitleMovie]

  /// - Throws: `.invalidValue` if a timing or an animation is malformed.
  init(
    _ layers: [Layer], canvas: PixelSize, fonts: FontLibrary, images: [String: Frame], movies: [TitleMovie.Key: TitleMovie]
  ) throws(CompositorError) {
    root = Layer(canvas: canvas) { layers }
    (self.canvas, self.fonts, self.images, self.movies) = (canvas, fonts, images, movies)
    // No frame fails because a layer cannot be evaluated.
    try root.requireUsable()
  }
}

/// A track of captions that is burned in, ready to be drawn.
package enum ResolvedCaptions: Sendable {
  /// Cues that are laid out as title layers.
  case cues(CaptionLayout)
  /// A script that libass draws.
  case script(CaptionScript)

  /// Whether libass draws it.
  package var isScript: Bool { if case .script = self { true } else { false } }
}
