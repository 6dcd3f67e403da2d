import CompositorAPI
import CompositorHost
import CompositorValidation
import Synchronization

/// The rendering task: reads one frame's sources while earlier frames are composed.
extension PlayerCore {
  /// The next step of the rendering task. The work of `gather` has already started, so that it can be canceled.
  private enum Step {
    case gather(Int, Task<GatheredFrame, any Error>, StageTimingRecorder)
    case standIn(PlayerState.Target)
    case nothing
    case over
  }

  func render() async {
    while true {
      let (step, stage, generation) = nextStep()
      switch step {
      case .over: return
      case .nothing: await renderSignal.wait()
      case .standIn(let target): await findStandIn(for: target, stage, generation)
      case .gather(let index, let task, let recorder):
        let start = ContinuousClock.now
        let result = await task.result
        let cost = ContinuousClock.now - start
        guard let gathered = gathered(index, result, cost: cost, generation) else { continue }
        let finish = Task { await self.finish(gathered, recorder, stage, generation, since: start) }
        if gathered.needsOrder { await finish.value }
      }
    }
  }

  private func nextStep() -> (Step, PlayerStage, Int) {
    state.withLock { state in
      let (stage, generation) = (state.stage, state.generation)
      guard !state.isClosed else { return (.over, stage, generation) }
      let work = state.nextWork(
        now: hostClock.now, prefetches: settings.prefetches, finishLimit: stage.scheduler.threadCount + 1)
      switch work {
      case .nothing: return (.nothing, stage, generation)
      case .standIn:
        guard let target = state.target else { return (.nothing, stage, generation) }
        return (.standIn(target), stage, generation)
      case .frame(let index):
        let follows = state.gathered.map { $0 + 1 == index } ?? false
        let lookahead = state.lookahead(from: index)
        let recorder = StageTimingRecorder()
        let task = StageTimingRecorder.$frame.withValue(recorder) {
          Task { try await stage.scheduler.gather(frame: index, follows: follows, lookahead: lookahead) }
        }
        state.gathering = PlayerState.Gathering(index: index, task: task)
        return (.gather(index, task, recorder), stage, generation)
      }
    }
  }

  /// Records that reading the sources of a frame has ended; `nil` if there is nothing to finish.
  private func gathered(
    _ index: Int, _ result: Result<GatheredFrame, any Error>, cost: Duration, _ generation: Int
  ) -> GatheredFrame? {
    state.withLock { state -> GatheredFrame? in
      guard generation == state.generation, !state.isClosed else { return nil }
      state.gathering = nil
      switch result {
      case .success(let gathered):
        state.costs.add(cost, isStep: state.position.map { $0 + 1 == index } ?? false)
        (state.position, state.gathered) = (index, index)
        state.finishing.insert(index)
        return gathered
      case .failure(let failure):
        let error = CompositorError(stopping: failure)
        // The preroll may have rendered other frames, so no frame can follow the last one without a preroll.
        state.gathered = nil
        // Reading is canceled if the frame of another target is needed first; that is not a failure.
        if error.code != .cancelled { fail(index, error, &state) }
        return nil
      }
    }
  }

  private func finish(
    _ gathered: GatheredFrame, _ recorder: StageTimingRecorder, _ stage: PlayerStage, _ generation: Int,
    since start: ContinuousClock.Instant
  ) async {
    let request = gathered.request
    let result: Result<RenderedFrame, CompositorError> = await StageTimingRecorder.$frame.withValue(recorder) {
      do throws(CompositorError) { return .success(try await stage.scheduler.finish(gathered)) } catch {
        return .failure(error)
      }
    }
    state.withLock { state in
      guard generation == state.generation, !state.isClosed else { return }
      state.finishing.remove(request.index)
      switch result {
      case .failure(let error): fail(request.index, error, &state)
      case .success(let rendered):
        let cost = FrameTimings(recorder.timings, instructionIndex: request.instructionIndex)
        let center = state.target?.index ?? state.stage.index(at: state.clock.time(at: hostClock.now))
        let entry = FrameCache.Entry(rendered: rendered, cost: cost)
        state.cache.insert(entry, center: center, direction: state.direction)
        state.addLatency(.now - start)
        state.statistics.renderedCount += 1
        state.statistics.stages.add(cost)
        if state.target?.standIn == request.index {
          state.target?.hadStandInMade = true
          standIn(entry, &state)
        }
        settle(request.index, &state)
      }
    }
    renderSignal.signal()
    tickSignal.signal()
  }

  private func fail(_ index: Int, _ error: CompositorError, _ state: inout PlayerState) {
    state.cache.fail(index, error)
    state.statistics.failedCount += 1
    report(error)
    settle(index, &state)
    tickSignal.signal()
  }

  /// Finds a key frame that can be shown in place of a target.
  private func findStandIn(for target: PlayerState.Target, _ stage: PlayerStage, _ generation: Int) async {
    let (first, last) = (stage.time(of: target.tolerance.lowerBound), stage.time(of: target.tolerance.upperBound))
    let found: Result<MediaTime, CompositorError>
    do throws(CompositorError) {
      found = .success(try await stage.scheduler.keyFrameTime(near: stage.time(of: target.index), from: first, through: last))
    } catch {
      found = .failure(error)
    }
    state.withLock { state in
      guard generation == state.generation else { return }
      // Decoders have moved, regardless of which request is waiting now.
      state.position = nil
      guard let current = state.target, current.index == target.index else { return }
      state.target?.wantsStandIn = false
      // The error is reported when the frame itself is rendered.
      guard case .success(let time) = found else { return }
      var index = stage.index(at: time)
      if stage.time(of: index) < time { index += 1 }
      guard index != target.index, target.tolerance.contains(index) else { return }
      // A cached frame no farther away than the key frame costs nothing.
      let distance = abs(index - target.index)
      let near = target.tolerance.clamped(to: target.index - distance...target.index + distance)
      if let entry = state.cache.nearest(to: target.index, in: near) { return standIn(entry, &state) }
      state.target?.standIn = index
    }
  }
}

extension PlayerState {
  /// The frame one second ahead, whose decoders are opened in the meantime; `nil` if the player is paused or the frame is
  /// outside the movie.
  fileprivate func lookahead(from index: Int) -> Int? {
    let distance = max(1, Int(stage.frameRate))
    let ahead = direction < 0 ? index - distance : index + distance
    return clock.rate != 0 && ahead >= 0 && ahead < stage.frameCount ? ahead : nil
  }
}

extension StageTimings {
  fileprivate mutating func add(_ cost: FrameTimings) {
    decode += cost.decode
    conform += cost.conform
    compose += cost.compose
    deliver += cost.deliver
  }
}
