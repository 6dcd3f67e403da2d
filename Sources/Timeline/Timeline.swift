public import CompositorAPI
import CompositorMediaIO

/// An edit as people think of it: clips on stacked tracks, with transitions, titles and volumes. ``edit(catalog:)`` turns it into
/// tracks, segments, instructions, layers and an audio mix.
///
/// Both a project file and the quick join are timelines. Instructions are derived unless ``instructions`` are given:
///
/// ```swift
/// var movie = Timeline()  // size and rate of the first clip
/// movie.append("church.mov", from: .seconds(2), for: .seconds(5))
/// movie.append("dance.mp4", transition: .dissolve(.seconds(1)))
/// movie.overlay(.lowerThird("Ada Lovelace", role: "Mathematician"), at: .seconds(0.5), for: .seconds(4))
/// let edit = try movie.edit(catalog: MediaCatalog())
/// ```
public struct Timeline: Hashable, Sendable {
  /// The size of the frames in pixels; `nil`, the default, takes that of the first clip with video, rounded up to even sides, or 1920x1080
  /// if there is none.
  public var canvas: PixelSize?
  /// Frames a second, > 0; cuts of clips without a duration of their own fall on its frames. `nil`, the default, takes the rate of
  /// the first clip with video, or 30 if there is none.
  public var frameRate: Rational?
  /// What is behind everything; nil is opaque black.
  public var background: Color?
  /// In which signal layers are mixed.
  public var blending: BlendingSpace
  /// How pictures are resampled whose clips do not say it; see ``VideoComposition/sampling``.
  public var sampling: SamplingQuality?
  /// How sources of another kind (SDR, HLG, PQ) become the output's.
  public var colorConversion: ColorConversionPolicy
  /// Tracks from bottom to top: a later one lies over an earlier one.
  public var tracks: [TimelineTrack]
  /// Stretches that another compositor than the layer compositor composes; they must not overlap.
  public var effects: [TimelineEffect]
  /// What happens when, where it should not be derived from the clips.
  public var instructions: [TimelineInstruction]?
  /// Titles over everything, back to front.
  public var titles: [TimelineTitle]
  /// Captions over titles, as tracks of the output, or both.
  public var captions: [TimelineCaptions] = []
  /// Font files that titles and captions may use beside the system's, by path.
  public var fonts: [String]
  /// Sources of the pictures that title layers show, by the name that they use.
  public var images: [String: MediaSource]
  /// Format and color of the frames.
  public var output: OutputDescription
  /// What is done about interlaced pictures, by source; nothing for those that are absent.
  public var deinterlacing: [MediaSource: Deinterlacing]
  /// What is known better of sources' colors than they say themselves, by source.
  public var sourceColors: [MediaSource: SourceColor] = [:]
  /// The audio of the whole.
  public var audio = TimelineAudio()

  /// Makes a timeline without tracks.
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

/// Clips one after another; only a transition lets two of them overlap.
public struct TimelineTrack: Hashable, Sendable {
  /// The name that layers of explicit instructions use.
  public var name: String?
  /// Clips in the order of time.
  public var clips: [TimelineClip]
  /// The track's audio.
  public var audio = TrackAudio()

