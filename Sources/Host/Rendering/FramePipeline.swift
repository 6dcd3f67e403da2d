import BuiltinCompositors
import CompositorAPI
import CompositorConversion
import CompositorMediaIO
import CompositorPlugins
import CompositorScheduling
import CompositorValidation

/// The path of one frame, from top to bottom of this file:
/// sources → request → effects of layers → compositor → effects of the instruction → overlays → delivery format.
///
/// Image generator, frame sequences and exporter all use it; `FrameScheduler` processes many frames at a time.
final class FramePipeline: Sendable {
  /// The plan of the render.
  let plan: RenderPlan
  /// Records timings of all stages.
  let clock: StageTimingRecorder
  /// The context that frames are composed in.
  let context: RenderContext
  private let delivery: DeliveryFormat
  /// Whether frames are delivered in the format in which they are composed.
  private let deliversAsComposed: Bool
  let readers: SourceReaderPool
  private let tracks: TrackSources
  private let stage: CompositorStage
  private let effects: EffectChain
  let overlays: OverlayStack
  private let layerCompositor: LayerCompositor
  private let converter: FrameConverter

  /// Creates a pipeline. Nothing is opened yet.
  init(
    _ plan: RenderPlan, settings: RenderSettings, delivery: DeliveryFormat, cacheByteCount: Int, framesInFlight: Int,
    threads: ComposeThreads, heldFrameCount: Int = 0
  ) throws(CompositorError) {
    let registry = plan.composition.registry
    let pool = FramePool(
      maximumOutstanding: FramePipeline.poolCapacity(of: plan, framesInFlight: framesInFlight) + heldFrameCount,
      allocator: registry.frameAllocator(for: plan.instructions))
    let context = plan.format.context(
      for: plan.composition.edit.videoComposition, pool: pool, quality: settings.quality, sampling: settings.sampling)
    self.plan = plan
    self.context = context
    clock = StageTimingRecorder(trace: settings.trace)
    self.delivery = delivery
    deliversAsComposed = delivery == DeliveryFormat(plan.format)
    overlays = try OverlayStack(plan.composition, settings)
    readers = SourceReaderPool(
      plan: plan, settings: settings, framesInFlight: framesInFlight, cacheByteCount: cacheByteCount, threads: threads,
      keepsPassed: heldFrameCount > 0)
    tracks = TrackSources(plan: plan, readers: readers)
    converter = FrameConverter(policy: context.colorConversion)
    layerCompositor = try LayerCompositor(parameters: [:], context: context)
    stage = CompositorStage(
      instances: CompositorInstances(registry: registry), threads: threads,
      deadlines: CallDeadlines(limit: settings.compositorDeadline), clock: clock)
    effects = try EffectChain(
      stage: stage, output: context, tracks: tracks,
      recent: RecentFrames(capacity: FramePipeline.recentCapacity(of: plan, framesInFlight: framesInFlight)))
  }

  /// The number of frames that may be in use: each view of those in flight with its intermediate frames (scratch frames, frames
  /// of effects, sources at other times), and those that the reader of a ``FrameSequence`` may keep.
  static func poolCapacity(of plan: RenderPlan, framesInFlight: Int) -> Int { 64 + 16 * framesInFlight * plan.views.count }

  /// The number of frames between effects that are cached for other frames in flight.
  private static func recentCapacity(of plan: RenderPlan, framesInFlight: Int) -> Int {
    2 * framesInFlight * plan.views.count + 8
  }

  // MARK: Sources → request

  /// Reads the sources of a frame.
  ///
  /// - Parameter lookahead: A later frame, whose decoders are opened in the meantime.
  func gather(_ frame: FrameRequest, lookahead: FrameRequest? = nil) async throws(CompositorError) -> PlannedFrame {
    let start = ContinuousClock.now
    defer { clock.add(since: start, to: \.decode) }
    do throws(CompositorError) {
      let scene = try movieScene(of: frame)
      await prefetchMovies(lookahead)
      // Movies in titles are read concurrently with the tracks.
      async let movies = readers.movieFrames(for: scene?.requests ?? [], at: frame.time)
      let sources = try await readers.frames(for: frame, lookahead: lookahead)
      let found = try await movies.get()
      return planned(
        CompositionRequest(
          time: frame.time, frameDuration: plan.frameDuration(at: frame.time),
          instruction: plan.instructions[frame.instructionIndex], instructionIndex: frame.instructionIndex,
          sources: sources, context: context(for: frame.view)), scene?.showing(found))
    } catch {
      throw error.locating(ErrorLocation(instruction: frame.instructionIndex, time: frame.time))
    }
  }

