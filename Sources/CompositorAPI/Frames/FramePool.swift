import Synchronization

/// A pool of frames that reuses their memory: no pixel memory is allocated in the steady state.
///
/// The pool is bounded: at most ``maximumOutstanding`` frames are in use at a time, and used and free memory together don't
/// exceed that number of frames either. If a new format or size needs space, the least recently requested free memory is
/// released. Any thread may call it.
public final class FramePool: Sendable {
  fileprivate struct Shelf {
    var free: [FrameMemory] = []
    /// When this kind was last requested, in number of requests.
    var lastRequest = 0
  }

  fileprivate struct State {
    var shelves: [FrameMemory.Key: Shelf] = [:]
    var freeCount = 0
    var outstanding = 0
    var allocations = 0
    var copies = 0
    var requests = 0
  }

  /// The maximum number of frames in use at a time, ≥ 1.
  public let maximumOutstanding: Int
  private let allocator: (any FrameAllocator)?
  private let state = Mutex(State())

  /// Creates an empty pool.
  public convenience init(maximumOutstanding: Int = 64) {
    self.init(maximumOutstanding: maximumOutstanding, allocator: nil)
  }

  /// Creates an empty pool that allocates its memory from `allocator`.
  package init(maximumOutstanding: Int = 64, allocator: (any FrameAllocator)?) {
    precondition(maximumOutstanding >= 1, "a pool must allow at least one frame")
    self.maximumOutstanding = maximumOutstanding
    self.allocator = allocator
  }

  /// Returns a frame whose contents are undefined until written.
  ///
  /// - Parameters:
  ///   - format: The pixel format.
  ///   - size: The size, each side 1 … ``PixelSize/maximumSide``.
  ///   - attributes: The metadata of the frame's pixels.
  /// - Throws: ``CompositorError`` `.framePoolExhausted` if ``maximumOutstanding`` frames are in use, because frames are kept
  ///   too long; `.invalidValue` or `.frameTooLarge` if the size is out of range.
  public func makeFrame(
    format: PixelFormat, size: PixelSize, attributes: FrameAttributes = FrameAttributes()
  ) throws(CompositorError) -> MutableFrame {
    try FramePool.check(size)
    let key = FrameMemory.Key(format: format, size: size)
    let limit = maximumOutstanding
    // Evicted memory is freed after the lock is released.
    let claim = state.withLock { state -> (granted: Bool, memory: FrameMemory?, evicted: FrameMemory?) in
      guard state.outstanding < limit else { return (false, nil, nil) }
      return (true, state.take(key), state.evict(downTo: limit))
    }
    guard claim.granted else {
      throw CompositorError(
        .framePoolExhausted,
        "All \(limit) frames of the pool are in use (\(format.byteCount(of: size)) bytes each).",
        recoverySuggestion: "Release frames once they are delivered, or render fewer requests at a time.")
    }
    let memory = claim.memory ?? FrameMemory(format: format, size: size, allocator: allocator)
    return MutableFrame(
      lease: FrameLease(memory: memory, pool: self), format: format, size: size, attributes: attributes)
  }

  /// The number of frames in use, and the number of pixel allocations since the pool was created, which is constant in the
  /// steady state.
  public var statistics: (outstanding: Int, allocations: Int) {
    state.withLock { ($0.outstanding, $0.allocations) }
  }

  /// The number of frames that were copied into frames of this pool because the memory to be written was shared or wrapped.
  package var copyCount: Int { state.withLock { $0.copies } }

  func countCopy() { state.withLock { $0.copies += 1 } }

  /// Releases all free memory. Frames in use aren't affected.
  public func removeFreeMemory() {
    let shelves = state.withLock { state in
      defer { (state.shelves, state.freeCount) = ([:], 0) }
      return state.shelves
    }
    withExtendedLifetime(shelves) {}
  }

  func reclaim(_ memory: FrameMemory) {
    state.withLock { state in
      state.outstanding -= 1
      guard let key = memory.key else { return }
      state.shelves[key, default: Shelf()].free.append(memory)
      state.freeCount += 1
    }
  }

  private static func check(_ size: PixelSize) throws(CompositorError) {
    guard size.width > 0, size.height > 0 else {
      throw CompositorError(.invalidValue, "A frame of \(size) was requested.", recoverySuggestion: "Request at least 1x1.")
    }
    guard size.width <= PixelSize.maximumSide, size.height <= PixelSize.maximumSide else {
      throw CompositorError(
        .frameTooLarge, "A frame of \(size) was requested.",
        recoverySuggestion: "Request at most \(PixelSize.maximumSide) pixels a side.")
    }
  }
}

extension FramePool.State {
  /// Counts a request and takes free memory of its kind; `nil` if there is none and some must be allocated.
  fileprivate mutating func take(_ key: FrameMemory.Key) -> FrameMemory? {
    outstanding += 1
    requests += 1
    shelves[key, default: FramePool.Shelf()].lastRequest = requests
    guard let memory = shelves[key]?.free.popLast() else {
      allocations += 1
      return nil
    }
    freeCount -= 1
    return memory
  }

  /// Removes the least recently requested free memory if used and free memory together exceed `limit`.
  fileprivate mutating func evict(downTo limit: Int) -> FrameMemory? {
    guard outstanding + freeCount > limit else { return nil }
    let stale = shelves.filter { !$0.value.free.isEmpty }.min { $0.value.lastRequest < $1.value.lastRequest }
    guard let key = stale?.key, let memory = shelves[key]?.free.popLast() else { return nil }
    freeCount -= 1
    if shelves[key]?.free.isEmpty == true { shelves[key] = nil }
    return memory
  }
}
