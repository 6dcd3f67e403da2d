/// One source frame that a compositor needs: what a track shows at a composition time.
public struct RegionOfInterest: Hashable, Sendable {
  /// The track: one of the request's instruction.
  public var trackID: TrackID
  /// The composition time, at most ``RegionsOfInterest/maximumDistance`` from the request's.
  public var time: MediaTime
  /// The part that is needed, in the source frame's pixels; ``Rect/infinite`` for all of it. Pixels outside it are undefined.
  public var region: Rect

  /// Makes a need of a track's frame at a composition time.
  public init(_ trackID: TrackID, at time: MediaTime, region: Rect = .infinite) {
    self.trackID = trackID
    self.time = time
    self.region = region
  }
}

/// What a compositor needs for one frame.
public enum RegionsOfInterest: Hashable, Sendable {
  /// Every source, whole.
  case everything
  /// Nothing: the frame is this track's, placed on the canvas as a pass-through instruction does. The compositor is not called.
  case identity(TrackID)
  /// These tracks alone, each at least in this part (in the source frame's pixels); ``Rect/infinite`` for all of it. Others
  /// are absent from the request; pixels outside the part are undefined.
  case regions([TrackID: Rect])
  /// These frames alone, at the request's time or at others. They come as ``CompositionRequest/askedSources``, in this order; those of
  /// the request's time as ``CompositionRequest/sources`` too.
  ///
  /// Only for compositors whose descriptor says ``CompositorDescriptor/needsOtherTimes``. At most ``maximumOtherCount`` of them may be
  /// at other times than the request's, none of them further from it than ``maximumDistance``.
  case sources([RegionOfInterest])

  /// The most source frames at other times than the request's, of all tracks together: 16.
  public static let maximumOtherCount = 16
  /// The greatest distance from the request's time: 10 s of the composition.
  public static let maximumDistance = MediaTime(value: 10, timescale: 1)
}

/// A source frame that ``RegionsOfInterest/sources(_:)`` asked for.
public struct AskedSource: Sendable {
  /// The track.
  public var trackID: TrackID
  /// The composition time that was asked for.
  public var time: MediaTime
  /// What the track's clip shows then; before its start and after its end its first and last frame. `nil` if the track shows nothing
  /// at the request's time.
  public var source: SourceFrame?

  /// Makes an answer to a need.
  public init(trackID: TrackID, time: MediaTime, source: SourceFrame?) {
    self.trackID = trackID
    self.time = time
    self.source = source
  }
}

/// A composer that does not always need all of its sources, or needs some at other times, and says so.
///
/// ```swift
/// struct Steady: VideoCompositor, SelectiveComposer {
///   static let descriptor = CompositorDescriptor(id: "org.example.steady", name: "Steady", role: .effect, needsOtherTimes: true)
///   init(parameters: ParameterValues, context: RenderContext) throws {}
///   func regionsOfInterest(for request: CompositionRequest) -> RegionsOfInterest {
///     .sources(
///       request.instruction.requiredTrackIDs.flatMap { track in
///         (-1...1).map { RegionOfInterest(track, at: request.time(offsetByFrames: $0)) }
///       })
///   }
///   func compose(_ request: CompositionRequest) throws -> Frame { try mean(of: request.askedSources, in: request.context) }
/// }
/// ```
public protocol SelectiveComposer: FrameComposer {
  /// What the frame for a request needs. Asked before sources are converted: the request's sources have their own formats, and their
  /// pixels must not be read.
  ///
  /// Must be cheap and depend on the request alone.
  ///
  /// - Throws: Whatever keeps it from saying so; the frame fails with it.
  func regionsOfInterest(for request: CompositionRequest) async throws -> RegionsOfInterest
}

extension RegionsOfInterest {
  /// What is wrong with these needs, a sentence; `nil` if nothing is.
  package func fault(for request: CompositionRequest, by descriptor: CompositorDescriptor) -> String? {
    guard case .sources(let needs) = self else { return nil }
    let tracks = Set(request.instruction.requiredTrackIDs)
    let others = Set(needs.lazy.filter { $0.time != request.time }.map { RegionOfInterest($0.trackID, at: $0.time) })
    if !others.isEmpty, !descriptor.needsOtherTimes {
      return "It asks for sources at other times, and its description does not say so."
    }
    if let need = needs.first(where: { !tracks.contains($0.trackID) }) {
      return "It asks for track \(need.trackID), which the instruction does not have."
    }
    if let need = needs.first(where: { !$0.time.isNumeric }) {
      return "It asks for track \(need.trackID) at a time that is not a number of seconds."
    }
    let reach = RegionsOfInterest.maximumDistance
    if let need = needs.first(where: { $0.time < request.time - reach || $0.time > request.time + reach }) {
      return "It asks for track \(need.trackID) at \(need.time), more than \(reach.seconds) s from the request's time."
    }
    guard others.count <= RegionsOfInterest.maximumOtherCount else {
      return "It asks for \(others.count) sources at other times; \(RegionsOfInterest.maximumOtherCount) are the most."
    }
    return nil
  }
}

extension CompositionRequest {
  /// What a track shows at a composition time: the request's own, or one that the compositor's needs asked for; `nil` for others, and
  /// during an empty edit.
  public func source(_ trackID: TrackID, at time: MediaTime) -> SourceFrame? {
    if time == self.time, let source = sources[trackID] { return source }
    return askedSources.first { $0.trackID == trackID && $0.time == time }?.source
  }

  /// The frame of a track at a composition time; see ``source(_:at:)``.
  public func frame(_ trackID: TrackID, at time: MediaTime) -> Frame? { source(trackID, at: time)?.frame }

  /// The time of the frame so many frames of the output later, or, below 0, earlier. Not numeric if ``frameDuration`` is not.
  public func time(offsetByFrames count: Int) -> MediaTime { count == 0 ? time : time + frameDuration * count }

  /// Every source frame of the request, some more than once.
  package var allSources: [SourceFrame] { Array(sources.values) + askedSources.compactMap(\.source) }

  /// Which source a frame is, if it is one as it came.
  package func need(showing frame: Frame) -> RegionOfInterest? {
    if let own = sources.first(where: { $0.value.frame.isSameMemory(as: frame) }) { return RegionOfInterest(own.key, at: time) }
    let asked = askedSources.first { $0.source?.frame.isSameMemory(as: frame) == true }
    return asked.map { RegionOfInterest($0.trackID, at: $0.time) }
  }
}
