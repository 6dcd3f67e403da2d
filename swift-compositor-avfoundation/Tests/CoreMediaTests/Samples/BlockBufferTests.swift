import CoreMedia
import Synchronization
import Testing

@Suite struct BlockBufferTests {
  /// A buffer of bytes in two pieces of memory: 0 … 9 and 10 … 15.
  private func pieces() throws -> CMBlockBuffer {
    let buffer = try CMBlockBuffer(length: 10)
    try Data(0..<10).withUnsafeBytes { try buffer.replaceDataBytes(with: $0) }
    let other = try CMBlockBuffer(length: 6)
    try Data(10..<16).withUnsafeBytes { try other.replaceDataBytes(with: $0) }
    var joined: CMBlockBuffer?
    #expect(CMBlockBufferCreateEmpty(allocator: nil, capacity: 2, flags: 0, blockBufferOut: &joined) == kCMBlockBufferNoErr)
    let result = try #require(joined)
    #expect(CMBlockBufferIsEmpty(result))
    for part in [buffer, other] {
      #expect(
        CMBlockBufferAppendBufferReference(result, targetBBuf: part, offsetToData: 0, dataLength: 0, flags: 0)
          == kCMBlockBufferNoErr)
    }
    return result
  }

  @Test func bytes_areReadAcrossPieces() throws {
    let buffer = try pieces()
    #expect(CMBlockBufferGetDataLength(buffer) == 16 && !buffer.isContiguous)
    #expect(try buffer.dataBytes() == Data(0..<16))
    var bytes = [UInt8](repeating: 0, count: 4)
    #expect(CMBlockBufferCopyDataBytes(buffer, atOffset: 8, dataLength: 4, destination: &bytes) == 0)
    #expect(bytes == [8, 9, 10, 11])
    #expect(
      CMBlockBufferCopyDataBytes(buffer, atOffset: 13, dataLength: 4, destination: &bytes)
        == kCMBlockBufferBadLengthParameterErr)
    try buffer.withContiguousStorage { #expect(Array($0) == Array(0..<16)) }
  }

  @Test func pointer_isThatOfThePiece() throws {
    let buffer = try pieces()
    var (length, total, pointer): (Int, Int, UnsafeMutablePointer<CChar>?) = (0, 0, nil)
    #expect(
      CMBlockBufferGetDataPointer(
        buffer, atOffset: 4, lengthAtOffsetOut: &length, totalLengthOut: &total, dataPointerOut: &pointer) == 0)
    #expect(length == 6 && total == 16 && pointer?.pointee == 4)
    #expect(
      CMBlockBufferGetDataPointer(
        buffer, atOffset: 16, lengthAtOffsetOut: nil, totalLengthOut: nil, dataPointerOut: nil)
        == kCMBlockBufferBadOffsetParameterErr)
    #expect(CMBlockBufferIsRangeContiguous(buffer, atOffset: 10, length: 6))
    #expect(!CMBlockBufferIsRangeContiguous(buffer, atOffset: 9, length: 2))
  }

  @Test func references_shareMemory_andCopiesDoNot() throws {
    let buffer = try pieces()
    var (shared, copied): (CMBlockBuffer?, CMBlockBuffer?)
    #expect(
      CMBlockBufferCreateWithBufferReference(
        allocator: nil, referenceBuffer: buffer, offsetToData: 2, dataLength: 3, flags: 0, blockBufferOut: &shared) == 0)
    #expect(
      CMBlockBufferCreateContiguous(
        allocator: nil, sourceBuffer: buffer, blockAllocator: nil, customBlockSource: nil, offsetToData: 2, dataLength: 3,
        flags: kCMBlockBufferAlwaysCopyDataFlag, blockBufferOut: &copied) == 0)
    #expect(CMBlockBufferFillDataBytes(with: 7, blockBuffer: buffer, offsetIntoDestination: 0, dataLength: 12) == 0)
    #expect(try shared?.dataBytes() == Data([7, 7, 7]))
    #expect(try copied?.dataBytes() == Data([2, 3, 4]))
  }

  @Test func programsMemory_isFreedOnce_whenNothingRefersToIt() throws {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 8, alignment: 16)
    defer { memory.deallocate() }
    memory.initializeMemory(as: UInt8.self, repeating: 5, count: 8)
    final class Count: Sendable { let value = Mutex(0) }
    let freed = Count()
    var source = CMBlockBufferCustomBlockSource(
      AllocateBlock: nil, FreeBlock: { _, _, _ in freed.value.withLock { $0 += 1 } }, refCon: nil)
    var (buffer, other): (CMBlockBuffer?, CMBlockBuffer?)
    #expect(
      CMBlockBufferCreateWithMemoryBlock(
        allocator: nil, memoryBlock: memory, blockLength: 8, blockAllocator: kCFAllocatorNull, customBlockSource: &source,
        offsetToData: 0, dataLength: 8, flags: 0, blockBufferOut: &buffer) == 0)
    #expect(
      CMBlockBufferCreateWithBufferReference(
        allocator: nil, referenceBuffer: try #require(buffer), offsetToData: 4, dataLength: 4, flags: 0,
        blockBufferOut: &other) == 0)
    buffer = nil
    #expect(freed.value.withLock { $0 } == 0)
    #expect(try other?.dataBytes() == Data([5, 5, 5, 5]))
    other = nil
    #expect(freed.value.withLock { $0 } == 1)
  }

  @Test func lengths_thatDoNotFit_areErrors() throws {
    var made: CMBlockBuffer?
    #expect(
      CMBlockBufferCreateWithMemoryBlock(
        allocator: nil, memoryBlock: nil, blockLength: 8, blockAllocator: nil, customBlockSource: nil, offsetToData: 4,
        dataLength: 5, flags: 0, blockBufferOut: &made) == kCMBlockBufferBadLengthParameterErr)
    #expect(made == nil)
  }
}
