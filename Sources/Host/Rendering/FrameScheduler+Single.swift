package import CompositorAPI
import CompositorScheduling
package import CompositorValidation

/// Single frames: an image, or a frame in two halves for a player.
extension FrameScheduler {
  /// Makes the frame at exactly one time.
  package func frame(at time: MediaTime) async throws(CompositorError) -> RenderedFrame {
    try await single(at: time, isImage: false)
  }

  /// Makes every view of a frame whose first one is gathered.
  private func rendered(
    _ order: FrameRequest, _ planned: PlannedFrame, at time: MediaTime
  ) async throws(CompositorError) -> RenderedFrame {
    var rendered = RenderedFrame(
      index: order.index, time: time, duration: order.duration, frame: try await pipeline.make(planned),
      view: planned.request.view)
    for view in plan.views.dropFirst() {
      rendered.otherViews[view] = try await pipeline.make(try await pipeline.gather(plan.request(order, for: view)))
    }
    return rendered
  }

  /// Makes the image at exactly one time.
  ///
  /// - Returns: The frame, whose time is that since which it looks like this.
  package func image(at time: MediaTime) async throws(CompositorError) -> RenderedFrame {
    try await single(at: time, isImage: true)
  }

  private func single(at time: MediaTime, isImage: Bool) async throws(CompositorError) -> RenderedFrame {
    let order = plan.request(at: time)
    let needsOrder = plan.needsOrder(instruction: order.instructionIndex)
    if needsOrder { await singles.enter() }
    defer { if needsOrder { singles.leave() } }
    for view in plan.views { try await preroll(to: time, view) }
    let planned = try await pipeline.gather(plan.request(order, for: plan.views[0]))
    return try await rendered(order, planned, at: isImage ? pipeline.start(of: planned, order) : order.time)
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
    let request = plan.request(plan.request(forFrame: index), for: plan.views[0])
    if !follows {
      for view in plan.views { try await preroll(to: request.time, view) }
    }
    var gathered = GatheredFrame(
      request: request, needsOrder: plan.needsOrder(instruction: request.instructionIndex),
      planned: try await pipeline.gather(request, lookahead: lookahead.map(plan.request(forFrame:))))
    for view in plan.views.dropFirst() {
      gathered.otherViews.append(try await pipeline.gather(plan.request(plan.request(forFrame: index), for: view)))
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
