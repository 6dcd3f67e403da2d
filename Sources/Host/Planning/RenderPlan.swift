import BuiltinCompositors
public import CompositorAPI
import CompositorConversion
import CompositorMediaIO
public import CompositorMediaWriting

/// Who does what when: instructions, tracks and frame times laid out for look-up. Pure: nothing is opened.
///
/// Every look-up is O(log n) in instructions and segments, so the cost of a frame does not depend on the timeline's length.
public struct RenderPlan: Sendable {
  /// What is rendered.
  public let composition: ValidatedComposition
  /// When frames start.
  public let schedule: FrameSchedule
  /// The end of the timeline.
  public let duration: MediaTime
  /// Number of frames in the whole timeline: ceil(duration / frameDuration) at a constant rate.
  public let frameCount: Int
  /// Size, format and color of the frames.
  public let format: RenderFormat
  private let timelines: [TrackID: SegmentTimeline]

  /// Lays out a composition.
  ///
  /// - Parameters:
  ///   - frameTimes: Rising composition times at which frames start, from
  ///   ``SourceFrameTimes``; nil for the constant frame duration.
  ///   - codec: The codec that the frames are encoded with, which decides about bit depth where the edit doesn't; `nil` for frames
  ///   that are not encoded.
  /// - Throws: `.invalidComposition` where the timeline has no end, or more frames than can be counted.
  public init(
    _ composition: ValidatedComposition, frameTimes: [MediaTime]? = nil, codec: VideoEncodingSettings.Codec? = nil
  ) throws(CompositorError) {
    let edit = composition.edit
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
    self.format = RenderFormat(composition, codec: codec)
    self.timelines = Dictionary(
      edit.composition.tracks(.video).map { ($0.trackID, SegmentTimeline($0)) }, uniquingKeysWith: { first, _ in first })
  }

  /// Instructions in the order of time.
  public var instructions: [Instruction] { composition.edit.videoComposition.instructions }

  /// What is needed to make frame `index`, 0 ..< ``frameCount``.
  public func order(forFrame index: Int) -> FrameRequest {
    let time = schedule.time(ofFrame: index)
    return order(at: time, index: index, duration: schedule.duration(ofFrame: index, until: duration))
  }

  /// What is needed to make the picture at exactly `time`, whether or not a frame starts there.
  public func order(at time: MediaTime) -> FrameRequest {
    order(at: time, index: schedule.frameIndex(at: time), duration: .indefinite)
  }

  /// The instruction in force at a time; the nearest one outside the timeline.
  public func instructionIndex(at time: MediaTime) -> Int {
    max(0, instructions.partitioningIndex { $0.timeRange.start > time } - 1)
  }

  /// The frames that start inside a range of the timeline; its end may be +∞.
  public func frames(in range: TimeRange) -> Range<Int> {
    let first = schedule.frameCount(until: range.start)
    return first..<max(first, min(frameCount, schedule.frameCount(until: min(range.end, duration))))
  }

  /// The composition times during which a source use may be asked for frames.
  func timeRange(ofUse use: Int, track trackID: TrackID) -> TimeRange? {
    guard let timeline = timelines[trackID], timeline.useRanges.indices.contains(use) else { return nil }
    return timeline.useRanges[use]
  }

  private func order(at time: MediaTime, index: Int, duration: MediaTime) -> FrameRequest {
    let instructionIndex = instructionIndex(at: time)
    let sources = instructions[instructionIndex].requiredTrackIDs.compactMap { source(of: $0, at: time) }
    return FrameRequest(index: index, time: time, duration: duration, instructionIndex: instructionIndex, sources: sources)
  }

  /// The composition times of the clip that a track shows at a time; nil where it shows nothing.
  func clipRange(of trackID: TrackID, at time: MediaTime) -> TimeRange? { timelines[trackID]?.clipRange(at: time) }

  /// The segment that a track plays at a time; nil outside the track.
  func segment(of trackID: TrackID, at time: MediaTime) -> CompositionTrackSegment? {
    guard let timeline = timelines[trackID], let index = timeline.index(at: time) else { return nil }
    return timeline.segments[index]
  }

  /// What a track shows at a time; nil in an empty edit and outside the track.
  func source(of trackID: TrackID, at time: MediaTime) -> SourceOrder? {
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
  /// How an instruction's frames will be made, and why: the costliest route that any of them takes.
  ///
  /// - Throws: `.invalidValue` where a layer's numbers cannot be used.
  public func route(ofInstruction index: Int) throws(CompositorError) -> (route: RenderRoute, reason: String) {
    let instruction = instructions[index]
    guard instruction.compositor == .layer || instruction.passthroughTrackID != nil else {
      return (.custom, "the compositor “\(instruction.compositor)” does not say how it works")
    }
    let context = format.context(for: composition.edit.videoComposition, pool: FramePool(maximumOutstanding: 1))
    var sources: [TrackID: SourceDescription] = [:]
    for order in order(at: instruction.timeRange.start).sources {
      guard let track = videoTrack(of: order) else { continue }
      sources[order.trackID] = SourceDescription(
        format: track.format, size: track.size, attributes: track.attributes,
        preferredTransform: track.preferredTransform, isStill: track.isStill)
    }
    var placed = instruction
    for (index, layer) in instruction.layers.enumerated() where instruction.passthroughTrackID == nil {
      guard !layer.effects.isEmpty, let source = sources[layer.trackID] else { continue }
      let trackID = instruction.trackID(ofChangedLayer: index)
      placed.layers[index].trackID = trackID
      sources[trackID] = EffectChain.description(
        of: source, after: layer.effects, registry: composition.registry, output: context)
    }
    return try LayerRoute.choose(instruction: placed, sources: sources, context: context)
  }
}

extension RenderPlan {
  /// What generated pictures are made for.
  var generatedOutput: GeneratedOutput {
    GeneratedOutput(
      format: format.pixelFormat, color: format.attributes.color.completed(for: format.pixelFormat, size: format.size),
      policy: composition.edit.videoComposition.colorConversion)
  }

  /// What is known of the track that an order is for; generated pictures as they are made for the output.
  func videoTrack(of order: SourceOrder) -> VideoTrackInfo? {
    let track = composition.videoTrack(order.sourceTrackIndex, of: order.source)
    guard case .generated(let source) = order.source else { return track }
    return track.map { generatedOutput.track($0, of: source) }
  }
}

extension ValidatedComposition {
  /// What is known of a source's video track; nil where there is no such track.
  func videoTrack(_ index: Int, of source: MediaSource) -> VideoTrackInfo? {
    media[source]?.videoTracks.first { $0.index == index }
  }

  /// What is known of a source's audio track; nil where there is no such track.
  func audioTrack(_ index: Int, of source: MediaSource) -> AudioTrackInfo? {
    media[source]?.audioTracks.first { $0.index == index }
  }
}
