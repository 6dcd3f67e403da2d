package import CompositorAPI
package import CompositorMediaIO
import CompositorScheduling

/// Keeps many frames on their way (``FramePipeline``) at a time, and hands them over in the order of the timeline.
///
/// Three kinds of threads work side by side: those that decode, those that compose, as many as ``RenderSettings/threadCount`` says, and the
/// taker of the frames on the caller's. Renders of one budget share the first two.
package final class FrameScheduler: Sendable {
  let pipeline: FramePipeline
  let threads: ComposeThreads
  /// Single frames of an instruction that needs its frames in order come one after another.
  private let singles = AsyncMutex()
  /// Frames that are composed at a time.
  package let threadCount: Int
  private let framesInFlight: Int
  private let framesAhead: Int
  private let budget: RenderBudget

  /// Makes a scheduler; nothing is opened yet.
  ///
  /// - Parameters:
  ///   - delivery: The format of the finished frames; nil for the one they are composed in.
  ///   - cacheByteCount: Decoded frames that each reader keeps for steps backwards, in bytes.
  ///   - heldFrameCount: Finished frames that the caller keeps, beside the 64 that any caller may hold. Above 0, decoders whose piece is
  ///     over stay open within ``RenderSettings/maximumSpareDecoders``, for steps backwards.
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

  /// What is rendered.
  package var plan: RenderPlan { pipeline.plan }

  /// Where stages of the render are measured; what becomes of the frames can be added.
  package var clock: StageTimingRecorder { pipeline.clock }

  /// How far ahead decoders are opened: as many frames as fill a second, at most 1000.
  private static func framesInASecond(_ duration: MediaTime) -> Int {
    max(1, Int(clamping: Int64((1 / max(duration.seconds, 0.001)).rounded(.up))))
  }

  // MARK: Many frames

  /// Makes frames side by side and hands them over in order. Returns when the last one has been taken.
  ///
  /// - Throws: The error of the first frame that failed, in the order of the timeline; `.cancelled` within two seconds of the
  ///   task's cancellation. All decoders are closed by then.
  package func render(
    _ frames: Range<Int>, deliver: @escaping @Sendable (RenderedFrame) async throws -> Void
  ) async throws(CompositorError) {
    let sequencer = FrameSequencer<Frame>(first: frames.lowerBound, window: framesInFlight)
    let rendering = budget.beginRendering()
    defer { withExtendedLifetime(rendering) {} }
    do {
      try await withThrowingDiscardingTaskGroup { group in
        group.addTask { try await self.drain(frames, from: sequencer, deliver: deliver) }
        try await self.feed(frames, to: sequencer, in: &group)
      }
    } catch {
      await pipeline.close()
      throw CompositorError(stopping: error)
    }
    await pipeline.close()
  }

  /// Gathers the sources of one frame after another and starts its composition as soon as they are there.
  private func feed(
    _ frames: Range<Int>, to sequencer: FrameSequencer<Frame>, in group: inout ThrowingDiscardingTaskGroup<any Error>
  ) async throws {
    var previous: PlannedFrame?
    var ticket: FrameTicket?
    for index in frames {
      try await sequencer.reserve(index)
      let planned: PlannedFrame
      do throws(CompositorError) {
        let frame = plan.order(forFrame: index)
        if index == frames.lowerBound { try await preroll(to: frame.time) }
        planned = try await pipeline.gather(frame, lookahead: lookahead(after: index, in: frames))
      } catch {
        // Delivered at its place in the order, after the frames before it.
        sequencer.submit(.failure(error), at: index)
        return
      }
      if let previous, planned.isSame(as: previous, in: plan.composition.registry) {
        clock.countRepeat()
        sequencer.submitRepeat(at: index)
      } else {
        let before = ticket
        ticket = plan.needsOrder(instruction: planned.request.instructionIndex) ? FrameTicket() : nil
        group.addTask(executorPreference: threads) { [ticket] in
          if ticket != nil { await before?.wait() }
          sequencer.submit(await self.result(of: planned), at: index)
          ticket?.end()
        }
      }
      previous = planned
    }
    sequencer.finish(at: frames.upperBound)
  }

  private func drain(
    _ frames: Range<Int>, from sequencer: FrameSequencer<Frame>,
    deliver: @Sendable (RenderedFrame) async throws -> Void
  ) async throws {
    do {
      for index in frames {
        guard let (frame, _) = try await sequencer.next() else { return }
        let order = plan.order(forFrame: index)
        try await deliver(RenderedFrame(index: index, time: order.time, duration: order.duration, frame: frame))
      }
    } catch {
      sequencer.abort(error)
      throw error
    }
  }

  private func result(of planned: PlannedFrame) async -> Result<Frame, any Error> {
    do throws(CompositorError) { return .success(try await pipeline.make(planned)) } catch { return .failure(error) }
  }

  /// The frame a second ahead, or the last one: the decoders of what begins until then are opened meanwhile.
  private func lookahead(after index: Int, in frames: Range<Int>) -> FrameRequest? {
    // Not by their sum, which a timeline of the longest duration would overflow.
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
    try await preroll(to: time)
    let frame = try await pipeline.make(try await pipeline.gather(order))
    return RenderedFrame(index: order.index, time: order.time, duration: order.duration, frame: frame)
  }

  /// Makes the image at exactly one time.
  ///
  /// - Returns: The frame, whose time is the one from which on it looks like this.
  package func image(at time: MediaTime) async throws(CompositorError) -> RenderedFrame {
    let order = plan.order(at: time)
    let needsOrder = plan.needsOrder(instruction: order.instructionIndex)
    if needsOrder { await singles.enter() }
    defer { if needsOrder { singles.leave() } }
    try await preroll(to: time)
    let planned = try await pipeline.gather(order)
    let start = pipeline.start(of: planned, order)
    return RenderedFrame(index: order.index, time: start, duration: order.duration, frame: try await pipeline.make(planned))
  }

  /// The first half of a frame: reads its sources. The next frame's can be read while this one is finished.
  ///
  /// - Parameters:
  ///   - follows: Whether the frame before was the last one made, so that an instruction that needs its frames in order needs no preroll.
  ///   - lookahead: A later frame, whose decoders are opened meanwhile.
  package func gather(
    frame index: Int, follows: Bool, lookahead: Int? = nil
  ) async throws(CompositorError) -> GatheredFrame {
    let request = plan.order(forFrame: index)
    if !follows { try await preroll(to: request.time) }
    return GatheredFrame(
      request: request, needsOrder: plan.needsOrder(instruction: request.instructionIndex),
      planned: try await pipeline.gather(request, lookahead: lookahead.map(plan.order(forFrame:))))
  }

  /// The second half of a frame: composes, draws titles and delivers.
  package func finish(_ gathered: GatheredFrame) async throws(CompositorError) -> RenderedFrame {
    let result = await Task(executorPreference: threads) { () async -> Result<Frame, CompositorError> in
      do throws(CompositorError) { return .success(try await self.pipeline.make(gathered.planned)) } catch {
        return .failure(error)
      }
    }.value
    let request = gathered.request
    return RenderedFrame(index: request.index, time: request.time, duration: request.duration, frame: try result.get())
  }

  /// Whether two gathered frames are the same picture.
  package func isSame(_ gathered: GatheredFrame, as other: GatheredFrame) -> Bool {
    gathered.planned.isSame(as: other.planned, in: plan.composition.registry)
  }

  /// A time between `earliest` and `latest` at which a source's frame is decoded without any other; `time` if none is known.
  package func keyFrameTime(
    near time: MediaTime, from earliest: MediaTime, through latest: MediaTime
  ) async throws(CompositorError) -> MediaTime {
    try await pipeline.keyFrameTime(near: time, from: earliest, through: latest)
  }

  /// Makes the frame of an instruction from sources that the caller brings instead of the media's.
  func frame(
    of instruction: Instruction, index: Int, at time: MediaTime, sources: [TrackID: SourceFrame]
  ) async throws(CompositorError) -> Frame {
    try await pipeline.make(
      pipeline.planned(
        CompositionRequest(
          time: time, instruction: instruction, instructionIndex: index, sources: sources, context: pipeline.context)))
  }

  /// Makes the frames that have to be made before, if an instruction needs its frames in order.
  private func preroll(to time: MediaTime) async throws(CompositorError) {
    for index in plan.preroll(before: time) {
      _ = try await pipeline.make(try await pipeline.gather(plan.order(forFrame: index)))
    }
  }

  // MARK: Afterwards

  /// Closes every decoder. Rendering many frames does that by itself.
  package func close() async { await pipeline.close() }

  /// Frames by route, repeats, stage timings and the most decoders that were open at a time.
  package func statistics() async -> RenderStatistics { await pipeline.statistics() }
}

/// A frame whose sources are there; see ``FrameScheduler/gather(frame:follows:lookahead:)``.
package struct GatheredFrame: Sendable {
  package let request: FrameRequest
  /// Whether it has to be finished before the next one is gathered.
  package let needsOrder: Bool
  let planned: PlannedFrame
}

/// What a render did.
package struct RenderStatistics: Sendable {
  package let routes: [RenderRoute: Int]
  package let repeatedFrameCount: Int
  package let stages: StageTimings
  package let peakDecoderCount: Int
  package let pixelAllocationCount: Int
  /// Whole frames that were copied on their way from the decoder to the taker.
  package let frameCopyCount: Int
  /// The damage that was met, as far as decoders are closed.
  package let damage: MediaLosses
  /// Frames that were decoded, as far as decoders are closed; of readers that count them.
  package let decodedPictureCount: Int
}

extension CompositorError {
  /// Whatever ended a render, as an error of ours.
  package init(stopping error: any Error) {
    if let known = error as? CompositorError {
      self = known
    } else if error is CancellationError {
      self.init(.cancelled, "The render was cancelled.")
    } else {
      self.init(.internalFault, "The render stopped for an unknown reason.", cause: String(describing: error))
    }
  }
}
