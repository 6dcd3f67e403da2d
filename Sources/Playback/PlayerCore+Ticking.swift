import CompositorAPI
import Synchronization

/// The displaying task, which runs whenever something is due.
extension PlayerCore {
  func tick() async {
    while true {
      let (isOver, next) = state.withLock { state -> (Bool, ContinuousClock.Instant?) in
        guard !state.isClosed else { return (true, nil) }
        return (false, showWhatIsDue(&state))
      }
      if isOver { return }
      // The playhead has moved, so other frames may be needed.
      renderSignal.signal()
      if let next {
        await tickSignal.wait(until: next, of: hostClock)
      } else {
        await tickSignal.wait()
      }
    }
  }

  /// Shows the frame that is due and notifies observers. Returns when to check again; `nil` while movie time doesn't run.
  private func showWhatIsDue(_ state: inout PlayerState) -> ContinuousClock.Instant? {
    guard state.clock.isRunning else { return nil }
    let now = hostClock.now
    let time = reachEnd(&state, now: now)
    let isForward = state.clock.rate > 0
    // A master clock may correct backward by a little: crossed times stay crossed.
    if isForward ? time > state.observers.observed : time < state.observers.observed { state.observers.cross(to: time) }
    guard state.clock.isRunning else { return nil }
    showFrame(due: state.due(at: time), &state)
    return nextInstant(after: time, state)
  }

  /// Performs the end action.
  ///
  /// - Returns: The current movie time.
  private func reachEnd(_ state: inout PlayerState, now: ContinuousClock.Instant) -> MediaTime {
    let time = state.clock.time(at: now)
    let isForward = state.clock.rate > 0
    let end = state.stage.end
    guard isForward ? time >= end : time <= .zero else { return time }
    switch settings.endAction {
    case .none: return time
    case .pause:
      let edge = isForward ? end : .zero
      state.clock.set(edge, at: now)
      state.clock.setRate(0, at: now)
      state.observers.cross(to: edge)
      if state.shown != state.stage.index(at: edge) { refresh(&state, now: now) }
      return edge
    case .loop:
      state.observers.cross(to: isForward ? end : .zero)
      let over = isForward ? time - end : .zero - time
      let rest = MediaTime(
        seconds: over.seconds.truncatingRemainder(dividingBy: end.seconds), preferredTimescale: 1_000_000_000)
      let start = isForward ? .zero : end
      state.observers.jump(to: start)
      state.clock.set(isForward ? rest : end - rest, at: now)
      (state.shown, state.run) = (nil, nil)
      return state.clock.time(at: now)
    }
  }

  private func showFrame(due: Int, _ state: inout PlayerState) {
    let isForward = state.clock.rate > 0
    if let shown = state.shown, isForward ? due <= shown : due >= shown { return }
    if state.cache[due] != nil {
      state.isBehind = false
      return show(due, &state)
    }
    if state.cache.failures[due] != nil { return }
    // If no frame is in time, the newest late one is better than none. After a jump of the clock, it is at most a second old.
    let reach = Int(state.stage.frameRate * abs(state.clock.rate))
    let shown = state.shown ?? (isForward ? due - reach - 1 : due + reach + 1)
    let missed = isForward ? shown + 1..<due : due + 1..<shown
    let newest = isForward ? missed.last { state.cache[$0] != nil } : missed.first { state.cache[$0] != nil }
    state.isBehind = newest != nil || state.shown != nil && !missed.isEmpty
    guard let newest else { return }
    state.statistics.lateCount += 1
    show(newest, &state)
  }

  private func show(_ index: Int, _ state: inout PlayerState) {
    guard let entry = state.cache[index] else { return }
    if let shown = state.shown { state.statistics.droppedCount += max(0, abs(index - shown) / state.stride - 1) }
    put(entry, isExact: true, &state)
  }

  private func nextInstant(after time: MediaTime, _ state: PlayerState) -> ContinuousClock.Instant? {
    let isForward = state.clock.rate > 0
    let due = state.due(at: time)
    var times = [isForward ? state.stage.end : .zero]
    // Backward, a frame is over once the time is before its start.
    times.append(
      isForward
        ? state.stage.time(of: due + state.stride) : state.stage.time(of: due) - MediaTime(value: 1, timescale: 1_000_000))
    if let next = state.observers.next(isForward: isForward) { times.append(next) }
    return times.filter { isForward ? $0 > time : $0 < time }.compactMap { state.clock.instant(of: $0) }.min()
  }
}
