import BuiltinCompositors
import CompositorAPI
import CompositorConversion
import CompositorPlugins
import CompositorScheduling

/// Requests one frame from one compositor: converts its input, supervises the call, and checks its output.
struct CompositorStage: Sendable {
  let instances: CompositorInstances
  let threads: ComposeThreads
  let deadlines: CallDeadlines
  let clock: StageTimingRecorder

  /// The result of a compositor.
  enum Answer {
    /// A frame of the context's size, format and color: a new one, or a source that the layer compositor passed through.
    case made(Frame)
    /// One of its sources, unchanged and of any size.
    case source(SourceFrame)

    /// The frame, of whatever size and format.
    var frame: Frame {
      switch self {
      case .made(let frame): frame
      case .source(let source): source.frame
      }
    }
  }

  /// Returns the compositor's result for a request whose context is the render target.
  ///
  /// - Parameter others: The sources of the request's tracks at other times.
  /// - Throws: `.compositorNotFound`, `.compositorTimedOut`, `.invalidCompositorOutput`; any error of converting sources and of
  ///   the compositor; each with instruction, time and compositor.
  func answer(
    to request: CompositionRequest, by use: EffectReference, others: OtherTimes
  ) async throws(CompositorError) -> Answer {
    let instance = try instances.instance(for: use, in: request.context)
    let note = RouteRecorder()
    let conformed = ConformedRequest(request)
    conformed.conform(to: use, of: instance, noting: note)
    let needs = try await instance.regionsOfInterest(for: conformed)
    if case .identity(let trackID) = needs, let source = request.sources[trackID] { return .source(source) }
    try await give(needs, to: conformed, of: instance, others: others)
    let call = CompositorCall(instance: instance, threads: threads, deadlines: deadlines, trace: clock.trace)
    let start = ContinuousClock.now
    let frame: Frame
    do throws(CompositorError) {
      frame = try await call.run(conformed.request)
    } catch {
      if error.code == .compositorTimedOut { instances.forget(use, in: request.context) }
      throw error
    }
    // The call itself is traced where it runs.
    clock.add(since: start, to: \.compose, isTraced: false)
    if request.instruction.compositor == use.compositor { clock.count(note.route ?? .custom) }
    return try check(frame, from: instance, for: conformed.request, by: note.route)
  }

  private func check(
    _ frame: Frame, from instance: CompositorInstance, for request: CompositionRequest, by route: RenderRoute?
  ) throws(CompositorError) -> Answer {
    let asked = request.context
    // Our own compositors say what they pass through. Others may return any source, whatever its size and color.
    let mayBeSource = !instance.isBuiltIn || route == nil
    if mayBeSource, let source = request.allSources.first(where: { $0.frame.isSameMemory(as: frame) }) {
      return .source(source)
    }
    guard frame.format == asked.outputFormat, frame.size == asked.size else {
      throw CompositorError(
        .invalidCompositorOutput,
        "The compositor gave a frame of \(frame.size) \(frame.format) where \(asked.size) \(asked.outputFormat) was requested.",
        recoverySuggestion: "Make frames with the request's context, or return a source frame as it is.",
        at: ErrorLocation(
          instruction: request.instructionIndex, time: request.time, compositor: instance.descriptor.id)
      ).attributed(to: instance.origin, isCanceled: false)
    }
    // A device's frame is checked when it is downloaded.
    if !instance.isBuiltIn, frame.isInHostMemory, let error = frame.sampleError {
      throw error.attributed(to: instance.origin, isCanceled: false).locating(
        ErrorLocation(instruction: request.instructionIndex, time: request.time, compositor: instance.descriptor.id))
    }
    var frame = frame
    frame.attributes = asked.outputAttributes
    return .made(frame)
  }
}

/// A request on its way to a compositor. It is a class, because asynchronous functions keep every copy of a value in memory
/// that they allocate for each call, and a request is large.
///
/// It belongs to one call of ``CompositorStage/answer(to:by:others:)``, which doesn't share it with concurrent tasks.
final class ConformedRequest {
  /// The request with converted sources.
  fileprivate(set) var request: CompositionRequest

  init(_ request: CompositionRequest) { self.request = request }

  /// Asks for one use of a compositor. Not inlined: its copies of parts of the request would be in the memory that each call of an
  /// asynchronous function allocates.
  @inline(never) func conform(to use: EffectReference, of instance: CompositorInstance, noting note: RouteRecorder) {
    request.instruction.compositor = use.compositor
    if let range = use.timeRange { request.instruction.timeRange = range }
    request.instruction.parameters = instance.parameters.setting(
      use.animatedParameters, at: request.time, schema: instance.descriptor.parameters)
    request.context = instance.conforming.context
    request.context.observer = note
  }
}

