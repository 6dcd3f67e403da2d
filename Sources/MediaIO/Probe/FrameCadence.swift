public import CompositorAPI

/// When the frames of a video track start, as measured on their timestamps.
///
/// Containers round: Matroska and FLV to 1 ms, transport streams to 1/90000 s. The timestamps of a regular track stand, within
/// one such step, on the points of a grid; each frame's time is then its grid point. A point may be empty, as after a dropped
/// frame.
public struct FrameCadence: Sendable, Hashable, Codable {
  /// Frames a second, > 0: the rate of the grid; for an irregular track that of its shortest regular step, on a standard
  /// rate if one lies within its jitter.
  public var rate: Rational
  /// Whether timestamps stand on a grid of ``rate``.
  public var isRegular: Bool
  /// The media time of one point of the grid.
  public var origin: MediaTime
  /// The step to which the container rounded its timestamps, ≥ 0: the greatest distance from a timestamp to its grid point.
  /// Zero if the grid's points are exact multiples of the container's tick.
  public var roundingStep: MediaTime

  /// Creates a cadence from known values.
  public init(rate: Rational, isRegular: Bool = true, origin: MediaTime = .zero, roundingStep: MediaTime = .zero) {
    self.rate = rate
    self.isRegular = isRegular
    self.origin = origin
    self.roundingStep = roundingStep
  }

  /// The highest rate that an irregular track asks of an output, in frames a second.
  public static let highestVariableRate = Rational(60, 1)

  /// The frame rate of an output in which every regular frame is shown once: ``rate``, for irregular tracks at most
  /// ``highestVariableRate``.
  public var outputRate: Rational {
    isRegular || rate.value <= Self.highestVariableRate.value ? rate : Self.highestVariableRate
  }
}

/// Frame rates that cameras, players and encoders know.
package enum StandardFrameRate {
  /// Rising.
  package static let all: [Rational] = {
    let slow = [1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 18, 20, 24, 25, 30, 36, 40, 48, 50, 60]
    let fast = [72, 75, 90, 96, 100, 120, 144, 200, 240]
    let broadcast = [12, 15, 24, 30, 48, 60, 120, 240].map { Rational($0 * 1000, 1001) }
    return ((slow + fast).map { Rational($0, 1) } + [Rational(25, 2)] + broadcast).sorted { $0.value < $1.value }
  }()

  /// The standard rate nearest to `rate` if it lies within `tolerance`, relative. A whole number of frames a second is
  /// preferred to its 1000/1001 twin unless the twin is at least four times as near.
  package static func nearest(to rate: Double, within tolerance: Double) -> Rational? {
    func distance(_ candidate: Rational) -> Double { abs(candidate.value - rate) / rate }
    let near = all.filter { distance($0) <= tolerance }.min { distance($0) < distance($1) }
    guard let near, near.denominator == 1001 else { return near }
    let whole = Rational(near.numerator / 1000, 1)
    return distance(whole) <= tolerance && distance(whole) < 4 * distance(near) ? whole : near
  }
}
