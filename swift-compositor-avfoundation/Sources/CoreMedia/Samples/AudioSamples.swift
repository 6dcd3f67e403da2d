internal import Foundation

/// A buffer is to begin at an address that is a multiple of 16.
public let kCMSampleBufferFlag_AudioBufferList_Assure16ByteAlignment: UInt32 = 1

/// Makes a buffer of audio.
///
/// - Parameters:
///   - numSamples: Packets of compressed audio, else samples of each channel.
///   - presentationTimeStamp: When the first sample is presented. Each lasts as long as the rate says.
///   - packetDescriptions: Where packets lie, if they differ in size; else `nil`.
@discardableResult
public func CMAudioSampleBufferCreateWithPacketDescriptions(
  allocator: CFAllocator?, dataBuffer: CMBlockBuffer?, dataReady: Bool,
  makeDataReadyCallback: CMSampleBufferMakeDataReadyCallback?, refcon makeDataReadyRefcon: UnsafeMutableRawPointer?,
  formatDescription: CMFormatDescription, sampleCount numSamples: CMItemCount, presentationTimeStamp: CMTime,
  packetDescriptions: UnsafePointer<AudioStreamPacketDescription>?,
  sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
  guard let stream = formatDescription.audioStreamBasicDescription, stream.mSampleRate >= 1, numSamples > 0 else {
    return kCMSampleBufferError_InvalidMediaFormat
  }
  let packet = CMTime(
    value: Int64(max(stream.mFramesPerPacket, 1)), timescale: CMTimeScale(stream.mSampleRate.rounded()))
  let timing = CMSampleTimingInfo(
    duration: packet, presentationTimeStamp: presentationTimeStamp, decodeTimeStamp: .invalid)
  let sizes =
    packetDescriptions.map { UnsafeBufferPointer(start: $0, count: numSamples).map { Int($0.mDataByteSize) } }
    ?? (stream.bytesPerSample > 0 ? [stream.bytesPerSample] : [])
  sampleBufferOut.pointee = CMSampleBuffer(
    CMSampleBuffer.Parts(
      dataBuffer: dataBuffer, format: formatDescription, sampleCount: numSamples, timings: [timing], sizes: sizes,
      isReady: dataReady, makeReady: makeDataReadyCallback.map { ($0, makeDataReadyRefcon) }))
  return 0
}

/// Makes a buffer of audio that is there. Parameters are those of the call before.
@discardableResult
public func CMAudioSampleBufferCreateReadyWithPacketDescriptions(
  allocator: CFAllocator?, dataBuffer: CMBlockBuffer, formatDescription: CMFormatDescription,
  sampleCount numSamples: CMItemCount, presentationTimeStamp: CMTime,
  packetDescriptions: UnsafePointer<AudioStreamPacketDescription>?,
  sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
  CMAudioSampleBufferCreateWithPacketDescriptions(
    allocator: allocator, dataBuffer: dataBuffer, dataReady: true, makeDataReadyCallback: nil, refcon: nil,
    formatDescription: formatDescription, sampleCount: numSamples, presentationTimeStamp: presentationTimeStamp,
    packetDescriptions: packetDescriptions, sampleBufferOut: sampleBufferOut)
}

extension AudioStreamBasicDescription {
  /// Whether each channel has memory of its own.
  package var isNonInterleaved: Bool { mFormatFlags & kAudioFormatFlagIsNonInterleaved != 0 }
  /// Pieces of memory: one, or one for each channel.
  package var bufferCount: Int { isNonInterleaved ? Int(mChannelsPerFrame) : 1 }
  /// Bytes of one sample of all channels; 0 if it is compressed.
  package var bytesPerSample: Int { Int(mBytesPerFrame) * bufferCount }
}

/// Where the samples of a buffer's channels lie, in one piece of memory.
private struct AudioLayout {
  let stream: AudioStreamBasicDescription
  let sampleCount: Int
  let data: CMBlockBuffer

