package import CompositorAPI
import CompositorScheduling
import Synchronization

/// A render under way for somebody who takes frames one by one, made ahead of the taker. It ends when nobody holds this any more.
///
/// One taker at a time.
package final class FrameRun: Sendable {
  private let pipeline: FrameScheduler
  private let ready: FrameSequencer<RenderedFrame>
  private let task: Task<Void, Never>

  /// Starts to render.
  package init(
    _ plan: RenderPlan, frames: Range<Int>, settings: RenderSettings, delivery: DeliveryFormat
  ) throws(CompositorError) {
    let pipeline = try FrameScheduler(plan, settings: settings, delivery: delivery)
    let ready = FrameSequencer<RenderedFrame>(first: frames.lowerBound, window: 1)
    self.pipeline = pipeline
    self.ready = ready
    // A thread of its own: a program whose own tasks block every thread of the pool still gets its frames.
    task = Task(executorPreference: ComposeThreads(count: 1)) {
      let next = Mutex(frames.lowerBound)
      do throws(CompositorError) {
        try await pipeline.render(frames) { rendered in
          try await ready.reserve(rendered.index)
          next.withLock { $0 = rendered.index + 1 }
          ready.submit(.success(rendered), at: rendered.index)
        }
        ready.finish(at: frames.upperBound)
      } catch {
        // After the frames before it, which may not have been taken yet.
        ready.submit(.failure(error), at: next.withLock { $0 })
      }
    }
  }

  deinit { cancel() }

  /// The next frame; nil after the last.
  ///
  /// - Throws: The first error in the order of the timeline; `.cancelled`, also for the rest, once the task of a taker was canceled.
  package func next() async throws(CompositorError) -> RenderedFrame? {
    do {
      return try await ready.next()?.output
    } catch {
      throw CompositorError(stopping: error)
    }
  }

  /// Ends the render: who waits for a frame gets `.cancelled`, decoders are closed soon.
  package func cancel() {
    task.cancel()
    ready.abort(CancellationError())
  }

  /// Ends the render if it has not ended, and returns when all its decoders are closed.
  package func close() async {
    cancel()
    await task.value
  }

  /// What the render did so far.
  package func statistics() async -> RenderStatistics { await pipeline.statistics() }
}
