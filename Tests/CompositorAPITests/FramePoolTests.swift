import CompositorAPI
import Testing

@Suite struct FramePoolTests {
  let size = PixelSize(width: 33, height: 17)

  @Test func makeFrame_steadyState_allocatesNothingNew() throws {
    let pool = FramePool(maximumOutstanding: 8)
    var window: [Frame] = []
    for index in 0..<200 {
      window.append(try pool.makeFrame(format: .yuv420p, size: size).freeze())
      if window.count > 3 { window.removeFirst() }
      if index == 10 { #expect(pool.statistics.allocations == 4) }
    }
    #expect(pool.statistics == (outstanding: 3, allocations: 4))
    window.removeAll()
    #expect(pool.statistics.outstanding == 0)
  }

  @Test func makeFrame_droppedUnfrozen_comesBack() throws {
    let pool = FramePool(maximumOutstanding: 1)
    for _ in 0..<10 { _ = try pool.makeFrame(format: .rgba, size: size) }
    #expect(pool.statistics == (outstanding: 0, allocations: 1))
  }

  @Test func makeFrame_allOut_throwsUntilOneIsBack() throws {
    let pool = FramePool(maximumOutstanding: 2)
    var kept = [try pool.makeFrame(format: .rgba, size: size).freeze(), try pool.makeFrame(format: .rgba, size: size).freeze()]
    #expect(code { _ = try pool.makeFrame(format: .rgba, size: size) } == .framePoolExhausted)
    kept.removeLast()
    #expect(code { _ = try pool.makeFrame(format: .rgba, size: size) } == nil)
    #expect(kept.count == 1)
  }

  @Test func makeFrame_sizeOutOfBounds_throws() {
    let pool = FramePool()
    #expect(code { _ = try pool.makeFrame(format: .rgba, size: PixelSize(width: 0, height: 5)) } == .invalidValue)
    #expect(code { _ = try pool.makeFrame(format: .rgba, size: PixelSize(width: 5, height: -1)) } == .invalidValue)
    let huge = PixelSize(width: .max, height: .max)
    #expect(code { _ = try pool.makeFrame(format: .rgbaFloat, size: huge) } == .frameTooLarge)
    #expect(pool.statistics == (outstanding: 0, allocations: 0))
  }

  @Test func makeFrame_newSizeAfterMany_staleMemoryMakesRoom() throws {
    let pool = FramePool(maximumOutstanding: 4)
    do {
      var old: [Frame] = []
      for _ in 0..<4 { old.append(try pool.makeFrame(format: .rgba, size: size).freeze()) }
    }
    #expect(pool.statistics == (outstanding: 0, allocations: 4))
    let other = PixelSize(width: 8, height: 8)
    for _ in 0..<50 {
      let first = try pool.makeFrame(format: .rgba, size: other).freeze()
      let second = try pool.makeFrame(format: .nv12, size: other).freeze()
      #expect(!first.isSameMemory(as: second))
    }
    #expect(pool.statistics == (outstanding: 0, allocations: 6))
    pool.removeFreeMemory()
    _ = try pool.makeFrame(format: .rgba, size: other)
    #expect(pool.statistics == (outstanding: 0, allocations: 7))
  }

  @Test func release_onOtherThreads_allMemoryReturns() async throws {
    let pool = FramePool(maximumOutstanding: 64)
    try await withThrowingTaskGroup(of: Int.self) { group in
      for worker in 0..<8 {
        group.addTask {
          var checksum = 0
          for index in 0..<200 {
            var draft = try pool.makeFrame(format: .rgba, size: PixelSize(width: 16, height: 4))
            let mark = UInt8(truncatingIfNeeded: worker * 31 + index)
            draft.withMutableRow(2, as: UInt8.self) { $0[5] = mark }
            let frame = draft.freeze()
            // Passed to another task, which releases it last.
            async let seen = frame.withRow(2, as: UInt8.self) { $0[5] }
            checksum += await seen == mark ? 1 : 0
          }
          return checksum
        }
      }
      for try await checksum in group { #expect(checksum == 200) }
    }
    #expect(pool.statistics.outstanding == 0)
    #expect(pool.statistics.allocations <= 64)
  }
}
