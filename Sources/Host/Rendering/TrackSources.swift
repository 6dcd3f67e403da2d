import CompositorAPI
import CompositorValidation

/// A track's frame and its composition time.
struct TimedSource: Sendable {
  var source: SourceFrame
  var time: MediaTime
}

/// Returns a track's source at another time in the form that a compositor receives; `nil` if the track shows nothing at the
/// request's time.
typealias OtherTimes = @Sendable (TrackID, MediaTime) async throws(CompositorError) -> TimedSource?

/// Decoded frames of a plan's tracks, at the time of a request and at others.
struct TrackSources: Sendable {
  let plan: RenderPlan
  let readers: SourceReaderPool

  /// The source of a track at `time`, inside the clip that it shows at a request's time.
  func source(
    of trackID: TrackID, at time: MediaTime, seenFrom request: CompositionRequest
  ) async throws(CompositorError) -> TimedSource? {
    guard let (order, shown) = plan.source(of: trackID, at: time, seenFrom: request.time) else { return nil }
    if shown == request.time, let own = request.sources[trackID] { return TimedSource(source: own, time: shown) }
    let viewed = plan.order(order, for: request.view)
    guard let source = try await readers.frame(viewed, at: shown, asked: time, seenFrom: request.time) else { return nil }
    return TimedSource(source: source, time: shown)
  }

  /// The request for the frame at `time` of the same instruction, clamped to the instruction's first and last frame.
  func request(at time: MediaTime, seenFrom request: CompositionRequest) async throws(CompositorError) -> CompositionRequest {
    let shown = plan.clamped(time, to: request.instruction.timeRange, seenFrom: request.time)
    guard shown != request.time else { return request }
    var sources: [TrackID: SourceFrame] = [:]
    for order in plan.request(plan.request(at: shown), for: request.view).sources {
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

extension SourceFrame {
  /// The same frame for another track.
  func shown(by trackID: TrackID) -> SourceFrame {
    var other = self
    other.trackID = trackID
    return other
  }
}

extension SourceOrder {
  /// Whether another track's source is the same frame of the same media.
  func showsFrame(of other: SourceOrder) -> Bool {
    track == other.track && view == other.view && mediaTime == other.mediaTime && isBackward == other.isBackward
      && frames == other.frames
      && (frames == .nearest || mediaLimit == other.mediaLimit)
  }
}