  /// The status says why there is none.
  init?(_ buffer: CMSampleBuffer, _ status: inout OSStatus) {
    guard let stream = buffer.formatDescription?.audioStreamBasicDescription else {
      status = kCMSampleBufferError_InvalidMediaTypeForOperation
      return nil
    }
    status = CMSampleBufferMakeDataReady(buffer)
    guard status == 0 else { return nil }
    guard let data = buffer.dataBuffer else {
      status = kCMSampleBufferError_RequiredParameterMissing
      return nil
    }
    guard stream.mFormatID != kAudioFormatLinearPCM || data.dataLength >= buffer.numSamples * stream.bytesPerSample else {
      status = kCMSampleBufferError_InvalidSampleData
      return nil
    }
    (self.stream, sampleCount, self.data) = (stream, buffer.numSamples, data)
  }

  var bufferCount: Int { stream.bufferCount }
  /// Bytes of each piece of memory.
  var byteCount: Int {
    stream.mFormatID == kAudioFormatLinearPCM ? sampleCount * Int(stream.mBytesPerFrame) : data.dataLength
  }
}

/// Copies uncompressed samples to a list of buffers, which must have room for them.
@discardableResult
public func CMSampleBufferCopyPCMDataIntoAudioBufferList(
  _ sbuf: CMSampleBuffer, at frameOffset: Int32, frameCount numFrames: Int32,
  into bufferList: UnsafeMutablePointer<AudioBufferList>
) -> OSStatus {
  var status: OSStatus = 0
  guard let layout = AudioLayout(sbuf, &status) else { return status }
  guard layout.stream.mFormatID == kAudioFormatLinearPCM else { return kCMSampleBufferError_InvalidMediaFormat }
  guard frameOffset >= 0, numFrames >= 0, Int(frameOffset) + Int(numFrames) <= layout.sampleCount else {
    return kCMSampleBufferError_SampleIndexOutOfRange
  }
  let list = UnsafeMutableAudioBufferListPointer(bufferList)
  guard list.count == layout.bufferCount else { return kCMSampleBufferError_ArrayTooSmall }
  let (frame, count) = (Int(layout.stream.mBytesPerFrame), Int(numFrames))
  for index in 0..<list.count {
    guard let target = list[index].mData, Int(list[index].mDataByteSize) >= count * frame else {
      return kCMSampleBufferError_ArrayTooSmall
    }
    let offset = index * layout.byteCount + Int(frameOffset) * frame
    status = CMBlockBufferCopyDataBytes(layout.data, atOffset: offset, dataLength: count * frame, destination: target)
    guard status == 0 else { return status }
    list[index].mDataByteSize = UInt32(count * frame)
  }
  return 0
}

/// The samples as a list of buffers, without copying them unless they lie in several pieces of memory.
///
/// - Parameters:
///   - bufferListSizeNeededOut: Where the bytes that the list needs are written.
///   - bufferListOut: The list; `nil` to learn its size.
///   - blockBufferOut: What keeps the memory.
@discardableResult
public func CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer(
  _ sbuf: CMSampleBuffer, bufferListSizeNeededOut: UnsafeMutablePointer<Int>?,
  bufferListOut: UnsafeMutablePointer<AudioBufferList>?, bufferListSize: Int, blockBufferAllocator: CFAllocator?,
  blockBufferMemoryAllocator: CFAllocator?, flags: UInt32, blockBufferOut: UnsafeMutablePointer<CMBlockBuffer?>?
) -> OSStatus {
  var status: OSStatus = 0
  guard let layout = AudioLayout(sbuf, &status) else { return status }
  let size = AudioBufferList.sizeInBytes(maximumBuffers: layout.bufferCount)
  bufferListSizeNeededOut?.pointee = size
  guard let bufferListOut else { return 0 }
  guard bufferListSize >= size else { return kCMSampleBufferError_ArrayTooSmall }
  var contiguous: CMBlockBuffer?
  status = CMBlockBufferCreateContiguous(
    allocator: nil, sourceBuffer: layout.data, blockAllocator: nil, customBlockSource: nil, offsetToData: 0, dataLength: 0,
    flags: 0, blockBufferOut: &contiguous)
  guard status == 0, let block = contiguous, let base = block.parts.first?.base else {
    return status == 0 ? kCMSampleBufferError_RequiredParameterMissing : status
  }
  bufferListOut.pointee.mNumberBuffers = UInt32(layout.bufferCount)
  let list = UnsafeMutableAudioBufferListPointer(bufferListOut)
  for index in 0..<layout.bufferCount {
    list[index] = AudioBuffer(
      mNumberChannels: layout.stream.isNonInterleaved ? 1 : layout.stream.mChannelsPerFrame,
      mDataByteSize: UInt32(layout.byteCount), mData: base + index * layout.byteCount)
  }
  blockBufferOut?.pointee = block
  return 0
}

