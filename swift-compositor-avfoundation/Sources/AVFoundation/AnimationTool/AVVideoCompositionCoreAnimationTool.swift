internal import Compositor
public import Foundation

/// The beginning of a movie as the begin time of an animation. It is so little that it is 0 here, as 0 itself is.
public let AVCoreAnimationBeginTimeAtZero: CFTimeInterval = 1e-100

/// Draws layers over the frames of a movie, or frames as a layer among others.
///
/// The layers are read when an export begins: `layoutIfNeeded()` and `displayIfNeeded()` are called then. Their times are those of the
/// movie.
open class AVVideoCompositionCoreAnimationTool: NSObject {
  /// What layers are for.
  enum Use {
    /// The frames are shown in some layers of a tree.
    case postProcessing(videoLayers: [CALayer], root: CALayer)
    /// A layer is a source of instructions.
    case track(CMPersistentTrackID)
  }

  let use: Use

  init(_ use: Use) {
    self.use = use
    super.init()
  }

  /// Shows frames in a layer, and the tree that it is in instead of them.
  ///
  /// - Parameters:
  ///   - videoLayer: A layer of the tree.
  ///   - animationLayer: The uppermost layer. The layer above it would be as large as the pictures, with its origin at the lower left.
  public convenience init(postProcessingAsVideoLayer videoLayer: CALayer, in animationLayer: CALayer) {
    self.init(postProcessingAsVideoLayers: [videoLayer], in: animationLayer)
  }

  /// Shows each frame in several layers, and the tree that they are in instead of it.
  public convenience init(postProcessingAsVideoLayers videoLayers: [CALayer], in animationLayer: CALayer) {
    self.init(.postProcessing(videoLayers: videoLayers, root: animationLayer))
  }

  /// Makes a layer a source of instructions. An export with it ends with an error: instructions have no layers as sources here.
  public convenience init(additionalLayer layer: CALayer, asTrackID trackID: CMPersistentTrackID) {
    self.init(.track(trackID))
  }

  /// The layers as they are drawn over frames of a size.
  ///
  /// - Throws: What cannot be drawn.
  func overlay(over size: CGSize) throws(AVError) -> TitleOverlay {
    guard case .postProcessing(let videoLayers, let root) = use else {
      throw AVError(
        .invalidVideoComposition, "A layer cannot be a source of instructions.",
        suggestion: "Use AVVideoCompositionCoreAnimationTool(postProcessingAsVideoLayer:in:), which draws layers over frames.")
    }
    for layer in videoLayers where !root.contains(layer) {
      throw AVError(
        .invalidVideoComposition, "A video layer of the animation tool is not in the tree of its animation layer.",
        suggestion: "Add it to the tree with addSublayer.")
    }
    root.prepareTree()
    let translation = LayerTranslation(videoLayers: videoLayers)
    let tree = try translation.layer(root, in: LayerSpace(bounds: CGRect(origin: .zero, size: size), pointsUp: true))
    do {
      return try TitleOverlay(tree, canvas: size.pixels, images: translation.images)
    } catch {
      throw AVError(error)
    }
  }
}
