import CoreVideo
import Testing

@Suite struct PixelBufferPoolTests {
  private func pool(minimum: Int) throws -> CVPixelBufferPool {
    var made: CVPixelBufferPool?
    let attributes: [String: Any] = [
      kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA, kCVPixelBufferWidthKey as String: 40,
      kCVPixelBufferHeightKey as String: 20, kCVPixelBufferIOSurfacePropertiesKey as String: [String: Any](),
    ]
    let result = CVPixelBufferPoolCreate(
      kCFAllocatorDefault, [kCVPixelBufferPoolMinimumBufferCountKey as String: minimum] as CFDictionary,
      attributes as CFDictionary, &made)
    return try #require(result == kCVReturnSuccess ? made : nil)
  }

  private func take(_ pool: CVPixelBufferPool) throws -> CVPixelBuffer {
    var made: CVPixelBuffer?
    #expect(CVPixelBufferPoolCreatePixelBuffer(kCFAllocatorDefault, pool, &made) == kCVReturnSuccess)
    return try #require(made)
  }

  private func address(_ buffer: CVPixelBuffer) -> UnsafeMutableRawPointer? {
    CVPixelBufferLockBaseAddress(buffer, .readOnly)
    defer { CVPixelBufferUnlockBaseAddress(buffer, .readOnly) }
    return CVPixelBufferGetBaseAddress(buffer)
  }

  @Test func memory_isUsedAgain() throws {
    let pool = try pool(minimum: 2)
    var first: CVPixelBuffer? = try take(pool)
    let second = try take(pool)
    #expect(CVPixelBufferGetWidth(second) == 40 && CVPixelBufferGetHeight(second) == 20)
    let place = try address(#require(first))
    #expect(place != address(second))
    CVBufferSetAttachment(try #require(first), "x" as CFString, 1 as CFNumber, .shouldPropagate)
    first = nil
    let third = try take(pool)
    #expect(address(third) == place && !CVBufferHasAttachment(third, "x" as CFString))
  }

  /// What others still read, such as a frame that was made of a buffer, is not used again.
  @Test func memoryThatIsRead_isNotUsedAgain() throws {
    let pool = try pool(minimum: 1)
    var first: CVPixelBuffer? = try take(pool)
    let memory = try #require(first).memory
    first = nil
    #expect(address(try take(pool)) != memory.base)
    withExtendedLifetime(memory) {}
  }

  @Test func threshold_isKept() throws {
    let pool = try pool(minimum: 0)
    let limit = [kCVPixelBufferPoolAllocationThresholdKey: 2] as CFDictionary
    let kept = [try take(pool), try take(pool)]
    var third: CVPixelBuffer?
    let result = CVPixelBufferPoolCreatePixelBufferWithAuxAttributes(nil, pool, limit, &third)
    #expect(result == kCVReturnWouldExceedAllocationThreshold && third == nil && kept.count == 2)
  }

  @Test func pool_mayBeGoneFirst_andBeFlushed() throws {
    var pool: CVPixelBufferPool? = try pool(minimum: 3)
    let buffer = try take(try #require(pool))
    CVPixelBufferPoolFlush(try #require(pool), .excessBuffers)
    let attributes = CVPixelBufferPoolGetPixelBufferAttributes(try #require(pool)) as? [String: Any]
    #expect(attributes?[kCVPixelBufferWidthKey as String] as? Int == 40)
    pool = nil
    CVPixelBufferLockBaseAddress(buffer, [])
    memset(CVPixelBufferGetBaseAddress(buffer), 5, CVPixelBufferGetDataSize(buffer))
    CVPixelBufferUnlockBaseAddress(buffer, [])
    var none: CVPixelBufferPool?
    #expect(CVPixelBufferPoolCreate(nil, nil, [kCVPixelBufferWidthKey: 4] as CFDictionary, &none) != kCVReturnSuccess)
  }

  /// A buffer that others read is copied when it is locked for writing, and only then.
  @Test func writing_doesNotChangeWhatOthersRead() throws {
    let buffer = try take(try pool(minimum: 1))
    let read = buffer.memory
    CVPixelBufferLockBaseAddress(buffer, .readOnly)
    #expect(CVPixelBufferGetBaseAddress(buffer) == read.base)
    CVPixelBufferUnlockBaseAddress(buffer, .readOnly)
    #expect(CVPixelBufferGetBaseAddress(buffer) == nil)
    CVPixelBufferLockBaseAddress(buffer, [])
    let own = try #require(CVPixelBufferGetBaseAddress(buffer))
    #expect(own != read.base)
    own.storeBytes(of: 9, as: UInt8.self)
    CVPixelBufferUnlockBaseAddress(buffer, [])
    #expect(read.base.load(as: UInt8.self) == 0 && buffer.memory !== read)
    CVPixelBufferLockBaseAddress(buffer, [])
    #expect(CVPixelBufferGetBaseAddress(buffer) == own)
    CVPixelBufferUnlockBaseAddress(buffer, [])
  }
}