  /// Makes a track.
  public init(name: String? = nil, clips: [TimelineClip]) {
    self.name = name
    self.clips = clips
  }
}

/// How a picture is brought to the canvas before its own transform.
public enum FitMode: String, Hashable, Sendable, Codable, CaseIterable {
  /// As large as it can be with all of it visible, centered.
  case fit
  /// As small as it can be without bars, centered.
  case fill
  /// In its own size, centered.
  case none
}

/// A piece of media on a track.
public struct TimelineClip: Hashable, Sendable {
  /// The media.
  public var source: MediaSource
  /// When it starts; nil right after the clip before it, overlapping it by the transition.
  public var start: MediaTime?
  /// The media time it starts with; nil for the media's first picture, or its first sound where it shows none.
  public var sourceStart: MediaTime?
  /// How long it takes on the timeline; nil for all that the media has from ``sourceStart`` on.
  public var duration: MediaTime?
  /// Whether it lasts until everything else on the timeline is over: music under a movie, a picture behind it. Media that ends earlier
  /// ends the clip, unless it loops. Only the last clip of a track may fill, and it has no ``duration``.
  public var fillsTimeline = false
  /// Media time per timeline time: 1/32 … 32, or 0 for a frame that stands still. Without effect where ``speedRamp`` is set.
  public var speed: Rational
  /// Speeds at times from the clip's start on the timeline, 1/32 … 32, with the easing from each to the next; the first holds before its
  /// time, the last one after. `nil`, the default, for ``speed`` all along.
  ///
  /// With ``duration`` set the media that the clip uses follows from the ramp; otherwise the duration follows from all the media there is.
  public var speedRamp: [Keyframe<Double>]?
  /// Whether the stretch of media plays backward, video and audio. Default `false`.
  public var isReversed = false
  /// What happens to the audio's pitch at another speed. By default it is kept.
  public var pitch = PitchAlgorithm.spectral
  /// What is shown between two frames of the media. By default the earlier one.
  public var frameInterpolation = FrameInterpolation.nearest
  /// How the upright picture is brought to the canvas.
  public var fit: FitMode
  /// Opacity, 0 … 1. Times count from the clip's start.
  public var opacity: Animated<Double>
  /// Where the picture goes. Times count from the clip's start.
  public var placement: Animated<ClipPlacement> {
    get { boxedPlacement?.value ?? .constant(ClipPlacement()) }
    set { boxedPlacement = newValue == .constant(ClipPlacement()) ? nil : .value(newValue) }
  }
  /// The part of the upright picture to show, in its display pixels; nil for all. Times count from the clip's start.
  public var crop: Animated<Rect>? {
    get { boxedCrop?.value }
    set { boxedCrop = newValue.map(Boxed.value) }
  }
  /// Linear gain of the clip's audio, 0 … 1000; 1 leaves it as it is. Times count from the clip's start. Along a transition the audio of both
  /// clips is cross-faded on top of this.
  public var volume: Animated<Double>
  /// Whether the media's pictures are shown.
  public var showsVideo: Bool
  /// Whether the media's sound is heard.
  public var playsAudio: Bool
  /// Whether its audio is silent. Other than without ``playsAudio``, a clip of audio alone keeps its place and its length.
  public var isMuted = false
  /// Which of the media's video tracks, from 0.
  public var videoTrackIndex: Int
  /// Which of the media's audio tracks, from 0.
  public var audioTrackIndex: Int
  /// How the clip before it on the track gives way to this one; nil is a cut.
  public var transition: Transition? {
    get { boxedTransition?.value }
    set { boxedTransition = newValue.map(Boxed.value) }
  }
  /// What is done to the picture before it is placed, in this order. Times count from the clip's start.
  public var effects: [TimelineEffectUse]
  /// Round corners, a border and a shadow; nil for none. Lengths are pixels of the canvas at a scale of 1: they grow and turn with
  /// ``placement``.
  public var decoration: LayerDecoration? {
    get { boxedDecoration?.value }
    set { boxedDecoration = newValue.map(Boxed.value) }
  }
  /// How the clip's picture is resampled; `nil`, the default, leaves it to ``Timeline/sampling``.
  public var sampling: SamplingQuality?
  /// How the clip's audio comes in, on top of ``volume``; nil for at once.
  public var fadeIn: AudioFade? {
    get { boxedFadeIn?.value }
    set { boxedFadeIn = newValue.map(Boxed.value) }
  }
  /// How the clip's audio goes out at its end, on top of ``volume``; nil for at once.
  public var fadeOut: AudioFade? {
    get { boxedFadeOut?.value }
    set { boxedFadeOut = newValue.map(Boxed.value) }
  }
  /// Where its audio stands between the loudspeakers: −1 left, 0 middle, 1 right; that of its track is added. Times count from the clip's
  /// start.
  public var pan: Animated<Double> = .constant(0)
  /// What is done to its samples before volume and pan, in this order; their time ranges are set to the clip's.
  public var audioEffects: [AudioProcessorUse] = []
  /// How often the media plays in the clip; nil for once.
  public var loop: ClipLoop?
  // Most clips have none of these, and there may be tens of thousands of clips.
  private var boxedPlacement: Boxed<Animated<ClipPlacement>>?
  private var boxedCrop: Boxed<Animated<Rect>>?
  private var boxedTransition: Boxed<Transition>?
  private var boxedDecoration: Boxed<LayerDecoration>?
  private var boxedFadeIn: Boxed<AudioFade>?
  private var boxedFadeOut: Boxed<AudioFade>?

  /// A clip of the whole media, fitted to the canvas.
  public init(
    _ source: MediaSource, start: MediaTime? = nil, sourceStart: MediaTime? = nil, duration: MediaTime? = nil,
    transition: Transition? = nil
  ) {
    self.source = source
    self.start = start
    self.sourceStart = sourceStart
    self.duration = duration
    self.speed = .one
    self.fit = .fit
    self.opacity = .constant(1)
    self.volume = .constant(1)
    self.showsVideo = true
    self.playsAudio = true
    self.videoTrackIndex = 0
    self.audioTrackIndex = 0
    self.effects = []
    self.transition = transition
    self.sampling = nil
  }
}

/// A stretch of the timeline whose composed picture an effect changes, or that a compositor of choice composes, with the layers
/// that lie there.
public struct TimelineEffect: Hashable, Sendable {
  /// When.
  public var timeRange: TimeRange
  /// Who composes.
  public var compositor: CompositorID
  /// Its parameters.
  public var parameters: ParameterValues
  /// Parameters of ``compositor`` that change over time; times count from the stretch's start.
  public var animatedParameters: AnimatedValues = [:]
  /// What is done to the composed picture; nil where ``compositor`` composes the layers instead. Times count from the
  /// stretch's start.
  public var effect: TimelineEffectUse?

  /// Makes a stretch with an effect on the composed picture.
  public init(timeRange: TimeRange, effect: TimelineEffectUse) {
    self.init(timeRange: timeRange, compositor: .layer)
    self.effect = effect
  }

  /// Makes an effect.
  public init(timeRange: TimeRange, compositor: CompositorID, parameters: ParameterValues = [:]) {
    self.timeRange = timeRange
    self.compositor = compositor
    self.parameters = parameters
  }
}
