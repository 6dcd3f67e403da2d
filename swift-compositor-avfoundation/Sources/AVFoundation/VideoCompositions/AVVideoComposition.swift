internal import Compositor
public import Foundation

/// What is composed when, at which size and rate.
open class AVVideoComposition: NSObject, NSCopying, NSMutableCopying {
  var parts = Parts()

  /// The values of a video composition.
  struct Parts {
    var frameDuration = CMTime.zero
    var timingTrackID = kCMPersistentTrackID_Invalid
    var renderSize = CGSize.zero
    var renderScale: Float = 1
    var instructions: [any AVVideoCompositionInstructionProtocol] = []
    var colorPrimaries: String?
    var colorTransferFunction: String?
    var colorYCbCrMatrix: String?
    var compositorClass: (any AVVideoCompositing.Type)?
    var animationTool: AVVideoCompositionCoreAnimationTool?
  }

  /// A video composition of size and rate zero, which cannot be rendered.
  public override init() { super.init() }

  /// A video composition that shows an asset as its tracks say: upright, at its own size and rate, the first track on top.
  public convenience init(propertiesOf asset: AVAsset) {
    self.init()
    parts = Parts(of: asset)
  }

  /// The time between two frames.
  open var frameDuration: CMTime { parts.frameDuration }
  /// The track whose frames say when there are frames; `kCMPersistentTrackID_Invalid` for ``frameDuration`` alone.
  open var sourceTrackIDForFrameTiming: CMPersistentTrackID { parts.timingTrackID }
  /// The size of the pictures in pixels.
  open var renderSize: CGSize { parts.renderSize }
  /// A scale for players; 1 for everything else.
  open var renderScale: Float { parts.renderScale }
  /// What is composed: ranges that follow each other without gaps.
  open var instructions: [any AVVideoCompositionInstructionProtocol] { parts.instructions }
  /// The primaries in which frames are composed; `nil` for those of the sources.
  open var colorPrimaries: String? { parts.colorPrimaries }
  /// The transfer function in which frames are composed; `nil` for that of the sources.
  open var colorTransferFunction: String? { parts.colorTransferFunction }
  /// The matrix in which frames are composed; `nil` for that of the sources.
  open var colorYCbCrMatrix: String? { parts.colorYCbCrMatrix }
  /// The class of the program's compositor, which is made with `init()`; `nil` for the one that composes layers.
  open var customVideoCompositorClass: (any AVVideoCompositing.Type)? { parts.compositorClass }
  /// Draws layers over frames of instructions that enable it; `nil` for none.
  open var animationTool: AVVideoCompositionCoreAnimationTool? { parts.animationTool }

  /// A video composition that shows an asset as its tracks say.
  ///
  /// - Throws: `AVError`: why the asset cannot be read.
  open class func videoComposition(
    withPropertiesOf asset: AVAsset
  ) async throws -> AVMutableVideoComposition {
    _ = try asset.readTracks()
    return AVMutableVideoComposition(propertiesOf: asset)
  }

  /// A video composition that shows an asset as its tracks say. What a prototype says beside ranges and layers, its background and whether
  /// an animation tool draws over it, goes to each instruction.
  ///
  /// - Throws: `AVError`: why the asset cannot be read.
  open class func videoComposition(
    withPropertiesOf asset: AVAsset, prototypeInstruction: AVVideoCompositionInstruction
  ) async throws -> AVMutableVideoComposition {
    let video = try await videoComposition(withPropertiesOf: asset)
    for case let instruction as AVMutableVideoCompositionInstruction in video.instructions {
      instruction.backgroundColor = prototypeInstruction.backgroundColor
      instruction.enablePostProcessing = prototypeInstruction.enablePostProcessing
    }
    return video
  }

  private func copied<Other: AVVideoComposition>(into copy: Other) -> Other {
    copy.parts = parts
    // An object of a program's own class is kept: its compositor looks for it, and a copy would be of this module's class.
    copy.parts.instructions = parts.instructions.map { instruction in
      guard type(of: instruction) == AVMutableVideoCompositionInstruction.self,
        let own = instruction as? AVMutableVideoCompositionInstruction,
        let copy = own.copy() as? AVVideoCompositionInstruction
      else { return instruction }
      return copy
    }
    return copy
  }

  /// The same video composition, which does not change.
  open func copy(with zone: NSZone? = nil) -> Any { copied(into: AVVideoComposition()) }
  /// The same video composition, which may be changed.
  open func mutableCopy(with zone: NSZone? = nil) -> Any { copied(into: AVMutableVideoComposition()) }
}

/// What is composed when, at which size and rate, which may be changed.
open class AVMutableVideoComposition: AVVideoComposition {
  /// A video composition of size and rate zero, which are to be set.
  public override init() { super.init() }

  /// A video composition that shows an asset as its tracks say.
  public convenience init(propertiesOf asset: AVAsset) {
    self.init()
    parts = Parts(of: asset)
  }

  /// The time between two frames.
  open override var frameDuration: CMTime {
    get { parts.frameDuration }
    set { parts.frameDuration = newValue }
  }
  /// The track whose frames say when there are frames.
  open override var sourceTrackIDForFrameTiming: CMPersistentTrackID {
    get { parts.timingTrackID }
    set { parts.timingTrackID = newValue }
  }
  /// The size of the pictures in pixels.
  open override var renderSize: CGSize {
    get { parts.renderSize }
    set { parts.renderSize = newValue }
  }
  /// A scale for players.
  open override var renderScale: Float {
    get { parts.renderScale }
    set { parts.renderScale = newValue }
  }
  /// What is composed.
  open override var instructions: [any AVVideoCompositionInstructionProtocol] {
    get { parts.instructions }
    set { parts.instructions = newValue }
  }
  /// The primaries in which frames are composed.
  open override var colorPrimaries: String? {
    get { parts.colorPrimaries }
    set { parts.colorPrimaries = newValue }
  }
  /// The transfer function in which frames are composed.
  open override var colorTransferFunction: String? {
    get { parts.colorTransferFunction }
    set { parts.colorTransferFunction = newValue }
  }
  /// The matrix in which frames are composed.
  open override var colorYCbCrMatrix: String? {
    get { parts.colorYCbCrMatrix }
    set { parts.colorYCbCrMatrix = newValue }
  }
  /// The class of the program's compositor.
  open override var customVideoCompositorClass: (any AVVideoCompositing.Type)? {
    get { parts.compositorClass }
    set { parts.compositorClass = newValue }
  }
  /// Draws layers over frames of instructions that enable it.
  open override var animationTool: AVVideoCompositionCoreAnimationTool? {
    get { parts.animationTool }
    set { parts.animationTool = newValue }
  }
}