  /// The context that one view of a frame is composed in.
  private func context(for view: StereoView) -> RenderContext {
    var viewed = context
    viewed.view = view
    return viewed
  }

  /// The scene of titles with movies at the time of a frame; `nil` if there are none.
  private func movieScene(of frame: FrameRequest) throws(CompositorError) -> MovieScene? {
    guard plan.instructions[frame.instructionIndex].enablePostProcessing else { return nil }
    return try overlays.movieScene(at: frame.time)
  }

  /// Opens the decoders of movies that are shown soon. A delay of a few frames does no harm, so titles aren't evaluated twice
  /// for each frame.
  private func prefetchMovies(_ lookahead: FrameRequest?) async {
    guard overlays.hasMovies, let lookahead, lookahead.index % 8 == 0,
      // Evaluation errors are reported when the frame itself is made.
      let scene = try? movieScene(of: lookahead), !scene.requests.isEmpty
    else { return }
    await readers.prefetchMovies(scene.requests)
  }

  /// Combines a request with the overlays of its frame.
  ///
  /// - Parameter scene: The scene of the edit's titles, if they show movies.
  func planned(_ request: CompositionRequest, _ scene: MovieScene? = nil) -> PlannedFrame {
    let shows = request.instruction.enablePostProcessing && !overlays.isEmpty
    return PlannedFrame(request: request, overlays: shows ? overlays.appearances(at: request.time, scene: scene) : nil)
  }

  // MARK: Request → frame

  /// Makes a frame from its request.
  func make(_ planned: PlannedFrame) async throws(CompositorError) -> Frame {
    let request = planned.request
    do throws(CompositorError) {
      let drawn = try draw(planned.overlays, over: try await frame(of: request, after: request.instruction.effects.count))
      // A frame is read in the host's memory, by a program or an encoder.
      return try place(try deliver(drawn), on: request.instruction.backgroundColor).downloaded(
        for: "delivery", pool: context.pool)
    } catch {
      throw error.locating(ErrorLocation(instruction: request.instructionIndex, time: request.time))
    }
  }

  /// The composed frame after the first `count` effects of the instruction.
  private func frame(of request: CompositionRequest, after count: Int) async throws(CompositorError) -> Frame {
    guard !request.instruction.effects.isEmpty else { return try await compose(request) }
    return try await effects.remembering(request, layer: nil, count) { () throws(CompositorError) in
      guard count > 0 else { return try await compose(request) }
      return try await effects.applyInstructionEffect(
        count - 1, to: try await frame(of: request, after: count - 1), of: request
      ) { time throws(CompositorError) in
        let other = try await self.tracks.request(at: time, seenFrom: request)
        return (try await self.frame(of: other, after: count - 1), other.time)
      }
    }
  }

  /// Effects of layers → the compositor that the instruction names → a frame of the output's format and color.
  ///
  /// A source passes through if the instruction specifies it, in which case no layer effects and no compositor are called; if
  /// the compositor names one of its sources as the result, or returns one; and if the layer compositor's route is that.
  private func compose(_ request: CompositionRequest) async throws(CompositorError) -> Frame {
    if request.instruction.passthroughTrackID != nil { return try passThrough(request) }
    let layered = try await effects.applyLayerEffects(to: request)
    let answer = try await stage.answer(
      to: layered, by: layered.instruction.compositorReference, others: effects.others(of: request))
    switch answer {
    case .source(let source) where source.frame.size != context.size: return try place(source, for: layered)
    case .source(let source): return try asComposed(source.frame)
    case .made(let frame): return try asComposed(frame)
    }
  }

  /// The frame of a pass-through instruction: the source's own if it already fills the canvas, otherwise placed on it.
  ///
  /// Not inlined, like the two functions below: their copies would take room in the task of every frame, beyond its first memory.
  @inline(never)
  private func passThrough(_ request: CompositionRequest) throws(CompositorError) -> Frame {
    let note = RouteRecorder()
    var request = request
    request.context.observer = note
    let frame = try clock.measure(\.compose) { () throws(CompositorError) in try layerCompositor.compose(request) }
    clock.count(note.route ?? .passthrough)
    return frame
  }

