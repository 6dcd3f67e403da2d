import CompositorAPI
import CompositorScheduling
import Foundation
import Synchronization
import Testing

/// Who runs, who waits, and what is left for a decoder.
@Suite struct RenderBudgetTests {
  private final class Notes: Sendable {
    let begun = Mutex<[Int]>([])
    let positions = Mutex<[Int: [Int]]>([:])
  }

  private static let small = RenderDemand(threadCount: 1, byteCount: 1 << 20)

  private func wait(until condition: () -> Bool) async throws {
    for _ in 0..<2000 where !condition() { try await Task.sleep(for: .milliseconds(5)) }
    #expect(condition())
  }

  private static func budget(exports: Int = 2, threads: Int = 8, memory: Int? = nil, processors: Int = 2) -> RenderBudget {
    RenderBudget(
      RenderBudget.Limits(processorCount: processors, exportCount: exports, threadCount: threads, memoryByteCount: memory))
  }

  @Test func shares_beyondTheLimit_waitInTheirOrder() async throws {
    let budget = Self.budget(exports: 2)
    let first = try await budget.share(for: Self.small)
    let second = try await budget.share(for: Self.small)
    let notes = Notes()
    var tasks: [Task<Void, any Error>] = []
    for number in 0..<5 {
      tasks.append(
        Task {
          let share = try await budget.share(for: Self.small) { position in
            notes.positions.withLock { $0[number, default: []].append(position) }
          }
          notes.begun.withLock { $0.append(number) }
          try await Task.sleep(for: .milliseconds(5))
          share.end()
        })
      try await wait { budget.status.queuedExportCount == number + 1 }
    }
    #expect(budget.status.runningExportCount == 2 && notes.begun.withLock { $0 }.isEmpty)
    first.end()
    first.end()
    try await wait { notes.begun.withLock { $0 }.count == 5 }
    for task in tasks { try await task.value }
    #expect(notes.begun.withLock { $0 } == [0, 1, 2, 3, 4])
    for (number, told) in notes.positions.withLock({ $0 }) {
      #expect(told.first == number + 1 && told == told.sorted(by: >), "\(number): \(told)")
    }
    second.end()
    #expect(budget.status == Self.budget().status)
  }

