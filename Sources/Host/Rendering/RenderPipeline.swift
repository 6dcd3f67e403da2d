import CompositorPlugins
import BuiltinCompositors
package import CompositorAPI
import CompositorConversion
import Foundation
import CompositorMediaIO

/// The way of one frame, from top to bottom of this file:
/// order → sources → request → effects of layers → compositor → effects → overlay → delivery format → in order.
///
/// Image generator, reader and exporter all go this way. Three kinds of threads work side by side: each decoder on its own,
/// as many composing as ``RenderSettings/threadCount`` says, and the taker of the frames on the caller's.
package final class RenderPipeline: Sendable {
  /// What is rendered.
  package let plan: RenderPlan
  private let delivery: DeliveryFormat
  private let context: RenderContext
  private let readers: SourceReaderPool
  private let tracks: TrackSources
  private let stage: CompositorStage
  private let effects: EffectChain
  private let overlays: OverlayStack
  private let layerCompositor: LayerCompositor
  private let converter: FrameConverter
  private let threads: ComposeThreads
  private let clock = StageTimingRecorder()
  /// Single pictures of an instruction that needs its frames in order come one after another.
  private let stills = AsyncMutex()
  private let framesInFlight: Int
  private let framesAhead: Int

  /// Makes a pipeline; nothing is opened yet.
  ///
  /// - Parameters:
  ///   - delivery: The format of the finished frames; nil for the one they are composed in.
  ///   - cacheByteCount: Decoded pictures that each reader keeps for steps backwards.
  package init(
    _ plan: RenderPlan, settings: RenderSettings, delivery: DeliveryFormat? = nil, cacheByteCount: Int = 0
  ) throws(CompositorError) {
    let threadCount = min(64, max(1, settings.threadCount ?? ProcessInfo.processInfo.activeProcessorCount))
    let framesInFlight = max(1, settings.framesInFlight ?? threadCount + 2)
    let video = plan.composition.edit.videoComposition
    let pool = FramePool(
      maximumOutstanding: 64 + 16 * framesInFlight, allocator: plan.composition.registry.frameAllocator)
    let context = plan.format.context(for: video, pool: pool, quality: settings.quality)
    self.plan = plan
    self.overlays = OverlayStack(plan.composition, settings)
    self.framesInFlight = framesInFlight
    self.framesAhead = max(1, Int(clamping: Int64((1 / max(video.frameDuration.seconds, 0.001)).rounded(.up))))
    self.delivery = delivery ?? DeliveryFormat(plan.format)
    self.context = context
    let threads = ComposeThreads(count: threadCount)
    self.readers = SourceReaderPool(
      plan: plan, settings: settings, framesInFlight: framesInFlight, cacheByteCount: cacheByteCount, threads: threads)
    self.tracks = TrackSources(plan: plan, readers: readers)
    self.converter = FrameConverter(policy: context.colorConversion)
    self.layerCompositor = try LayerCompositor(parameters: [:], context: context)
    self.threads = threads
    self.stage = CompositorStage(
      instances: CompositorInstances(registry: plan.composition.registry), threads: threads,
      deadlines: CallDeadlines(limit: settings.compositorDeadline), clock: clock)
    self.effects = EffectChain(
      stage: stage, output: context, tracks: tracks, recent: RecentPictures(capacity: 2 * framesInFlight + 8))
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
    do {
      try await withThrowingDiscardingTaskGroup { group in
        group.addTask { try await self.take(frames, from: sequencer, deliver: deliver) }
        try await self.feed(frames, to: sequencer, in: &group)
      }
    } catch {
      await readers.closeAll()
      throw CompositorError(stopping: error)
    }
    await readers.closeAll()
  }

  /// Gathers the sources of one frame after another and starts its composition as soon as they are there.
  private func feed(
    _ frames: Range<Int>, to sequencer: FrameSequencer<Frame>, in group: inout ThrowingDiscardingTaskGroup<any Error>
  ) async throws {
    var previous: CompositionRequest?
    var turn: FrameTicket?
    for index in frames {
      try await sequencer.reserve(index)
      let request: CompositionRequest
      do throws(CompositorError) {
        if index == frames.lowerBound { try await preroll(to: plan.order(forFrame: index).time) }
        request = try await gather(plan.order(forFrame: index), lookahead: lookahead(after: index, in: frames))
      } catch {
        // Delivered at its place in the order, after the frames before it.
        sequencer.submit(.failure(error), at: index)
        return
      }
      if let previous, isSame(request, as: previous) {
        clock.countRepeat()
        sequencer.submitRepeat(at: index)
      } else {
        let before = turn
        turn = plan.needsOrder(instruction: request.instructionIndex) ? FrameTicket() : nil
        group.addTask(executorPreference: threads) { [turn] in
          if turn != nil { await before?.wait() }
          sequencer.submit(await self.result(of: request), at: index)
          turn?.end()
        }
      }
      previous = request
    }
    sequencer.finish(at: frames.upperBound)
  }

  private func take(
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

  /// The order a second ahead, whose decoders are opened meanwhile.
  private func lookahead(after index: Int, in frames: Range<Int>) -> FrameRequest? {
    // Not by their sum, which a timeline of the longest duration would overflow.
    guard framesAhead < frames.upperBound - index else { return nil }
    return plan.order(forFrame: index + framesAhead)
  }

  // MARK: One frame

  /// Makes the picture at exactly one time.
  package func frame(at time: MediaTime) async throws(CompositorError) -> RenderedFrame {
    let order = plan.order(at: time)
    let needsOrder = plan.needsOrder(instruction: order.instructionIndex)
    if needsOrder { await stills.enter() }
    defer { if needsOrder { stills.leave() } }
    try await preroll(to: time)
    let request = try await gather(order)
    let frame = try await make(request)
    return RenderedFrame(index: order.index, time: order.time, duration: order.duration, frame: frame)
  }

  /// Makes the picture of an instruction from sources that the caller brings instead of the media's.
  func frame(
    of instruction: Instruction, index: Int, at time: MediaTime, sources: [TrackID: SourceFrame]
  ) async throws(CompositorError) -> Frame {
    try await make(
      CompositionRequest(
        time: time, instruction: instruction, instructionIndex: index, sources: sources, context: context))
  }

  /// Makes the frames that have to be made before, where an instruction needs its frames in order.
  private func preroll(to time: MediaTime) async throws(CompositorError) {
    for index in plan.preroll(before: time) { _ = try await make(try await gather(plan.order(forFrame: index))) }
  }

  /// Order → sources → request.
  private func gather(_ order: FrameRequest, lookahead: FrameRequest? = nil) async throws(CompositorError) -> CompositionRequest
  {
    let start = ContinuousClock.now
    defer { clock.add(ContinuousClock.now - start, to: \.decode) }
    let sources: [TrackID: SourceFrame]
    do throws(CompositorError) {
      sources = try await readers.frames(for: order, lookahead: lookahead)
    } catch {
      throw error.locating(ErrorLocation(instruction: order.instructionIndex, time: order.time))
    }
    return CompositionRequest(
      time: order.time, frameDuration: plan.frameDuration(at: order.time),
      instruction: plan.instructions[order.instructionIndex], instructionIndex: order.instructionIndex, sources: sources,
      context: context)
  }

  /// Request → effects of layers → compositor → effects of the instruction → overlay → delivery format.
  private func make(_ request: CompositionRequest) async throws(CompositorError) -> Frame {
    let place = ErrorLocation(instruction: request.instructionIndex, time: request.time)
    do throws(CompositorError) {
      let titled = try overlay(
        try await picture(of: request, after: request.instruction.effects.count), request)
      return try clock.measure(\.deliver) { () throws(CompositorError) in
        try converter.convert(
          titled, to: delivery.pixelFormat, attributes: delivery.attributes, pool: context.pool)
      }
    } catch {
      throw error.locating(place)
    }
  }

  /// The composed picture after the first `count` effects of the instruction.
  private func picture(of request: CompositionRequest, after count: Int) async throws(CompositorError) -> Frame {
    guard !request.instruction.effects.isEmpty else { return try await composed(request) }
    return try await effects.remembering(request, layer: nil, count) { () throws(CompositorError) in
      guard count > 0 else { return try await composed(request) }
      return try await effects.applyInstructionEffect(
        count - 1, to: try await picture(of: request, after: count - 1), of: request
      ) { time throws(CompositorError) in
        let other = try await self.tracks.request(at: time, seenFrom: request)
        return (try await self.picture(of: other, after: count - 1), other.time)
      }
    }
  }

  /// Effects of layers → compositor.
  private func composed(_ request: CompositionRequest) async throws(CompositorError) -> Frame {
    try await compose(try await effects.applyLayerEffects(to: request), others: effects.others(of: request))
  }

  /// Source frames → the compositor that the instruction names → a frame of the output's format and colour.
  private func compose(
    _ request: CompositionRequest, others: OtherTimes
  ) async throws(CompositorError) -> Frame {
    guard request.instruction.passthroughTrackID == nil else { return try fit(request) }
    let frame: Frame
    switch try await stage.answer(to: request, by: request.instruction.compositorReference, others: others) {
    case .made(let made): frame = made
    case .source(let source) where source.frame.size != context.size: return try fit(source, for: request)
    case .source(let source): frame = source.frame
    }
    return try converter.convert(
      frame, to: context.outputFormat, attributes: context.outputAttributes, pool: context.pool)
  }

  /// A source frame that a compositor handed back, placed on the canvas as a pass-through instruction does.
  private func fit(_ source: SourceFrame, for request: CompositionRequest) throws(CompositorError) -> Frame {
    var fitted = request
    fitted.instruction.passthroughTrackID = source.trackID
    fitted.sources = [source.trackID: source]
    fitted.context = context
    return try layerCompositor.compose(fitted)
  }

  /// The frame of a pass-through instruction: handed on where it fills the canvas, else fitted to it. No compositor is asked.
  private func fit(_ request: CompositionRequest) throws(CompositorError) -> Frame {
    let note = RouteRecorder()
    var request = request
    request.context.observer = note
    let frame = try clock.measure(\.compose) { () throws(CompositorError) in try layerCompositor.compose(request) }
    clock.count(note.route ?? .passthrough)
    return frame
  }

  private func overlay(_ frame: consuming Frame, _ request: CompositionRequest) throws(CompositorError) -> Frame {
    guard request.instruction.enablePostProcessing, !overlays.isEmpty else { return frame }
    // Not in a closure: that would hold the frame a second time, and a copy would be drawn into.
    let start = ContinuousClock.now
    defer { clock.add(ContinuousClock.now - start, to: \.deliver) }
    return try overlays.draw(over: frame, at: request.time, context: context)
  }

  private func result(of request: CompositionRequest) async -> Result<Frame, any Error> {
    do throws(CompositorError) { return .success(try await make(request)) } catch { return .failure(error) }
  }

  // MARK: Frames that need not be made again

  /// Whether a request asks for the very picture that the one before it made.
  private func isSame(_ request: CompositionRequest, as previous: CompositionRequest) -> Bool {
    guard request.instructionIndex == previous.instructionIndex, !plan.composition.registry.tweens(request.instruction),
      request.sources.count == previous.sources.count
    else { return false }
    for (trackID, source) in request.sources {
      guard let other = previous.sources[trackID], other.frame.isSameMemory(as: source.frame) else { return false }
    }
    return !request.instruction.enablePostProcessing || !overlays.changes(between: previous.time, and: request.time)
  }

  // MARK: Afterwards

  /// Closes every decoder. Rendering many frames does that by itself.
  package func close() async { await readers.closeAll() }

  /// Frames by route, repeats, stage timings and the most decoders that were open at a time.
  package func statistics() async -> RenderStatistics {
    RenderStatistics(
      routes: clock.routes, repeatedFrameCount: clock.repeatedFrameCount, stages: clock.timings,
      peakDecoderCount: await readers.peakCount, pixelAllocationCount: context.pool.statistics.allocations,
      damage: await readers.damage, decodedPictureCount: await readers.decodedCount)
  }
}

/// What a pipeline did.
package struct RenderStatistics: Sendable {
  package let routes: [RenderRoute: Int]
  package let repeatedFrameCount: Int
  package let stages: StageTimings
  package let peakDecoderCount: Int
  package let pixelAllocationCount: Int
  /// The damage that was met, as far as decoders are closed.
  package let damage: MediaLosses
  /// Pictures that were decoded, as far as decoders are closed; of readers that count them.
  package let decodedPictureCount: Int
}

extension CompositorError {
  /// Whatever ended a render, as an error of ours.
  init(stopping error: any Error) {
    if let known = error as? CompositorError {
      self = known
    } else if error is CancellationError {
      self.init(.cancelled, "The render was cancelled.")
    } else {
      self.init(.internalFault, "The render stopped for an unknown reason.", cause: String(describing: error))
    }
  }
}
