import Synchronization

/// Lends frames from memory that comes back: in the steady state no pixel memory is allocated.
///
/// Bounded: at most ``maximumOutstanding`` frames are out at a time, and lent and waiting memory together is no more than that
/// either. Where a new format or size needs room, memory of the kind that was not asked for longest is let go. Any thread may
/// call.
public final class FramePool: Sendable {
  fileprivate struct Shelf {
    var free: [FrameMemory] = []
    /// When this kind was asked for last, in requests.
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

  /// Frames that may be out at a time, ≥ 1.
  public let maximumOutstanding: Int
  private let allocator: (any FrameAllocator)?
  private let state = Mutex(State())

  /// Makes an empty pool.
  public convenience init(maximumOutstanding: Int = 64) {
    self.init(maximumOutstanding: maximumOutstanding, allocator: nil)
  }

  /// Makes an empty pool that gets its memory from `allocator`.
  package init(maximumOutstanding: Int = 64, allocator: (any FrameAllocator)?) {
    precondition(maximumOutstanding >= 1, "a pool of no frames serves nobody")
    self.maximumOutstanding = maximumOutstanding
    self.allocator = allocator
  }

  /// Lends a frame; its contents are undefined until written.
  ///
  /// - Parameters:
  ///   - format: Any format.
  ///   - size: Each side 1 … ``PixelSize/maximumSide``.
  ///   - attributes: What the frame says about its pixels.
  /// - Throws: ``CompositorError`` `.framePoolExhausted` where ``maximumOutstanding`` frames are out: somebody keeps frames
  ///   it should let go of. `.invalidValue` and `.pictureTooLarge` for a size out of bounds.
  public func makeFrame(
    format: PixelFormat, size: PixelSize, attributes: FrameAttributes = FrameAttributes()
  ) throws(CompositorError) -> MutableFrame {
    try FramePool.check(size)
    let key = FrameMemory.Key(format: format, size: size)
    let limit = maximumOutstanding
    // What is evicted is freed after the lock is let go of.
    let claim = state.withLock { state -> (granted: Bool, memory: FrameMemory?, evicted: FrameMemory?) in
      guard state.outstanding < limit else { return (false, nil, nil) }
      return (true, state.take(key), state.evict(downTo: limit))
    }
    guard claim.granted else {
      throw CompositorError(
        .framePoolExhausted,
        "All \(limit) frames of the pool are in use (\(format.byteCount(of: size)) bytes each).",
        recoverySuggestion: "Let go of frames once they are delivered, or render fewer requests at a time.")
    }
    let memory = claim.memory ?? FrameMemory(format: format, size: size, allocator: allocator)
    return MutableFrame(
      lease: FrameLease(memory: memory, pool: self), format: format, size: size, attributes: attributes)
  }

  /// Frames that are out now, and pixel allocations made since the pool was: the second number stands still in the steady
  /// state.
  public var statistics: (outstanding: Int, allocations: Int) {
    state.withLock { ($0.outstanding, $0.allocations) }
  }

  /// Whole frames that were copied into frames of this pool because somebody else held or lent the memory that was to be written.
  package var copyCount: Int { state.withLock { $0.copies } }

  func countCopy() { state.withLock { $0.copies += 1 } }

  /// Lets go of all memory that waits; frames that are out are not touched.
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
      throw CompositorError(.invalidValue, "A frame of \(size) was asked for.", recoverySuggestion: "Ask for at least 1x1.")
    }
    guard size.width <= PixelSize.maximumSide, size.height <= PixelSize.maximumSide else {
      throw CompositorError(
        .pictureTooLarge, "A frame of \(size) was asked for.",
        recoverySuggestion: "Ask for at most \(PixelSize.maximumSide) pixels a side.")
    }
  }
}

extension FramePool.State {
  /// Counts a request and hands out waiting memory of its kind; nil where there is none and some has to be allocated.
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

  /// Takes out the memory that was asked for longest ago where lent and waiting memory are more than `limit`.
  fileprivate mutating func evict(downTo limit: Int) -> FrameMemory? {
    guard outstanding + freeCount > limit else { return nil }
    let stale = shelves.filter { !$0.value.free.isEmpty }.min { $0.value.lastRequest < $1.value.lastRequest }
    guard let key = stale?.key, let memory = shelves[key]?.free.popLast() else { return nil }
    freeCount -= 1
    if shelves[key]?.free.isEmpty == true { shelves[key] = nil }
    return memory
  }
}
