import CompositorScheduling
import Foundation
import Synchronization
import Testing

/// Lanes take turns on the threads of a pool.
@Suite struct ThreadPoolTests {
  /// Notes which jobs ran, and how many at a time.
  private final class Meter: Sendable {
    private struct State {
      var (now, most) = (0, 0)
      var order: [Int] = []
    }
    private let state = Mutex(State())

    var most: Int { state.withLock { $0.most } }
    var order: [Int] { state.withLock { $0.order } }

    func run(_ job: Int, _ work: () -> Void = {}) {
      state.withLock {
        $0.now += 1
        $0.most = max($0.most, $0.now)
        $0.order.append(job)
      }
      work()
      state.withLock { $0.now -= 1 }
    }
  }

  private func wait(until condition: () -> Bool) async throws {
    for _ in 0..<2000 where !condition() { try await Task.sleep(for: .milliseconds(5)) }
    #expect(condition())
  }

  @Test(arguments: [(1, 1), (1, 3), (2, 1), (2, 2), (4, 3), (3, 8)])
  func jobs_ofManyLanes_runWithinTheLimits(threads: Int, width: Int) async throws {
    let pool = ThreadPool(name: "test", threadCount: threads)
    let lanes = (0..<5).map { _ in (lane: pool.lane(width: width), meter: Meter()) }
    let all = Meter()
    for job in 0..<200 {
      for (lane, meter) in lanes { lane.submit { all.run(job) { meter.run(job) } } }
    }
    try await wait { all.order.count == 1000 }
    #expect(all.most <= threads && pool.threadCount <= threads)
    for (_, meter) in lanes {
      #expect(meter.most <= width)
      #expect(meter.order.sorted() == Array(0..<200))
      if width == 1 || threads == 1 { #expect(meter.order == Array(0..<200)) }
    }
  }

  @Test func lanes_takeTurns_whateverTheirLength() async throws {
    let pool = ThreadPool(name: "test", threadCount: 1)
    let (first, second, meter) = (pool.lane(width: 1), pool.lane(width: 1), Meter())
    let gate = DispatchSemaphore(value: 0)
    first.submit { gate.wait() }
    for job in 0..<100 { first.submit { meter.run(job) } }
    for job in 1000..<1003 { second.submit { meter.run(job) } }
    gate.signal()
    try await wait { meter.order.count == 103 }
    #expect(meter.order.prefix(6).filter { $0 >= 1000 } == [1000, 1001, 1002], "\(meter.order.prefix(8))")
  }

  @Test func laneOfWhichNothingRuns_beginsBesideJobsThatBlock() async throws {
    let pool = ThreadPool(name: "test", threadCount: 1, mostThreads: 3)
    let lanes = (0..<4).map { _ in pool.lane(width: 2) }
    let (gate, meter) = (DispatchSemaphore(value: 0), Meter())
    for lane in lanes.prefix(2) {
      for job in 0..<2 { lane.submit { meter.run(job) { gate.wait() } } }
    }
    lanes[2].submit { meter.run(7) }
    try await wait { meter.order.contains(7) }
    // One of each lane that blocks, and no second one.
    #expect(meter.most <= 3 && meter.order.filter { $0 != 7 }.count == 2, "\(meter.order)")
    for _ in 0..<4 { gate.signal() }
    try await wait { meter.order.count == 5 }
  }

  @Test func lostThread_isMadeUpFor() async throws {
    let lane = ThreadPool(name: "test", threadCount: 1).lane(width: 1)
    let (gate, meter) = (DispatchSemaphore(value: 0), Meter())
    lane.submit { gate.wait() }
    lane.submit { meter.run(1) }
    try await Task.sleep(for: .milliseconds(50))
    #expect(meter.order.isEmpty)
    lane.replaceLostThread()
    try await wait { meter.order == [1] }
    gate.signal()
  }

  /// A job that comes back after its thread was replaced: from then on as many jobs run at a time as before.
  @Test func lostThread_thatReturns_isNotMadeUpForAnyLonger() async throws {
    let pool = ThreadPool(name: "test", threadCount: 1, mostThreads: 2)
    let (lane, other) = (pool.lane(width: 1), pool.lane(width: 3))
    for _ in 0..<3 {
      let (gate, meter) = (DispatchSemaphore(value: 0), Meter())
      lane.submit {
        gate.wait()
        lane.lostThreadReturned()
      }
      lane.replaceLostThread()
      #expect(pool.jobLimit == 2)
      lane.submit { meter.run(1) }
      try await wait { meter.order == [1] }
      gate.signal()
      try await wait { pool.jobLimit == 1 }
    }
    let meter = Meter()
    for job in 0..<60 { (job % 2 == 0 ? lane : other).submit { meter.run(job) { usleep(200) } } }
    try await wait { meter.order.count == 60 }
    // A lane of which nothing runs may begin beside the other one, as before.
    #expect(meter.most <= 2, "\(meter.most) at a time")
  }

  /// The thread may be back before it is reported as lost.
  @Test func lostThread_thatReturnsFirst_leavesTheLimitAsItWas() async throws {
    let pool = ThreadPool(name: "test", threadCount: 1)
    let (lane, meter) = (pool.lane(width: 1), Meter())
    lane.lostThreadReturned()
    lane.submit { meter.run(1) }
    lane.replaceLostThread()
    try await wait { meter.order == [1] }
    #expect(pool.jobLimit == 1)
  }

  @Test func threads_ofALaneThatIsGone_end() async throws {
    let before = try threadNames().count { $0.hasPrefix("gone") }
    var seen = 0
    for _ in 0..<20 {
      let meter = Meter()
      let lane = ThreadPool(name: "gone", threadCount: 2).lane(width: 2)
      for job in 0..<4 { lane.submit { meter.run(job) } }
      try await wait { meter.order.count == 4 }
      seen += try threadNames().count { $0.hasPrefix("gone") }
      withExtendedLifetime(lane) {}
    }
    #expect(seen > before)
    try await wait { ((try? threadNames()) ?? []).count { $0.hasPrefix("gone") } == before }
  }

  private func threadNames() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").compactMap {
      try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8)
    }
  }
}
