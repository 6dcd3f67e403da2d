/// The running and waiting exports of a budget, in order of arrival. Protected by the budget's lock.
struct RenderQueue {
  /// An event for a waiting export.
  enum Event: Sendable {
    /// Its position, from 1, has changed.
    case position(Int)
    /// It may run.
    case admitted
  }
  private struct Waiter {
    let id: Int
    let demand: RenderDemand
    let events: AsyncStream<Event>.Continuation
    /// The last reported position.
    var position = 0
  }

  private let limits: RenderBudget.Limits
  private(set) var running: [Int: RenderDemand] = [:]
  private var waiting: [Waiter] = []
  private(set) var threadCount = 0
  private(set) var byteCount = 0
  private var lastID = 0

  init(_ limits: RenderBudget.Limits) { self.limits = limits }

  var waitingCount: Int { waiting.count }

  mutating func makeID() -> Int {
    lastID += 1
    return lastID
  }

  /// The queued exports in their order.
  var waitingExports: [WaitingExport] {
    waiting.enumerated().map { index, waiter in
      WaitingExport(
        position: index + 1, threadCount: waiter.demand.threadCount, memoryByteCount: waiter.demand.byteCount,
        reason: index > 0 ? .order : obstacle(to: waiter.demand) ?? .order)
    }
  }

  /// What keeps a demand from running in addition to the running ones; `nil` if it fits. If nothing is running, any demand fits,
  /// because it could never run otherwise.
  private func obstacle(to demand: RenderDemand) -> WaitingExport.Reason? {
    guard !running.isEmpty else { return nil }
    if running.count >= limits.exportCount { return .exports(limit: limits.exportCount) }
    if threadCount + demand.threadCount > limits.threadCount {
      return .threads(needed: demand.threadCount, free: max(0, limits.threadCount - threadCount))
    }
    if byteCount + demand.byteCount > limits.admittedByteCount {
      return .memory(neededByteCount: demand.byteCount, freeByteCount: max(0, limits.admittedByteCount - byteCount))
    }
    return nil
  }

  /// Registers an export as running unconditionally.
  mutating func run(_ id: Int, _ demand: RenderDemand) {
    running[id] = demand
    threadCount += demand.threadCount
    byteCount += demand.byteCount
  }

  /// Registers an export, which runs as soon as no other waits before it and it fits.
  mutating func enter(_ id: Int, _ demand: RenderDemand, _ events: AsyncStream<Event>.Continuation) {
    waiting.append(Waiter(id: id, demand: demand, events: events))
    advance()
  }

  /// Removes a running or waiting export. Does nothing if it is neither.
  mutating func end(_ id: Int) {
    if let demand = running.removeValue(forKey: id) {
      threadCount -= demand.threadCount
      byteCount -= demand.byteCount
    } else if let index = waiting.firstIndex(where: { $0.id == id }) {
      waiting.remove(at: index).events.finish()
    } else {
      return
    }
    advance()
  }

  /// Admits the waiting exports that fit, in order, so that a large one isn't overtaken forever by small ones.
  private mutating func advance() {
    while let first = waiting.first, obstacle(to: first.demand) == nil {
      waiting.removeFirst()
      run(first.id, first.demand)
      first.events.yield(.admitted)
      first.events.finish()
    }
    for index in waiting.indices where waiting[index].position != index + 1 {
      waiting[index].position = index + 1
      waiting[index].events.yield(.position(index + 1))
    }
  }
}
