package import CompositorAPI
package import CompositorMediaIO
import CompositorScheduling
package import CompositorValidation

/// Processes many frames at a time (``FramePipeline``), and delivers them in timeline order.
///
/// Three kinds of threads work concurrently: those that decode, those that compose, as many as ``RenderSettings/threadCount``
/// specifies, and the caller's, which takes the frames. Renders with the same budget share the first two.
package final class FrameScheduler: Sendable {
  let pipeline: FramePipeline
  let threads: ComposeThreads
  /// Serializes single frames of an instruction that needs its frames in order.
  let singles = AsyncMutex()
  /// The number of frames composed at a time.
  package let threadCount: Int
  private let framesInFlight: Int
  private let framesAhead: Int
  private let budget: RenderBudget

  /// Creates a scheduler. Nothing is opened yet.
  ///
  /// - Parameters:
  ///   - delivery: The format of finished frames; `nil` for the format in which they are composed.
  ///   - cacheByteCount: The size of each reader's cache of decoded frames for steps backward, in bytes.
  ///   - heldFrameCount: The number of finished frames that the caller keeps, in addition to the 64 that any caller may keep.
  ///     If above 0, decoders of finished segments stay open within ``RenderSettings/maximumSpareDecoders``, for steps
  ///     backward.
  package init(
    _ plan: RenderPlan, settings: RenderSettings, delivery: DeliveryFormat? = nil, cacheByteCount: Int = 0,
    heldFrameCount: Int = 0
  ) throws(CompositorError) {
    let delivery = delivery ?? DeliveryFormat(plan.format)
    let settings = try RenderFootprint(plan.composition, format: plan.format, delivery: delivery.pixelFormat).fitting(settings)
    budget = settings.budget
    threadCount = min(64, max(1, settings.threadCount ?? budget.limits.processorCount))
    // Two more than compose: one is being read, one waits to be taken.
    framesInFlight = max(1, settings.framesInFlight ?? (settings.threadCount ?? min(64, budget.processorsForEach)) + 2)
    framesAhead = FrameScheduler.framesInASecond(plan.composition.edit.videoComposition.frameDuration)
    threads =
      settings.threadCount == nil
      ? ComposeThreads(sharing: budget.composing, width: threadCount) : ComposeThreads(count: threadCount)
    pipeline = try FramePipeline(
      plan, settings: settings, delivery: delivery, cacheByteCount: cacheByteCount,
      framesInFlight: framesInFlight, threads: threads, heldFrameCount: heldFrameCount)
  }

  /// The plan of the render.
  package var plan: RenderPlan { pipeline.plan }

  /// Records timings of the render's stages. Callers may add stages that process the frames further.
  package var clock: StageTimingRecorder { pipeline.clock }

  /// How far ahead decoders are opened: the number of frames in a second, at most 1000.
  private static func framesInASecond(_ duration: MediaTime) -> Int {
    max(1, Int(clamping: Int64((1 / max(duration.seconds, 0.001)).rounded(.up))))
  }

  // MARK: Many frames

  /// Makes frames concurrently and delivers them in order. Returns when the last one has been taken.
  ///
  /// - Throws: The error of the first frame that failed, in timeline order; `.cancelled` within two seconds of the task's
  ///   cancellation. All decoders are closed by then.
  package func render(
    _ frames: Range<Int>, deliver: @escaping @Sendable (RenderedFrame) async throws -> Void
  ) async throws(CompositorError) {
    let views = plan.views.map { view in
      (view, FrameSequencer<Frame>(first: frames.lowerBound, window: framesInFlight))
    }
    let rendering = budget.beginRendering()
    defer { withExtendedLifetime(rendering) {} }
    do {
      try await withThrowingDiscardingTaskGroup { group in
        group.addTask { try await self.drain(frames, from: views, deliver: deliver) }
        try await self.feed(frames, to: views, in: &group)
      }
    } catch {
      await pipeline.close()
      throw CompositorError(stopping: error)
    }
    await pipeline.close()
  }

  /// Reads the sources of the frames in order, and starts composing each view of a frame as soon as its sources are available.
  private func feed(
    _ frames: Range<Int>, to views: [(StereoView, FrameSequencer<Frame>)],
    in group: inout ThrowingDiscardingTaskGroup<any Error>
  ) async throws {
    let lanes = views.map(ViewLane.init)
    for index in frames {
      for lane in lanes {
        guard try await feed(index, of: frames, to: lane, in: &group) else { return }
      }
    }
    for lane in lanes { lane.sequencer.finish(at: frames.upperBound) }
  }

  /// Starts one view of a frame. Returns whether its sources could be read.
  private func feed(
    _ index: Int, of frames: Range<Int>, to lane: ViewLane, in group: inout ThrowingDiscardingTaskGroup<any Error>
  ) async throws -> Bool {
    let sequencer = lane.sequencer
    try await sequencer.reserve(index)
    let planned: PlannedFrame
    do throws(CompositorError) {
      let frame = plan.request(plan.request(forFrame: index), for: lane.view)
      if index == frames.lowerBound { try await preroll(to: frame.time, lane.view) }
      planned = try await pipeline.gather(frame, lookahead: lookahead(after: index, in: frames))
    } catch {
      // Deliver it in order, after the preceding frames.
      sequencer.submit(.failure(error), at: index)
      return false
    }
    if let previous = lane.previous, planned.isSame(as: previous, in: plan.composition.registry) {
      clock.countRepeat()
      sequencer.submitRepeat(at: index)
    } else {
      let before = lane.ticket
      lane.ticket = plan.needsOrder(instruction: planned.request.instructionIndex) ? SingleResumption() : nil
      group.addTask(executorPreference: threads) { [ticket = lane.ticket] in
        if ticket != nil { await before?.wait() }
        sequencer.submit(await self.result(of: planned), at: index)
        ticket?.give(())
      }
    }
    lane.previous = planned
    return true
  }

  private func drain(
    _ frames: Range<Int>, from views: [(StereoView, FrameSequencer<Frame>)],
    deliver: @Sendable (RenderedFrame) async throws -> Void
  ) async throws {
    do {
      for index in frames {
        guard let (frame, _) = try await views[0].1.next() else { return }
        var others: [StereoView: Frame] = [:]
        for (view, sequencer) in views.dropFirst() { others[view] = try await sequencer.next()?.output }
        let order = plan.request(forFrame: index)
        try await deliver(
          RenderedFrame(
            index: index, time: order.time, duration: order.duration, frame: frame, view: views[0].0, otherViews: others))
      }
    } catch {
      for (_, sequencer) in views { sequencer.abort(error) }
      throw error
    }
  }

  private func result(of planned: PlannedFrame) async -> Result<Frame, any Error> {
    do throws(CompositorError) { return .success(try await pipeline.make(planned)) } catch { return .failure(error) }
  }

  /// The frame a second ahead, or the last one. Decoders that are needed until then are opened in the meantime.
  private func lookahead(after index: Int, in frames: Range<Int>) -> FrameRequest? {
    // Don't add them: the sum would overflow for a timeline of the maximum duration.
    let distance = min(framesAhead, frames.upperBound - 1 - index)
    return distance > 0 ? plan.request(forFrame: index + distance) : nil
  }

  /// Makes the preceding frames of a view if an instruction needs its frames in order.
  func preroll(to time: MediaTime, _ view: StereoView) async throws(CompositorError) {
    for index in plan.preroll(before: time) {
      _ = try await pipeline.make(try await pipeline.gather(plan.request(plan.request(forFrame: index), for: view)))
    }
  }

  // MARK: Afterwards

  /// Closes every decoder. Rendering many frames does this by itself.
  package func close() async { await pipeline.close() }

  /// Frames by route, repeats, stage timings and the maximum number of decoders open at a time.
  package func statistics() async -> RenderStatistics { await pipeline.statistics() }
}

