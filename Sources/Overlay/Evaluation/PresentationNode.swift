package import CompositorAPI

/// A layer as it is at one time: animations applied, text made, copies and particles made out.
package struct PresentationNode: Hashable, Sendable {
  /// The layer with the values of the time; without animations and sublayers.
  package var layer: Layer
  /// From the layer's bounds space to its parent's.
  package var matrix: Projection
  /// How near its middle is among its siblings, in pixels towards the viewer; 0 once they are in order.
  var depth = 0.0
  /// Sublayers that show, back to front.
  package var children: [PresentationNode] = []
  private var masks: [PresentationNode] = []
  /// How the layer's place in its parent changes over time.
  package var motion = Motion.still
  /// Whether something in the layer changes over time, itself not counted.
  package var hasAnimatedDescendants = false

  /// The pieces of an animated text, in reading order; empty where the text looks as it does without.
  package var units: [TextUnit] = []
  /// The key path from the root, where the evaluation keeps it.
  var path = ""
  /// Whether something about the layer itself, its movie apart, is changing at this very time.
  var isChanging = false
  /// What a movie layer shows.
  package var movie = MovieState.nothing

  /// Whether its parts are blended with each other before they come over what is beneath.
  package var blendsApart = false

  /// How a layer's place changes over time: which of the ways to draw it is chosen for all times alike.
  package enum Motion: UInt8, Hashable, Sendable, Comparable {
    /// It does not.
    case still
    /// It moves.
    case moves
    /// It grows, turns or tips.
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

  /// Whether something in it, its movies apart, is changing at this very time.
  var changesNow: Bool { isChanging || children.contains(where: \.changesNow) || masks.contains(where: \.changesNow) }

  /// Whether it or anything above it draws.
  package var showsSomething: Bool { hasOwnPaint || children.contains { $0.showsSomething } }

  /// Whether the layer draws something of its own, sublayers not counted.
  package var hasOwnPaint: Bool {
    if layer.backgroundColor != nil || layer.borderWidth > 0 { return true }
    switch layer.content {
    case .none, .replicator, .emitter: return false
    case .text, .shape, .gradient, .image, .movie, .video: return true
    }
  }
}
