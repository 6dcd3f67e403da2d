public import CompositorAPI
public import CompositorHost
import CompositorMediaIO
public import CompositorMediaWriting

/// What an export writes, and how.
public struct ExportSettings: Sendable {
  /// How pictures are encoded in a movie.
  public var video: VideoEncodingSettings
  /// Whether a movie gets a video track. Files of audio alone never do.
  public var pictures: PictureChoice
  /// How sound is encoded; nil leaves it out. A composition without sound gets no sound track in a movie either way.
  public var audio: AudioEncodingSettings?
  /// The part of the timeline to write; nil for all of it. Frames that start inside are written, the first at time 0.
  public var timeRange: TimeRange?
  /// Whether an existing file is replaced, at once, when the new one is complete. By default that is an error.
  public var overwrites: Bool
  /// Entries for the whole movie, such as `title`.
  public var metadata: [String: String]
  /// When the movie was made, in seconds since 1970; nil writes no date, so that equal input gives equal bytes.
  public var creationSecondsSince1970: Int?
  /// How frames are made.
  public var render: RenderSettings
  /// How numbered images are written.
  public var images = ImageFileSettings()

  /// Makes settings; H.264 and the container's usual audio codec unless told otherwise.
  public init(
    video: VideoEncodingSettings = VideoEncodingSettings(), audio: AudioEncodingSettings? = AudioEncodingSettings(),
    timeRange: TimeRange? = nil, overwrites: Bool = false, metadata: [String: String] = [:],
    creationSecondsSince1970: Int? = nil, render: RenderSettings = RenderSettings(), pictures: PictureChoice = .whereShown
  ) {
    self.pictures = pictures
    self.video = video
    self.audio = audio
    self.timeRange = timeRange
    self.overwrites = overwrites
    self.metadata = metadata
    self.creationSecondsSince1970 = creationSecondsSince1970
    self.render = render
  }
}

/// Whether a movie gets a video track.
public enum PictureChoice: String, Hashable, Sendable, Codable, CaseIterable {
  /// Where the composition shows anything: clips with video, titles, a compositor that makes pictures of its own. Else the movie
  /// has audio alone.
  case whereShown = "where-shown"
  /// In any case: what shows nothing is as black, or of the color, as its background.
  case always
  /// Never: nothing is decoded or composed, the audio alone is written.
  case never
}

/// A color and a codec that go together: what people deliver.
///
/// ```swift
/// ExportPreset.hevcPQ.apply(to: &edit)
/// let settings = ExportSettings(video: ExportPreset.hevcPQ.video)
/// ```
public enum ExportPreset: String, Hashable, Sendable, Codable, CaseIterable {
  /// BT.709 in H.264, 8 bits.
  case h264SDR = "h264-sdr"
  /// BT.709 in HEVC.
  case hevcSDR = "hevc-sdr"
  /// HLG in HEVC Main 10.
  case hevcHLG = "hevc-hlg"
  /// PQ in HEVC Main 10: HDR10.
  case hevcPQ = "hevc-pq"
  /// HLG in AV1, 10 bits.
  case av1HLG = "av1-hlg"
  /// PQ in AV1, 10 bits.
  case av1PQ = "av1-pq"
  /// HLG in ProRes 422 HQ, for another grading.
  case proResHLG = "prores-hlg"
  /// PQ in ProRes 422 HQ, for another grading.
  case proResPQ = "prores-pq"
  /// HLG in FFV1, lossless.
  case ffv1HLG = "ffv1-hlg"
  /// PQ in FFV1, lossless.
  case ffv1PQ = "ffv1-pq"

  /// What every player shows: BT.709 in H.264, 8 bits.
  public static var h264: ExportPreset { .h264SDR }
  /// BT.709 in HEVC.
  public static var hevc: ExportPreset { .hevcSDR }

  /// The color of the frames.
  public var color: ColorTags {
    switch self {
    case .h264SDR, .hevcSDR: .bt709
    case .hevcHLG, .av1HLG, .proResHLG, .ffv1HLG: .bt2100HLG
    case .hevcPQ, .av1PQ, .proResPQ, .ffv1PQ: .bt2100PQ
    }
  }

  /// How pictures are encoded, at the codec's own quality.
  public var video: VideoEncodingSettings {
    switch self {
    case .h264SDR: VideoEncodingSettings(codec: .h264)
    case .hevcSDR, .hevcHLG, .hevcPQ: VideoEncodingSettings(codec: .hevc)
    case .av1HLG, .av1PQ: VideoEncodingSettings(codec: .av1)
    case .proResHLG, .proResPQ: VideoEncodingSettings(codec: .proRes, proResProfile: .hq)
    case .ffv1HLG, .ffv1PQ: VideoEncodingSettings(codec: .ffv1)
    }
  }

  /// Renders an edit to the preset's color, in the layout that codec, sources and color ask for.
  public func apply(to edit: inout Edit) {
    edit.render(in: color)
    edit.output.format = nil
  }
}
