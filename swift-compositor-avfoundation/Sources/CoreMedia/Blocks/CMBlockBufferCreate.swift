internal import Foundation

/// The bytes of a call that means all if it says 0.
private func range(_ offset: Int, _ length: Int, in count: Int) -> Range<Int>? {
  let length = length == 0 ? count - offset : length
  guard offset >= 0, length >= 0, offset + length <= count else { return nil }
  return offset..<offset + length
}

/// Memory as calls describe it; `nil` if it cannot be made.
private func memory(
  _ block: UnsafeMutableRawPointer?, _ length: Int, _ allocator: CFAllocator?,
  _ source: UnsafePointer<CMBlockBufferCustomBlockSource>?
) -> BlockMemory? {
  if let source = source?.pointee {
    guard let base = block ?? source.AllocateBlock?(source.refCon, length) else { return nil }
    return BlockMemory(base, count: length) { source.FreeBlock?(source.refCon, $0, length) }
  }
  guard let block else { return BlockMemory(count: length) }
  let isLent = allocator === kCFAllocatorNull
  return BlockMemory(block, count: length) { if !isLent { free($0) } }
}

/// Makes a buffer without bytes.
@discardableResult
public func CMBlockBufferCreateEmpty(
  allocator: CFAllocator?, capacity: UInt32, flags: CMBlockBufferFlags,
  blockBufferOut: UnsafeMutablePointer<CMBlockBuffer?>
) -> OSStatus {
  blockBufferOut.pointee = CMBlockBuffer()
  return kCMBlockBufferNoErr
}

/// Makes a buffer of memory.
///
/// - Parameters:
///   - memoryBlock: The memory, which lasts as long as the buffer; `nil` for new memory, of zeros.
///   - blockAllocator: What frees the memory: `kCFAllocatorNull` if the program does, else `free`. Ignored with `customBlockSource`.
///   - dataLength: Bytes from `offsetToData` on.
@discardableResult
public func CMBlockBufferCreateWithMemoryBlock(
  allocator: CFAllocator?, memoryBlock: UnsafeMutableRawPointer?, blockLength: Int, blockAllocator: CFAllocator?,
  customBlockSource: UnsafePointer<CMBlockBufferCustomBlockSource>?, offsetToData: Int, dataLength: Int,
  flags: CMBlockBufferFlags, blockBufferOut: UnsafeMutablePointer<CMBlockBuffer?>
) -> OSStatus {
  let buffer = CMBlockBuffer()
  let result = CMBlockBufferAppendMemoryBlock(
    buffer, memoryBlock: memoryBlock, length: blockLength, blockAllocator: blockAllocator,
    customBlockSource: customBlockSource, offsetToData: offsetToData, dataLength: dataLength, flags: flags)
  if result == kCMBlockBufferNoErr { blockBufferOut.pointee = buffer }
  return result
}

/// Makes a buffer that refers to bytes of another one.
///
/// - Parameter dataLength: Bytes from `offsetToData` on; 0 for all.
@discardableResult
public func CMBlockBufferCreateWithBufferReference(
  allocator: CFAllocator?, referenceBuffer: CMBlockBuffer, offsetToData: Int, dataLength: Int, flags: CMBlockBufferFlags,
  blockBufferOut: UnsafeMutablePointer<CMBlockBuffer?>
) -> OSStatus {
  let buffer = CMBlockBuffer()
  let result = CMBlockBufferAppendBufferReference(
    buffer, targetBBuf: referenceBuffer, offsetToData: offsetToData, dataLength: dataLength, flags: flags)
  if result == kCMBlockBufferNoErr { blockBufferOut.pointee = buffer }
  return result
}

/// Makes a buffer of bytes of another one, in one piece of memory. They are copied if they lie in several, or if `flags` asks for it.
///
/// - Parameter dataLength: Bytes from `offsetToData` on; 0 for all.
@discardableResult
public func CMBlockBufferCreateContiguous(
  allocator: CFAllocator?, sourceBuffer: CMBlockBuffer, blockAllocator: CFAllocator?,
  customBlockSource: UnsafePointer<CMBlockBufferCustomBlockSource>?, offsetToData: Int, dataLength: Int,
  flags: CMBlockBufferFlags, blockBufferOut: UnsafeMutablePointer<CMBlockBuffer?>
) -> OSStatus {
  guard let range = range(offsetToData, dataLength, in: sourceBuffer.dataLength),
    let parts = sourceBuffer.parts(of: range)
  else { return kCMBlockBufferBadLengthParameterErr }
  if parts.count <= 1, flags & kCMBlockBufferAlwaysCopyDataFlag == 0 {
    blockBufferOut.pointee = CMBlockBuffer(parts)
    return kCMBlockBufferNoErr
  }
  guard let memory = memory(nil, range.count, blockAllocator, customBlockSource) else {
    return kCMBlockBufferBlockAllocationFailedErr
  }
  _ = CMBlockBufferCopyDataBytes(
    sourceBuffer, atOffset: range.lowerBound, dataLength: range.count, destination: memory.base)
  blockBufferOut.pointee = CMBlockBuffer([CMBlockBuffer.Part(memory: memory, offset: 0, count: range.count)])
  return kCMBlockBufferNoErr
}

/// Adds memory at the end of a buffer. Parameters are those of
/// ``CMBlockBufferCreateWithMemoryBlock(allocator:memoryBlock:blockLength:blockAllocator:customBlockSource:offsetToData:dataLength:flags:blockBufferOut:)``.
@discardableResult
public func CMBlockBufferAppendMemoryBlock(
  _ theBuffer: CMBlockBuffer, memoryBlock: UnsafeMutableRawPointer?, length: Int, blockAllocator: CFAllocator?,
  customBlockSource: UnsafePointer<CMBlockBufferCustomBlockSource>?, offsetToData: Int, dataLength: Int,
  flags: CMBlockBufferFlags
) -> OSStatus {
  guard length >= 0, offsetToData >= 0, dataLength >= 0, offsetToData + dataLength <= length else {
    return kCMBlockBufferBadLengthParameterErr
  }
  guard let memory = memory(memoryBlock, length, blockAllocator, customBlockSource) else {
    return kCMBlockBufferBlockAllocationFailedErr
  }
  theBuffer.append(CMBlockBuffer.Part(memory: memory, offset: offsetToData, count: dataLength))
  return kCMBlockBufferNoErr
}

/// Adds bytes of another buffer at the end, which are not copied.
///
/// - Parameter dataLength: Bytes from `offsetToData` on; 0 for all.
@discardableResult
public func CMBlockBufferAppendBufferReference(
  _ theBuffer: CMBlockBuffer, targetBBuf: CMBlockBuffer, offsetToData: Int, dataLength: Int, flags: CMBlockBufferFlags
) -> OSStatus {
  guard let range = range(offsetToData, dataLength, in: targetBBuf.dataLength), let parts = targetBBuf.parts(of: range)
  else { return kCMBlockBufferBadLengthParameterErr }
  guard !parts.isEmpty || flags & kCMBlockBufferPermitEmptyReferenceFlag != 0 else { return kCMBlockBufferEmptyBBufErr }
  for part in parts { theBuffer.append(part) }
  return kCMBlockBufferNoErr
}