/// Gives a copy of a list's samples to a buffer that has none.
@discardableResult
public func CMSampleBufferSetDataBufferFromAudioBufferList(
  _ sbuf: CMSampleBuffer, blockBufferAllocator: CFAllocator?, blockBufferMemoryAllocator: CFAllocator?, flags: UInt32,
  bufferList: UnsafePointer<AudioBufferList>
) -> OSStatus {
  let list = UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: bufferList))
  guard let memory = BlockMemory(count: list.reduce(0) { $0 + Int($1.mDataByteSize) }) else {
    return kCMSampleBufferError_AllocationFailed
  }
  var place = 0
  for buffer in list {
    guard let data = buffer.mData else { return kCMSampleBufferError_RequiredParameterMissing }
    (memory.base + place).copyMemory(from: data, byteCount: Int(buffer.mDataByteSize))
    place += Int(buffer.mDataByteSize)
  }
  let status = CMSampleBufferSetDataBuffer(
    sbuf, newValue: CMBlockBuffer([CMBlockBuffer.Part(memory: memory, offset: 0, count: place)]))
  if status == 0 { sbuf.setDataReady() }
  return status
}

extension CMSampleBuffer {
  /// Calls `body` with the samples as a list of buffers, and with what keeps their memory.
  ///
  /// - Throws: If there is no audio; what `body` throws.
  public func withAudioBufferList<Result>(
    blockBufferMemoryAllocator: CFAllocator? = kCFAllocatorDefault, flags: UInt32 = 0,
    body: (UnsafeMutableAudioBufferListPointer, CMBlockBuffer) throws -> Result
  ) throws -> Result {
    let count = max(formatDescription?.audioStreamBasicDescription?.bufferCount ?? 1, 1)
    let list = AudioBufferList.allocate(maximumBuffers: count)
    defer { free(list.unsafeMutablePointer) }
    var block: CMBlockBuffer?
    try check(
      CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer(
        self, bufferListSizeNeededOut: nil, bufferListOut: list.unsafeMutablePointer,
        bufferListSize: AudioBufferList.sizeInBytes(maximumBuffers: count), blockBufferAllocator: nil,
        blockBufferMemoryAllocator: blockBufferMemoryAllocator, flags: flags, blockBufferOut: &block))
    guard let block else { throw NSError(domain: NSOSStatusErrorDomain, code: Int(kCMSampleBufferError_DataFailed)) }
    return try withExtendedLifetime(block) { try body(list, block) }
  }

  /// Copies uncompressed samples to a list of buffers, which must have room for them.
  ///
  /// - Throws: If there is no room, or no such samples.
  public func copyPCMData(fromRange range: Range<Int>, into bufferList: UnsafeMutablePointer<AudioBufferList>) throws {
    try check(
      CMSampleBufferCopyPCMDataIntoAudioBufferList(
        self, at: Int32(range.lowerBound), frameCount: Int32(range.count), into: bufferList))
  }
}