  @Test func waiting_thatIsCanceled_freesItsPlaceAtOnce() async throws {
    let budget = Self.budget(exports: 1)
    let first = try await budget.share(for: Self.small)
    let canceled = Task { try await budget.share(for: Self.small) }
    try await wait { budget.status.queuedExportCount == 1 }
    let last = Task { try await budget.share(for: Self.small) }
    try await wait { budget.status.queuedExportCount == 2 }
    canceled.cancel()
    let error = await #expect(throws: CompositorError.self) { try await canceled.value }
    #expect(error?.code == .cancelled)
    try await wait { budget.status.queuedExportCount == 1 }
    first.end()
    let share = try await last.value
    #expect(budget.status.runningExportCount == 1)
    share.end()
    let late = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await budget.share(for: Self.small)
    }
    await #expect(throws: CompositorError.self) { try await late.value }
    #expect(budget.status.runningExportCount == 0 && budget.status.queuedExportCount == 0)
  }

  /// Threads and bytes of those that run, of one that comes, and whether it runs beside them.
  @Test(arguments: [
    ([(1, 1)], (1, 1), true), ([(7, 1)], (1, 1), true), ([(7, 1)], (2, 1), false), ([(1, 90)], (1, 10), true),
    ([(1, 90)], (1, 11), false), ([], (99, 999), true), ([(99, 1)], (1, 1), false), ([(1, 1), (1, 1), (1, 1)], (1, 1), false),
  ])
  func demand_runsBesideOthers_ifThreadsAndMemoryAreLeft(
    _ running: [(Int, Int)], _ next: (Int, Int), _ runs: Bool
  ) async throws {
    let budget = Self.budget(exports: 3, threads: 8, memory: RenderBudget.programByteCount + 100)
    var shares: [RenderShare] = []
    for (threads, bytes) in running {
      shares.append(try await budget.share(for: RenderDemand(threadCount: threads, byteCount: bytes), isQueued: false))
    }
    let task = Task { try await budget.share(for: RenderDemand(threadCount: next.0, byteCount: next.1)) }
    if runs {
      _ = try await task.value
    } else {
      try await wait { budget.status.queuedExportCount == 1 }
      for share in shares { share.end() }
      _ = try await task.value
    }
  }

  /// On two processors, with as many exports as are asked for: one of 7 threads doesn't keep others of its kind waiting.
  @Test func exports_asManyAsAreAskedFor_runBesideEachOther() async throws {
    let budget = RenderBudget(RenderBudget.Limits(processorCount: 2, exportCount: 4))
    var shares: [RenderShare] = []
    for _ in 0..<4 { shares.append(try await budget.share(for: RenderDemand(threadCount: 7, byteCount: 1 << 20))) }
    #expect(budget.status.runningExportCount == 4 && budget.waitingExports.isEmpty)
    #expect(RenderBudget.Limits(processorCount: 2).threadCount == 8)
    #expect(RenderBudget.Limits(processorCount: 2, exportCount: .max).exportCount == .max)
    #expect(RenderBudget.Limits(processorCount: 2, exportCount: 4, threadCount: 9).threadCount == 9)
    withExtendedLifetime(shares) {}
  }

  /// Threads and bytes of one that waits beside one with 2 threads and 90 bytes, and what it waits for.
  @Test(arguments: [
    (2, 1, WaitingExport.Reason.threads(needed: 2, free: 1)),
    (1, 11, .memory(neededByteCount: 11, freeByteCount: 10)),
  ])
  func waitingExport_saysWhatItWaitsFor(_ threads: Int, _ bytes: Int, _ reason: WaitingExport.Reason) async throws {
    let budget = Self.budget(exports: 3, threads: 3, memory: RenderBudget.programByteCount + 100)
    let first = try await budget.share(for: RenderDemand(threadCount: 2, byteCount: 90))
    let waiting = Task { try await budget.share(for: RenderDemand(threadCount: threads, byteCount: bytes)) }
    try await wait { budget.status.queuedExportCount == 1 }
    let behind = Task { try await budget.share(for: RenderDemand(threadCount: 1, byteCount: 1)) }
    try await wait { budget.status.queuedExportCount == 2 }
    #expect(budget.waitingExports.map(\.reason) == [reason, .order])
    #expect(budget.waitingExports.map(\.position) == [1, 2])
    #expect(budget.waitingExports.first.map { [$0.threadCount, $0.memoryByteCount] } == [threads, bytes])
    first.end()
    _ = try await waiting.value
    _ = try await behind.value
  }

  @Test func waitingExport_behindTheMostExports_saysTheirNumber() async throws {
    let budget = Self.budget(exports: 1)
    let first = try await budget.share(for: Self.small)
    let waiting = Task { try await budget.share(for: Self.small) }
    try await wait { budget.status.queuedExportCount == 1 }
    #expect(budget.waitingExports.map(\.reason) == [.exports(limit: 1)])
    #expect(budget.waitingExports.first?.reason.description == "1 export is running, as many as exportCount allows.")
    first.end()
    _ = try await waiting.value
  }

  @Test func share_thatIsDropped_isGivenBack() async throws {
    let budget = Self.budget()
    _ = try await budget.share(for: Self.small)
    try await wait { budget.status.runningExportCount == 0 }
  }

  /// Processors, renders under way, threads of each decoder that shares its frames among them.
  @Test(arguments: [(2, 1, 2), (2, 2, 1), (2, 5, 1), (8, 1, 8), (8, 3, 2), (64, 1, 16), (1, 1, 1)])
  func decodersInSlices_haveTheProcessorsOfTheirRender(processors: Int, renders: Int, threads: Int) {
    let budget = Self.budget(processors: processors)
    let busy = (0..<renders).map { _ in budget.beginRendering() }
    #expect(budget.sliceThreadCount == threads)
    withExtendedLifetime(busy) {}
  }

  /// Processors, renders under way, decoders of one render, threads of each.
  @Test(arguments: [
    (2, 1, 1, 3), (2, 1, 2, 1), (2, 2, 1, 1), (8, 1, 1, 9), (8, 1, 2, 4), (8, 2, 2, 2), (64, 1, 1, 16), (1, 1, 1, 2),
    (1, 4, 4, 1),
  ])
  func decoders_haveTheThreadsThatAreLeft(processors: Int, renders: Int, decoders: Int, threads: Int) {
    let budget = Self.budget(processors: processors)
    let busy = (0..<renders).map { _ in budget.beginRendering() }
    #expect(budget.decoderThreadCount(besides: decoders) == threads)
    withExtendedLifetime(busy) {}
  }

  @Test func processors_areSharedByThoseThatRunAndWait() async throws {
    let budget = Self.budget(exports: 4, processors: 8)
    #expect(budget.processorsForEach == 8)
    let first = try await budget.share(for: Self.small)
    #expect(budget.processorsForEach == 8)
    let second = try await budget.share(for: Self.small)
    #expect(budget.processorsForEach == 4)
    first.end()
    #expect(budget.processorsForEach == 8)
    second.end()
  }
}
