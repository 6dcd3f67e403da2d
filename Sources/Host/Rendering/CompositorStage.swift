import BuiltinCompositors
import CompositorAPI

/// Asks one compositor for one frame: what goes in is conformed, the call is watched, what comes out is checked.
struct CompositorStage: Sendable {
  let instances: CompositorInstances
  let threads: ComposeThreads
  let deadlines: CallDeadlines
  let clock: StageTimingRecorder

  /// What a compositor gave back.
  enum Answer {
    /// A frame of its own, of the context's size and format.
    case made(Frame)
    /// One of its sources as it is, of whatever size.
    case source(SourceFrame)
  }

  /// The answer to a request whose context is the surface to render to.
  ///
  /// - Parameter others: What the request's tracks show at other times.
  /// - Throws: `.compositorNotFound`, `.compositorTimedOut`, `.invalidCompositorOutput`; what conforming sources and the
  ///   compositor throw; each with instruction, time and compositor.
  func answer(
    to request: CompositionRequest, by use: EffectReference, others: OtherTimes
  ) async throws(CompositorError) -> Answer {
    let instance = try instances.instance(for: use, in: request.context)
    let note = RouteRecorder()
    var conformed = request
    conformed.instruction.compositor = use.compositor
    conformed.instruction.parameters = instance.parameters.setting(
      use.animatedParameters, at: request.time, schema: instance.descriptor.parameters)
    conformed.context = instance.conforming.context
    conformed.context.observer = note
    let needs = try await instance.regionsOfInterest(for: conformed)
    if case .identity(let trackID) = needs, let source = request.sources[trackID] { return .source(source) }
    try await give(needs, to: &conformed, of: instance, others: others)
    let call = CompositorCall(instance: instance, threads: threads, deadlines: deadlines)
    let start = ContinuousClock.now
    let frame: Frame
    do throws(CompositorError) {
      frame = try await call.run(conformed)
    } catch {
      if error.code == .compositorTimedOut { instances.forget(use, in: request.context) }
      throw error
    }
    clock.add(ContinuousClock.now - start, to: \.compose)
    if request.instruction.compositor == use.compositor { clock.count(note.route ?? .custom) }
    return try check(frame, from: instance, for: conformed)
  }

  private func check(
    _ frame: Frame, from instance: CompositorInstance, for request: CompositionRequest
  ) throws(CompositorError) -> Answer {
    let asked = request.context
    if let source = request.allSources.first(where: { $0.frame.isSameMemory(as: frame) }) { return .source(source) }
    guard frame.format == asked.outputFormat, frame.size == asked.size else {
      throw CompositorError(
        .invalidCompositorOutput,
        "The compositor gave a frame of \(frame.size) \(frame.format) where \(asked.size) \(asked.outputFormat) was asked for.",
        recoverySuggestion: "Make frames with the request's context, or return a source frame as it is.",
        at: ErrorLocation(
          instruction: request.instructionIndex, time: request.time, compositor: instance.descriptor.id))
    }
    var frame = frame
    frame.attributes = asked.outputAttributes
    return .made(frame)
  }
}
