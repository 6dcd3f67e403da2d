import BuiltinCompositors
import CompositorAPI
import CompositorScheduling

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
    let call = CompositorCall(instance: instance, threads: threads, deadlines: deadlines, trace: clock.trace)
    let start = ContinuousClock.now
    let frame: Frame
    do throws(CompositorError) {
      frame = try await call.run(conformed)
    } catch {
      if error.code == .compositorTimedOut { instances.forget(use, in: request.context) }
      throw error
    }
    // The call itself is traced where it runs.
    clock.add(since: start, to: \.compose, isTraced: false)
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

/// What a compositor says it needs, and what it is given.
extension CompositorStage {
  /// Gives a request the sources that a compositor needs, placed and conformed as its descriptor says.
  func give(
    _ needs: RegionsOfInterest, to request: inout CompositionRequest, of instance: CompositorInstance, others: OtherTimes
  ) async throws(CompositorError) {
    var own = request.sources
    var asked: [RegionOfInterest] = []
    switch needs {
    case .everything, .identity: break
    case .regions(let parts): own = own.filter { parts[$0.key] != nil }
    case .sources(let needs):
      own = own.filter { source in needs.contains { $0.trackID == source.key && $0.time == request.time } }
      asked = needs
    }
    let bare = request
    request.sources = [:]
    for (trackID, source) in own { request.sources[trackID] = try ready(source, at: bare.time, for: instance, bare) }
    var ready = ReadySources(request)
    for need in asked {
      let source = try await self.source(need, of: bare, for: instance, others: others, &ready)
      request.askedSources.append(AskedSource(trackID: need.trackID, time: need.time, source: source))
    }
    if let placing = instance.placing { request.instruction = placing.plain(request.instruction) }
  }

  /// What a need asks for; made ready once for all needs that come to the same picture.
  private func source(
    _ need: RegionOfInterest, of request: CompositionRequest, for instance: CompositorInstance, others: OtherTimes,
    _ ready: inout ReadySources
  ) async throws(CompositorError) -> SourceFrame? {
    if let known = ready[need.trackID, need.time] { return known }
    guard let found = try await others(need.trackID, need.time) else { return nil }
    if let known = ready[need.trackID, found.time] { return known }
    let source = try self.ready(found.source, at: found.time, for: instance, request)
    ready[need.trackID, found.time] = source
    return source
  }

  /// A source as the compositor takes it.
  private func ready(
    _ source: SourceFrame, at time: MediaTime, for instance: CompositorInstance, _ request: CompositionRequest
  ) throws(CompositorError) -> SourceFrame {
    try clock.measure(\.conform) { () throws(CompositorError) in
      try instance.conforming.conform(try instance.placing?.placed(source, at: time, of: request) ?? source)
    }
  }
}

/// Sources of a request that are placed and conformed, by track and composition time.
private struct ReadySources {
  private struct Key: Hashable {
    let trackID: TrackID
    let time: MediaTime
  }
  private var sources: [Key: SourceFrame] = [:]

  init(_ request: CompositionRequest) {
    for (trackID, source) in request.sources { self[trackID, request.time] = source }
  }

  subscript(trackID: TrackID, time: MediaTime) -> SourceFrame? {
    get { sources[Key(trackID: trackID, time: time)] }
    set { sources[Key(trackID: trackID, time: time)] = newValue }
  }
}

extension CompositorInstance {
  /// What the frame for a request needs; everything where the compositor does not say.
  ///
  /// - Throws: What the compositor throws; `.compositorFailed`, of plugins `.pluginFailed`, for needs that cannot be served.
  func regionsOfInterest(for request: CompositionRequest) async throws(CompositorError) -> RegionsOfInterest {
    guard let selective else { return .everything }
    if let gate { await gate.enter() }
    defer { gate?.leave() }
    let plugin: String? = if case .plugin(let name) = origin { name } else { nil }
    let place = ErrorLocation(
      file: plugin, instruction: request.instructionIndex, time: request.time, compositor: descriptor.id)
    do {
      let needs = try await selective.regionsOfInterest(for: request)
      guard let fault = needs.fault(for: request, by: descriptor) else { return needs }
      throw CompositorError(.compositorFailed, fault, recoverySuggestion: "Its author must mend what it says it needs.")
    } catch {
      throw CompositorError(compositorFailure: error, id: descriptor.id, doing: "could not say what it needs")
        .blaming(origin, isCancelled: Task.isCancelled).locating(place)
    }
  }
}
