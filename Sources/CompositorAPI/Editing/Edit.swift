/// A complete render as a value: tracks, instructions, titles, captions, audio mix, and the format of the output.
///
/// A consumer takes a copy, so changes don't affect a render in progress. `CompositionValidator` turns an edit into a
/// `ValidatedComposition`, which can be rendered.
public struct Edit: Hashable, Sendable, Codable {
  /// The tracks and their segments.
  public var composition: Composition
  /// The instructions, canvas and frame timing.
  public var videoComposition: VideoComposition
  /// The layers that are drawn over the composed frames.
  public var titles: Titles
  /// The captions, by language: drawn over the titles, written as tracks of the output, or both.
  public var captions: [CaptionTrack] = []
  /// Volumes, panning and processing of the audio tracks.
  public var audioMix: AudioMix
  /// The audio tracks of the output; empty, the default, for one that mixes all enabled tracks. Tracks of the composition that
  /// only other audio tracks than the default one use should be disabled, because players and readers mix what is enabled.
  public var audioTracks: [AudioOutputTrack] = []
  /// The format and color of the frames.
  public var output: OutputDescription
  /// Whether the instructions were written one by one in a timeline, so that each layer in them is meant to be seen. It is stored here, where
  /// it takes no space: the tasks of a frame hold edits, and their stacks are allocated in steps.
  package var hasWrittenInstructions = false
  /// How interlaced frames are handled, by source. Absent sources aren't deinterlaced.
  public var deinterlacing: [MediaSource: Deinterlacing]
  /// Corrections of sources' color tags, by source.
  public var sourceColors: [MediaSource: SourceColor] = [:]
  /// Tracks that a timeline requested and that no composition track holds, because they cannot be decoded.
  package var undecodableTracks: [UndecodableTrackUse] = []
  /// Clips of a timeline whose video and audio begin or end at different times, and what became of the difference.
  package var unevenEnds: [UnevenEnd] = []

  /// Creates an edit.
  public init(
    composition: Composition, videoComposition: VideoComposition, audioMix: AudioMix = AudioMix(),
    output: OutputDescription = OutputDescription(),
    deinterlacing: [MediaSource: Deinterlacing] = [:], titles: Titles = Titles()
  ) {
    self.composition = composition
    self.videoComposition = videoComposition
    self.titles = titles
    self.audioMix = audioMix
    self.output = output
    self.deinterlacing = deinterlacing
  }

  /// Decodes an edit. Absent titles, captions and deinterlacing mean none.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    composition = try container.decode(Composition.self, forKey: .composition)
    videoComposition = try container.decode(VideoComposition.self, forKey: .videoComposition)
    titles = try container.read(.titles, or: Titles())
    captions = try container.read(.captions, or: [])
    audioMix = try container.decode(AudioMix.self, forKey: .audioMix)
    audioTracks = try container.read(.audioTracks, or: [])
    output = try container.decode(OutputDescription.self, forKey: .output)
    deinterlacing = try container.read(.deinterlacing, or: [:])
    sourceColors = try container.read(.sourceColors, or: [:])
    undecodableTracks = try container.read(.undecodableTracks, or: [])
    unevenEnds = try container.read(.unevenEnds, or: [])
    hasWrittenInstructions = try container.read(.hasWrittenInstructions, or: false)
  }
}

extension Edit {
  /// Sets the color to render in, overriding the edit's previous choice.
  /// The chroma location for HLG and PQ is that of the sources if they agree: phones record HLG with chroma on the left, while
  /// BT.2100 specifies top left.
  public mutating func render(in color: ColorTags) {
    output.color = color
    output.followsSourceChromaSites = color.transfer.isHDR
    videoComposition.colorPrimaries = nil
    videoComposition.transferFunction = nil
    videoComposition.matrix = nil
  }
}

/// A track that a timeline uses and that cannot be decoded.
package struct UndecodableTrackUse: Hashable, Sendable, Codable {
  package var source: MediaSource
  package var mediaType: MediaType
  /// The index among the source's video or audio tracks, from 0.
  package var trackIndex: Int
  package var codec: String
  /// The reason, without a period.
  package var reason: String
  package var needsDecoder: Bool

  package init(
    source: MediaSource, mediaType: MediaType, trackIndex: Int, codec: String, reason: String, needsDecoder: Bool
  ) {
    self.source = source
    self.mediaType = mediaType
    self.trackIndex = trackIndex
    self.codec = codec
    self.reason = reason
    self.needsDecoder = needsDecoder
  }
}

/// A place at which a clip's video or audio begins later or ends earlier than the other, by more than a codec's frame explains.
package struct UnevenEnd: Hashable, Sendable, Codable {
  /// What becomes of the difference.
  package enum Outcome: String, Hashable, Sendable, Codable {
    /// A frame is shown throughout: the first one before the video begins, or the last one after it ends.
    case held
    /// It is silent.
    case silent
    /// Video that has no audio beside it is left out.
    case videoLeftOut
    /// Audio that has no video beside it is left out.
    case audioLeftOut
  }

  package var source: MediaSource
  /// The key path of the clip.
  package var path: String
  package var outcome: Outcome
  /// Whether it is the beginning of the media rather than its end.
  package var isBeginning: Bool
  /// The affected part of the timeline; of zero duration where media is left out.
  package var timeRange: TimeRange
  /// Whether the clip plays its media backward, so that the media's beginning is at the clip's end.
  package var isReversed: Bool
  /// The duration of the difference: in the movie, or in the media if some of it is left out.
  package var duration: MediaTime
  /// The number of output frames that are held, of the source's frames that are left out, or of samples at the source's rate.
  package var count: Int
  /// The number of passes of a loop in which it occurs.
  package var passCount = 1
  /// The indices of the media's audio tracks that are affected, if the output's audio tracks play others that aren't; `nil` otherwise.
  package var audioTracks: [Int]?
  /// Whether the clip or the timeline states which end applies, so that nothing has to be pointed out in advance.
  package var isChosen: Bool

  package init(
    source: MediaSource, path: String, outcome: Outcome, isBeginning: Bool, isReversed: Bool, timeRange: TimeRange,
    duration: MediaTime, count: Int, isChosen: Bool
  ) {
    (self.source, self.path, self.outcome) = (source, path, outcome)
    (self.isBeginning, self.isReversed) = (isBeginning, isReversed)
    (self.timeRange, self.duration, self.count, self.isChosen) = (timeRange, duration, count, isChosen)
  }
}
