internal import Compositor
public import Foundation

/// What is composed during a range of time. Programs conform classes of their own to it.
public protocol AVVideoCompositionInstructionProtocol: NSObjectProtocol {
  /// The range.
  var timeRange: CMTimeRange { get }
  /// Whether layers are drawn over the result by an animation tool.
  var enablePostProcessing: Bool { get }
  /// Whether frames of the same sources differ over time.
  var containsTweening: Bool { get }
  /// The tracks that are needed; `nil` for all of them.
  var requiredSourceTrackIDs: [NSValue]? { get }
  /// The track whose frames are the result; `kCMPersistentTrackID_Invalid` if frames are composed.
  var passthroughTrackID: CMPersistentTrackID { get }
}

/// The layers that are composed during a range of time.
open class AVVideoCompositionInstruction: NSObject, NSCopying, NSMutableCopying, AVVideoCompositionInstructionProtocol {
  var range = CMTimeRange.invalid
  var background: CGColor?
  var layers: [AVVideoCompositionLayerInstruction] = []
  var isPostProcessed = true

  /// An instruction without layers and with an invalid range.
  public override init() { super.init() }

  /// The range.
  open var timeRange: CMTimeRange { range }
  /// The color behind all layers; `nil` for black. Its alpha does not count, because frames are opaque.
  open var backgroundColor: CGColor? { background }
  /// The layers, front to back: the first is on top.
  open var layerInstructions: [AVVideoCompositionLayerInstruction] { layers }
  /// Whether layers are drawn over the result by an animation tool. Default true.
  open var enablePostProcessing: Bool { isPostProcessed }
  /// The tracks of the layers.
  open var requiredSourceTrackIDs: [NSValue]? { layers.map { NSNumber(value: $0.trackID) } }
  /// No track: layers are composed.
  open var passthroughTrackID: CMPersistentTrackID { kCMPersistentTrackID_Invalid }
  /// Whether a layer changes over time.
  open var containsTweening: Bool {
    Instruction(timeRange: range.media, layers: layers.map(\.layer)).containsTweening
  }

  private func copied(into copy: AVVideoCompositionInstruction) -> AVVideoCompositionInstruction {
    (copy.range, copy.background, copy.isPostProcessed) = (range, background, isPostProcessed)
    copy.layers = layers.compactMap { $0.copy() as? AVVideoCompositionLayerInstruction }
    return copy
  }

  /// The same instruction, which does not change.
  open func copy(with zone: NSZone? = nil) -> Any { copied(into: AVVideoCompositionInstruction()) }
  /// The same instruction, which may be changed.
  open func mutableCopy(with zone: NSZone? = nil) -> Any { copied(into: AVMutableVideoCompositionInstruction()) }
}

/// The layers that are composed during a range of time, which may be changed.
open class AVMutableVideoCompositionInstruction: AVVideoCompositionInstruction {
  /// An instruction without layers and with an invalid range.
  public override init() { super.init() }

  /// The range.
  open override var timeRange: CMTimeRange {
    get { range }
    set { range = newValue }
  }
  /// The color behind all layers.
  open override var backgroundColor: CGColor? {
    get { background }
    set { background = newValue }
  }
  /// The layers, front to back.
  open override var layerInstructions: [AVVideoCompositionLayerInstruction] {
    get { layers }
    set { layers = newValue.compactMap { $0.copy() as? AVVideoCompositionLayerInstruction } }
  }
  /// Whether layers are drawn over the result by an animation tool.
  open override var enablePostProcessing: Bool {
    get { isPostProcessed }
    set { isPostProcessed = newValue }
  }
}
