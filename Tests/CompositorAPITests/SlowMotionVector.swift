import CompositorAPI

/// The 14 contiguous segments of a phone's slow-motion movie, in 600ths of a second: normal speed, slowing down, 1/8 speed,
/// speeding up, normal speed.
enum SlowMotionVector {
  /// Durations in the track and in the media.
  static let durations: [(target: Int64, source: Int64)] = [
    (1485, 1485), (9, 8), (27, 20), (50, 29), (78, 33), (109, 30), (50849, 6356), (64, 17), (45, 19), (29, 17), (16, 12),
    (5, 5), (47, 48), (1425, 1425),
  ]

  static let source = MediaSource.file(path: "slow-motion.mov")

  static var segments: [CompositionTrackSegment] {
    var (target, media) = (Int64(0), Int64(0))
    return durations.map { step in
      defer { (target, media) = (target + step.target, media + step.source) }
      return CompositionTrackSegment(
        source: source,
        timeMapping: TimeMapping(
          source: TimeRange(start: time(media, 600), duration: time(step.source, 600)),
          target: TimeRange(start: time(target, 600), duration: time(step.target, 600))))
    }
  }
}
