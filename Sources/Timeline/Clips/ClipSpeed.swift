public import CompositorAPI

/// Media time per timeline time.
public enum PlaybackSpeed: Hashable, Sendable {
  /// 1/10,000 … 10,000, or 0 for a still frame.
  case constant(Rational)
  /// Speeds, 1/10,000 … 10,000, at times from the clip's start on the timeline, with an easing from each to the next. The
  /// first holds before its time, and the last one after.
  ///
  /// If the clip has a duration, the ramp determines how much media it uses; otherwise the available media determines the
  /// duration.
  case ramp([Keyframe<Double>])

  /// Whether one frame is shown throughout.
  package var isStill: Bool { if case .constant(let speed) = self { speed.numerator == 0 } else { false } }

  /// The constant speed; 1 for a ramp.
  var constant: Rational { if case .constant(let speed) = self { speed } else { .one } }
}

/// The relation between a clip's duration and the duration of its media.
struct ClipSpeed {
  private enum Kind {
    case constant(Rational)
    case curve(SpeedCurve, [SpeedCurve.Point])
  }
  private let kind: Kind
  private let clip: TimelineClip

  /// - Throws: `.invalidValue` if a speed is outside 1/10,000 … 10,000, or if the times of a ramp are negative, not finite or not
  ///   increasing.
  init(_ clip: TimelineClip) throws(CompositorError) {
    self.clip = clip
    let ramp: [Keyframe<Double>]
    switch clip.speed {
    case .ramp(let keyframes): ramp = keyframes
    case .constant(let speed):
      guard speed.denominator > 0, speed.numerator == 0 || SegmentRetiming.speeds.contains(speed.value) else {
        throw CompositorError(
          .invalidValue, "A speed of \(speed) is not possible.",
          recoverySuggestion: "Use 1/10000 to 10000, or 0 for a still frame.", at: ErrorLocation(path: "speed"))
      }
      kind = .constant(speed)
      return
    }
    guard clip.pitch != .timeDomain || clip.audio == .unused else {
      throw CompositorError(
        .invalidValue, "The time-domain stretcher cannot follow a speed that changes.",
        recoverySuggestion: "Choose spectral or varispeed for a speed ramp, or a constant speed.",
        at: ErrorLocation(path: "pitch"))
    }
    do {
      let points = ramp.map { SpeedCurve.Point(time: $0.time.seconds, speed: $0.value, easing: $0.easing) }
      kind = .curve(try SpeedCurve(points, duration: max(1, points.last?.time ?? 1)), points)
    } catch {
      throw error.locating(ErrorLocation(path: "speed"))
    }
  }

  /// Whether one frame is shown throughout.
  var isStill: Bool { if case .constant(let speed) = kind { speed.numerator == 0 } else { false } }

  /// The duration of the media that plays in a time from the clip's start.
  ///
  /// - Parameter place: The time to which the result will be added.
  func media(in duration: ExactTime, from place: ExactTime) throws(CompositorError) -> ExactTime {
    switch kind {
    case .constant(let speed): return try duration * speed
    case .curve(let curve, _):
      let seconds = curve.distance(at: duration.mediaTime.seconds)
      return try ExactTime(MediaTime(seconds: seconds, preferredTimescale: ClipSpeed.timescale(holding: place)))
    }
  }

  /// The clip duration that plays a duration of media; `nil` for a still frame.
  func duration(ofMedia media: ExactTime) throws(CompositorError) -> ExactTime? {
    switch kind {
    case .constant(let speed):
      guard speed.numerator > 0 else { return nil }
      return try media * Rational(speed.denominator, speed.numerator)
    case .curve(let curve, _):
      let seconds = curve.time(atDistance: media.mediaTime.seconds)
      return try ExactTime(MediaTime(seconds: seconds, preferredTimescale: ClipSpeed.flicks))
    }
  }

  /// The retiming of a clip of a duration.
  func retiming(over duration: ExactTime) throws(CompositorError) -> SegmentRetiming {
    var retiming = SegmentRetiming(isReversed: clip.isReversed, pitch: clip.pitch, frames: clip.frameInterpolation)
    if case .curve(_, let points) = kind {
      retiming.curve = try SpeedCurve(points, duration: duration.mediaTime.seconds)
    }
    return retiming
  }

  private static let flicks = Int32(ExactTime.flicks)

  /// Flicks if a time's own timescale allows sums with them, otherwise 1/90000 s.
  private static func timescale(holding time: ExactTime) -> Int32 {
    var (a, b) = (Int64(flicks), Int64(time.denominator))
    while b != 0 { (a, b) = (b, a % b) }
    return Int64(flicks) / a * Int64(time.denominator) <= Int64(Int32.max) ? flicks : 90_000
  }
}
