public import CompositorAPI
import CompositorMediaIO

/// A high-level description of an edit: clips on stacked tracks, with transitions, titles and volumes. ``edit(catalog:)``
/// converts it to tracks, segments, instructions, layers and an audio mix.
///
/// Project files and `compositor join` produce timelines. Instructions are derived unless ``instructions`` are set:
///
/// ```swift
/// var movie = Timeline()  // size and rate of the first clip
/// movie.append("church.mov", from: .seconds(2), for: .seconds(5))
/// movie.append("dance.mp4", transition: .dissolve(.seconds(1)))
/// movie.overlay(.lowerThird("Ada Lovelace", role: "Mathematician"), at: .seconds(0.5), for: .seconds(4))
/// let edit = try movie.edit(catalog: MediaCatalog())
/// ```
public struct Timeline: Hashable, Sendable {
  /// The size of the frames in pixels; `nil`, the default, for that of the first clip with a size of its own, rounded up to even
  /// sides, or 1920x1080 if there is none.
  public var canvas: PixelSize?
  /// Frames per second, > 0. Cuts between clips without an explicit duration are aligned to frames. `nil`, the default, for the
  /// rate of the first clip that moves, or 30 if there is none.
  public var frameRate: Rational?
  /// The color behind all layers; `nil` for opaque black, which exporters leave out of files with alpha.
  public var background: Color?
  /// The signal domain in which layers are blended.
  public var blending: BlendingSpace
  /// The default resampling of clips; see `VideoComposition.sampling`.
  public var sampling: SamplingQuality?
  /// How sources of another dynamic range (SDR, HLG, PQ) are converted to the output's.
  public var colorConversion: ColorConversionPolicy
  /// The tracks from bottom to top.
  public var tracks: [TimelineTrack]
  /// Time ranges with an effect or a custom compositor, which must not overlap.
  public var effects: [TimelineEffect]
  /// Explicit instructions; `nil` to derive them from the clips.
  public var instructions: [TimelineInstruction]?
  /// The titles over all tracks, back to front.
  public var titles: [TimelineTitle]
  /// The captions, which are drawn over titles, written as tracks of the output, or both.
  public var captions: [TimelineCaptions] = []
  /// Paths of font files for titles and captions, in addition to the system's fonts.
  public var fonts: [String]
  /// The sources of image and movie layers in titles, by the name that the layers use.
  public var images: [String: MediaSource]
  /// The format and color of the frames.
  public var output: OutputDescription
  /// How interlaced frames are handled, by source. Absent sources aren't deinterlaced.
  public var deinterlacing: [MediaSource: Deinterlacing]
  /// Corrections of sources' color tags, by source.
  public var sourceColors: [MediaSource: SourceColor] = [:]
  /// The settings of the audio mix.
  public var audio = TimelineAudio()
  /// Where clips that don't set ``TimelineClip/ends`` begin and end if their video and audio differ. `nil`, the default, for
  /// ``ClipEnds/longest``.
  public var ends: ClipEnds?
  /// Whether only the audio of clips is used and all times are exact to the sample; see ``playAudioAlone(catalog:)``.
  package var isAudioAlone = false
  /// The audio tracks of the output, each with its own mix; empty, the default, for one with all of the timeline's audio.
  public var audioTracks: [TimelineAudioTrack] = []

  /// Creates a timeline without tracks.
  public init(canvas: PixelSize? = nil, frameRate: Rational? = nil) {
    self.canvas = canvas
    self.frameRate = frameRate
    self.background = nil
    self.blending = .encoded
    self.sampling = nil
    self.colorConversion = .standard
    self.tracks = []
    self.effects = []
    self.instructions = nil
    self.titles = []
    self.fonts = []
    self.images = [:]
    self.output = OutputDescription()
    self.deinterlacing = [:]
  }
}

/// A sequence of clips. Two of them overlap only during a transition.
public struct TimelineTrack: Hashable, Sendable {
  /// The name by which layers of explicit instructions refer to the track.
  public var name: String?
  /// The clips in order of time.
  public var clips: [TimelineClip]
  /// The settings of the track's audio.
  public var audio = TrackAudio()

  /// Creates a track.
  public init(name: String? = nil, clips: [TimelineClip]) {
    self.name = name
    self.clips = clips
  }
}

/// How a frame is scaled to the canvas before its own placement.
public enum FitMode: String, Hashable, Sendable, Codable, CaseIterable {
  /// Scaled to fit inside the canvas, centered.
  case fit
  /// Scaled to cover the canvas, centered.
  case fill
  /// Unscaled, centered.
  case none
}

