internal import Foundation

extension CMSampleBuffer {
  /// The times of one sample. Of one entry for many samples, each follows the one before.
  ///
  /// - Throws: If there is no such sample, or no times are known.
  public func sampleTimingInfo(at index: Int) throws -> CMSampleTimingInfo {
    var info = CMSampleTimingInfo.invalid
    try check(CMSampleBufferGetSampleTimingInfo(self, at: index, timingInfoOut: &info))
    return info
  }

  /// The times as they are stored: none, one for all samples, or one for each.
  ///
  /// - Throws: Nothing: the declaration is that of Apple's systems.
  public func sampleTimingInfos() throws -> [CMSampleTimingInfo] { parts.timings }
}

/// The times of one sample. Of one entry for many samples, each follows the one before.
@discardableResult
public func CMSampleBufferGetSampleTimingInfo(
  _ sbuf: CMSampleBuffer, at sampleIndex: CMItemIndex, timingInfoOut: UnsafeMutablePointer<CMSampleTimingInfo>
) -> OSStatus {
  let parts = sbuf.parts
  guard let first = parts.timings.first else { return kCMSampleBufferError_BufferHasNoSampleTimingInfo }
  guard (0..<parts.sampleCount).contains(sampleIndex) else { return kCMSampleBufferError_SampleIndexOutOfRange }
  guard parts.timings.count == 1 else {
    timingInfoOut.pointee = parts.timings[sampleIndex]
    return 0
  }
  var info = first
  if sampleIndex > 0 {
    let passed = CMTimeMultiply(first.duration, multiplier: Int32(clamping: sampleIndex))
    info.presentationTimeStamp = first.presentationTimeStamp + passed
    info.decodeTimeStamp = first.decodeTimeStamp.isValid ? first.decodeTimeStamp + passed : .invalid
  }
  timingInfoOut.pointee = info
  return 0
}

/// The times as they are stored: none, one for all samples, or one for each.
///
/// - Parameters:
///   - numSampleTimingEntries: The length of the array; 0 to learn how many there are.
///   - timingArrayEntriesNeededOut: Where the number of entries is written.
@discardableResult
public func CMSampleBufferGetSampleTimingInfoArray(
  _ sbuf: CMSampleBuffer, entryCount numSampleTimingEntries: CMItemCount,
  arrayToFill timingArrayOut: UnsafeMutablePointer<CMSampleTimingInfo>?,
  entriesNeededOut timingArrayEntriesNeededOut: UnsafeMutablePointer<CMItemCount>?
) -> OSStatus {
  let timings = sbuf.parts.timings
  timingArrayEntriesNeededOut?.pointee = timings.count
  guard !timings.isEmpty else { return kCMSampleBufferError_BufferHasNoSampleTimingInfo }
  guard let timingArrayOut else { return 0 }
  guard numSampleTimingEntries >= timings.count else { return kCMSampleBufferError_ArrayTooSmall }
  timingArrayOut.update(from: timings, count: timings.count)
  return 0
}

/// When the first sample is presented; invalid if it is not known.
public func CMSampleBufferGetPresentationTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime { sbuf.presentationTimeStamp }

/// When the first sample is decoded; invalid if that is when it is presented.
public func CMSampleBufferGetDecodeTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime { sbuf.decodeTimeStamp }

/// The duration of all samples; invalid if it is not known.
public func CMSampleBufferGetDuration(_ sbuf: CMSampleBuffer) -> CMTime { sbuf.duration }

/// When the first sample is presented in the end.
public func CMSampleBufferGetOutputPresentationTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime { sbuf.outputPresentationTimeStamp }

/// How long all samples last in the end.
public func CMSampleBufferGetOutputDuration(_ sbuf: CMSampleBuffer) -> CMTime { sbuf.outputDuration }

/// Sets when the first sample is presented in the end.
@discardableResult
public func CMSampleBufferSetOutputPresentationTimeStamp(
  _ sbuf: CMSampleBuffer, newValue outputPresentationTimeStamp: CMTime
) -> OSStatus {
  sbuf.outputPresentationTimeStamp = outputPresentationTimeStamp
  return 0
}

/// The number of samples.
public func CMSampleBufferGetNumSamples(_ sbuf: CMSampleBuffer) -> CMItemCount { sbuf.numSamples }

/// The bytes of all samples; 0 if their sizes are not known.
public func CMSampleBufferGetTotalSampleSize(_ sbuf: CMSampleBuffer) -> Int { sbuf.totalSampleSize }

/// The bytes of a sample; 0 if they are not known, or there is no such sample.
public func CMSampleBufferGetSampleSize(_ sbuf: CMSampleBuffer, at sampleIndex: CMItemIndex) -> Int {
  let parts = sbuf.parts
  guard (0..<parts.sampleCount).contains(sampleIndex) else { return 0 }
  return parts.sizes.count == 1 ? parts.sizes[0] : parts.sizes.isEmpty ? 0 : parts.sizes[sampleIndex]
}
