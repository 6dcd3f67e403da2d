internal import Compositor
public import Foundation
internal import Synchronization

/// Appends pixel buffers to an input of pictures, and has a pool of them.
open class AVAssetWriterInputPixelBufferAdaptor: NSObject {
  /// The input.
  public let assetWriterInput: AVAssetWriterInput
  /// The attributes of the pool's buffers.
  public let sourcePixelBufferAttributes: [String: Any]?
  private let pool = Mutex<CVPixelBufferPool?>(nil)

  /// An adaptor of an input.
  ///
  /// - Parameter sourcePixelBufferAttributes: The attributes of the pool's buffers. Size and format are those of the input and 32BGRA if
  ///   they do not say. `nil` if no pool is needed.
  public init(assetWriterInput input: AVAssetWriterInput, sourcePixelBufferAttributes: [String: Any]? = nil) {
    precondition(input.mediaType == .video, "An adaptor needs an input of pictures.")
    assetWriterInput = input
    self.sourcePixelBufferAttributes = sourcePixelBufferAttributes
    super.init()
  }

  /// A pool of buffers of ``sourcePixelBufferAttributes``; `nil` before the writer has started, and without attributes.
  open var pixelBufferPool: CVPixelBufferPool? {
    guard assetWriterInput.isStarted, var attributes = sourcePixelBufferAttributes,
      let size = try? assetWriterInput.videoSettings().size
    else { return nil }
    let usual: [(CFString, Int)] = [
      (kCVPixelBufferPixelFormatTypeKey, Int(kCVPixelFormatType_32BGRA)), (kCVPixelBufferWidthKey, size.width),
      (kCVPixelBufferHeightKey, size.height),
    ]
    let values = SettingsValues(attributes)
    for (key, value) in usual { attributes[key as String] = NSNumber(value: values.ints(key as String).first ?? value) }
    return pool.withLock { pool in
      if pool == nil { CVPixelBufferPoolCreate(nil, nil, attributes as CFDictionary, &pool) }
      return pool
    }
  }

  /// Appends a picture. If the input is not ready, the thread waits until it is. The buffer may be used again at once.
  ///
  /// - Returns: False if the writer has failed, which the picture may have caused, or was canceled.
  @discardableResult
  open func append(_ pixelBuffer: CVPixelBuffer, withPresentationTime presentationTime: CMTime) -> Bool {
    assetWriterInput.append(pixelBuffer, at: presentationTime)
  }
}
