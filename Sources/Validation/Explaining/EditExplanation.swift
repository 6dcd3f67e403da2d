import CompositorMedia
import CompositorPlugins
public import CompositorAPI
import CompositorMediaIO

/// An explanation of what a render would do, for programs and people: sources, tracks, and each instruction with its route and
/// the reason for it.
public struct EditExplanation: Hashable, Sendable, Encodable {
  /// A source that the edit uses.
  public struct Source: Hashable, Sendable, Codable {
    /// Path, pattern or name.
    public var name: String
    /// Codec, size, pixel format and frame rate of the first video track; `nil` if there is none.
    public var video: String?
    /// The color of the first video track: its tags, assumed values and HDR metadata; `nil` if there is none.
    public var color: String?
    /// The conversion of its colors to those of the output, with its rules; `nil` if there is no video.
    public var conversion: String?
    /// Codec, sample rate and channels of the first audio track; `nil` if there is none.
    public var audio: String?
    /// Irregularities of the source.
    public var warnings: [String]
  }

  /// A composition track.
  public struct Track: Hashable, Sendable, Codable {
    /// The track's ID.
    public var id: TrackID
    /// `video` or `audio`.
    public var mediaType: MediaType
    /// The segments of the track.
    public var segments: [Segment]
  }

  /// A segment of a track.
  public struct Segment: Hashable, Sendable, Codable {
    /// The time range on the timeline.
    public var start, end: MediaTime
    /// Path, pattern or name of the source; `nil` for a gap.
    public var source: String?
    /// The index of the source's track among those of the same type, from 0; `nil` for a gap.
    public var sourceTrack: Int?
    /// Which of the source's tracks plays, such as `audio track 1, de`; `nil` for a gap, and if there is only one.
    public var sourceTrackName: String?
    /// The time range in the media; `nil` for a gap.
    public var sourceStart, sourceEnd: MediaTime?
    /// How it plays: `0.5x, backward, pitch spectral`; `nil` if forward at its own speed.
    public var retiming: String?
  }

  /// An instruction with the route of its frames.
  public struct Instruction: Hashable, Sendable {
    /// The time range on the timeline.
    public var start, end: MediaTime
    /// The number of output frames that start in it.
    public var frameCount: Int
    /// The identifier of the compositor.
    public var compositor: CompositorID
    /// The costliest route that any of its frames takes.
    public var route: RenderRoute
    /// The reason for this route.
    public var reason: String
    /// Layers, front to back.
    public var layers: [Layer]
    /// Tracks in addition to those of the layers.
    public var additionalTracks: [TrackID]
    /// The constant values of the compositor's parameters.
    public var parameters: ParameterValues
    /// The keys of the compositor's parameters that change during the instruction.
    public var animatedParameters: Set<String>
    /// The effects on the composed frame, in order, with parameters.
    public var effects: [String]
    /// The devices on which compositors and effects take their frames. Those that take them in the host's memory aren't listed.
    public var residency: [CompositorID: DeviceID]
  }

  /// A layer of an instruction.
  public struct Layer: Hashable, Sendable, Codable {
    /// The track.
    public var track: TrackID
    /// The properties that change during the instruction: `opacity`, `transform`, `crop`,
    /// `decoration`.
    public var animatedProperties: [String]
    /// The exposure of the motion blur, in seconds; `nil` for none.
    public var motionBlur: Double?
    /// Opacity at the instruction's start.
    public var opacity: Double
    /// Transform at the instruction's start: a, b, c, d, tx, ty.
    public var transform: [Double]
    /// Crop at the instruction's start: x, y, width, height; `nil` if the frame isn't cropped.
    public var crop: [Double]?
    /// The effects on the track's frames before they are placed, in order, with parameters.
    public var effects: [String]
  }

  /// A title.
  public struct Title: Hashable, Sendable, Codable {
    /// The start, in seconds of the timeline.
    public var start: Double
    /// The end, in seconds of the timeline; `nil` if it has no end of its own.
    public var end: Double?
    /// The first text of the title, or its name or kind of content.
    public var summary: String
    /// The number of its layers.
    public var layerCount: Int
  }

  /// Captions.
  public struct Captions: Hashable, Sendable, Codable {
    /// The language as a BCP 47 tag; `nil` for none.
    public var language: String?
    /// The title of the track; `nil` for none.
    public var title: String?
    /// `burned-in`, `track` or `both`.
    public var presentation: CaptionPresentation
    /// The number of cues that are shown at some time.
    public var cueCount: Int
    /// The start of the first and the end of the last cue; `nil` if there are none.
    public var start, end: MediaTime?
    /// Whether libass draws them in the styles of an ASS script.
    public var isScript: Bool

    init(_ track: CaptionTrack) {
      let cues = track.timedCues
      (language, title, presentation) = (track.language, track.title, track.presentation)
      (cueCount, start, end) = (cues.count, cues.first?.timeRange.start, cues.map(\.timeRange.end).max())
      isScript = track.script != nil
    }
  }

  /// An audio track whose gain isn't always 1.
  public struct Volume: Hashable, Sendable, Codable {
    /// The track.
    public var track: TrackID
    /// The linear gain at its set points and at the ends of ramps.
    public var points: [VolumePoint]
  }

