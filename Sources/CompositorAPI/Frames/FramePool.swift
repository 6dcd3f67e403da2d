import Synchronization

/// Lends frames from memory that comes back: in the steady state no pixel memory is allocated.
///
/// Bounded: at most ``maximumOutstanding`` frames are out at a time. Any thread may call.
public final class FramePool: Sendable {
  private struct State {
    var free: [FrameMemory.Key: [FrameMemory]] = [:]
    var freeCount = 0
    var outstanding = 0
    var allocations = 0
  }

  /// Frames that may be out at a time, ≥ 1.
  public let maximumOutstanding: Int
  private let state = Mutex(State())

  /// Makes an empty pool.
  public init(maximumOutstanding: Int = 64) {
    precondition(maximumOutstanding >= 1, "a pool of no frames serves nobody")
    self.maximumOutstanding = maximumOutstanding
  }

  /// Lends a frame; its contents are undefined until written.
  ///
  /// - Throws: ``CompositorError`` `.framePoolExhausted` where ``maximumOutstanding`` frames are out: somebody keeps frames
  ///   it should let go of.
  public func makeFrame(
    format: PixelFormat, size: PixelSize, attributes: FrameAttributes = FrameAttributes()
  ) throws(CompositorError) -> MutableFrame {
    guard size.width > 0, size.height > 0 else {
      throw CompositorError(.invalidValue, "A frame of \(size) was asked for.", remedy: "Ask for at least 1x1.")
    }
    let byteCount = FrameMemory.layout(format: format, size: size).byteCount
    let claim = state.withLock { state -> (granted: Bool, memory: FrameMemory?) in
      guard state.outstanding < maximumOutstanding else { return (false, nil) }
      state.outstanding += 1
      let key = FrameMemory.Key(format: format, size: size)
      guard let memory = state.free[key]?.popLast() else {
        state.allocations += 1
        return (true, nil)
      }
      state.freeCount -= 1
      return (true, memory)
    }
    guard claim.granted else {
      throw CompositorError(
        .framePoolExhausted, "All \(maximumOutstanding) frames of the pool are in use (\(byteCount) bytes each).",
        remedy: "Let go of frames once they are delivered, or render fewer requests at a time.")
    }
    let memory = claim.memory ?? FrameMemory(format: format, size: size)
    return MutableFrame(
      lease: FrameLease(memory: memory, pool: self), format: format, size: size, attributes: attributes)
  }

  /// Frames that are out now, and pixel allocations made since the pool was: the second number stands still in the steady
  /// state.
  public var statistics: (outstanding: Int, allocations: Int) {
    state.withLock { ($0.outstanding, $0.allocations) }
  }

  func reclaim(_ memory: FrameMemory) {
    state.withLock { state in
      state.outstanding -= 1
      guard let key = memory.key, state.freeCount < maximumOutstanding else { return }
      state.free[key, default: []].append(memory)
      state.freeCount += 1
    }
  }
}
