public import CoreVideo
internal import Foundation

/// Makes a buffer of bytes.
///
/// - Parameters:
///   - dataBuffer: The bytes; `nil` if they are set later, or if there are none.
///   - dataReady: Whether the bytes are there.
///   - makeDataReadyCallback: What makes them ready when they are asked for.
///   - sampleTimingEntryCount: 0, 1 for samples that follow each other, or the number of samples.
///   - sampleSizeEntryCount: 0, 1 for samples of one size, or the number of samples.
@discardableResult
public func CMSampleBufferCreate(
  allocator: CFAllocator?, dataBuffer: CMBlockBuffer?, dataReady: Bool,
  makeDataReadyCallback: CMSampleBufferMakeDataReadyCallback?, refcon makeDataReadyRefcon: UnsafeMutableRawPointer?,
  formatDescription: CMFormatDescription?, sampleCount numSamples: CMItemCount,
  sampleTimingEntryCount numSampleTimingEntries: CMItemCount,
  sampleTimingArray: UnsafePointer<CMSampleTimingInfo>?, sampleSizeEntryCount numSampleSizeEntries: CMItemCount,
  sampleSizeArray: UnsafePointer<Int>?, sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
  func isCount(_ count: Int, _ isThere: Bool) -> Bool { count == 0 || ((count == 1 || count == numSamples) && isThere) }
  guard numSamples >= 0, isCount(numSampleTimingEntries, sampleTimingArray != nil),
    isCount(numSampleSizeEntries, sampleSizeArray != nil)
  else { return kCMSampleBufferError_InvalidEntryCount }
  let timings = Array(UnsafeBufferPointer(start: sampleTimingArray, count: numSampleTimingEntries))
  let sizes = Array(UnsafeBufferPointer(start: sampleSizeArray, count: numSampleSizeEntries))
  sampleBufferOut.pointee = CMSampleBuffer(
    CMSampleBuffer.Parts(
      dataBuffer: dataBuffer, format: formatDescription, sampleCount: numSamples, timings: timings, sizes: sizes,
      isReady: dataReady, makeReady: makeDataReadyCallback.map { ($0, makeDataReadyRefcon) }))
  return 0
}

/// Makes a buffer of bytes that are there. Parameters are those of the call that makes any buffer.
@discardableResult
public func CMSampleBufferCreateReady(
  allocator: CFAllocator?, dataBuffer: CMBlockBuffer?, formatDescription: CMFormatDescription?,
  sampleCount numSamples: CMItemCount, sampleTimingEntryCount numSampleTimingEntries: CMItemCount,
  sampleTimingArray: UnsafePointer<CMSampleTimingInfo>?, sampleSizeEntryCount numSampleSizeEntries: CMItemCount,
  sampleSizeArray: UnsafePointer<Int>?, sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
  CMSampleBufferCreate(
    allocator: allocator, dataBuffer: dataBuffer, dataReady: true, makeDataReadyCallback: nil, refcon: nil,
    formatDescription: formatDescription, sampleCount: numSamples, sampleTimingEntryCount: numSampleTimingEntries,
    sampleTimingArray: sampleTimingArray, sampleSizeEntryCount: numSampleSizeEntries, sampleSizeArray: sampleSizeArray,
    sampleBufferOut: sampleBufferOut)
}

/// Makes a buffer of a picture.
///
/// - Parameter formatDescription: The format of the picture, which must fit it.
@discardableResult
public func CMSampleBufferCreateForImageBuffer(
  allocator: CFAllocator?, imageBuffer: CVImageBuffer, dataReady: Bool,
  makeDataReadyCallback: CMSampleBufferMakeDataReadyCallback?, refcon makeDataReadyRefcon: UnsafeMutableRawPointer?,
  formatDescription: CMVideoFormatDescription, sampleTiming: UnsafePointer<CMSampleTimingInfo>,
  sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
  guard formatDescription.mediaType == .video,
    formatDescription.mediaSubType.rawValue == CVPixelBufferGetPixelFormatType(imageBuffer),
    Int(formatDescription.dimensions.width) == CVPixelBufferGetWidth(imageBuffer),
    Int(formatDescription.dimensions.height) == CVPixelBufferGetHeight(imageBuffer)
  else { return kCMSampleBufferError_InvalidMediaFormat }
  sampleBufferOut.pointee = CMSampleBuffer(
    CMSampleBuffer.Parts(
      imageBuffer: imageBuffer, format: formatDescription, sampleCount: 1, timings: [sampleTiming.pointee], sizes: [],
      isReady: dataReady, makeReady: makeDataReadyCallback.map { ($0, makeDataReadyRefcon) }))
  return 0
}

