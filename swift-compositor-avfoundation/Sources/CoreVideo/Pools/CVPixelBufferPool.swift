internal import Foundation

/// Buffers of one format and size whose memory is used again when a buffer is no longer used.
public final class CVPixelBufferPool: Hashable, @unchecked Sendable, CoreFoundationType {
  let attributes: CFDictionary?
  let bufferAttributes: CFDictionary?
  fileprivate let format: OSType
  fileprivate let layout: PixelFormatLayout
  fileprivate let width: Int
  fileprivate let height: Int
  fileprivate let shelf: MemoryShelf

  package static let typeNumber: CFTypeID = 302

  /// Whether both are the same pool.
  public static func == (left: CVPixelBufferPool, right: CVPixelBufferPool) -> Bool { left === right }
  /// Different pools have different hashes, as a rule.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  fileprivate init?(attributes: CFDictionary?, bufferAttributes: CFDictionary?) {
    let values = bufferAttributes as? [String: Any] ?? [:]
    func number(_ key: CFString) -> Int? { (values[key as String] as? NSNumber)?.intValue }
    guard let format = number(kCVPixelBufferPixelFormatTypeKey).flatMap(OSType.init(exactly:)),
      let layout = PixelFormatLayout.of(format), let width = number(kCVPixelBufferWidthKey),
      let height = number(kCVPixelBufferHeightKey), (1...32_768).contains(width), (1...32_768).contains(height),
      let alignment = rowAlignment(bufferAttributes)
    else { return nil }
    (self.attributes, self.bufferAttributes) = (attributes, bufferAttributes)
    (self.format, self.layout, self.width, self.height) = (format, layout, width, height)
    let asked = (attributes as? [String: Any])?[kCVPixelBufferPoolMinimumBufferCountKey as String] as? NSNumber
    shelf = MemoryShelf(
      PixelMemory.Plan(layout, width: width, height: height, alignment: alignment), minimumCount: asked?.intValue ?? 0)
  }

  fileprivate func makeBuffer(threshold: Int?) -> (CVPixelBuffer?, CVReturn) {
    if let threshold, shelf.usedCount >= threshold { return (nil, kCVReturnWouldExceedAllocationThreshold) }
    guard let memory = shelf.take() else { return (nil, kCVReturnPoolAllocationFailed) }
    let buffer = CVBuffer(memory, format: format, layout: layout, width: width, height: height)
    attach(bufferAttributes, to: buffer)
    return (buffer, kCVReturnSuccess)
  }
}

/// Memory of one size that is used again. Buffers keep it, so that the pool may be gone before them.
private final class MemoryShelf: @unchecked Sendable {
  private let plan: PixelMemory.Plan
  /// How much free memory is kept if the pool is asked to free what it does not need.
  private let minimumCount: Int
  private let lock = NSLock()
  private var free: [UnsafeMutableRawPointer] = []
  private var used = 0
  private var mostUsed = 0

  init(_ plan: PixelMemory.Plan, minimumCount: Int) { (self.plan, self.minimumCount) = (plan, minimumCount) }

  deinit { for base in free { Foundation.free(base) } }

  /// The number of buffers, and frames made of them, that are in use.
  var usedCount: Int { lock.withLock { used } }

  /// Memory that was used before, else new memory; `nil` if there is none.
  func take() -> PixelMemory? {
    let known = lock.withLock { () -> UnsafeMutableRawPointer? in
      used += 1
      mostUsed = max(mostUsed, used)
      return free.popLast()
    }
    guard let base = known ?? plan.allocate() else {
      lock.withLock { used -= 1 }
      return nil
    }
    return PixelMemory(plan, at: base) { [self] in giveBack($0) }
  }

  /// Keeps memory that is no longer used. There is never more than what was in use at one time.
  private func giveBack(_ base: UnsafeMutableRawPointer) {
    let isKept = lock.withLock {
      used -= 1
      guard used + free.count < max(minimumCount, mostUsed) else { return false }
      free.append(base)
      return true
    }
    if !isKept { Foundation.free(base) }
  }

  /// Frees memory that is not in use: all of it, or what is beyond the minimum.
  func flush(all: Bool) {
    let surplus = lock.withLock { () -> [UnsafeMutableRawPointer] in
      let kept = all ? 0 : min(free.count, max(0, minimumCount - used))
      defer { free.removeLast(free.count - kept) }
      mostUsed = used
      return Array(free[kept...])
    }
    for base in surplus { Foundation.free(base) }
  }
}

/// Which memory of a pool is freed.
public struct CVPixelBufferPoolFlushFlags: OptionSet, Hashable, Sendable {
  /// The bits as stored.
  public let rawValue: CVOptionFlags
  /// Flags from their bits.
  public init(rawValue: CVOptionFlags) { self.rawValue = rawValue }
  /// All memory that is not in use.
  public static let excessBuffers = CVPixelBufferPoolFlushFlags(rawValue: 1)
}

/// The type of pools.
public func CVPixelBufferPoolGetTypeID() -> CFTypeID { CVPixelBufferPool.typeNumber }

/// Makes a pool of buffers.
///
/// - Parameters:
///   - poolAttributes: ``kCVPixelBufferPoolMinimumBufferCountKey`` is taken from it.
///   - pixelBufferAttributes: Format, width and height of the buffers, which must be there; and what `CVPixelBufferCreate` takes.
@discardableResult
public func CVPixelBufferPoolCreate(
  _ allocator: CFAllocator?, _ poolAttributes: CFDictionary?, _ pixelBufferAttributes: CFDictionary?,
  _ poolOut: UnsafeMutablePointer<CVPixelBufferPool?>
) -> CVReturn {
  guard let pool = CVPixelBufferPool(attributes: poolAttributes, bufferAttributes: pixelBufferAttributes) else {
    return kCVReturnInvalidPixelBufferAttributes
  }
  poolOut.pointee = pool
  return kCVReturnSuccess
}

/// Takes a buffer from a pool. Its pixels are those of an earlier buffer, or zeros.
@discardableResult
public func CVPixelBufferPoolCreatePixelBuffer(
  _ allocator: CFAllocator?, _ pixelBufferPool: CVPixelBufferPool, _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
  CVPixelBufferPoolCreatePixelBufferWithAuxAttributes(allocator, pixelBufferPool, nil, pixelBufferOut)
}

/// Takes a buffer from a pool, unless more than ``kCVPixelBufferPoolAllocationThresholdKey`` allows were in use.
@discardableResult
public func CVPixelBufferPoolCreatePixelBufferWithAuxAttributes(
  _ allocator: CFAllocator?, _ pixelBufferPool: CVPixelBufferPool, _ auxAttributes: CFDictionary?,
  _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
  let threshold = (auxAttributes as? [String: Any])?[kCVPixelBufferPoolAllocationThresholdKey as String] as? NSNumber
  let (buffer, result) = pixelBufferPool.makeBuffer(threshold: threshold?.intValue)
  if let buffer { pixelBufferOut.pointee = buffer }
  return result
}

/// The attributes of a pool.
public func CVPixelBufferPoolGetAttributes(_ pool: CVPixelBufferPool) -> CFDictionary? { pool.attributes }

/// The attributes of a pool's buffers.
public func CVPixelBufferPoolGetPixelBufferAttributes(_ pool: CVPixelBufferPool) -> CFDictionary? { pool.bufferAttributes }

/// Frees memory that is not in use: without flags what is beyond the minimum count.
public func CVPixelBufferPoolFlush(_ pool: CVPixelBufferPool, _ options: CVPixelBufferPoolFlushFlags) {
  pool.shelf.flush(all: options.contains(.excessBuffers))
}
