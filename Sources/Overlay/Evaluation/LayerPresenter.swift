package import CompositorAPI
import Synchronization

/// The visible state of a layer tree at one time. Equal trees draw the same over the same frame.
public struct PresentationTree: Hashable, Sendable {
  /// The root layer with everything visible in it.
  var node: PresentationNode
  /// Whether the tree contains the frame as a layer; otherwise the tree is drawn over the frame.
  let framesVideo: Bool
  /// Whether movie layers are visible, for which frames are needed.
  var needsMovies = false

  /// The units of the root layer's text.
  package var units: [TextUnit] { node.units }
}

/// Evaluates a tree of layers at any time. Evaluates each frame once, and shares the result.
///
/// Thread-safe.
package final class LayerPresenter: Sendable {
  /// The root; its parent is the canvas.
  package let root: Layer
  /// Whether a layer shows the frame itself.
  let hasVideoLayer: Bool
  /// Whether a layer shows a movie.
  package let hasMovies: Bool
  /// Whether the tree is the same at all times.
  let isStill: Bool
  private let canvas: Size
  private let sizes: TextSizes
  /// The evaluated tree if it is static, once known.
  private let still = Mutex<PresentationTree??>(nil)

  /// Creates a presenter of a tree.
  ///
  /// - Parameter canvas: The box that contains the root.
  /// - Throws: `.invalidValue` if timings or animations are malformed, or relative to the end of the root's parent, which has
  ///   none.
  package init(_ root: Layer, canvas: PixelSize, fonts: FontLibrary) throws(CompositorError) {
    try root.requireUsable()
    let root = try root.anchored(until: .infinity)
    self.root = root
    self.canvas = Size(width: Double(canvas.width), height: Double(canvas.height))
    sizes = TextSizes(fonts)
    hasVideoLayer = root.contains { $0.content == .video }
    hasMovies = root.contains { $0.movie != nil }
    isStill = !root.contains { $0.isAnimated || !$0.timing.isIdentity || $0.content.isEmitter }
  }

  /// The tree at a given time; `nil` if nothing is visible.
  ///
  /// - Throws: `.invalidValue` or `.resourceExhausted` if the tree cannot be evaluated; `.fileNotFound` if a font is missing.
  package func presentation(at time: MediaTime) throws(CompositorError) -> PresentationTree? {
    guard time.isNumeric else { return nil }
    guard isStill else { return try evaluate(at: time.seconds) }
    if let known = still.withLock({ $0 }) { return known }
    let shown = try evaluate(at: time.seconds)
    still.withLock { $0 = .some(shown) }
    return shown
  }

  private func evaluate(at seconds: Double) throws(CompositorError) -> PresentationTree? {
    let framesVideo = hasVideoLayer && root.framesVideo(at: seconds)
    let shown = try LayerEvaluator.evaluate(root, at: seconds, canvas: canvas, layOut: sizes.layout(of:in:)) {
      (text) throws(CompositorError) in
      try self.sizes.size(of: text)
    }
    guard let node = shown ?? (framesVideo ? PresentationNode(Layer(), matrix: .identity) : nil) else { return nil }
    guard framesVideo || node.showsSomething else { return nil }
    return PresentationTree(node: node, framesVideo: framesVideo, needsMovies: hasMovies && node.showsMovie)
  }

  /// The tree at a given time with the key path of each layer, and the number of evaluated layers.
  func rehearsal(at time: MediaTime) throws(CompositorError) -> (node: PresentationNode?, count: Int) {
    try LayerEvaluator.rehearse(root, at: time.seconds, canvas: canvas, layOut: sizes.layout(of:in:)) {
      (text) throws(CompositorError) in
      try self.sizes.size(of: text)
    }
  }
}

extension LayerPresenter {
  /// The size of the first layer in the tree at time 0; zero if nothing is visible.
  package var firstSize: Size {
    get throws(CompositorError) { try presentation(at: .zero)?.node.children.first?.layer.bounds.size ?? .zero }
  }
}

/// Sizes of texts without bounds, and layouts of animated texts, each measured once.
struct TextSizes: Sendable {
  private let engine: TextEngine
  private let known = OverlayCache(byteLimit: 4 << 20)

  init(_ fonts: FontLibrary) { engine = fonts.engine }

  /// - Throws: As ``TextEngine/checkedExtents(of:)``.
  func size(of text: TextContent) throws(CompositorError) -> Size {
    let styled = StyledText(text, size: nil)
    guard !styled.string.isEmpty else { return .zero }
    var shown = styled
    shown.outlineWidth = 0
    let made = try known.value(.extents(shown)) { () throws(CompositorError) in
      .extents(try engine.checkedExtents(of: styled))
    }
    guard case .extents(let extents) = made else { throw LayerPrimitives.wrongKind }
    return extents.size
  }

  /// The units of a text in a box.
  func layout(of text: TextContent, in size: Size) throws(CompositorError) -> TextLayout {
    var styled = StyledText(text, size: size)
    styled.outlineWidth = 0
    let made = try known.value(.layout(styled)) { () throws(CompositorError) in .layout(try engine.layout(styled)) }
    guard case .layout(let layout) = made else { throw LayerPrimitives.wrongKind }
    return layout
  }
}

extension Layer {
  /// Whether the tree contains the frame at a given time of the parent, visible or not; otherwise the tree is drawn over the
  /// frame. Looks no deeper than the maximum depth.
  fileprivate func framesVideo(at parentTime: Double, depth: Int = 0) -> Bool {
    guard depth <= Layer.maximumDepth,
      let sample = timing.sample(at: parentTime, standardDuration: .infinity)
    else { return false }
    return content == .video || sublayers.contains { $0.framesVideo(at: sample.time, depth: depth + 1) }
      || (mask?.framesVideo(at: sample.time, depth: depth + 1) ?? false)
  }

  /// Whether the layer or one of its descendants matches; looks no deeper than the maximum depth.
  func contains(depth: Int = 0, _ isWanted: (Layer) -> Bool) -> Bool {
    guard depth <= Layer.maximumDepth else { return false }
    return isWanted(self) || sublayers.contains { $0.contains(depth: depth + 1, isWanted) }
      || (mask?.contains(depth: depth + 1, isWanted) ?? false)
      || (transitionSource?.contains(depth: depth + 1, isWanted) ?? false)
  }
}
