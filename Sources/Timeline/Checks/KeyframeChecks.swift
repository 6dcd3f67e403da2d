import CompositorAPI

/// Checks for keyframes after the end of the clip, the instruction or the movie that they change.
///
/// The edit doesn't contain them, because curves are cut off at the end of what they change, so the timeline is checked
/// instead.
struct KeyframeChecks {
  private let timeline: Timeline
  private let tracks: TimelineTracks
  private let frame: MediaTime
  private var found: [ValidationDiagnostic] = []

  /// Warnings about changes that never happen or are cut off, each at the first keyframe that is too late. O(n) in the
  /// keyframes.
  ///
  /// - Parameters:
  ///   - timeline: The timeline, with its frame rate resolved.
  ///   - tracks: Its placed clips.
  ///   - instructions: The instructions of its edit; as many as the timeline's if it has explicit ones.
  static func diagnostics(
    of timeline: Timeline, tracks: TimelineTracks, instructions: [Instruction]
  ) -> [ValidationDiagnostic] {
    guard let frame = try? ExactTime(frame: 1, rate: timeline.rate).mediaTime else { return [] }
    var checks = KeyframeChecks(timeline: timeline, tracks: tracks, frame: frame)
    for clip in tracks.clips.joined() { checks.check(clip) }
    checks.checkLayers(instructions.map(\.timeRange))
    checks.checkVolumes()
    return checks.found
  }

  private init(timeline: Timeline, tracks: TimelineTracks, frame: MediaTime) {
    (self.timeline, self.tracks, self.frame) = (timeline, tracks, frame)
  }

  private mutating func check(_ placed: PlacedClip) {
    let clip = placed.clip
    guard clip.hasKeyframes, let range = try? placed.range.timeRange() else { return }
    let owner = Owner(kind: .clip, path: placed.path, range: range, track: tracks.videoTrackID(of: placed))
    if placed.media.picture != nil {
      check(clip.opacity, "opacity", of: owner)
      check(clip.placement, "transform", of: owner)
      if let crop = clip.crop { check(crop, "crop", of: owner) }
      check(clip.decoration, of: owner)
      for (index, effect) in clip.effects.enumerated() {
        var owner = owner
        owner.path += ".effects[\(index)]"
        for (key, value) in effect.animatedParameters.sorted(by: { $0.key < $1.key }) { check(value, key, of: owner) }
      }
    }
    if case .ramp(let ramp) = clip.speed { check(Animated.keyframes(ramp), "speed", of: owner) }
    guard placed.media.hasAudio, clip.audio == .played, !timeline.tracks[placed.track].audio.isMuted else { return }
    check(clip.volume, "volume", of: owner)
    check(clip.pan, "pan", of: owner)
  }

  private mutating func checkLayers(_ ranges: [TimeRange]) {
    guard let written = timeline.instructions, written.count == ranges.count else { return }
    for (index, (item, range)) in zip(written, ranges).enumerated() {
      guard item.layers.contains(where: \.hasKeyframes) else { continue }
      let next = index + 1 < written.count && ranges[index + 1].start == range.end ? written[index + 1].layers : []
      for (place, layer) in item.layers.enumerated() where layer.hasKeyframes {
        // A layer that sets the property again may continue the change that is cut off here.
        let following = next.first { $0.track == layer.track }
        var owner = Owner(
          kind: .instruction, path: "instructions[\(index)].layers[\(place)]", range: range,
          track: tracks.videoTrackID(ofTrack: layer.track), instruction: index)
        owner.mayContinue = following?.opacity != nil
        if let opacity = layer.opacity { check(opacity, "opacity", of: owner) }
        owner.mayContinue = following?.placement != nil
        if let placement = layer.placement { check(placement, "transform", of: owner) }
        owner.mayContinue = following?.crop != nil
        if let crop = layer.crop { check(crop, "crop", of: owner) }
        owner.mayContinue = following?.decoration != nil
        check(layer.decoration, of: owner)
      }
    }
  }

  private mutating func check(_ decoration: ClipDecoration?, of owner: Owner) {
    guard let decoration, decoration.hasKeyframes else { return }
    check(decoration.cornerRadius, "cornerRadius", of: owner)
    check(decoration.borderWidth, "borderWidth", of: owner)
    check(decoration.borderColor, "borderColor", of: owner)
    check(decoration.shadowOpacity, "shadowOpacity", of: owner)
    check(decoration.shadowOffset, "shadowOffset", of: owner)
    check(decoration.shadowRadius, "shadowRadius", of: owner)
    check(decoration.shadowColor, "shadowColor", of: owner)
  }

