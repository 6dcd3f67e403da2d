import CompositorAPI

/// A track's picture and the composition time that it is of.
struct TimedSource: Sendable {
  var source: SourceFrame
  var time: MediaTime
}

/// What a compositor's tracks show at other times, as it would be given it then; nil where a track shows nothing at the request's time.
typealias OtherTimes = @Sendable (TrackID, MediaTime) async throws(CompositorError) -> TimedSource?

/// Decoded pictures of a plan's tracks, at the time of a request and at others.
struct TrackSources: Sendable {
  let plan: RenderPlan
  let readers: SourceReaderPool

  /// What a track shows at `time`, inside the clip that it shows at a request's time.
  func source(
    of trackID: TrackID, at time: MediaTime, seenFrom request: CompositionRequest
  ) async throws(CompositorError) -> TimedSource? {
    guard let (order, shown) = plan.source(of: trackID, at: time, seenFrom: request.time) else { return nil }
    if shown == request.time, let own = request.sources[trackID] { return TimedSource(source: own, time: shown) }
    guard let source = try await readers.frame(order, at: shown, asked: time, seenFrom: request.time) else { return nil }
    return TimedSource(source: source, time: shown)
  }

  /// The request for the frame at `time` of the same instruction; before its first frame and after its last it is that one's.
  func request(at time: MediaTime, seenFrom request: CompositionRequest) async throws(CompositorError) -> CompositionRequest {
    let shown = plan.clamped(time, to: request.instruction.timeRange, seenFrom: request.time)
    guard shown != request.time else { return request }
    var sources: [TrackID: SourceFrame] = [:]
    for order in plan.order(at: shown).sources {
      sources[order.trackID] = try await readers.frame(order, at: shown, asked: time, seenFrom: request.time)
    }
    return request.moved(to: shown, showing: sources)
  }
}

extension CompositionRequest {
  /// The request for another time of the same instruction.
  func moved(to time: MediaTime, showing sources: [TrackID: SourceFrame]) -> CompositionRequest {
    var other = self
    other.time = time
    other.sources = sources
    return other
  }
}
