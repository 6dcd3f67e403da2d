/// A source frame that a compositor needs: the frame that a track shows at a composition time.
public struct RegionOfInterest: Hashable, Sendable {
  /// The track, one of those of the request's instruction.
  public var trackID: TrackID
  /// The composition time, at most ``RegionsOfInterest/maximumDistance`` from that of the request.
  public var time: MediaTime
  /// The part that is needed, in pixels of the source frame; ``Rect/infinite`` for all of it. Pixels outside are undefined.
  public var region: Rect

  /// Creates a region of a track's frame at a composition time.
  public init(_ trackID: TrackID, at time: MediaTime, region: Rect = .infinite) {
    self.trackID = trackID
    self.time = time
    self.region = region
  }
}

/// The sources that a compositor needs for one frame.
public enum RegionsOfInterest: Hashable, Sendable {
  /// All sources, completely.
  case everything
  /// None, because the result is the frame of this track, placed on the canvas as a pass-through instruction does. The
  /// compositor isn't called.
  case identity(TrackID)
  /// Only these tracks, each at least within this region in pixels of the source frame; ``Rect/infinite`` for all of it. Other
  /// tracks are absent from the request, and pixels outside the region are undefined.
  case regions([TrackID: Rect])
  /// Only these frames, at the request's time or other times. The request contains them in this order as
  /// ``CompositionRequest/requestedSources``; those at the request's time are also in ``CompositionRequest/sources``.
  ///
  /// Only for compositors whose descriptor sets ``CompositorDescriptor/needsOtherTimes``. At most ``maximumOtherCount`` of the
  /// frames may be at other times than the request's, each within ``maximumDistance`` of it.
  case sources([RegionOfInterest])

  /// The maximum number of source frames at other times than the request's, across all tracks: 16.
  public static let maximumOtherCount = 16
  /// The maximum distance from the request's time: 10 s of the composition.
  public static let maximumDistance = MediaTime(value: 10, timescale: 1)
}

/// A source frame that was requested by ``RegionsOfInterest/sources(_:)``.
public struct RequestedSource: Sendable {
  /// The track.
  public var trackID: TrackID
  /// The requested composition time.
  public var time: MediaTime
  /// The frame that the track's clip shows at that time, clamped to the clip's first and last frame. `nil` if the track shows
  /// nothing at the request's time.
  public var source: SourceFrame?

  /// Creates an asked source.
  public init(trackID: TrackID, time: MediaTime, source: SourceFrame?) {
    self.trackID = trackID
    self.time = time
    self.source = source
  }
}

/// A composer that doesn't always need all of its sources completely, or needs sources at other times.
///
/// ```swift
/// struct Steady: VideoCompositor, SelectiveComposer {
///   static let descriptor = CompositorDescriptor(id: "org.example.steady", name: "Steady") {
///     $0.role = .effect
///     $0.needsOtherTimes = true
///   }
///   init(parameters: ParameterValues, context: RenderContext) throws {}
///   func regionsOfInterest(for request: CompositionRequest) -> RegionsOfInterest {
///     .sources(
///       request.instruction.requiredTrackIDs.flatMap { track in
///         (-1...1).map { RegionOfInterest(track, at: request.time(offsetByFrames: $0)) }
///       })
///   }
///   func compose(_ request: CompositionRequest) throws -> Frame { try mean(of: request.requestedSources, in: request.context) }
/// }
/// ```
public protocol SelectiveComposer: FrameComposer {
  /// Returns the sources that the frame for a request needs. It is called before sources are converted: the request's sources
  /// have their own formats, and their pixels must not be read.
  /// The call must be cheap and depend only on the request.
  ///
  /// - Throws: Any error. The frame fails with it.
  func regionsOfInterest(for request: CompositionRequest) async throws -> RegionsOfInterest
}

extension RegionsOfInterest {
  /// A sentence that describes why these regions are invalid; `nil` if they are valid.
  package func fault(for request: CompositionRequest, by descriptor: CompositorDescriptor) -> String? {
    if case .identity(let trackID) = self, request.sources[trackID] == nil {
      return "It declares the frame to be that of track \(trackID), which the request does not have."
    }
    if case .regions(let parts) = self,
      let trackID = parts.keys.lazy.filter({ !request.instruction.requiredTrackIDs.contains($0) }).min()
    {
      return "It asks for track \(trackID), which the instruction does not have."
    }
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
  /// The frame that a track shows at a composition time: the request's own time, or one requested as a region of interest.
  /// `nil` for other times, and during an empty edit.
  public func source(_ trackID: TrackID, at time: MediaTime) -> SourceFrame? {
    if time == self.time, let source = sources[trackID] { return source }
    return requestedSources.first { $0.trackID == trackID && $0.time == time }?.source
  }

  /// The frame of a track at a composition time; see ``source(_:at:)``.
  public func frame(_ trackID: TrackID, at time: MediaTime) -> Frame? { source(trackID, at: time)?.frame }

  /// The time of the output frame `count` frames later, or earlier if `count` is negative. Not numeric if ``frameDuration``
  /// isn't.
  public func time(offsetByFrames count: Int) -> MediaTime { count == 0 ? time : time + frameDuration * count }

  /// Every source frame of the request, possibly with duplicates.
  package var allSources: [SourceFrame] { Array(sources.values) + requestedSources.compactMap(\.source) }

  /// The source that `frame` is, if it is an unmodified source frame.
  package func need(showing frame: Frame) -> RegionOfInterest? {
    if let own = sources.first(where: { $0.value.frame.isSameMemory(as: frame) }) { return RegionOfInterest(own.key, at: time) }
    let asked = requestedSources.first { $0.source?.frame.isSameMemory(as: frame) == true }
    return asked.map { RegionOfInterest($0.trackID, at: $0.time) }
  }
}
