public import CompositorAPI
import CompositorMedia

/// The mask of an effect: the luma or the alpha of other media, which says for each pixel how much of the effect is shown. It
/// plays for as long as what the effect changes, and is scaled to the frame; see `EffectMask`.
///
/// ```swift
/// var blur = TimelineEffectUse("builtin.gaussian-blur", parameters: ["radius": .number(20)])
/// blur.mask = TimelineEffectMask("face.mov", channel: .alpha)
/// ```
public struct TimelineEffectMask: Hashable, Sendable {
  /// The media, with video or a still.
  public var source: MediaSource
  /// The media time to start at; `nil`, the default, for the beginning.
  public var sourceStart: MediaTime?
  /// The index of the media's video track, from 0.
  public var videoTrackIndex = 0
  /// Whether the last frame is held if the media ends before the effect does. Default `false`: such media is an error.
  public var holdsLastFrame = false
  /// How often the media plays; `nil`, the default, for once.
  public var loop: ClipLoop?
  /// The part of the media's frames that is the mask.
  public var channel: EffectMask.Channel
  /// Whether the effect is shown where the mask is 0, rather than where it is 1.
  public var isInverted: Bool

  /// Creates a mask.
  public init(
    _ source: MediaSource, sourceStart: MediaTime? = nil, channel: EffectMask.Channel = .luma, isInverted: Bool = false
  ) {
    self.source = source
    self.sourceStart = sourceStart
    self.channel = channel
    self.isInverted = isInverted
  }

  /// The mask as a clip for a time range.
  fileprivate func clip(over range: ExactRange) throws(CompositorError) -> TimelineClip {
    var clip = TimelineClip(
      source, start: range.start.mediaTime, sourceStart: sourceStart, duration: try (range.end - range.start).mediaTime)
    clip.videoTrackIndex = videoTrackIndex
    clip.audio = .unused
    clip.holdsLastFrame = holdsLastFrame
    clip.loop = loop
    return clip
  }
}

extension Timeline {
  /// The masks of all effects.
  package var masks: [TimelineEffectMask] {
    var (masks, copy): ([TimelineEffectMask], Timeline) = ([], self)
    copy.updateMasks { masks.append($0) }
    return masks
  }

  /// Calls a closure with the mask of each effect that has one.
  mutating func updateMasks(_ update: (inout TimelineEffectMask) -> Void) {
    func updateAll(_ effects: inout [TimelineEffectUse]) {
      for index in effects.indices {
        guard var mask = effects[index].mask else { continue }
        update(&mask)
        effects[index].mask = mask
      }
    }
    for track in tracks.indices {
      for clip in tracks[track].clips.indices where !tracks[track].clips[clip].effects.isEmpty {
        updateAll(&tracks[track].clips[clip].effects)
      }
    }
    for index in effects.indices {
      guard case .effect(var use) = effects[index].content, var mask = use.mask else { continue }
      update(&mask)
      use.mask = mask
      effects[index].content = .effect(use)
    }
    guard var written = instructions else { return }
    for index in written.indices {
      updateAll(&written[index].effects)
      for layer in written[index].layers.indices {
        guard var own = written[index].layers[layer].effects else { continue }
        updateAll(&own)
        written[index].layers[layer].effects = own
      }
    }
    instructions = written
  }
}

/// A mask with its position in time.
struct PlacedMask: Sendable {
  /// The key path of the mask in a project.
  let path: String
  /// Masks of one group share tracks if they don't overlap.
  let group: String
  let clip: PlacedClip
}

/// Places the masks of a timeline's effects, each for as long as what its effect changes. Pure.
struct MaskPlacer {
  private let timeline: Timeline
  private let tracks: TimelineTracks
  private let media: (TimelineClip) throws(CompositorError) -> ClipMedia
  private var placed: [PlacedMask] = []

  /// Returns the masks of all effects.
  ///
  /// - Throws: `.trackNotFound` if media has no video, `.invalidValue` if it is too short; errors of describing it. Each is
  ///   located at the mask.
  static func place(
    _ timeline: Timeline, _ tracks: TimelineTracks, media: @escaping (TimelineClip) throws(CompositorError) -> ClipMedia
  ) throws(CompositorError) -> [PlacedMask] {
    var placer = MaskPlacer(timeline: timeline, tracks: tracks, media: media)
    try placer.placeClips()
    for (index, effect) in timeline.effects.enumerated() {
      guard case .effect(let use) = effect.content, use.mask != nil else { continue }
      let start = try ExactTime(effect.timeRange.start)
      let range = ExactRange(start, try start + ExactTime(effect.timeRange.duration))
      try placer.place(use, at: "effects[\(index)]", group: "effects", over: range)
    }
    try placer.placeInstructions()
    return placer.placed
  }

