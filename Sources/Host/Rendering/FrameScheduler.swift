package import CompositorAPI
package import CompositorMediaIO
import CompositorScheduling

/// Processes many frames at a time (``FramePipeline``), and delivers them in timeline order.
///
/// Three kinds of threads work concurrently: those that decode, those that compose, as many as ``RenderSettings/threadCount``
/// specifies, and the caller's, which takes the frames. Renders with the same budget share the first two.
package final class FrameScheduler: Sendable {
  let pipeline: FramePipeline
  let threads: ComposeThreads
  /// Serializes single frames of an instruction that needs its frames in order.
  private let singles = AsyncMutex()
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
    _ frames: Range<Int>, to views: [(View, FrameSequencer<Frame>)], in group: inout ThrowingDiscardingTaskGroup<any Error>
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
      let frame = plan.order(plan.order(forFrame: index), for: lane.view)
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
      lane.ticket = plan.needsOrder(instruction: planned.request.instructionIndex) ? FrameTicket() : nil
      group.addTask(executorPreference: threads) { [ticket = lane.ticket] in
        if ticket != nil { await before?.wait() }
        sequencer.submit(await self.result(of: planned), at: index)
        ticket?.end()
      }
    }
    lane.previous = planned
    return true
  }

  private func drain(
    _ frames: Range<Int>, from views: [(View, FrameSequencer<Frame>)],
    deliver: @Sendable (RenderedFrame) async throws -> Void
  ) async throws {
    do {
      for index in frames {
        guard let (frame, _) = try await views[0].1.next() else { return }
        var others: [View: Frame] = [:]
        for (view, sequencer) in views.dropFirst() { others[view] = try await sequencer.next()?.output }
        let order = plan.order(forFrame: index)
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
    return distance > 0 ? plan.order(forFrame: index + distance) : nil
  }

  // MARK: One frame

  /// Makes the frame at exactly one time.
  package func frame(at time: MediaTime) async throws(CompositorError) -> RenderedFrame {
    let order = plan.order(at: time)
    let needsOrder = plan.needsOrder(instruction: order.instructionIndex)
    if needsOrder { await singles.enter() }
    defer { if needsOrder { singles.leave() } }
    for view in plan.views { try await preroll(to: time, view) }
    let planned = try await pipeline.gather(plan.order(order, for: plan.views[0]))
    return try await rendered(order, planned, at: order.time)
  }

  /// Makes every view of a frame whose first one is gathered.
  private func rendered(
    _ order: FrameRequest, _ planned: PlannedFrame, at time: MediaTime
  ) async throws(CompositorError) -> RenderedFrame {
    var rendered = RenderedFrame(
      index: order.index, time: time, duration: order.duration, frame: try await pipeline.make(planned),
      view: planned.request.view)
    for view in plan.views.dropFirst() {
      rendered.otherViews[view] = try await pipeline.make(try await pipeline.gather(plan.order(order, for: view)))
    }
    return rendered
  }

  /// Makes the image at exactly one time.
  ///
  /// - Returns: The frame, whose time is that since which it looks like this.
  package func image(at time: MediaTime) async throws(CompositorError) -> RenderedFrame {
    let order = plan.order(at: time)
    let needsOrder = plan.needsOrder(instruction: order.instructionIndex)
    if needsOrder { await singles.enter() }
    defer { if needsOrder { singles.leave() } }
    for view in plan.views { try await preroll(to: time, view) }
    let planned = try await pipeline.gather(plan.order(order, for: plan.views[0]))
    return try await rendered(order, planned, at: pipeline.start(of: planned, order))
  }

  /// The first half of a frame: reads its sources. The next frame's can be read while this one is finished.
  ///
  /// - Parameters:
  ///   - follows: Whether the previous frame was the last one made, so that an instruction that needs its frames in order needs
  ///     no preroll.
  ///   - lookahead: A later frame, whose decoders are opened in the meantime.
  package func gather(
    frame index: Int, follows: Bool, lookahead: Int? = nil
  ) async throws(CompositorError) -> GatheredFrame {
    let request = plan.order(plan.order(forFrame: index), for: plan.views[0])
    if !follows {
      for view in plan.views { try await preroll(to: request.time, view) }
    }
    var gathered = GatheredFrame(
      request: request, needsOrder: plan.needsOrder(instruction: request.instructionIndex),
      planned: try await pipeline.gather(request, lookahead: lookahead.map(plan.order(forFrame:))))
    for view in plan.views.dropFirst() {
      gathered.otherViews.append(try await pipeline.gather(plan.order(plan.order(forFrame: index), for: view)))
    }
    return gathered
  }

  /// The second half of a frame: composes it, draws overlays and converts it for delivery.
  package func finish(_ gathered: GatheredFrame) async throws(CompositorError) -> RenderedFrame {
    let result = await Task(executorPreference: threads) { () async -> Result<RenderedFrame, CompositorError> in
      do throws(CompositorError) { return .success(try await self.made(gathered)) } catch { return .failure(error) }
    }.value
    return try result.get()
  }

  private func made(_ gathered: GatheredFrame) async throws(CompositorError) -> RenderedFrame {
    let request = gathered.request
    var rendered = RenderedFrame(
      index: request.index, time: request.time, duration: request.duration,
      frame: try await pipeline.make(gathered.planned), view: request.view)
    for planned in gathered.otherViews { rendered.otherViews[planned.request.view] = try await pipeline.make(planned) }
    return rendered
  }

  /// Whether two gathered frames are the same image.
  package func isSame(_ gathered: GatheredFrame, as other: GatheredFrame) -> Bool {
    let registry = plan.composition.registry
    return gathered.planned.isSame(as: other.planned, in: registry)
      && zip(gathered.otherViews, other.otherViews).allSatisfy { $0.isSame(as: $1, in: registry) }
  }

  /// A time between `earliest` and `latest` at which a source has a key frame; `time` if none is known.
  package func keyFrameTime(
    near time: MediaTime, from earliest: MediaTime, through latest: MediaTime
  ) async throws(CompositorError) -> MediaTime {
    try await pipeline.keyFrameTime(near: time, from: earliest, through: latest)
  }

  /// Makes the frame of an instruction from sources that the caller provides instead of the media.
  func frame(
    of instruction: Instruction, index: Int, at time: MediaTime, sources: [TrackID: SourceFrame]
  ) async throws(CompositorError) -> Frame {
    try await pipeline.make(
      pipeline.planned(
        CompositionRequest(
          time: time, instruction: instruction, instructionIndex: index, sources: sources, context: pipeline.context)))
  }

  /// Makes the preceding frames of a view if an instruction needs its frames in order.
  private func preroll(to time: MediaTime, _ view: View) async throws(CompositorError) {
    for index in plan.preroll(before: time) {
      _ = try await pipeline.make(try await pipeline.gather(plan.order(plan.order(forFrame: index), for: view)))
    }
  }

  // MARK: Afterwards

  /// Closes every decoder. Rendering many frames does this by itself.
  package func close() async { await pipeline.close() }

  /// Frames by route, repeats, stage timings and the maximum number of decoders open at a time.
  package func statistics() async -> RenderStatistics { await pipeline.statistics() }
}

/// A frame whose sources are read; see ``FrameScheduler/gather(frame:follows:lookahead:)``.
package struct GatheredFrame: Sendable {
  package let request: FrameRequest
  /// Whether it must be finished before the next one is gathered.
  package let needsOrder: Bool
  let planned: PlannedFrame
  /// The other views of the frame; empty in mono.
  var otherViews: [PlannedFrame] = []
}

/// One view of the frames that are fed to a render. It belongs to the task that feeds.
private final class ViewLane {
  let view: View
  let sequencer: FrameSequencer<Frame>
  /// The frame before.
  var previous: PlannedFrame?
  /// The turn of the frame before, if its instruction needs its frames in order.
  var ticket: FrameTicket?

  init(_ view: View, _ sequencer: FrameSequencer<Frame>) { (self.view, self.sequencer) = (view, sequencer) }
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