  /// Places a source of another size that a compositor returned on the canvas, as a pass-through instruction does.
  @inline(never)
  private func place(_ source: SourceFrame, for request: CompositionRequest) throws(CompositorError) -> Frame {
    try layerCompositor.fit(
      source.frame, SourceDescription(source), of: source.trackID, over: request.instruction.backgroundColor, into: context)
  }

  @inline(never)
  private func asComposed(_ frame: Frame) throws(CompositorError) -> Frame {
    try converter.convert(frame, to: context.outputFormat, attributes: context.outputAttributes, pool: context.pool)
  }

  // MARK: Frame → delivery

  private func draw(_ appearances: OverlayAppearances?, over frame: consuming Frame) throws(CompositorError) -> Frame {
    guard let appearances else { return frame }
    // Not in a closure, because that would add a reference to the frame and force a copy.
    let start = ContinuousClock.now
    defer {
      clock.add(since: start, to: \.titles)
      clock.add(since: start, to: \.deliver)
    }
    let (format, size, attributes) = (frame.format, frame.size, frame.attributes)
    let drawn = try appearances.draw(over: consume frame, context: context)
    guard drawn.format == format, drawn.size == size, drawn.attributes == attributes else {
      throw CompositorError(
        .invalidCompositorOutput,
        drawn.format == format && drawn.size == size
          ? "An overlay changed the attributes of a frame (color, alpha, pixel aspect ratio or HDR metadata)."
          : "An overlay gave a frame of \(drawn.size) \(drawn.format) over one of \(size) \(format).",
        recoverySuggestion: "Draw over the frame that is passed in, in its own size, format and attributes.")
    }
    return drawn
  }

  private func deliver(_ frame: Frame) throws(CompositorError) -> Frame {
    guard !deliversAsComposed else {
      // A source that passed through may have light levels of its own.
      var delivered = frame
      delivered.attributes = delivery.attributes
      return delivered
    }
    return try clock.measure(\.deliver) { () throws(CompositorError) in
      try converter.convert(frame, to: delivery.pixelFormat, attributes: delivery.attributes, pool: context.pool)
    }
  }

  /// Adds bars to the frame if the output has another aspect ratio than the canvas.
  private func place(_ frame: Frame, on background: Color?) throws(CompositorError) -> Frame {
    let placement = plan.format.placement
    guard placement.hasBars else { return frame }
    return try clock.measure(\.deliver) { () throws(CompositorError) in
      try frame.placed(
        in: placement.frame, left: placement.left, top: placement.top,
        on: background ?? .black, policy: context.colorConversion,
        pool: context.pool)
    }
  }

  // MARK: Afterwards

  /// Closes every decoder.
  func close() async { await readers.closeAll() }

  /// Frames by route, repeats, stage timings and the maximum number of decoders open at a time.
  func statistics() async -> RenderStatistics {
    let record = await readers.record
    return RenderStatistics(
      routes: clock.routes, repeatedFrameCount: clock.repeatedFrameCount, stages: clock.timings,
      peakDecoderCount: record.peakCount, pixelAllocationCount: context.pool.statistics.allocations,
      frameCopyCount: context.pool.copyCount, damage: record.damage, decodedPictureCount: record.decodedCount)
  }
}

/// A frame that is ready to be made: its sources are read, and its overlays are known or can be evaluated.
struct PlannedFrame: Sendable {
  let request: CompositionRequest
  /// `nil` if nothing is ever drawn over the instruction's frames.
  let overlays: OverlayAppearances?

  /// Whether this is the same image as another frame.
  func isSame(as other: PlannedFrame, in registry: CompositorRegistry) -> Bool {
    guard request.instructionIndex == other.request.instructionIndex, request.view == other.request.view,
      !registry.tweens(request.instruction),
      request.sources.count == other.request.sources.count
    else { return false }
    for (trackID, source) in request.sources {
      guard let known = other.request.sources[trackID], known.frame.isSameMemory(as: source.frame) else { return false }
    }
    guard let overlays, let others = other.overlays else { return true }
    return overlays.isSame(as: others)
  }
}
