import BuiltinCompositors
public import CompositorAPI
import CompositorConversion
import CompositorMedia
package import CompositorMediaIO

/// The instructions, tracks and frame times of a render, prepared for lookup. Nothing is opened.
///
/// Every lookup is O(log n) in instructions and segments, so the cost of a frame doesn't depend on the length of the timeline.
public struct RenderPlan: Sendable {
  /// The composition to render.
  public let composition: ValidatedComposition
  /// The start times of frames.
  public let schedule: FrameSchedule
  /// The end of the timeline.
  public let duration: MediaTime
  /// The number of frames in the whole timeline: ceil(duration / frameDuration) at a constant rate.
  public let frameCount: Int
  /// The size, format and color of the frames.
  public let format: RenderFormat
  private let timelines: [TrackID: SegmentTimeline]

  /// Creates a plan of frames that aren't encoded.
  ///
  /// - Parameter frameTimes: The composition times at which frames start, in increasing order, from `SourceFrameTimes`; `nil`
  ///   for the constant frame duration.
  /// - Throws: `.invalidComposition` if the timeline has no end, or too many frames to count, and if the composition was
  ///   validated for audio alone and has no instructions.
  public init(_ composition: ValidatedComposition, frameTimes: [MediaTime]? = nil) throws(CompositorError) {
    try self.init(composition, frameTimes: frameTimes, limits: DeliveryLimits())
  }

  /// Creates a plan of frames for a file.
  ///
  /// - Parameter limits: What the file can store, which determines the bit depth if the edit doesn't.
  /// - Throws: The same errors.
  package init(
    _ composition: ValidatedComposition, frameTimes: [MediaTime]? = nil, limits: DeliveryLimits
  ) throws(CompositorError) {
    try self.init(composition, frameTimes: frameTimes, format: RenderFormat(composition, limits: limits))
  }

  /// Creates a plan of frames whose format is decided already.
  ///
  /// - Throws: The same errors.
  package init(
    _ composition: ValidatedComposition, frameTimes: [MediaTime]? = nil, format: RenderFormat
  ) throws(CompositorError) {
    let edit = composition.edit
    guard !edit.videoComposition.instructions.isEmpty else {
      throw CompositorError(
        .invalidComposition, "The video composition has no instruction: only its audio can be rendered.",
        recoverySuggestion: "Add instructions that cover the composition, and validate it for video.")
    }
    let constant = try FrameTiming(frameDuration: edit.videoComposition.frameDuration)
    guard edit.composition.duration.isNumeric, constant.frameCount(in: edit.composition.duration) != nil else {
      throw CompositorError(
        .invalidComposition, "The composition lasts \(edit.composition.duration): its frames cannot be counted.",
        recoverySuggestion: "Give every segment a finite duration.")
    }
    self.composition = composition
    self.schedule = frameTimes.map(FrameSchedule.listed) ?? .constant(constant)
    self.duration = edit.composition.duration
    self.frameCount = schedule.frameCount(until: duration)
    self.format = format
    self.timelines = Dictionary(
      edit.composition.tracks(.video).map { ($0.trackID, SegmentTimeline($0)) }, uniquingKeysWith: { first, _ in first })
  }

  /// The instructions in order of time.
  public var instructions: [Instruction] { composition.edit.videoComposition.instructions }

  /// The sources and times for frame `index`, 0 ..< ``frameCount``.
  public func request(forFrame index: Int) -> FrameRequest {
    let time = schedule.time(ofFrame: index)
    return request(at: time, index: index, duration: schedule.duration(ofFrame: index, until: duration))
  }

  /// The sources and times for a frame at exactly `time`, whether or not an output frame starts there.
  public func request(at time: MediaTime) -> FrameRequest {
    request(at: time, index: schedule.frameIndex(at: time), duration: .indefinite)
  }

  /// The index of the instruction at a given time, or of the nearest one outside the timeline.
  public func instructionIndex(at time: MediaTime) -> Int {
    max(0, instructions.partitioningIndex { $0.timeRange.start > time } - 1)
  }

  /// The frames that start inside a range of the timeline, whose end may be +∞.
  public func frames(in range: TimeRange) -> Range<Int> {
    let first = schedule.frameCount(until: range.start)
    return first..<max(first, min(frameCount, schedule.frameCount(until: min(range.end, duration))))
  }

  /// The part of the timeline that frames fill, at least one: from the start of the first to the end of the last.
  package func timeRange(ofFrames frames: Range<Int>) -> TimeRange {
    TimeRange(start: schedule.time(ofFrame: frames.lowerBound), end: end(ofFrame: frames.upperBound - 1))
  }

  /// The end time of a frame.
  package func end(ofFrame index: Int) -> MediaTime {
    schedule.time(ofFrame: index) + schedule.duration(ofFrame: index, until: duration)
  }

  /// The composition times during which frames of a source use may be requested.
  package func timeRange(ofUse use: Int, track trackID: TrackID) -> TimeRange? {
    guard let timeline = timelines[trackID], timeline.useRanges.indices.contains(use) else { return nil }
    return timeline.useRanges[use]
  }

