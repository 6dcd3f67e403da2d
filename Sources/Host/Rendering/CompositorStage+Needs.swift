import CompositorAPI

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
