import CompositorAPI
import CompositorHost
import CompositorScheduling
import Synchronization

/// Frames that must be shown: those of seeks, and that of the current time after a change.
extension PlayerCore {
  /// Starts a seek; the waiter gets its result.
  func seek(to time: MediaTime, before: MediaTime, after: MediaTime, _ waiter: SeekWaiter) {
    let isOpen = state.withLock { state -> Bool in
      guard !state.isClosed else { return false }
      let now = hostClock.now
      if state.target?.waiter != nil { state.statistics.supersededCount += 1 }
      state.target?.waiter?.give(.success(false))
      let time = min(max(.zero, time), state.stage.end)
      let index = state.stage.index(at: time)
      if state.clock.isRunning { state.observers.cross(to: state.clock.time(at: now)) }
      state.statistics.seekCount += 1
      state.seekNumber += 1
      if index != state.lastTarget { state.scrubDirection = index < state.lastTarget ? -1 : 1 }
      state.lastTarget = index
      state.observers.jump(to: time)
      state.aim(at: time, from: time - before, through: time + after, waiter, at: now)
      serveFromCache(&state, now: now)
      return true
    }
    guard isOpen else {
      waiter.give(.failure(.playerClosed))
      return
    }
    wake()
  }

  /// Shows the frame of the current time, whatever is shown now.
  func refresh(_ state: inout PlayerState, now: ContinuousClock.Instant) {
    let time = state.clock.time(at: now)
    state.aim(at: time, from: time, through: time, nil, at: now)
    serveFromCache(&state, now: now)
  }

  /// Requests the first frame when frames are observed.
  func wantFrame() {
    state.withLock { state in
      if state.shown == nil, state.target == nil, !state.isClosed { refresh(&state, now: hostClock.now) }
    }
    wake()
  }

  /// Answers the target with a cached frame.
  private func serveFromCache(_ state: inout PlayerState, now: ContinuousClock.Instant) {
    guard let target = state.target else { return }
    if state.cache[target.index] != nil { return settle(target.index, &state) }
    // Not from far away, however great the tolerance, because a key frame is available soon.
    let second = max(1, Int(state.stage.frameRate))
    let near = target.tolerance.clamped(to: target.index - second...target.index + second)
    guard target.tolerance.count > 1, let entry = state.cache.nearest(to: target.index, in: near) else { return }
    state.target?.wantsStandIn = false
    standIn(entry, &state)
  }

  func standIn(_ entry: FrameCache.Entry, _ state: inout PlayerState) {
    state.target?.standIn = nil
    // It may already have answered.
    guard state.target?.waiter != nil || state.shown != entry.rendered.index else { return }
    put(entry, isExact: false, &state)
    state.target?.waiter?.give(.success(true))
    state.target?.waiter = nil
  }

  /// Ends a target whose frame is available or cannot be rendered.
  func settle(_ index: Int, _ state: inout PlayerState) {
    guard let target = state.target, target.index == index else { return }
    let (entry, error) = (state.cache[index], state.cache.failures[index])
    guard entry != nil || error != nil else { return }
    // Before any observer gets the frame: movie time continues from here.
    (state.shown, state.target) = (index, nil)
    state.clock.release(at: hostClock.now)
    if let entry {
      put(entry, isExact: true, &state)
      target.waiter?.give(.success(true))
    } else if let error {
      target.waiter?.give(.failure(error))
    }
  }

  func put(_ entry: FrameCache.Entry, isExact: Bool, _ state: inout PlayerState) {
    let rendered = entry.rendered
    state.shown = rendered.index
    state.statistics.paintedCount += 1
    mailbox.put(
      PlayerFrame(
        frame: rendered.frame, index: rendered.index, time: rendered.time, duration: rendered.duration, seek: state.seekNumber,
        isExact: isExact, cost: entry.cost))
  }
}

extension PlayerState {
  /// Makes a frame the target that must be shown; movie time is held until it is.
  mutating func aim(
    at time: MediaTime, from earliest: MediaTime, through latest: MediaTime, _ waiter: SeekWaiter?,
    at now: ContinuousClock.Instant
  ) {
    let index = stage.index(at: time)
    let first = earliest.isNumeric ? stage.index(at: earliest) : 0
    let last = latest.isNumeric ? stage.index(at: latest) : stage.frameCount - 1
    let tolerance = min(first, index)...max(last, index)
    clock.hold(time, at: now)
    cache.forgive(index)
    let target = Target(
      time: time, index: index, tolerance: tolerance, isSeek: waiter != nil, waiter: waiter, wantsStandIn: tolerance.count > 1,
      standIn: standInUnderWay.flatMap { tolerance.contains($0) ? $0 : nil })
    self.target = target
    if let run, !run.contains(index) { self.run = nil }
    if let gathering, !isUseful(gathering.index, for: target) { gathering.task.cancel() }
  }

  /// The stand-in of the current target that is being rendered. It also serves the next target: otherwise, if seeks come faster
  /// than key frames can be rendered, none would be shown at all.
  private var standInUnderWay: Int? {
    guard let standIn = target?.standIn else { return nil }
    return gathering?.index == standIn || finishing.contains(standIn) ? standIn : nil
  }
}
