public import Foundation

/// A compositor of a program: it makes a frame of source frames for each request.
///
/// The framework makes one object of the class for each export, reader or image generator, with `init()`.
///
/// ```swift
/// final class Inverter: NSObject, AVVideoCompositing {
///   let sourcePixelBufferAttributes: [String: any Sendable]? = [
///     kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA
///   ]
///   let requiredPixelBufferAttributesForRenderContext: [String: any Sendable] = [
///     kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA
///   ]
///   func renderContextChanged(_ newRenderContext: AVVideoCompositionRenderContext) {}
///   func startRequest(_ request: AVAsynchronousVideoCompositionRequest) { … }
/// }
/// ```
public protocol AVVideoCompositing: NSObjectProtocol {
  /// The pixel formats of source frames that it takes, under `kCVPixelBufferPixelFormatTypeKey`: a number or a list. Frames in other
  /// formats are converted to the first. `nil` for the formats of decoders, of two planes.
  @preconcurrency var sourcePixelBufferAttributes: [String: any Sendable]? { get }
  /// The pixel format of the frames that it makes, under `kCVPixelBufferPixelFormatTypeKey`; of a list the first is taken.
  @preconcurrency var requiredPixelBufferAttributesForRenderContext: [String: any Sendable] { get }
  /// Called before the first request, and when the size or the format of the frames changes.
  func renderContextChanged(_ newRenderContext: AVVideoCompositionRenderContext)
  /// Called for each frame. The request must be finished, at once or later, on any thread, in any order.
  ///
  /// Calls come from several threads, one after another. Others come before a request is finished.
  func startRequest(_ asyncVideoCompositionRequest: AVAsynchronousVideoCompositionRequest)
  /// Called once when the frames are no longer wanted, on a thread of its own. Requests that are not finished should be.
  func cancelAllPendingVideoCompositionRequests()
  /// Whether it takes source frames of wide gamut; default false: frames come converted to BT.709.
  var supportsWideColorSourceFrames: Bool { get }
  /// Whether it takes HDR source frames; default false.
  var supportsHDRSourceFrames: Bool { get }
  /// Whether it converts colors of source frames itself; default false: frames come in the color of the output.
  var canConformColorOfSourceFrames: Bool { get }
  /// On Apple's systems, called before requests of a range. It is not called here.
  func anticipateRendering(using renderHint: AVVideoCompositionRenderHint)
}

extension AVVideoCompositing {
  /// Does nothing.
  public func cancelAllPendingVideoCompositionRequests() {}
  /// False: frames come converted to BT.709.
  public var supportsWideColorSourceFrames: Bool { false }
  /// False: HDR comes converted to SDR.
  public var supportsHDRSourceFrames: Bool { false }
  /// False: frames come in the color of the output.
  public var canConformColorOfSourceFrames: Bool { false }
  /// Does nothing.
  public func anticipateRendering(using renderHint: AVVideoCompositionRenderHint) {}
}

/// A range of which requests are to come.
public final class AVVideoCompositionRenderHint: NSObject, Sendable {
  /// The beginning of the range.
  public let startCompositionTime: CMTime
  /// The end of the range.
  public let endCompositionTime: CMTime

  init(timeRange: CMTimeRange) {
    (startCompositionTime, endCompositionTime) = (timeRange.start, timeRange.end)
    super.init()
  }
}
