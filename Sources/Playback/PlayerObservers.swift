import CompositorAPI
import Foundation

/// Observers of movie time.
struct PlayerObservers {
  fileprivate enum Kind {
    case every(FrameTiming)
    case boundaries([MediaTime])
  }
  private struct Observer {
    let kind: Kind
    let continuation: AsyncStream<MediaTime>.Continuation
  }
  private var observers: [UUID: Observer] = [:]
  /// The movie time up to which all observers were notified.
  private(set) var observed: MediaTime

  init(at time: MediaTime) { observed = time }

  mutating func add(every timing: FrameTiming, _ id: UUID, _ continuation: AsyncStream<MediaTime>.Continuation) {
    observers[id] = Observer(kind: .every(timing), continuation: continuation)
  }

  mutating func add(boundaries: [MediaTime], _ id: UUID, _ continuation: AsyncStream<MediaTime>.Continuation) {
    observers[id] = Observer(kind: .boundaries(boundaries.sorted()), continuation: continuation)
  }

  mutating func remove(_ id: UUID) { observers[id] = nil }

  /// Reports that movie time went from ``observed`` to `time` without a jump: everything in between, including `time`, is
  /// crossed once.
  mutating func cross(to time: MediaTime) {
    guard time != observed else { return }
    for observer in observers.values {
      for crossed in observer.kind.crossings(from: observed, to: time) { observer.continuation.yield(crossed) }
    }
    observed = time
  }

  /// Reports that movie time jumped: periodic observers get the new time, and boundaries fire only if it lands on one.
  mutating func jump(to time: MediaTime) {
    observed = time
    for observer in observers.values {
      switch observer.kind {
      case .every: observer.continuation.yield(time)
      case .boundaries(let times): if times.contains(time) { observer.continuation.yield(time) }
      }
    }
  }

  /// The next time that an observer waits for.
  func next(isForward: Bool) -> MediaTime? {
    let times = observers.values.compactMap { $0.kind.next(after: observed, isForward: isForward) }
    return isForward ? times.min() : times.max()
  }

  mutating func finish() {
    for observer in observers.values { observer.continuation.finish() }
    observers = [:]
  }
}

extension PlayerObservers.Kind {
  /// The crossings between two times, in order: the first time excluded, the second included.
  fileprivate func crossings(from start: MediaTime, to end: MediaTime) -> [MediaTime] {
    let isForward = start < end
    switch self {
    case .boundaries(let times):
      return isForward
        ? times.filter { $0 > start && $0 <= end } : times.filter { $0 < start && $0 >= end }.reversed()
    case .every(let timing):
      guard let first = timing.index(at: start), let last = timing.index(at: end) else { return [] }
      if isForward { return first < last ? (first + 1...last).map(timing.time(ofFrame:)) : [] }
      let (upper, lower) = (
        timing.time(ofFrame: first) == start ? first - 1 : first, timing.time(ofFrame: last) == end ? last : last + 1
      )
      return lower <= upper ? (lower...upper).reversed().map(timing.time(ofFrame:)) : []
    }
  }

  fileprivate func next(after time: MediaTime, isForward: Bool) -> MediaTime? {
    switch self {
    case .boundaries(let times): return isForward ? times.first { $0 > time } : times.last { $0 < time }
    case .every(let timing):
      guard let index = timing.index(at: time) else { return nil }
      if isForward { return timing.time(ofFrame: index + 1) }
      let start = timing.time(ofFrame: index)
      return start == time ? timing.time(ofFrame: index - 1) : start
    }
  }
}