  private init(
    timeline: Timeline, tracks: TimelineTracks, media: @escaping (TimelineClip) throws(CompositorError) -> ClipMedia
  ) {
    (self.timeline, self.tracks, self.media) = (timeline, tracks, media)
  }

  private mutating func placeClips() throws(CompositorError) {
    // With explicit instructions, the effects of a clip are shown only by layers that have none of their own.
    let shown = timeline.instructions.map { Set($0.flatMap(\.layers).filter { $0.effects == nil }.map(\.track)) }
    for clip in tracks.clips.joined() where clip.media.picture != nil && shown?.contains(clip.track) != false {
      try place(clip.clip.effects, at: clip.path, group: "tracks[\(clip.track)].lanes[\(clip.lane)]", over: clip.range)
    }
  }

  private mutating func placeInstructions() throws(CompositorError) {
    guard let written = timeline.instructions else { return }
    let ranges = try ExplicitInstructions(timeline: timeline, tracks: tracks).ranges(of: written)
    for (index, (item, range)) in zip(written, ranges).enumerated() {
      try place(item.effects, at: "instructions[\(index)]", group: "instructions", over: range)
      for (number, layer) in item.layers.enumerated() {
        try place(
          layer.effects ?? [], at: "instructions[\(index)].layers[\(number)]", group: "layers[\(number)]", over: range)
      }
    }
  }

  private mutating func place(
    _ effects: [TimelineEffectUse], at path: @autoclosure () -> String, group: @autoclosure () -> String, over range: ExactRange
  ) throws(CompositorError) {
    for (index, effect) in effects.enumerated() where effect.mask != nil {
      try place(effect, at: "\(path()).effects[\(index)]", group: "\(group()).effects[\(index)]", over: range)
    }
  }

  private mutating func place(
    _ effect: TimelineEffectUse, at path: String, group: String, over range: ExactRange
  ) throws(CompositorError) {
    guard let mask = effect.mask else { return }
    let path = "\(path).mask"
    do throws(CompositorError) {
      let clip = try mask.clip(over: range)
      let media = try media(clip)
      try check(mask, media, at: path, over: range)
      guard var found = try ClipPlacer(track: 0, frameRate: timeline.rate).place([(clip, media)]).first else { return }
      found.ownPath = path
      placed.append(PlacedMask(path: path, group: group, clip: found))
    } catch {
      throw CompositorError(
        error.code, error.message, advice: error.advice, cause: error.cause,
        at: ErrorLocation(
          file: error.location.file, path: error.location.path.flatMap { $0.hasPrefix(path) ? $0 : nil } ?? path,
          documents: error.location.documents),
        systemErrorNumber: error.systemErrorNumber)
    }
  }

  private func check(
    _ mask: TimelineEffectMask, _ media: ClipMedia, at path: String, over range: ExactRange
  ) throws(CompositorError) {
    guard let picture = media.picture else {
      if let undecodable = media.undecodable.first { throw undecodable.error }
      if let missing = media.missingTrack { throw missing.error(inClip: path) }
      throw CompositorError(
        .trackNotFound, "The mask \(mask.source) shows no video.",
        recoverySuggestion: "Use an asset with video, or a still.", at: ErrorLocation(path: "\(path).asset"))
    }
    guard let end = picture.end else { return }
    let left = try ExactTime(end) - ExactTime(mask.sourceStart ?? media.start)
    let wanted = try range.end - range.start
    guard left > .zero else {
      throw CompositorError(
        .invalidValue, "The mask starts after the end of its media, which is at \(end.readable).",
        recoverySuggestion: "Start earlier in the media.")
    }
    guard try wanted > left + ExactTime(frame: 1, rate: timeline.rate), !mask.holdsLastFrame, mask.loop == nil else { return }
    throw CompositorError(
      .invalidValue,
      "The mask has \(left.mediaTime.readable) of its media left, and the effect lasts \(wanted.mediaTime.readable).",
      advice: """
        Let the mask hold its last frame (\(setting: .holdsLastFrame, value: "true")) or loop \
        (\(setting: .loop, value: "true")), or start earlier in its media.
        """)
  }
}
