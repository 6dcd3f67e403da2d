import CompositorAPI
import CompositorHost
import Foundation
import Synchronization

/// A player without its public face: the state, and two tasks that work on it. One renders what is needed next, the other shows what is due.
final class PlayerCore: Sendable {
  let settings: PlayerSettings
  let hostClock: any PlayerClock
  let mailbox = FrameMailbox()
  let errors: AsyncStream<CompositorError>
  private let errorContinuation: AsyncStream<CompositorError>.Continuation
  let state: Mutex<PlayerState>
  let renderSignal = WakeSignal()
  let tickSignal = WakeSignal()
  private let tasks = Mutex<[Task<Void, Never>]>([])

  init(
    _ composition: ValidatedComposition, _ settings: PlayerSettings, clock: any PlayerClock
  ) throws(CompositorError) {
    let stage = try PlayerStage(composition, settings)
    self.settings = settings
    hostClock = clock
    (errors, errorContinuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(256))
    state = Mutex(
      PlayerState(
        stage: stage, clock: MovieClock(at: .zero, instant: clock.now), cache: FrameCache(capacity: stage.capacity)))
  }

  /// Starts the two tasks, once.
  private func start() {
    tasks.withLock { tasks in
      guard tasks.isEmpty else { return }
      // A thread of its own: a program whose tasks block every thread of the shared pool still gets its frames.
      let threads = ComposeThreads(count: 1, name: "player")
      tasks.append(Task(executorPreference: threads) { await self.render() })
      tasks.append(Task(executorPreference: threads) { await self.tick() })
    }
  }

  func wake() {
    start()
    renderSignal.signal()
    tickSignal.signal()
  }

  // MARK: Seeking

