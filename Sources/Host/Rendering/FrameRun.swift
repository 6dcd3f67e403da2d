package import CompositorAPI
import CompositorScheduling
package import CompositorValidation
import Synchronization

/// A render in progress whose frames are taken one by one, and made ahead of the consumer. It ends when this object is
/// released.
///
/// Only one task may take frames at a time.
package final class FrameRun: Sendable {
  private let pipeline: FrameScheduler
  private let ready: FrameSequencer<RenderedFrame>
  private let task: Task<Void, Never>

  /// Starts the render.
  package init(
    _ plan: RenderPlan, frames: Range<Int>, settings: RenderSettings, delivery: DeliveryFormat
  ) throws(CompositorError) {
    let pipeline = try FrameScheduler(plan, settings: settings, delivery: delivery)
    let ready = FrameSequencer<RenderedFrame>(first: frames.lowerBound, window: 1)
    self.pipeline = pipeline
    self.ready = ready
    // Use a separate thread, so that a program whose own tasks block every thread of the pool still receives its frames.
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
        // Deliver it after the preceding frames, which may not have been taken yet.
        ready.submit(.failure(error), at: next.withLock { $0 })
      }
    }
  }

  deinit { cancel() }

  /// The next frame; `nil` after the last.
  ///
  /// - Throws: The first error in timeline order; `.cancelled`, also for all later frames, after the task of a consumer was
  ///   canceled.
  package func next() async throws(CompositorError) -> RenderedFrame? {
    do {
      return try await ready.next()?.output
    } catch {
      throw CompositorError(stopping: error)
    }
  }

  /// Ends the render. A waiting consumer receives `.cancelled`, and decoders are closed soon.
  package func cancel() {
    task.cancel()
    ready.abort(CancellationError())
  }

  /// Ends the render if necessary, and returns when all its decoders are closed.
  package func close() async {
    cancel()
    await task.value
  }

  /// The statistics of the render so far.
  package func statistics() async -> RenderStatistics { await pipeline.statistics() }
}
