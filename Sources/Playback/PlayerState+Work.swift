import CompositorAPI

/// Decides what to render next: a pure function of the state.
extension PlayerState {
  enum Work: Equatable {
    case standIn
    case frame(Int)
    case nothing
  }

  private var chunkLimit: Int { max(1, min(96, stage.capacity / 3)) }
  /// The maximum distance to a target, in frames, within which all frames on the way are rendered, because the next drag may
  /// need them. More distant targets are sought, which is faster.
  private static let near = 4

  mutating func nextWork(now: ContinuousClock.Instant, prefetches: Bool, finishLimit: Int) -> Work {
    guard finishing.count < finishLimit else { return .nothing }
    if let target { return work(for: target) }
    if clock.isRunning { return playWork(at: clock.time(at: now)) }
    return prefetches ? idleWork() : .nothing
  }

  // MARK: A frame that must be shown

  private mutating func work(for target: Target) -> Work {
    if let standIn = target.standIn, !isKnown(standIn) { return .frame(standIn) }
    if target.wantsStandIn { return .standIn }
    guard !isKnown(target.index) else { return .nothing }
    if let run, run.contains(target.index), let next = nextInRun(run, through: target.index) { return .frame(next) }
    run = nil
    if let position, target.index > position, target.index - position <= Self.near, !target.hadStandInMade {
      return .frame(firstUnknown(in: position + 1...target.index) ?? target.index)
    }
    // If dragged backward through a long group of pictures, frames on the way will be requested next.
    if scrubDirection < 0, !target.hadStandInMade, costs.jump > 4 * costs.step, let position,
      position - target.index < 4 * chunkLimit
    {
      let run = stretch(endingAt: target.index, costs.chunk(atMost: chunkLimit))
      self.run = run
      return .frame(firstUnknown(in: run) ?? target.index)
    }
    return .frame(target.index)
  }

  /// A run of at most `count` frames that aren't cached yet, and that ends with frame `last`.
  private func stretch(endingAt last: Int, _ count: Int) -> ClosedRange<Int> {
    var first = last
    while first > 0, last - first + 1 < count, !isKnown(first - 1) { first -= 1 }
    return first...last
  }

  private func nextInRun(_ run: ClosedRange<Int>, through last: Int) -> Int? {
    let first = position.map { run.contains($0) ? $0 + 1 : run.lowerBound } ?? run.lowerBound
    return first <= last ? firstUnknown(in: first...last) : firstUnknown(in: run.lowerBound...last)
  }

  private func firstUnknown(in range: ClosedRange<Int>) -> Int? { range.first { !isKnown($0) } }

  // MARK: Playback

  private mutating func playWork(at time: MediaTime) -> Work {
    let due = due(at: time)
    return clock.rate > 0 ? forwardWork(due) : backwardWork(due)
  }

  private func forwardWork(_ due: Int) -> Work {
    let stride = stride
    let count = min(stage.capacity / 2, max(4, Int(stage.frameRate * clock.rate / Double(2 * stride))))
    // Frames that cannot be ready in time are not started.
    let wait = isBehind ? max(costs.step, latency) : costs.step
    let lag = isKnown(due) ? 0 : Int(wait * stage.frameRate * clock.rate / Double(stride))
    let first = due + min(lag, count) * stride
    for index in Swift.stride(from: first, through: first + count * stride, by: stride) {
      guard index < stage.frameCount else { break }
      if !isKnown(index) { return .frame(index) }
    }
    return isKnown(due) ? .nothing : .frame(due)
  }

  private mutating func backwardWork(_ due: Int) -> Work {
    if let run, run.lowerBound <= due, let next = nextInRun(run, through: run.upperBound) { return .frame(next) }
    run = nil
    let stride = stride
    let limit = chunkLimit
    var last = due
    while last > 0, due - last < 2 * limit * stride, isKnown(last) { last -= stride }
    guard last >= 0, !isKnown(last), due - last < 2 * limit * stride else { return .nothing }
    guard stride == 1 else { return .frame(last) }
    // Frames that would be shown before they could be ready are not worth their time.
    let run = stretch(endingAt: last, costs.chunk(atMost: limit))
    self.run = run
    return firstUnknown(in: run).map(Work.frame) ?? .nothing
  }

  // MARK: Nothing else to do

  /// Frames around the current one, more of them in the direction of the last seek.
  private mutating func idleWork() -> Work {
    guard let shown else { return .nothing }
    // As many as memory holds, up to a minute, and fewer on the side opposite to the movement.
    let most = min(stage.capacity * 3 / 4, Int(60 * stage.frameRate))
    let ahead = scrubDirection < 0 ? most / 4 : scrubDirection > 0 ? most * 3 / 4 : most / 2
    let behind = most - ahead
    if let next = unknown(after: shown, min(8, ahead)) { return .frame(next) }
    if let run, run.upperBound < shown, shown - run.lowerBound <= 2 * most, let next = nextInRun(run, through: run.upperBound) {
      return .frame(next)
    }
    run = nil
    if scrubDirection > 0, let next = unknown(after: shown, ahead) { return .frame(next) }
    if let last = (max(0, shown - behind)..<shown).last(where: { !isKnown($0) }) {
      let run = stretch(endingAt: last, min(costs.chunk(atMost: chunkLimit), last - max(0, shown - behind) + 1))
      self.run = run
      return .frame(firstUnknown(in: run) ?? last)
    }
    return unknown(after: shown, ahead).map(Work.frame) ?? .nothing
  }

  private func unknown(after index: Int, _ count: Int) -> Int? {
    let last = min(stage.frameCount - 1, index + count)
    return last > index ? firstUnknown(in: index + 1...last) : nil
  }

  // MARK: Something new to do

  /// Whether reading a frame also serves a target: the frame is the target's, or shortly before it.
  func isUseful(_ index: Int, for target: Target) -> Bool {
    if index == target.index || index == target.standIn { return true }
    if let run, run.contains(index), run.contains(target.index) { return index <= target.index }
    return index < target.index && target.index - index <= Self.near
  }
}