  private func request(at time: MediaTime, index: Int, duration: MediaTime) -> FrameRequest {
    let instructionIndex = instructionIndex(at: time)
    let sources = instructions[instructionIndex].readTrackIDs.compactMap { source(of: $0, at: time) }
    return FrameRequest(index: index, time: time, duration: duration, instructionIndex: instructionIndex, sources: sources)
  }

  /// The composition times of the clip that a track shows at a given time; `nil` if it shows nothing.
  package func clipRange(of trackID: TrackID, at time: MediaTime) -> TimeRange? { timelines[trackID]?.clipRange(at: time) }

  /// The segment that a track plays at a given time; `nil` outside the track.
  package func segment(of trackID: TrackID, at time: MediaTime) -> CompositionTrackSegment? {
    guard let timeline = timelines[trackID], let index = timeline.index(at: time) else { return nil }
    return timeline.segments[index]
  }

  /// The source that a track shows at a given time; `nil` in an empty edit and outside the track.
  package func source(of trackID: TrackID, at time: MediaTime) -> SourceOrder? {
    guard let timeline = timelines[trackID], let index = timeline.index(at: time) else { return nil }
    let segment = timeline.segments[index]
    guard let source = segment.source, case let mediaTime = segment.mediaTime(at: time), mediaTime.isNumeric else { return nil }
    return SourceOrder(
      trackID: trackID, source: source, sourceTrackIndex: segment.sourceTrackIndex, mediaTime: mediaTime,
      isBackward: segment.retiming.isReversed && !segment.isFreezeFrame,
      frames: segment.isFreezeFrame ? .nearest : segment.retiming.frames, mediaLimit: timeline.mediaLimits[index],
      use: timeline.uses[index])
  }
}

extension RenderPlan {
  /// The costliest route that any frame of an instruction takes, and the reason for it.
  ///
  /// - Throws: `.invalidValue` if a layer has invalid numbers.
  public func route(ofInstruction index: Int) throws(CompositorError) -> (route: RenderRoute, reason: String) {
    let instruction = instructions[index]
    guard instruction.compositor == .layer else {
      return (.custom, "the compositor “\(instruction.compositor)” does not say how it works")
    }
    let context = format.context(for: composition.edit.videoComposition, pool: FramePool(maximumOutstanding: 1))
    var sources: [TrackID: SourceDescription] = [:]
    for order in request(at: instruction.timeRange.start).sources {
      guard let track = videoTrack(of: order) else { continue }
      sources[order.trackID] = SourceDescription(
        format: track.format, size: track.size, attributes: track.attributes,
        preferredTransform: track.preferredTransform, isStill: track.isStill)
    }
    var (placed, layers) = (instruction, instruction.layers)
    for (index, layer) in layers.enumerated() {
      guard !layer.effects.isEmpty, let source = sources[layer.trackID] else { continue }
      let trackID = instruction.trackID(ofChangedLayer: index)
      layers[index].trackID = trackID
      sources[trackID] = source.after(layer.effects, registry: composition.registry, output: context)
    }
    placed.layers = layers
    return try LayerRoute.choose(instruction: placed, sources: sources, context: context)
  }
}

extension RenderPlan {
  /// Plans a composition, reading the frame times of the track that its timing follows, if there is one.
  ///
  /// - Parameter format: The format of the frames; `nil` for that of frames that aren't encoded.
  package static func reading(
    _ composition: ValidatedComposition, format: RenderFormat? = nil
  ) async throws(CompositorError) -> RenderPlan {
    let (edit, format) = (composition.edit, format ?? RenderFormat(composition))
    guard let trackID = edit.videoComposition.sourceTrackIDForFrameTiming, let track = edit.composition.track(trackID)
    else { return try RenderPlan(composition, format: format) }
    let times = try await SourceFrameTimes.read(track, catalog: composition.catalog)
    return try RenderPlan(composition, frameTimes: times, format: format)
  }
}

extension RenderPlan {
  /// The output for which generated sources are rendered.
  package var generatedOutput: GeneratedOutput {
    GeneratedOutput(
      format: format.pixelFormat, color: format.attributes.color.completed(for: format.pixelFormat, size: format.size),
      policy: composition.edit.videoComposition.colorConversion)
  }

  /// The description of the track for an order. Generated sources are described as rendered for the output.
  package func videoTrack(of order: SourceOrder) -> VideoTrackInfo? {
    let track = composition.videoTrack(order.sourceTrackIndex, of: order.source)
    guard case .generated(let source) = order.source else { return track }
    return track.map { generatedOutput.track($0, of: source) }
  }
}

extension ValidatedComposition {
  /// The description of a source's video track; `nil` if there is no such track.
  package func videoTrack(_ index: Int, of source: MediaSource) -> VideoTrackInfo? {
    media[source]?.videoTracks.first { $0.index == index }
  }

  /// The description of a source's audio track; `nil` if there is no such track.
  package func audioTrack(_ index: Int, of source: MediaSource) -> AudioTrackInfo? {
    media[source]?.audioTracks.first { $0.index == index }
  }
}
