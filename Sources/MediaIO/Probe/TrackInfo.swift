public import CompositorAPI

/// In which order the two fields of a picture were taken.
public enum FieldOrder: String, Sendable, Hashable, Codable {
  /// No fields: the whole picture at once.
  case progressive
  /// The even rows (0, 2, …) first.
  case topFirst
  /// The odd rows first.
  case bottomFirst
}

/// What a track of pictures holds, as read from its container and its first picture.
public struct VideoTrackInfo: Sendable, Hashable, Codable {
  /// Index among the container's video tracks, from 0 (cover pictures do not count, undecodable tracks do).
  public var index: Int
  /// Short name of the codec: `h264`, `hevc`, `prores`, `png` …
  public var codec: String
  /// Stored columns and rows of the first picture. Later pictures may differ: each frame says its own size.
  public var size: PixelSize
  /// Format of the decoded frames.
  public var format: PixelFormat
  /// Color, pixel aspect, alpha and HDR metadata of the first picture.
  public var attributes: FrameAttributes
  /// Who said the color's tags; nil for stills and generated pictures.
  public var colorProvenance: ColorProvenance?
  /// Frames a second as the container states them; an average where the rate varies, 0/1
  /// where it states none.
  public var nominalFrameRate: Rational
  /// When frames start, as measured on their timestamps; nil for stills, and where nothing was measured.
  public var cadence: FrameCadence?
  /// From the first frame's presentation time to the end of the last, in media time, as the source promises it.
  public var timeRange: TimeRange
  /// Where the frames that are really there end, where the file is cut short; nil for a whole file.
  public var readableEnd: MediaTime?
  /// From stored display space (pixel aspect applied, y down) to upright, with the upright picture's corner at 0,0.
  /// Not applied by the reader.
  public var preferredTransform: AffineMatrix
  /// Fields, where the pictures have them.
  public var fieldOrder: FieldOrder
  /// Metadata that changes from picture to picture, which is not used; empty for most tracks.
  public var dynamicMetadata: [DynamicMetadata]
  /// Whether this is one picture, shown at all times: ``timeRange`` is 0 … +∞.
  public var isStill: Bool
  /// The ICC profile that the pictures were converted by when they were decoded, and the color that they became, in words; nil if they
  /// have the codes of their file.
  public var colorProfile: String?
  /// The language as a BCP 47 tag, for example `de`; nil if the container states none.
  public var language: String?
  /// The track's title; nil if the container states none. Of MP4 and QuickTime files, handler names are not taken for titles.
  public var title: String?

  /// Makes a description.
  public init(
    index: Int, codec: String, size: PixelSize, format: PixelFormat, attributes: FrameAttributes,
    colorProvenance: ColorProvenance? = nil, nominalFrameRate: Rational, cadence: FrameCadence? = nil,
    timeRange: TimeRange, readableEnd: MediaTime? = nil, preferredTransform: AffineMatrix = .identity,
    fieldOrder: FieldOrder = .progressive,
    dynamicMetadata: [DynamicMetadata] = [], isStill: Bool = false, colorProfile: String? = nil, language: String? = nil,
    title: String? = nil
  ) {
    self.index = index
    self.codec = codec
    self.size = size
    self.format = format
    self.attributes = attributes
    self.colorProvenance = colorProvenance
    self.nominalFrameRate = nominalFrameRate
    self.cadence = cadence
    self.timeRange = timeRange
    self.readableEnd = readableEnd
    self.preferredTransform = preferredTransform
    self.fieldOrder = fieldOrder
    self.dynamicMetadata = dynamicMetadata
    self.isStill = isStill
    self.colorProfile = colorProfile
    self.language = language
    self.title = title
  }

  /// Columns and rows on screen: pixel aspect applied, then ``preferredTransform``.
  public var displaySize: Size {
    let width = Double(size.width) * attributes.pixelAspectRatio.value
    let stored = Rect(x: 0, y: 0, width: width, height: Double(size.height))
    return preferredTransform.boundingBox(of: stored).size
  }
}

/// What a track of sound holds.
public struct AudioTrackInfo: Sendable, Hashable, Codable {
  /// Index among the container's audio tracks, from 0.
  public var index: Int
  /// Short name of the codec: `aac`, `pcm_s16le`, `opus` …
  public var codec: String
  /// Samples a second per channel.
  public var sampleRate: Int
  /// Channels.
  public var channelCount: Int
  /// From the first sample to the end of the last, in media time, as the source promises it.
  public var timeRange: TimeRange
  /// Where the samples that are really there end, where the file is cut short; nil for a whole file.
  public var readableEnd: MediaTime?
  /// The language as a BCP 47 tag, for example `de`; nil if the container states none.
  public var language: String?
  /// The track's title; nil if the container states none. Of MP4 and QuickTime files, handler names are not taken for titles.
  public var title: String?

  /// Makes a description.
  public init(
    index: Int, codec: String, sampleRate: Int, channelCount: Int, timeRange: TimeRange, readableEnd: MediaTime? = nil,
    language: String? = nil, title: String? = nil
  ) {
    self.index = index
    self.codec = codec
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.timeRange = timeRange
    self.readableEnd = readableEnd
    self.language = language
    self.title = title
  }
}

/// A track that is neither picture nor sound, or cannot be decoded.
public struct OtherTrackInfo: Sendable, Hashable, Codable {
  /// Index in the container, all kinds counted, from 0.
  public var streamIndex: Int
  /// `timecode`, `data`, `subtitle`, `attachment`, `cover`, or `video` and `audio` for tracks that cannot be decoded.
  public var kind: String
  /// Short name or four-character code of the codec; `unknown` where there is neither.
  public var codec: String
  /// Why a video or audio track is here; of subtitles, that they are pictures, which cannot be used.
  public var reason: String?
  /// Index among the container's video, audio or subtitle tracks, from 0; nil for other kinds, and for video and audio without packets.
  public var trackIndex: Int?
  /// Whether the reason is that there is no decoder for its codec; nil for other kinds.
  public var needsDecoder: Bool?
  /// The language of a subtitle track as a BCP 47 tag; nil if the container states none, and for other kinds.
  public var language: String?
  /// The title of a subtitle track; nil if the container states none, and for other kinds.
  public var title: String?

  /// Makes a description.
  public init(
    streamIndex: Int, kind: String, codec: String, reason: String? = nil, trackIndex: Int? = nil, needsDecoder: Bool? = nil
  ) {
    self.streamIndex = streamIndex
    self.kind = kind
    self.codec = codec
    self.reason = reason
    self.trackIndex = trackIndex
    self.needsDecoder = needsDecoder
  }
}