  private mutating func checkVolumes() {
    let movie = TimeRange(start: .zero, duration: tracks.end.mediaTime)
    for (index, track) in timeline.tracks.enumerated() where !track.audio.isMuted {
      let owner = Owner(kind: .movie, path: "tracks[\(index)]", range: movie)
      check(track.audio.volume, "volume", of: owner)
      check(track.audio.pan, "pan", of: owner)
    }
    guard !timeline.audio.isMuted else { return }
    check(timeline.audio.volume, "volume", of: Owner(kind: .movie, path: "output.audio", range: movie))
  }

  private mutating func check<Value>(_ animated: Animated<Value>, _ key: String, of owner: Owner) {
    guard case .keyframes(let keyframes) = animated else { return }
    let end = owner.range.duration
    let changes = zip(keyframes, keyframes.dropFirst()).enumerated()
    // Rounding to frames may add one frame.
    let late = changes.first { $0.element.0.value != $0.element.1.value && $0.element.1.time - end > frame }
    guard let late else { return }
    let (index, from, to) = (late.offset, late.element.0, late.element.1)
    let isOutside = from.time >= end
    guard isOutside || !owner.mayContinue else { return }
    let start = owner.range.start
    let fitsMovieTime =
      isOutside && start > .zero && keyframes.allSatisfy { $0.time >= start && $0.time - start <= end + frame }
    let ofMovie =
      start > .zero ? " (of the movie: \((start + from.time).readable) to \((start + to.time).readable))" : ""
    let cause =
      fitsMovieTime
      ? "The times are those of the movie."
      : owner.kind == .movie
        ? "The movie is shorter than it was, or the times are in another unit."
        : "The \(owner.kind.rawValue) was shortened, or the times count from elsewhere."
    found.append(
      ValidationDiagnostic(
        .rampOutsideRange, severity: .warning,
        "The \(key) changes from \(from.time.readable) to \(to.time.readable)\(ofMovie), but the \(owner.kind.rawValue) lasts \(end.readable): "
          + (isOutside ? "the change never happens." : "the change is cut off."),
        instruction: owner.instruction, track: owner.track, expectedTime: owner.range.end,
        foundTime: start + (isOutside ? from.time : to.time),
        cause: cause,
        recoverySuggestion: owner.kind == .movie
          ? "Let the keyframes end where the movie ends."
          : "Write times that count from the start of the \(owner.kind.rawValue) and do not pass its end.",
        path: "\(owner.path).\(key)[\(isOutside && from.time > end ? index : index + 1)].at",
        timeRange: TimeRange(start: start + from.time, end: start + to.time)))
  }

  /// The object that keyframes belong to.
  private struct Owner {
    /// Its kind, as messages call it.
    enum Kind: String {
      case clip, instruction, movie
    }

    let kind: Kind
    var path: String
    let range: TimeRange
    var track: TrackID?
    var instruction: Int?
    /// Whether the following instruction may continue a change that is cut off.
    var mayContinue = false
  }
}

extension Timeline {
  /// Whether a clip, a layer, a track or the timeline has keyframes.
  package var hasKeyframes: Bool {
    audio.volume.isAnimated
      || tracks.contains { $0.audio.volume.isAnimated || $0.audio.pan.isAnimated || $0.clips.contains(where: \.hasKeyframes) }
      || instructions?.contains { $0.layers.contains(where: \.hasKeyframes) } == true
  }
}

extension TimelineClip {
  /// Whether a checked property has keyframes.
  fileprivate var hasKeyframes: Bool {
    if case .ramp = speed { return true }
    return opacity.isAnimated || placement.isAnimated || crop?.isAnimated == true || decoration?.hasKeyframes == true
      || volume.isAnimated || pan.isAnimated || effects.contains { !$0.animatedParameters.isEmpty }
  }
}

extension TimelineLayer {
  /// Whether a checked property has keyframes.
  fileprivate var hasKeyframes: Bool {
    opacity?.isAnimated == true || placement?.isAnimated == true || crop?.isAnimated == true
      || decoration?.hasKeyframes == true
  }
}
