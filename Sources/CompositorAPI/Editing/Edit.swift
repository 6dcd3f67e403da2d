/// The whole of a render as a value: what plays when, how it is composed, its titles, its audio mix, and the format of the output.
///
/// A consumer takes a copy, so nothing can change under a render. An edit is only rendered once
/// ``CompositionValidator`` has turned it into a ``ValidatedComposition``.
public struct Edit: Hashable, Sendable, Codable {
  /// Tracks and their segments.
  public var composition: Composition
  /// Instructions, canvas and frame timing.
  public var videoComposition: VideoComposition
  /// Layers that are drawn over the composed frames.
  public var titles: Titles
  /// Captions, by language: drawn over the titles, written as tracks of the output, or both.
  public var captions: [CaptionTrack] = []
  /// Volumes.
  public var audioMix: AudioMix
  /// Format and color of the frames.
  public var output: OutputDescription
  /// What is done about interlaced pictures, by source; nothing for those that are absent.
  public var deinterlacing: [MediaSource: Deinterlacing]
  /// What is known better of sources' colors than they say themselves, by source.
  public var sourceColors: [MediaSource: SourceColor] = [:]
  /// Tracks that a timeline asked for and that no composition track holds, because they cannot be decoded.
  package var undecodableTracks: [UndecodableTrackUse] = []

  /// Makes an edit.
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

  /// Reads an edit; one that says nothing about titles, captions or interlaced frames has none, and leaves these alone.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    composition = try container.decode(Composition.self, forKey: .composition)
    videoComposition = try container.decode(VideoComposition.self, forKey: .videoComposition)
    titles = try container.read(.titles, or: Titles())
    captions = try container.read(.captions, or: [])
    audioMix = try container.decode(AudioMix.self, forKey: .audioMix)
    output = try container.decode(OutputDescription.self, forKey: .output)
    deinterlacing = try container.read(.deinterlacing, or: [:])
    sourceColors = try container.read(.sourceColors, or: [:])
    undecodableTracks = try container.read(.undecodableTracks, or: [])
  }
}

extension Edit {
  /// Renders to a color, whatever the edit said before.
  ///
  /// HLG and PQ are sited as the sources are, if these agree: phones have HLG on the left, BT.2100 says top left.
  public mutating func render(in color: ColorTags) {
    output.color = color
    output.followsSourceChromaSites = color.transfer.isHDR
    videoComposition.colorPrimaries = nil
    videoComposition.transferFunction = nil
    videoComposition.matrix = nil
  }
}

/// A track that a timeline shows or plays and that cannot be decoded.
package struct UndecodableTrackUse: Hashable, Sendable, Codable {
  package var source: MediaSource
  package var mediaType: MediaType
  /// Index among the source's video or audio tracks, from 0.
  package var trackIndex: Int
  package var codec: String
  /// Why, without a full stop.
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