  /// Begins a seek; the waiter gets its answer.
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
    guard isOpen else { return waiter.give(.failure(.playerClosed)) }
    wake()
  }

  /// Shows the frame of the current time, whatever is shown now.
  func refresh(_ state: inout PlayerState, now: ContinuousClock.Instant) {
    let time = state.clock.time(at: now)
    state.aim(at: time, from: time, through: time, nil, at: now)
    serveFromCache(&state, now: now)
  }

  /// Somebody looks: the first frame is made.
  func wantFrame() {
    state.withLock { state in
      if state.shown == nil, state.target == nil, !state.isClosed { refresh(&state, now: hostClock.now) }
    }
    wake()
  }

  /// Answers the target with what is kept.
  private func serveFromCache(_ state: inout PlayerState, now: ContinuousClock.Instant) {
    guard let target = state.target else { return }
    if state.cache[target.index] != nil { return settle(target.index, &state) }
    // Not from far away, however great the tolerance: a key frame is soon there.
    let second = max(1, Int(state.stage.frameRate))
    let near = target.tolerance.clamped(to: target.index - second...target.index + second)
    guard target.tolerance.count > 1, let entry = state.cache.nearest(to: target.index, in: near) else { return }
    standIn(entry, &state)
  }

  func standIn(_ entry: FrameCache.Entry, _ state: inout PlayerState) {
    put(entry, isExact: false, &state)
    state.target?.wantsStandIn = false
    state.target?.waiter?.give(.success(true))
    state.target?.waiter = nil
  }

  /// The target's frame is there, or cannot be made.
  func settle(_ index: Int, _ state: inout PlayerState) {
    guard let target = state.target, target.index == index else { return }
    if let entry = state.cache[index] {
      put(entry, isExact: true, &state)
      target.waiter?.give(.success(true))
    } else if let error = state.cache.failures[index] {
      target.waiter?.give(.failure(error))
    } else {
      return
    }
    state.shown = index
    state.target = nil
    state.clock.release(at: hostClock.now)
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

  func report(_ error: CompositorError) { errorContinuation.yield(error) }

  // MARK: Playing

  func setRate(_ rate: Double) {
    state.withLock { state in
      guard !state.isClosed else { return }
      let now = hostClock.now
      if state.clock.isRunning { state.observers.cross(to: state.clock.time(at: now)) }
      if state.clock.rate == 0, state.target == nil { startOver(&state, rate: rate, now: now) }
      state.clock.setRate(rate, at: now)
      state.run = nil
      // Playback need not wait for the frame of a pause that is over.
      if rate != 0, state.shown != nil, let target = state.target, !target.isSeek {
        state.target = nil
        state.clock.release(at: now)
      }
      // What is shown while paused is the frame of the current time.
      if rate == 0, state.target == nil, let shown = state.shown, shown != state.stage.index(at: state.clock.anchor) {
        refresh(&state, now: now)
      }
    }
    wake()
  }

  /// Whoever plays on at the end means from the other one.
  private func startOver(_ state: inout PlayerState, rate: Double, now: ContinuousClock.Instant) {
    let (time, end) = (state.clock.anchor, state.stage.end)
    guard rate > 0 && time >= end || rate < 0 && time <= .zero else { return }
    state.clock.set(rate > 0 ? .zero : end, at: now)
    state.observers.jump(to: rate > 0 ? .zero : end)
    state.shown = nil
  }

  func synchronize(to time: MediaTime, at instant: ContinuousClock.Instant) {
    state.withLock { state in
      guard !state.isClosed, state.clock.rate != 0, time.isNumeric else { return }
      // Only a seek has a better claim than the master.
      if let target = state.target {
        guard !target.isSeek else { return }
        state.target = nil
        state.clock.release(at: hostClock.now)
      }
      let distance = (time - state.clock.time(at: instant)).magnitude
      state.clock.set(min(max(.zero, time), state.stage.end), at: instant)
      guard distance > Self.drift else { return }
      state.observers.jump(to: state.clock.time(at: hostClock.now))
      (state.shown, state.run) = (nil, nil)
    }
    wake()
  }

  /// What a master clock may correct without it being a jump.
  private static let drift = MediaTime(value: 1, timescale: 4)

  func replace(with composition: ValidatedComposition) throws(CompositorError) {
    let stage = try PlayerStage(composition, settings)
    let old = state.withLock { state -> PlayerStage? in
      guard !state.isClosed else { return stage }
      let now = hostClock.now
      let (old, time) = (state.stage, min(state.clock.time(at: now), stage.end))
      state.generation += 1
      state.gathering?.task.cancel()
      state.stage = stage
      state.cache = FrameCache(capacity: stage.capacity)
      (state.gathering, state.finishing, state.position, state.run, state.costs) = (nil, [], nil, nil, DecodeCosts())
      let wanted = state.target
      state.lastTarget = stage.index(at: time)
      if let wanted, wanted.waiter != nil {
        state.aim(at: min(wanted.time, stage.end), from: wanted.time, through: wanted.time, wanted.waiter, at: now)
      } else if state.shown != nil || wanted != nil {
        state.aim(at: time, from: time, through: time, nil, at: now)
      }
      state.shown = nil
      return old
    }
    if let old { Task { await old.scheduler.close() } }
    wake()
  }

  // MARK: Ending

  /// Ends everything that goes on; returns what is left to close.
  @discardableResult func end() -> PlayerStage? {
    let stage = state.withLock { state -> PlayerStage? in
      guard !state.isClosed else { return nil }
      state.isClosed = true
      state.gathering?.task.cancel()
      state.target?.waiter?.give(.failure(.playerClosed))
      state.target = nil
      state.observers.finish()
      state.cache = FrameCache(capacity: 1)
      return state.stage
    }
    mailbox.close()
    errorContinuation.finish()
    renderSignal.signal()
    tickSignal.signal()
    return stage
  }

  /// Ends everything, and returns when decoders are closed.
  func close() async {
    end()
    for task in tasks.withLock({ $0 }) { await task.value }
    await state.withLock { $0.stage }.scheduler.close()
  }
}

extension PlayerState {
  /// Makes a frame the one that must be shown; movie time stands still until it is.
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
      time: time, index: index, tolerance: tolerance, isSeek: waiter != nil, waiter: waiter, wantsStandIn: tolerance.count > 1, standIn: nil)
    self.target = target
    if let run, !run.contains(index) { self.run = nil }
    if let gathering, !isUseful(gathering.index, for: target) { gathering.task.cancel() }
  }
}

extension CompositorError {
  static let playerClosed = CompositorError(
    .cancelled, "The player is closed.", recoverySuggestion: "Make another player.")
}
