internal import Compositor
public import Foundation

/// How a track is placed during an instruction: opacity, transform and crop over time.
open class AVVideoCompositionLayerInstruction: NSObject, NSCopying, NSMutableCopying {
  var layer: LayerInstruction

  init(layer: LayerInstruction) {
    self.layer = layer
    super.init()
  }

  /// The track.
  open var trackID: CMPersistentTrackID { layer.trackID }

  /// The change of the transform at a time: the one that contains it, else the next one.
  ///
  /// - Returns: False if there is none from that time on; then nothing is written to the pointers.
  open func getTransformRamp(
    for time: CMTime, start startTransform: UnsafeMutablePointer<CGAffineTransform>?,
    end endTransform: UnsafeMutablePointer<CGAffineTransform>?, timeRange: UnsafeMutablePointer<CMTimeRange>?
  ) -> Bool {
    guard let ramp = ramp(layer.transform, at: time) else { return false }
    startTransform?.pointee = CGAffineTransform(ramp.start)
    endTransform?.pointee = CGAffineTransform(ramp.end)
    timeRange?.pointee = CMTimeRange(ramp.timeRange)
    return true
  }

  /// The change of the opacity at a time.
  ///
  /// - Returns: False if there is none from that time on.
  open func getOpacityRamp(
    for time: CMTime, startOpacity: UnsafeMutablePointer<Float>?, endOpacity: UnsafeMutablePointer<Float>?,
    timeRange: UnsafeMutablePointer<CMTimeRange>?
  ) -> Bool {
    guard let ramp = ramp(layer.opacity, at: time) else { return false }
    startOpacity?.pointee = Float(ramp.start)
    endOpacity?.pointee = Float(ramp.end)
    timeRange?.pointee = CMTimeRange(ramp.timeRange)
    return true
  }

  /// The change of the crop rectangle at a time.
  ///
  /// - Returns: False if there is none from that time on.
  open func getCropRectangleRamp(
    for time: CMTime, startCropRectangle: UnsafeMutablePointer<CGRect>?, endCropRectangle: UnsafeMutablePointer<CGRect>?,
    timeRange: UnsafeMutablePointer<CMTimeRange>?
  ) -> Bool {
    guard let ramp = ramp(layer.crop, at: time) else { return false }
    startCropRectangle?.pointee = CGRect(ramp.start)
    endCropRectangle?.pointee = CGRect(ramp.end)
    timeRange?.pointee = CMTimeRange(ramp.timeRange)
    return true
  }

  private func ramp<Value>(_ timeline: PropertyTimeline<Value>, at time: CMTime) -> Ramp<Value>? {
    timeline.ramps.first { $0.timeRange.end > time.media }
  }

  /// The same instruction, which does not change.
  open func copy(with zone: NSZone? = nil) -> Any { AVVideoCompositionLayerInstruction(layer: layer) }
  /// The same instruction, which may be changed.
  open func mutableCopy(with zone: NSZone? = nil) -> Any { AVMutableVideoCompositionLayerInstruction(layer: layer) }
}

/// How a track is placed during an instruction, which may be changed.
///
/// Transforms go from the track's display space, with its origin at the top left, to that of the picture. What is set at a time remains
/// until the next; ramps must not overlap.
open class AVMutableVideoCompositionLayerInstruction: AVVideoCompositionLayerInstruction {
  /// An instruction for no track.
  public init() { super.init(layer: LayerInstruction(trackID: kCMPersistentTrackID_Invalid)) }

  /// An instruction for a track.
  public init(assetTrack track: AVAssetTrack) { super.init(layer: LayerInstruction(trackID: track.trackID)) }

  override init(layer: LayerInstruction) { super.init(layer: layer) }

  /// The track.
  open override var trackID: CMPersistentTrackID {
    get { layer.trackID }
    set { layer.trackID = newValue }
  }

  /// Sets the transform from a time on.
  open func setTransform(_ transform: CGAffineTransform, at time: CMTime) {
    requireSet("setTransform(_:at: \(time.seconds) s)") { () throws(CompositorError) in
      try layer.transform.set(transform.matrix, at: time.media)
    }
  }

  /// Changes the transform over a range.
  open func setTransformRamp(
    fromStart startTransform: CGAffineTransform, toEnd endTransform: CGAffineTransform, timeRange: CMTimeRange
  ) {
    requireSet("setTransformRamp from \(timeRange.start.seconds) s") { () throws(CompositorError) in
      try layer.transform.setRamp(from: startTransform.matrix, to: endTransform.matrix, timeRange: timeRange.media)
    }
  }

  /// Sets the opacity, 0 … 1, from a time on.
  open func setOpacity(_ opacity: Float, at time: CMTime) {
    requireSet("setOpacity(\(opacity), at: \(time.seconds) s)") { () throws(CompositorError) in
      try layer.opacity.set(Double(opacity), at: time.media)
    }
  }

  /// Changes the opacity over a range.
  open func setOpacityRamp(fromStartOpacity startOpacity: Float, toEndOpacity endOpacity: Float, timeRange: CMTimeRange) {
    requireSet("setOpacityRamp from \(timeRange.start.seconds) s") { () throws(CompositorError) in
      try layer.opacity.setRamp(from: Double(startOpacity), to: Double(endOpacity), timeRange: timeRange.media)
    }
  }

  /// Sets the part of the picture that is shown, in square pixels of the track, from a time on.
  open func setCropRectangle(_ cropRectangle: CGRect, at time: CMTime) {
    requireSet("setCropRectangle(_:at: \(time.seconds) s)") { () throws(CompositorError) in
      try layer.crop.set(cropRectangle.rect, at: time.media)
    }
  }

  /// Changes the part of the picture that is shown over a range.
  open func setCropRectangleRamp(
    fromStartCropRectangle startCropRectangle: CGRect, toEndCropRectangle endCropRectangle: CGRect, timeRange: CMTimeRange
  ) {
    requireSet("setCropRectangleRamp from \(timeRange.start.seconds) s") { () throws(CompositorError) in
      try layer.crop.setRamp(from: startCropRectangle.rect, to: endCropRectangle.rect, timeRange: timeRange.media)
    }
  }
}
