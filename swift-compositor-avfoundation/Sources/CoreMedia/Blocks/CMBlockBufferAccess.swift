public import Foundation

/// The number of bytes.
public func CMBlockBufferGetDataLength(_ theBuffer: CMBlockBuffer) -> Int { theBuffer.dataLength }

/// Whether there are no bytes.
public func CMBlockBufferIsEmpty(_ theBuffer: CMBlockBuffer) -> Bool { theBuffer.isEmpty }

/// Whether bytes lie in one piece of memory.
///
/// - Parameter length: The number of bytes; 0 for all from the offset on.
public func CMBlockBufferIsRangeContiguous(_ theBuffer: CMBlockBuffer, atOffset offset: Int, length: Int) -> Bool {
  let end = length == 0 ? theBuffer.dataLength : offset + length
  guard offset <= end else { return false }
  return (theBuffer.parts(of: offset..<end)?.count ?? 2) <= 1
}

/// Does nothing: memory is allocated when a buffer is made.
public func CMBlockBufferAssureBlockMemory(_ theBuffer: CMBlockBuffer) -> OSStatus { kCMBlockBufferNoErr }

/// The address of a byte, and how many follow it in the same piece of memory.
///
/// The address is valid as long as the buffer, or another one that refers to the memory.
@discardableResult
public func CMBlockBufferGetDataPointer(
  _ theBuffer: CMBlockBuffer, atOffset offset: Int, lengthAtOffsetOut: UnsafeMutablePointer<Int>?,
  totalLengthOut: UnsafeMutablePointer<Int>?, dataPointerOut: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> OSStatus {
  let total = theBuffer.dataLength
  guard total > 0 else { return kCMBlockBufferEmptyBBufErr }
  guard offset >= 0, offset < total, let part = theBuffer.parts(of: offset..<total)?.first else {
    return kCMBlockBufferBadOffsetParameterErr
  }
  lengthAtOffsetOut?.pointee = part.count
  totalLengthOut?.pointee = total
  dataPointerOut?.pointee = part.base.assumingMemoryBound(to: CChar.self)
  return kCMBlockBufferNoErr
}

/// Calls `body` with the memory of each part of a range, and the place of the part in the range.
private func forEachPart(
  _ buffer: CMBlockBuffer, _ offset: Int, _ length: Int, _ body: (CMBlockBuffer.Part, Int) -> Void
) -> OSStatus {
  guard offset >= 0, length >= 0 else { return kCMBlockBufferBadOffsetParameterErr }
  guard let parts = buffer.parts(of: offset..<offset + length) else { return kCMBlockBufferBadLengthParameterErr }
  var place = 0
  for part in parts {
    body(part, place)
    place += part.count
  }
  return kCMBlockBufferNoErr
}

/// Copies bytes out of a buffer.
@discardableResult
public func CMBlockBufferCopyDataBytes(
  _ theSourceBuffer: CMBlockBuffer, atOffset offsetToData: Int, dataLength: Int, destination: UnsafeMutableRawPointer
) -> OSStatus {
  forEachPart(theSourceBuffer, offsetToData, dataLength) { part, place in
    (destination + place).copyMemory(from: part.base, byteCount: part.count)
  }
}

/// Copies bytes into a buffer, over those that it has.
@discardableResult
public func CMBlockBufferReplaceDataBytes(
  with sourceBytes: UnsafeRawPointer, blockBuffer destinationBuffer: CMBlockBuffer, offsetIntoDestination: Int,
  dataLength: Int
) -> OSStatus {
  forEachPart(destinationBuffer, offsetIntoDestination, dataLength) { part, place in
    part.base.copyMemory(from: sourceBytes + place, byteCount: part.count)
  }
}

/// Sets bytes of a buffer.
@discardableResult
public func CMBlockBufferFillDataBytes(
  with fillByte: CChar, blockBuffer destinationBuffer: CMBlockBuffer, offsetIntoDestination: Int, dataLength: Int
) -> OSStatus {
  forEachPart(destinationBuffer, offsetIntoDestination, dataLength) { part, _ in
    memset(part.base, Int32(fillByte), part.count)
  }
}

extension CMBlockBuffer {
  /// Makes a buffer of new memory, of zeros.
  ///
  /// - Throws: If there is no memory.
  public convenience init(length: Int, allocator: CFAllocator? = kCFAllocatorDefault, flags: CMBlockBufferFlags = 0) throws {
    guard length >= 0, let memory = BlockMemory(count: length) else {
      throw NSError(domain: NSOSStatusErrorDomain, code: Int(kCMBlockBufferBlockAllocationFailedErr))
    }
    self.init([Part(memory: memory, offset: 0, count: length)])
  }

  /// All bytes, copied.
  public func dataBytes() throws -> Data {
    var data = Data(count: dataLength)
    let length = dataLength
    let result = data.withUnsafeMutableBytes { bytes in
      bytes.baseAddress.map { CMBlockBufferCopyDataBytes(self, atOffset: 0, dataLength: length, destination: $0) }
    }
    try check(result ?? kCMBlockBufferNoErr)
    return data
  }

  /// Copies bytes out of the buffer.
  ///
  /// - Throws: If there are fewer.
  public func copyDataBytes(to destination: UnsafeMutableRawBufferPointer) throws {
    guard let base = destination.baseAddress else { return }
    try check(CMBlockBufferCopyDataBytes(self, atOffset: 0, dataLength: destination.count, destination: base))
  }

  /// Copies bytes into the buffer, from its beginning on.
  ///
  /// - Throws: If there is no room for them.
  public func replaceDataBytes(with sourceBytes: UnsafeRawBufferPointer) throws {
    guard let base = sourceBytes.baseAddress else { return }
    try check(
      CMBlockBufferReplaceDataBytes(
        with: base, blockBuffer: self, offsetIntoDestination: 0, dataLength: sourceBytes.count))
  }

  /// Calls `body` with all bytes, which are copied first if they lie in several pieces of memory.
  ///
  /// - Throws: What `body` throws.
  public func withContiguousStorage<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) throws -> Result {
    var contiguous: CMBlockBuffer?
    try check(
      isEmpty
        ? kCMBlockBufferNoErr
        : CMBlockBufferCreateContiguous(
          allocator: nil, sourceBuffer: self, blockAllocator: nil, customBlockSource: nil, offsetToData: 0, dataLength: 0,
          flags: 0, blockBufferOut: &contiguous))
    return try withExtendedLifetime(contiguous) {
      let part = contiguous?.parts.first
      return try body(UnsafeRawBufferPointer(start: part?.base, count: part?.count ?? 0))
    }
  }
}

/// - Throws: The error of a status that is not 0.
func check(_ status: OSStatus) throws {
  guard status != 0 else { return }
  throw NSError(domain: NSOSStatusErrorDomain, code: Int(status))
}