/// How long a clip lasts on the timeline.
public enum ClipDuration: Hashable, Sendable {
  /// As long as its media from the in point on, to the end of its video or audio; see ``TimelineClip/ends``.
  case media
  /// This long.
  case time(MediaTime)
  /// Until everything else on the timeline has ended, such as background music or a background image. If the media ends
  /// earlier, so does the clip, unless it loops. Only for the last clip of a track.
  case fill
}

/// What becomes of the audio of a clip's media.
public enum AudioUse: String, Hashable, Sendable, Codable, CaseIterable {
  /// It is played.
  case played
  /// It is silent. A clip of audio alone keeps its position and duration.
  case muted
  /// It isn't used, as if the media had none.
  case unused
}

/// A range of media on a track.
public struct TimelineClip: Hashable, Sendable {
  /// The media.
  public var source: MediaSource
  /// The start on the timeline; `nil` for the end of the previous clip, minus the transition.
  public var start: MediaTime?
  /// The media time to start at; `nil` for the beginning of the media, which is that of its video unless its audio begins
  /// earlier; see ``ends``.
  public var sourceStart: MediaTime?
  /// How long the clip lasts on the timeline.
  public var length: ClipDuration
  /// The duration that ``length`` states; `nil` if it follows from the media or the timeline. Setting it to `nil` makes the clip
  /// last as long as its media.
  public var duration: MediaTime? {
    get { if case .time(let duration) = length { duration } else { nil } }
    set { length = newValue.map(ClipDuration.time) ?? .media }
  }
  /// Where the clip begins and ends if its video and audio differ; `nil`, the default, for ``Timeline/ends``.
  public var ends: ClipEnds?
  /// Whether the last frame is held, in silence, if the media ends before the clip does. Default `false`: a ``duration`` that
  /// exceeds the media is an error. Not for media that loops or plays backward.
  public var holdsLastFrame = false
  /// Whether the next clip continues the recording, so that its file has the audio that this one lacks before its end.
  package var audioContinues = false
  /// Whether the clip continues the one before it, so that its file has the audio that this one lacks at its beginning.
  package var audioFollows = false
  /// Media time per timeline time: constant, 1 by default, or changing. Outside 1/32 … 32 audio is silent.
  public var speed: PlaybackSpeed
  /// Whether the media plays backward, video and audio. Default `false`.
  public var isReversed = false
  /// How the pitch of audio behaves at other speeds. By default it is kept.
  public var pitch = PitchAlgorithm.spectral
  /// How frames between two frames of the media are made. By default the earlier one is repeated.
  public var frameInterpolation = FrameInterpolation.nearest
  /// How the upright frame is scaled to the canvas.
  public var fit: FitMode
  /// Opacity, 0 … 1. Times are relative to the clip's start.
  public var opacity: Animated<Double>
  /// The position of the frame on the canvas. Times are relative to the clip's start.
  public var placement: Animated<ClipPlacement> {
    get { boxedPlacement?.value ?? .constant(ClipPlacement()) }
    set { boxedPlacement = newValue == .constant(ClipPlacement()) ? nil : .value(newValue) }
  }
  /// The part of the upright frame to show; `nil` for all of it. It doesn't change the fitting, nor the point about which the frame
  /// is placed. Times are relative to the clip's start.
  public var crop: Animated<ClipCrop>? {
    get { boxedCrop?.value }
    set { boxedCrop = newValue.map(Boxed.value) }
  }
  /// Linear gain of the clip's audio, 0 … 1000; 1 leaves it unchanged. Times are relative to the clip's start. During a
  /// transition, the audio of both clips is additionally cross-faded.
  public var volume: Animated<Double>
  /// Whether the media's video is shown.
  public var showsVideo: Bool
  /// What becomes of the media's audio. By default it is played.
  public var audio = AudioUse.played
  /// The index of the media's video track, from 0.
  public var videoTrackIndex: Int
  /// The index of the media's audio track, from 0. ``audioChoice`` takes precedence.
  public var audioTrackIndex: Int
  /// Which of the media's audio tracks plays, by language or as a mix of several; `nil`, the default, for ``audioTrackIndex``.
  public var audioChoice: AudioTrackChoice? {
    get { boxedAudioChoice?.value }
    set { boxedAudioChoice = newValue.map(Boxed.value) }
  }
  /// The transition from the previous clip on the track; `nil` for a cut.
  public var transition: Transition? {
    get { boxedTransition?.value }
    set { boxedTransition = newValue.map(Boxed.value) }
  }
  /// The effects to apply to the frame before it is placed, in order. Times are relative to the clip's start.
  public var effects: [TimelineEffectUse]
  /// Rounded corners, a border and a shadow; `nil` for none. Lengths are pixels of the canvas at a scale of 1, and scale and
  /// rotate with ``placement``. Times are relative to the clip's start.
  public var decoration: ClipDecoration? {
    get { boxedDecoration?.value }
    set { boxedDecoration = newValue.map(Boxed.value) }
  }
  /// How the clip's frames are resampled; `nil`, the default, for ``Timeline/sampling``.
  public var sampling: SamplingQuality?
  /// The motion blur of changes of opacity, placement, crop and decoration; `nil`, the default, for none. The media's own frames are
  /// not blurred.
  public var motionBlur: MotionBlur? {
    get { boxedMotionBlur?.value }
    set { boxedMotionBlur = newValue.map(Boxed.value) }
  }
  /// The fade-in of the clip's audio, in addition to ``volume``; `nil` for none.
  public var fadeIn: AudioFade? {
    get { boxedFadeIn?.value }
    set { boxedFadeIn = newValue.map(Boxed.value) }
  }
  /// The fade-out of the clip's audio at its end, in addition to ``volume``; `nil` for none.
  public var fadeOut: AudioFade? {
    get { boxedFadeOut?.value }
    set { boxedFadeOut = newValue.map(Boxed.value) }
  }
  /// The pan position of the clip's audio: −1 left, 0 center, 1 right. That of its track is added. Times are relative to the
  /// clip's start.
  public var pan: Animated<Double> = .constant(0)
  /// The channels of the media's audio that are heard, each at full level; `nil`, the default, for those of the track
  /// (``TrackAudio/channels``).
  public var channels: AudioChannels?
  /// The processors to apply to the clip's audio before volume and pan, in order. Their time ranges are set to the clip's.
  public var audioEffects: [AudioProcessorUse] = []
  /// How often the media plays in the clip; `nil` for once.
  public var loop: ClipLoop?
  // Boxed, because most clips have none of these, and there may be tens of thousands of clips.
  private var boxedPlacement: Boxed<Animated<ClipPlacement>>?
  private var boxedCrop: Boxed<Animated<ClipCrop>>?
  private var boxedTransition: Boxed<Transition>?
  private var boxedDecoration: Boxed<ClipDecoration>?
  private var boxedMotionBlur: Boxed<MotionBlur>?
  private var boxedFadeIn: Boxed<AudioFade>?
  private var boxedFadeOut: Boxed<AudioFade>?
  private var boxedAudioChoice: Boxed<AudioTrackChoice>?

