import CompositorAPI
import CompositorPlugins
import CompositorScheduling

/// A call to a compositor that may fail, be canceled, or never return.
///
/// A call that doesn't return cannot be terminated: its task is abandoned, its thread is replaced, and the caller receives an
/// error in time. This is the only place in this target where a running task is abandoned.
struct CompositorCall: Sendable {
  let instance: CompositorInstance
  let threads: ComposeThreads
  let deadlines: CallDeadlines
  let trace: RenderTrace?

  /// The time that a compositor may take to respond to cancellation.
  private static let cancellationGrace = Duration.seconds(1)

  /// - Throws: `.compositorTimedOut`, `.cancelled`, `.compositorFailed`, or the ``CompositorError`` that the compositor threw.
  func run(_ request: CompositionRequest) async throws(CompositorError) -> Frame {
    if let gate = instance.gate { await gate.enter() }
    defer { instance.gate?.leave() }
    let place = ErrorLocation(
      instruction: request.instructionIndex, time: request.time, compositor: instance.descriptor.id)
    do {
      try Task.checkCancellation()
      return try await answer(to: request)
    } catch {
      let failure = CompositorError(compositorFailure: error, id: instance.descriptor.id, doing: "failed")
      throw failure.attributed(to: instance.origin, isCanceled: Task.isCancelled).locating(place)
    }
  }

  private func answer(to request: CompositionRequest) async throws -> Frame {
    let answer = SingleResumption<Frame, any Error>()
    let compositor = instance.compositor
    let work = Task(executorPreference: threads) { [trace, threads] in
      let start = ContinuousClock.now
      defer { trace?.add("compose", from: start) }
      let result: Result<Frame, any Error>
      do { result = .success(try await compositor.compose(request)) } catch { result = .failure(error) }
      // Too late: the call was answered without it, and its thread replaced, but it is back now.
      if !answer.give(result) { threads.lostThreadReturned() }
    }
    let limit = deadlines.limit
    let call = deadlines.begin { [threads] in
      if answer.give(.failure(CompositorCall.timeout(after: limit))) { threads.replaceLostThread() }
      work.cancel()
    }
    defer { deadlines.end(call) }
    return try await withTaskCancellationHandler {
      try await answer.wait()
    } onCancel: {
      work.cancel()
      deadlines.after(Self.cancellationGrace) { [threads] in
        if answer.give(.failure(CancellationError())) { threads.replaceLostThread() }
      }
    }
  }

  private static func timeout(after deadline: Duration) -> CompositorError {
    CompositorError(
      .compositorTimedOut, "The compositor gave no frame within \(deadline).",
      recoverySuggestion: "Raise the deadline if it only is slow; otherwise report it to its author.")
  }
}
