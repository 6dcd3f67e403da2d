public import CompositorAPI
public import CompositorMediaIO

/// What the rendered frames should look like, where an edit says; nil follows the sources.
public struct OutputDescription: Hashable, Sendable, Codable {
  /// Format of the frames; nil takes 4:2:0 in 8 bits for H.264, in 10 for PQ and HLG, else in the greatest bit depth among the
  /// sources (8 or 10).
  public var format: PixelFormat?
  /// Bits of each component, 8, 10, 12 or 16, whatever ``format`` says; `nil` leaves it to ``format``.
  public var bitDepth: Int?
  /// Colour of the frames; nil takes that of the first source with Y′CbCr pictures, BT.709 where there is none, as far as the
  /// video composition does not say otherwise.
  public var color: ColorTags?
  /// Width of a pixel by its height.
  public var pixelAspectRatio: Rational
  /// What alpha means in the frames: `.opaque` composes over the background.
  public var alphaMode: AlphaMode
  /// What becomes of mastering display and light levels.
  public var hdrMetadata: HDRMetadataChoice

  /// Makes a description; by default everything follows the sources.
  public init(
    format: PixelFormat? = nil, color: ColorTags? = nil, pixelAspectRatio: Rational = .one, alphaMode: AlphaMode = .opaque,
    hdrMetadata: HDRMetadataChoice = .propagate, bitDepth: Int? = nil
  ) {
    self.format = format
    self.bitDepth = bitDepth
    self.color = color
    self.pixelAspectRatio = pixelAspectRatio
    self.alphaMode = alphaMode
    self.hdrMetadata = hdrMetadata
  }

  /// Reads a description; one without a word about HDR metadata propagates it.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    format = try container.decodeIfPresent(PixelFormat.self, forKey: .format)
    bitDepth = try container.decodeIfPresent(Int.self, forKey: .bitDepth)
    color = try container.decodeIfPresent(ColorTags.self, forKey: .color)
    pixelAspectRatio = try container.decode(Rational.self, forKey: .pixelAspectRatio)
    alphaMode = try container.decode(AlphaMode.self, forKey: .alphaMode)
    hdrMetadata = try container.decodeIfPresent(HDRMetadataChoice.self, forKey: .hdrMetadata) ?? .propagate
  }
}

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
  /// Volumes.
  public var audioMix: AudioMix
  /// Format and colour of the frames.
  public var output: OutputDescription
  /// What is done about interlaced pictures, by source; nothing for those that are absent.
  public var deinterlacing: [MediaSource: VideoReaderOptions.Deinterlacing]
  /// Tracks that a timeline asked for and that no composition track holds, because they cannot be decoded.
  package var undecodableTracks: [UndecodableTrackUse] = []

  /// Makes an edit.
  public init(
    composition: Composition, videoComposition: VideoComposition, audioMix: AudioMix = AudioMix(),
    output: OutputDescription = OutputDescription(),
    deinterlacing: [MediaSource: VideoReaderOptions.Deinterlacing] = [:], titles: Titles = Titles()
  ) {
    self.composition = composition
    self.videoComposition = videoComposition
    self.titles = titles
    self.audioMix = audioMix
    self.output = output
    self.deinterlacing = deinterlacing
  }

  /// Reads an edit; one that says nothing about titles or interlaced frames has none, and leaves these alone.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    composition = try container.decode(Composition.self, forKey: .composition)
    videoComposition = try container.decode(VideoComposition.self, forKey: .videoComposition)
    titles = try container.decodeIfPresent(Titles.self, forKey: .titles) ?? Titles()
    audioMix = try container.decode(AudioMix.self, forKey: .audioMix)
    output = try container.decode(OutputDescription.self, forKey: .output)
    deinterlacing =
      try container.decodeIfPresent([MediaSource: VideoReaderOptions.Deinterlacing].self, forKey: .deinterlacing) ?? [:]
    undecodableTracks = try container.decodeIfPresent([UndecodableTrackUse].self, forKey: .undecodableTracks) ?? []
  }
}

extension Edit {
  /// Renders to a colour, whatever the edit said before.
  public mutating func render(in color: ColorTags) {
    output.color = color
    videoComposition.colorPrimaries = nil
    videoComposition.transferFunction = nil
    videoComposition.matrix = nil
  }
}
