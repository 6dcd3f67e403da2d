package import CompositorAPI

/// A clip's appearance over time, from which layer instructions are written.
package struct ClipAppearance: Sendable {
  package var opacity: PiecewiseLinear<Double>
  package var transform: PiecewiseLinear<AffineMatrix>
  package var crop: PiecewiseLinear<Rect>
  let geometry: PictureGeometry
  private let effects: [(use: TimelineEffectUse, maskTrackID: TrackID?)]
  /// `nil` for none.
  private let decoration: PiecewiseLinear<LayerDecoration>?
  private let sampling: SamplingQuality?
  private let motionBlur: MotionBlur?
  /// The time range of the clip, exactly.
  private let exactRange: ExactRange
  private let start: ExactTime
  /// The time range of the clip.
  private let range: TimeRange
  private let frameRate: Rational

  /// Creates the appearance of a placed clip, optionally overridden by an explicit layer with times relative to `origin`.
  ///
  /// - Parameters:
  ///   - grid: The output frames for which the appearance is needed.
  ///   - tracks: The tracks that contain the masks of the clip's effects.
  /// - Throws: `.invalidValue` if keyframes are out of order, or a motion blur isn't possible. The result is `nil` if the clip shows no video.
  package init?(
    _ placed: PlacedClip, canvas: PixelSize, sampling grid: SamplingGrid, tracks: TimelineTracks,
    override layer: TimelineLayer? = nil, from origin: ExactTime? = nil
  ) throws(CompositorError) {
    guard let picture = placed.media.picture else { return nil }
    let clip = placed.clip
    let start = placed.range.start
    (motionBlur, exactRange) = (layer?.motionBlur ?? clip.motionBlur, placed.range)
    try motionBlur?.requireUsable()
    let grid = SamplingGrid(
      rate: grid.rate, range: try ClipAppearance.exposed(grid.range, by: motionBlur, within: placed.range, rate: grid.rate))
    let geometry = PictureGeometry(picture, fit: layer?.fit ?? clip.fit, canvas: canvas)
    opacity = try PiecewiseLinear(
      layer?.opacity ?? clip.opacity, from: layer?.opacity == nil ? start : origin ?? start, sampling: grid, { $0 },
      between: { min(max($0.interpolated(to: $1, fraction: $2), 0), 1) })
    transform = try geometry.matrices(
      layer?.placement ?? clip.placement, from: layer?.placement == nil ? start : origin ?? start, sampling: grid)
    let cropAnimation = (layer?.crop ?? clip.crop)?.map { $0.rect(in: geometry.uprightSize) } ?? .constant(.infinite)
    crop = try PiecewiseLinear(
      cropAnimation, from: layer?.crop == nil ? start : origin ?? start, sampling: grid, geometry.storedCrop,
      between: { geometry.storedCrop($0.mixed(with: $1, fraction: $2)) })
    self.geometry = geometry
    effects = clip.effects.enumerated().map { ($1, tracks.maskTrackID(ofEffect: "\(placed.path).effects[\($0)]")) }
    let isFitted = (layer?.placement ?? clip.placement).isFitted
    decoration = try (layer?.decoration ?? clip.decoration).map { decoration throws(CompositorError) in
      try decoration.lines(from: layer?.decoration == nil ? start : origin ?? start, sampling: grid)
        .map { geometry.stored($0, isFitted: isFitted) }
    }
    sampling = layer?.sampling ?? clip.sampling
    self.start = start
    range = try placed.range.timeRange()
    self.frameRate = grid.rate
  }

  /// The part of the canvas that the clip always covers; `nil` if that isn't known.
  package func coverage(canvas: PixelSize) -> Rect? {
    guard opacity.constant == 1, effects.isEmpty, decoration == nil, let matrix = transform.constant, let crop = crop.constant
    else { return nil }
    return geometry.coverage(matrix, crop: crop, canvas: canvas)
  }

  /// Multiplies the opacity by a change from `start` to `end` over `range`. If the clip's own opacity changes at the same time,
  /// the product isn't linear; like a change with an easing, it is then exact at every frame of `frameRate`.
  package mutating func fade(
    from start: Double, to end: Double, over range: ExactRange, easing: Easing = .linear, frameRate: Rational
  ) throws(CompositorError) {
    var frames: [ExactTime] = []
    if opacity.constant == nil {
      let first = range.start.wholeFrames(rate: frameRate)
      let last = range.end.wholeFrames(rate: frameRate)
      for frame in first..<max(first, min(last, first + 100_000)) {
        let time = try ExactTime(frame: frame, rate: frameRate)
        if range.contains(time) { frames.append(time) }
      }
    }
    let line = try PiecewiseLinear(from: start, to: end, over: range, easing: easing, frameRate: frameRate)
    opacity = opacity.constant.map { own in line.map { $0 * own } } ?? opacity.combined(with: line, extra: frames, *)
  }

  /// Moves the frame along a line from one offset to another over `range`, in addition to its own movement. With an easing, it
  /// is exact at every frame of `frameRate`.
  package mutating func slide(
    from start: Point, to end: Point, over range: ExactRange, easing: Easing = .linear, frameRate: Rational
  ) throws(CompositorError) {
    func translation(_ point: Point) -> AffineMatrix { .translation(x: point.x, y: point.y) }
    let line = try PiecewiseLinear(
      from: translation(start), to: translation(end), over: range, easing: easing, frameRate: frameRate)
    transform = transform.combined(with: line) { $0.concatenating($1) }
  }

  /// The layer instruction of a track for an instruction's time range.
  package func layer(trackID: TrackID, over range: ExactRange) throws(CompositorError) -> LayerInstruction {
    var layer = LayerInstruction(trackID: trackID)
    try write(to: &layer, over: range, isAlone: true)
    return layer
  }

  /// Adds the values in `range` to a layer, which may already contain earlier ranges.
  ///
  /// - Parameter isAlone: Whether the layer shows no other clip, so that it may have what the clip's motion blur needs beyond the range.
  package func write(to layer: inout LayerInstruction, over range: ExactRange, isAlone: Bool) throws(CompositorError) {
    let shown =
      isAlone ? try ClipAppearance.exposed(range, by: motionBlur, within: exactRange, rate: frameRate) : range
    try opacity.write(to: &layer.opacity, over: shown)
    try transform.write(to: &layer.transform, over: shown)
    try crop.write(to: &layer.crop, over: shown)
    if let decoration {
      var written = layer.decoration ?? PropertyTimeline(default: decoration.constant ?? LayerDecoration())
      try decoration.write(to: &written, over: shown)
      layer.decoration = written
    }
    (layer.sampling, layer.motionBlur) = (sampling, motionBlur)
    // Clips that one layer shows have effects that begin with the instruction.
    let isOnlyClip = layer.effects.allSatisfy { $0.timeRange == self.range }
    layer.effects = []
    for (use, maskTrackID) in effects {
      layer.effects.append(
        try use.reference(
          from: start, over: range, applied: isOnlyClip ? self.range : nil, frameRate: frameRate, maskTrackID: maskTrackID))
    }
  }

  /// A range with the frames in which the shutter of a motion blur is open beyond it, within the clip.
  private static func exposed(
    _ range: ExactRange, by blur: MotionBlur?, within clip: ExactRange, rate: Rational
  ) throws(CompositorError) -> ExactRange {
    guard let blur else { return range }
    let half = try ExactTime(frame: Int64((blur.exposure / 2 * rate.value).rounded(.up)), rate: rate)
    let (start, end) = (try range.start - half, try range.end + half)
    return ExactRange(min(max(start, clip.start), range.start), max(min(end, clip.end), range.end))
  }
}

extension Animated<ClipPlacement> {
  /// Whether the frame is fitted to the canvas before it is placed.
  fileprivate var isFitted: Bool {
    switch self {
    case .constant(let placement): placement.matrix == nil
    case .keyframes(let keyframes): keyframes.allSatisfy { $0.value.matrix == nil }
    }
  }
}

extension Rect {
  /// Interpolates between two rectangles. If an easing overshoots so far that the size is negative, the result is empty.
  fileprivate func mixed(with other: Rect, fraction: Double) -> Rect {
    var mixed = interpolated(to: other, fraction: fraction)
    mixed.size = Size(width: max(mixed.size.width, 0), height: max(mixed.size.height, 0))
    return mixed
  }
}
