import CompositorAPI
import CompositorHost
import CompositorScheduling
import CompositorValidation
import Foundation
import Synchronization

/// The implementation of a player: its state, and two tasks. One renders what is needed next, the other shows what is due.
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

  /// Starts the two tasks once.
  private func start() {
    tasks.withLock { tasks in
      guard tasks.isEmpty else { return }
      // A separate thread, so that due frames wait less for other tasks of the program. Reading and timers are tasks of the
      // shared pool.
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
      // Playback need not wait for the frame of a previous pause.
      if rate != 0, state.shown != nil, let target = state.target, !target.isSeek {
        state.target = nil
        state.clock.release(at: now)
      }
      // While paused, the frame of the current time is shown.
      if rate == 0, state.target == nil, let shown = state.shown, shown != state.stage.index(at: state.clock.anchor) {
        refresh(&state, now: now)
      }
    }
    wake()
  }

  /// Playing at the end of the movie restarts at the opposite end.
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
      // Only a seek takes precedence over the master.
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

  /// The maximum difference from a master clock that is corrected without a jump: a quarter of a second.
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
      (state.gathering, state.finishing, state.run, state.costs) = (nil, [], nil, DecodeCosts())
      (state.latency, state.isBehind) = (0, false)
      (state.position, state.gathered) = (nil, nil)
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

  /// Ends all activity; returns the stage to be closed.
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

  /// Ends all activity, and returns when decoders are closed.
  func close() async {
    end()
    for task in tasks.withLock({ $0 }) { await task.value }
    await state.withLock { $0.stage }.scheduler.close()
  }
}

extension CompositorError {
  static let playerClosed = CompositorError(
    .cancelled, "The player is closed.", recoverySuggestion: "Make another player.")
}