/// Makes a buffer of a picture that is there. Parameters are those of the call before.
@discardableResult
public func CMSampleBufferCreateReadyWithImageBuffer(
  allocator: CFAllocator?, imageBuffer: CVImageBuffer, formatDescription: CMVideoFormatDescription,
  sampleTiming: UnsafePointer<CMSampleTimingInfo>, sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
  CMSampleBufferCreateForImageBuffer(
    allocator: allocator, imageBuffer: imageBuffer, dataReady: true, makeDataReadyCallback: nil, refcon: nil,
    formatDescription: formatDescription, sampleTiming: sampleTiming, sampleBufferOut: sampleBufferOut)
}

/// Makes a buffer of the same samples at other times, with what is attached and passed on.
@discardableResult
public func CMSampleBufferCreateCopyWithNewTiming(
  allocator: CFAllocator?, sampleBuffer originalSBuf: CMSampleBuffer,
  sampleTimingEntryCount numSampleTimingEntries: CMItemCount, sampleTimingArray: UnsafePointer<CMSampleTimingInfo>?,
  sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
  var parts = originalSBuf.parts
  guard numSampleTimingEntries == 0 || numSampleTimingEntries == 1 || numSampleTimingEntries == parts.sampleCount,
    numSampleTimingEntries == 0 || sampleTimingArray != nil
  else { return kCMSampleBufferError_InvalidEntryCount }
  parts.timings = Array(UnsafeBufferPointer(start: sampleTimingArray, count: numSampleTimingEntries))
  let copy = CMSampleBuffer(parts)
  copy.attachmentTable.propagate(from: originalSBuf.attachmentTable)
  sampleBufferOut.pointee = copy
  return 0
}

/// Makes a buffer of the same samples, with what is attached and passed on.
@discardableResult
public func CMSampleBufferCreateCopy(
  allocator: CFAllocator?, sampleBuffer sbuf: CMSampleBuffer, sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
  let timings = sbuf.parts.timings
  return timings.withUnsafeBufferPointer {
    CMSampleBufferCreateCopyWithNewTiming(
      allocator: allocator, sampleBuffer: sbuf, sampleTimingEntryCount: timings.count, sampleTimingArray: $0.baseAddress,
      sampleBufferOut: sampleBufferOut)
  }
}

extension CMSampleBuffer {
  /// Makes a buffer of bytes that are there.
  ///
  /// - Throws: If the number of times or sizes is neither 0, nor 1, nor that of samples.
  public convenience init(
    dataBuffer: CMBlockBuffer?, formatDescription: CMFormatDescription?, numSamples: CMItemCount,
    sampleTimings: [CMSampleTimingInfo], sampleSizes: [Int]
  ) throws {
    let counts = [0, 1, numSamples]
    guard counts.contains(sampleTimings.count), counts.contains(sampleSizes.count) else {
      throw NSError(domain: NSOSStatusErrorDomain, code: Int(kCMSampleBufferError_InvalidEntryCount))
    }
    self.init(
      Parts(
        dataBuffer: dataBuffer, format: formatDescription, sampleCount: numSamples, timings: sampleTimings,
        sizes: sampleSizes))
  }

  /// Makes a buffer of a picture that is there.
  ///
  /// - Throws: If the format does not fit it.
  public convenience init(
    imageBuffer: CVImageBuffer, formatDescription: CMFormatDescription, sampleTiming: CMSampleTimingInfo
  ) throws {
    var (made, timing): (CMSampleBuffer?, CMSampleTimingInfo) = (nil, sampleTiming)
    try check(
      CMSampleBufferCreateReadyWithImageBuffer(
        allocator: nil, imageBuffer: imageBuffer, formatDescription: formatDescription, sampleTiming: &timing,
        sampleBufferOut: &made))
    self.init(
      Parts(imageBuffer: imageBuffer, format: formatDescription, sampleCount: 1, timings: [sampleTiming], sizes: []))
  }

  /// Makes a buffer of the same samples at other times.
  ///
  /// - Throws: If the number of times is neither 0, nor 1, nor that of samples.
  public convenience init(copying originalSBuf: CMSampleBuffer, withNewTiming timing: [CMSampleTimingInfo]) throws {
    var parts = originalSBuf.parts
    guard [0, 1, parts.sampleCount].contains(timing.count) else {
      throw NSError(domain: NSOSStatusErrorDomain, code: Int(kCMSampleBufferError_InvalidEntryCount))
    }
    parts.timings = timing
    self.init(parts)
    attachmentTable.propagate(from: originalSBuf.attachmentTable)
  }
}