/// One view of the frames that are fed to a render. It belongs to the task that feeds.
private final class ViewLane {
  let view: StereoView
  let sequencer: FrameSequencer<Frame>
  /// The frame before.
  var previous: PlannedFrame?
  /// The turn of the frame before, if its instruction needs its frames in order.
  var ticket: SingleResumption<Void, Never>?

  init(_ view: StereoView, _ sequencer: FrameSequencer<Frame>) { (self.view, self.sequencer) = (view, sequencer) }
}

/// The statistics of a render.
package struct RenderStatistics: Sendable {
  package let routes: [RenderRoute: Int]
  package let repeatedFrameCount: Int
  package let stages: StageTimings
  package let peakDecoderCount: Int
  package let pixelAllocationCount: Int
  /// The number of frames that were copied between decoder and consumer.
  package let frameCopyCount: Int
  /// The damage found by decoders that are closed.
  package let damage: MediaLosses
  /// The number of frames decoded by decoders that are closed and count frames.
  package let decodedPictureCount: Int
}

extension CompositorError {
  /// Wraps any error that ended a render in a `CompositorError`.
  package init(stopping error: any Error) {
    if let known = error as? CompositorError {
      self = known
    } else if error is CancellationError {
      self.init(.cancelled, "The render was canceled.")
    } else {
      self.init(.internalFault, "The render stopped for an unknown reason.", cause: String(describing: error))
    }
  }
}