  /// A gain and the time at which it applies.
  public struct VolumePoint: Hashable, Sendable, Codable {
    /// The time on the timeline.
    public var time: MediaTime
    /// Linear gain.
    public var gain: Double
  }

  /// The format in which frames are passed to the encoder of a movie.
  public struct Delivery: Hashable, Sendable, Codable {
    /// The name of the codec.
    public var codec: String
    /// The pixel format, such as `yuv420p10`.
    public var format: PixelFormat
    /// The reason for this format, or why it cannot be encoded.
    public var reason: String

    /// Creates a description of a movie's frames.
    package init(codec: String, format: PixelFormat, reason: String) {
      (self.codec, self.format, self.reason) = (codec, format, reason)
    }
  }

  /// A description of the frames' size, format and color.
  public var format: String
  /// The reason for the color.
  public var colorReason: String
  /// The mastering display and light level metadata of the output.
  public var hdrMetadata: String
  /// The format of a movie. Images are written in the frames' own bit depth.
  public var delivery: Delivery
  /// The frame size in pixels.
  public var size: PixelSize
  /// The duration of a frame.
  public var frameDuration: MediaTime
  /// The reason for the frame rate.
  public var frameRateReason: String
  /// The end of the timeline.
  public var duration: MediaTime
  /// The total number of frames.
  public var frameCount: Int
  /// Sources in the order of their first use.
  public var sources: [Source]
  /// Tracks.
  public var tracks: [Track]
  /// Instructions in the order of time.
  public var instructions: [Instruction]
  /// Titles, back to front.
  public var titles: [Title]
  /// Captions, in their order.
  public var captions: [Captions]
  /// Volumes of audio tracks whose gain isn't always 1.
  public var volumes: [Volume]
  /// The audio tracks of the output; empty for one that mixes all tracks.
  public var audioTracks: [AudioTrack]
  /// The mix as a whole.
  public var audio: AudioExplanation
}

extension EditExplanation {
  /// Explains a plan without decoding anything. O(n) in segments and instructions.
  ///
  /// - Parameter delivery: The frames that the encoder of a movie receives.
  /// - Throws: The errors of choosing the routes of instructions.
  package init(_ plan: RenderPlan, delivery: Delivery) throws(CompositorError) {
    let composition = plan.composition
    let edit = composition.edit
    size = plan.format.frameSize
    format = "\(plan.format.frameSize) \(plan.format.pixelFormat), \(plan.format.attributes.color.longName)"
    frameDuration = edit.videoComposition.frameDuration
    frameRateReason = EditExplanation.frameRateReason(composition)
    duration = plan.duration
    frameCount = plan.frameCount
    colorReason = plan.format.colorReason
    hdrMetadata = EditExplanation.hdrMetadata(edit.output.hdrMetadata, plan.format.attributes)
    self.delivery = delivery
    sources = EditExplanation.sources(composition, plan.format.attributes.color)
    tracks = edit.composition.tracks.map { Track($0, media: composition.media) }
    titles = edit.titles.layers.map(Title.init)
    volumes = edit.audioMix.inputParameters.filter { !$0.volume.isConstant || $0.volume.defaultValue != 1 }.map {
      Volume(track: $0.trackID, points: $0.volume.explainedPoints)
    }
    audioTracks = EditExplanation.audioTracks(edit)
    audio = AudioExplanation(edit.audioMix)
    captions = edit.captions.map(Captions.init)
    instructions = []
    for index in plan.instructions.indices {
      instructions.append(try Instruction(plan.instructions[index], index: index, plan: plan))
    }
  }

  /// Names the first source that moves if the rate is its own.
  private static func frameRateReason(_ composition: ValidatedComposition) -> String {
    let masks = composition.edit.videoComposition.maskOnlyTrackIDs
    let segments = composition.edit.composition.tracks(.video).filter { !masks.contains($0.trackID) }.flatMap(\.segments)
    let tracks = segments.compactMap { segment -> (start: MediaTime, source: MediaSource, info: VideoTrackInfo)? in
      // Titles have the output's rate unless they state one.
      guard let source = segment.source, let info = composition.videoTrack(segment.sourceTrackIndex, of: source),
        !info.isStill, info.codec != VideoTrackInfo.titleCodec
      else { return nil }
      return (segment.timeMapping.target.start, source, info)
    }
    let moving = tracks.filter { !$0.source.isStaticPattern }
    guard let (_, source, track) = (moving.isEmpty ? tracks : moving).min(by: { $0.start < $1.start }),
      track.outputFrameRate.frameDuration == composition.edit.videoComposition.frameDuration
    else { return "as the edit says" }
    return "as in \(source), the first source: \(track.outputRateReason)"
  }

  private static func hdrMetadata(_ choice: HDRMetadataChoice, _ attributes: FrameAttributes) -> String {
    guard attributes.color.transfer == .pq else { return "none: only PQ carries it" }
    switch choice {
    case .drop: return "dropped"
    case .generate: return "measured from the frames when they are rendered"
    case .propagate:
      guard let hdr = attributes.hdr else { return "none: no PQ source has any" }
      return "as the sources are: \(hdr.explanation)"
    }
  }
}