/// The sources that a compositor needs.
extension CompositorStage {
  /// Adds the sources that a compositor needs to a request, placed and converted according to its descriptor.
  func give(
    _ needs: RegionsOfInterest, to conformed: ConformedRequest, of instance: CompositorInstance, others: OtherTimes
  ) async throws(CompositorError) {
    if case .sources(let asked) = needs {
      try await give(asked, to: conformed, of: instance, others: others)
    } else {
      try giveOwn(to: conformed, of: instance) { trackID in
        if case .regions(let parts) = needs { parts[trackID] != nil } else { true }
      }
    }
    if let placing = instance.placing { conformed.request.instruction = placing.plain(conformed.request.instruction) }
  }

  /// Adds those of the request's own sources that are needed.
  private func giveOwn(
    to conformed: ConformedRequest, of instance: CompositorInstance, isNeeded: (TrackID) -> Bool
  ) throws(CompositorError) {
    let bare = conformed.request
    conformed.request.sources = [:]
    for (trackID, source) in bare.sources where isNeeded(trackID) {
      conformed.request.sources[trackID] = try ready(source, at: bare.time, for: instance, bare)
    }
  }

  /// Adds the sources of the request's tracks at other times.
  private func give(
    _ asked: [RegionOfInterest], to conformed: ConformedRequest, of instance: CompositorInstance, others: OtherTimes
  ) async throws(CompositorError) {
    let bare = conformed.request
    try giveOwn(to: conformed, of: instance) { trackID in asked.contains { $0.trackID == trackID && $0.time == bare.time } }
    var ready = ReadySources(conformed.request)
    for need in asked {
      let source = try await self.source(need, of: bare, for: instance, others: others, &ready)
      conformed.request.requestedSources.append(RequestedSource(trackID: need.trackID, time: need.time, source: source))
    }
  }

  /// The source for a region of interest, prepared once for all regions that resolve to the same frame.
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

  /// A source in the form and the memory that the compositor accepts.
  private func ready(
    _ source: SourceFrame, at time: MediaTime, for instance: CompositorInstance, _ request: CompositionRequest
  ) throws(CompositorError) -> SourceFrame {
    try clock.measure(\.conform) { () throws(CompositorError) in
      let placed = try instance.placing?.placed(source, at: time, of: request) ?? source
      return try instance.resident(try instance.conforming.conform(placed))
    }
  }
}

/// Placed and converted sources of a request, by track and composition time.
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
  /// A source in the memory that the compositor takes it in: of its device or of the host.
  ///
  /// This is the only place where frames move for a compositor or an effect. A copy stays with its frame, so another compositor
  /// on the same device gets the same one.
  func resident(_ source: SourceFrame) throws(CompositorError) -> SourceFrame {
    guard device != nil || !source.frame.isInHostMemory else { return source }
    var moved = source
    do throws(CompositorError) {
      if let device {
        moved.frame = try source.frame.uploaded(to: device)
      } else {
        moved.frame = try source.frame.downloaded(for: "“\(descriptor.id)”", pool: conforming.context.pool)
      }
    } catch {
      throw error.locating(ErrorLocation(track: source.trackID, compositor: descriptor.id))
    }
    moved.isStill = source.isStill
    return moved
  }

  /// The regions of interest for a request; everything if the compositor isn't selective.
  ///
  /// - Throws: Any error of the compositor; `.compositorFailed`, or `.pluginFailed` for plugins, if the regions are invalid.
  func regionsOfInterest(for conformed: ConformedRequest) async throws(CompositorError) -> RegionsOfInterest {
    guard let selective else { return .everything }
    if let gate { await gate.enter() }
    defer { gate?.leave() }
    let plugin: String? = if case .plugin(let name) = origin { name } else { nil }
    let place = ErrorLocation(
      file: plugin, instruction: conformed.request.instructionIndex, time: conformed.request.time, compositor: descriptor.id)
    do {
      let needs = try await selective.regionsOfInterest(for: conformed.request)
      guard let fault = needs.fault(for: conformed.request, by: descriptor) else { return needs }
      throw CompositorError(
        .compositorFailed, fault, recoverySuggestion: "The plugin's author must correct the frames that it requests.")
    } catch {
      throw CompositorError(compositorFailure: error, id: descriptor.id, doing: "could not state the sources it needs")
        .attributed(to: origin, isCanceled: Task.isCancelled).locating(place)
    }
  }
}
