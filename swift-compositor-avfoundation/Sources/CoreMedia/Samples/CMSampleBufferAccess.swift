public import CoreVideo
public import Foundation

/// The picture; `nil` if it is none.
public func CMSampleBufferGetImageBuffer(_ sbuf: CMSampleBuffer) -> CVImageBuffer? { sbuf.imageBuffer }

/// The bytes of the samples; `nil` if there are none.
public func CMSampleBufferGetDataBuffer(_ sbuf: CMSampleBuffer) -> CMBlockBuffer? { sbuf.dataBuffer }

/// The format; `nil` if there are no media.
public func CMSampleBufferGetFormatDescription(_ sbuf: CMSampleBuffer) -> CMFormatDescription? { sbuf.formatDescription }

/// Whether the buffer was not invalidated.
public func CMSampleBufferIsValid(_ sbuf: CMSampleBuffer) -> Bool { sbuf.isValid }

/// Whether the data are there.
public func CMSampleBufferDataIsReady(_ sbuf: CMSampleBuffer) -> Bool { sbuf.isDataReady }

/// Says that the data are there.
@discardableResult
public func CMSampleBufferSetDataReady(_ sbuf: CMSampleBuffer) -> OSStatus {
  guard sbuf.isValid else { return kCMSampleBufferError_Invalidated }
  sbuf.setDataReady()
  return 0
}

/// Makes the data ready, if they are not.
@discardableResult
public func CMSampleBufferMakeDataReady(_ sbuf: CMSampleBuffer) -> OSStatus {
  guard sbuf.isValid else { return kCMSampleBufferError_Invalidated }
  let parts = sbuf.parts
  guard !parts.isReady else { return 0 }
  guard let (callback, constant) = parts.makeReady else { return kCMSampleBufferError_BufferNotReady }
  let result = callback(sbuf, constant)
  if result == 0 { sbuf.setDataReady() }
  return result
}

/// Gives bytes to a buffer that has none.
@discardableResult
public func CMSampleBufferSetDataBuffer(_ sbuf: CMSampleBuffer, newValue dataBuffer: CMBlockBuffer) -> OSStatus {
  guard sbuf.isValid else { return kCMSampleBufferError_Invalidated }
  return sbuf.update { parts in
    guard parts.dataBuffer == nil, parts.imageBuffer == nil else { return kCMSampleBufferError_AlreadyHasDataBuffer }
    parts.dataBuffer = dataBuffer
    return 0
  }
}

/// Releases data and picture, and calls what was set to be called then.
@discardableResult
public func CMSampleBufferInvalidate(_ sbuf: CMSampleBuffer) -> OSStatus {
  guard sbuf.isValid else { return kCMSampleBufferError_Invalidated }
  try? sbuf.invalidate()
  return 0
}

/// Sets what is called when the buffer is invalidated.
@discardableResult
public func CMSampleBufferSetInvalidateHandler(
  _ sbuf: CMSampleBuffer, invalidateHandler: @escaping CMSampleBufferInvalidateHandler
) -> OSStatus {
  sbuf.setInvalidateHandler(invalidateHandler)
  return 0
}

/// Dictionaries of the samples, one for each, in which a program may set values.
///
/// - Parameter createIfNecessary: Whether they are made if there are none.
/// - Returns: `nil` if there are none.
public func CMSampleBufferGetSampleAttachmentsArray(_ sbuf: CMSampleBuffer, createIfNecessary: Bool) -> CFArray? {
  sbuf.sampleAttachmentDictionaries(creating: createIfNecessary)
}

/// Calls a closure with each sample as a buffer of its own. It ends with the first status that is not 0.
@discardableResult
public func CMSampleBufferCallBlockForEachSample(
  _ sbuf: CMSampleBuffer, handler: (CMSampleBuffer, CMItemIndex) -> OSStatus
) -> OSStatus {
  do {
    for index in 0..<sbuf.numSamples {
      guard let sample = try sbuf.sample(at: index) else { return kCMSampleBufferError_CannotSubdivide }
      let status = handler(sample, index)
      guard status == 0 else { return status }
    }
    return 0
  } catch {
    return OSStatus((error as NSError).code)
  }
}

extension CMSampleBuffer {
  /// One of the samples; `nil` if their sizes are not known.
  fileprivate func sample(at index: Int) throws -> CMSampleBuffer? {
    guard numSamples > 1 else { return self }
    let sizes = (0...index).map { CMSampleBufferGetSampleSize(self, at: $0) }
    guard let data = dataBuffer, let size = sizes.last, size > 0 else { return nil }
    var bytes: CMBlockBuffer?
    try check(
      CMBlockBufferCreateWithBufferReference(
        allocator: nil, referenceBuffer: data, offsetToData: sizes.dropLast().reduce(0, +), dataLength: size, flags: 0,
        blockBufferOut: &bytes))
    return try CMSampleBuffer(
      dataBuffer: bytes, formatDescription: formatDescription, numSamples: 1,
      sampleTimings: [try sampleTimingInfo(at: index)], sampleSizes: [size])
  }
}

/// Whether another sample is needed to decode this one: true or false.
public nonisolated(unsafe) let kCMSampleAttachmentKey_DependsOnOthers: CFString = "DependsOnOthers"
/// Whether decoding cannot begin with this sample: true or false.
public nonisolated(unsafe) let kCMSampleAttachmentKey_NotSync: CFString = "NotSync"
/// Whether the sample is decoded, but not shown: true or false.
public nonisolated(unsafe) let kCMSampleAttachmentKey_DoNotDisplay: CFString = "DoNotDisplay"
/// Whether the sample is to be shown at once: true or false.
public nonisolated(unsafe) let kCMSampleAttachmentKey_DisplayImmediately: CFString = "DisplayImmediately"
/// Whether other samples need this one: true or false.
public nonisolated(unsafe) let kCMSampleAttachmentKey_IsDependedOnByOthers: CFString = "IsDependedOnByOthers"
/// How much of the beginning is not presented: a time as a dictionary.
public nonisolated(unsafe) let kCMSampleBufferAttachmentKey_TrimDurationAtStart: CFString = "TrimDurationAtStart"
/// How much of the end is not presented: a time as a dictionary.
public nonisolated(unsafe) let kCMSampleBufferAttachmentKey_TrimDurationAtEnd: CFString = "TrimDurationAtEnd"
/// Whether samples are dropped until the next one that begins decoding: true or false.
public nonisolated(unsafe) let kCMSampleBufferAttachmentKey_ResetDecoderBeforeDecoding: CFString = "ResetDecoderBeforeDecoding"
/// Whether decoded samples are output before this one: true or false.
public nonisolated(unsafe) let kCMSampleBufferAttachmentKey_DrainAfterDecoding: CFString = "DrainAfterDecoding"
/// Whether what was presented before ends with this buffer: true or false.
public nonisolated(unsafe) let kCMSampleBufferAttachmentKey_EmptyMedia: CFString = "EmptyMedia"
