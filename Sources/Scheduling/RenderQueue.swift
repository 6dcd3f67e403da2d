/// Who runs and who waits for a budget, in the order of coming; under the budget's lock.
struct RenderQueue {
  /// What one that waits is told.
  enum Event: Sendable {
    /// Its place, from 1 on, has changed.
    case position(Int)
    /// It runs.
    case admitted
  }
  private struct Waiter {
    let id: Int
    let demand: RenderDemand
    let events: AsyncStream<Event>.Continuation
    /// What it was told last.
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

  /// Whether a demand fits beside what runs. Where nothing runs, anything does: it could never run otherwise.
  private func fits(_ demand: RenderDemand) -> Bool {
    guard !running.isEmpty else { return true }
    return running.count < limits.exportCount && threadCount + demand.threadCount <= limits.threadCount
      && byteCount + demand.byteCount <= limits.admittedByteCount
  }

  /// Counts one as running, whatever else does.
  mutating func run(_ id: Int, _ demand: RenderDemand) {
    running[id] = demand
    threadCount += demand.threadCount
    byteCount += demand.byteCount
  }

  /// Lets one run as soon as nobody waits before it and it fits.
  mutating func enter(_ id: Int, _ demand: RenderDemand, _ events: AsyncStream<Event>.Continuation) {
    waiting.append(Waiter(id: id, demand: demand, events: events))
    advance()
  }

  /// One that ran has ended, or one that waited waits no more; nothing where it did neither.
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

  /// Lets those go on that fit, in their order: a large one is not overtaken for ever by small ones.
  private mutating func advance() {
    while let first = waiting.first, fits(first.demand) {
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
