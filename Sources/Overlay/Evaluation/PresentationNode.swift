package import CompositorAPI

/// A layer at one time: with animations applied, text generated, and copies and particles expanded.
package struct PresentationNode: Hashable, Sendable {
  /// The layer with its values at the time; without animations and sublayers.
  package var layer: Layer
  /// From the layer's bounds space to its parent's.
  package var matrix: Projection
  /// The depth of its center among its siblings, in pixels toward the viewer; 0 after sorting.
  var depth = 0.0
  /// Visible sublayers, back to front.
  package var children: [PresentationNode] = []
  private var masks: [PresentationNode] = []
  /// How the layer's position in its parent changes over time.
  package var motion = Motion.still
  /// Whether anything in the layer changes over time, except the layer itself.
  package var hasAnimatedDescendants = false

  /// The units of an animated text, in reading order; empty if the text looks as it does without animators.
  package var units: [TextUnit] = []
  /// The key path from the root, if the evaluation records it.
  var path = ""
  /// Whether the layer itself, except for its movie, is changing at this time.
  var isChanging = false
  /// The state of a movie layer.
  package var movie = MovieState.nothing

  /// Whether its parts are blended with each other before they are blended with the backdrop.
  package var blendsApart = false

  /// The number of moments of which the layer shows the mean; its children are those in which it shows something. 0 if it shows one.
  var momentCount = 0

  /// How a layer's position changes over time. The drawing method depends on it, and is therefore the same at all times.
  package enum Motion: UInt8, Hashable, Sendable, Comparable {
    /// It does not change.
    case still
    /// It moves.
    case moves
    /// It scales, rotates or tilts.
    case transforms

    package static func < (left: Motion, right: Motion) -> Bool { left.rawValue < right.rawValue }
  }

  package init(_ layer: Layer, matrix: Projection) {
    self.layer = layer
    self.matrix = matrix
  }

  /// The mask, in the layer's own coordinates.
  package var mask: PresentationNode? {
    get { masks.first }
    set { masks = newValue.map { [$0] } ?? [] }
  }

  /// Whether anything in it, except movies, is changing at this time.
  var changesNow: Bool { isChanging || children.contains(where: \.changesNow) || masks.contains(where: \.changesNow) }

  /// Whether it or a sublayer draws anything.
  package var showsSomething: Bool { hasOwnPaint || layer.filtersBackdrop || children.contains { $0.showsSomething } }

  /// Whether the layer itself draws anything, without its sublayers.
  package var hasOwnPaint: Bool {
    if layer.backgroundColor != nil || layer.borderWidth > 0 { return true }
    switch layer.content {
    case .none, .replicator, .emitter: return false
    case .text, .shape, .gradient, .image, .movie, .video: return true
    }
  }
}