  /// Creates a clip of the whole media, fitted to the canvas.
  public init(
    _ source: MediaSource, start: MediaTime? = nil, sourceStart: MediaTime? = nil, duration: MediaTime? = nil,
    transition: Transition? = nil
  ) {
    self.source = source
    self.start = start
    self.sourceStart = sourceStart
    self.length = duration.map(ClipDuration.time) ?? .media
    self.speed = .constant(.one)
    self.fit = .fit
    self.opacity = .constant(1)
    self.volume = .constant(1)
    self.showsVideo = true
    self.videoTrackIndex = 0
    self.audioTrackIndex = 0
    self.effects = []
    self.transition = transition
    self.sampling = nil
  }
}

/// A time range in which an effect changes the composed frame, or a custom compositor composes the layers.
public struct TimelineEffect: Hashable, Sendable {
  /// What happens in the range. Times of animations are relative to its start.
  public enum Content: Hashable, Sendable {
    /// An effect changes the composed frame.
    case effect(TimelineEffectUse)
    /// A compositor composes the layers, with parameters of which some may change over time.
    case compositor(CompositorID, ParameterValues = [:], animated: AnimatedValues = [:])
  }

  /// The range on the timeline.
  public var timeRange: TimeRange
  /// What happens in it.
  public var content: Content

  /// Creates a range with an effect on the composed frame.
  public init(timeRange: TimeRange, effect: TimelineEffectUse) {
    self.timeRange = timeRange
    content = .effect(effect)
  }

  /// Creates a range with a custom compositor.
  public init(
    timeRange: TimeRange, compositor: CompositorID, parameters: ParameterValues = [:],
    animatedParameters: AnimatedValues = [:]
  ) {
    self.timeRange = timeRange
    content = .compositor(compositor, parameters, animated: animatedParameters)
  }
}
