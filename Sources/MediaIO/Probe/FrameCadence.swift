public import CompositorAPI

/// When the frames of a video track start, as measured from their timestamps.
///
/// Containers round timestamps: Matroska and FLV to 1 ms, transport streams to 1/90000 s. The timestamps of a regular track lie
/// within one such step of the points of a grid, and each frame's time is its grid point. A point may be empty, as after a
/// dropped frame. The times of a slideshow, of at most four frames per second, are those that the file states: its grid is the coarsest
/// one that has them all, and the end.
public struct FrameCadence: Sendable, Hashable, Codable {
  /// Frames per second, > 0. For a regular track, the rate of the grid; for an irregular one, the rate of its shortest
  /// recurring step, snapped to a standard rate within its jitter; 30 for a slideshow of at least one frame per second, and if that rate
  /// is a low one around which the frames don't cluster.
  public var rate: Rational
  /// Whether timestamps lie on a grid of ``rate``.
  public var isRegular: Bool
  /// Whether the grid has empty points between the first and the last frame, because frames were dropped or last longer than
  /// others.
  public var hasGaps: Bool
  /// The media time of one point of the grid.
  public var origin: MediaTime
  /// The container's rounding of timestamps, ≥ 0: the greatest distance of a timestamp from its grid point. Zero if the grid's
  /// points are exact multiples of the container's tick.
  public var roundingStep: MediaTime
  /// Frames of an irregular track, ≥ 0, that an output at ``outputRate`` doesn't show, because they last less than one of its
  /// frames or have the time of another.
  public var hiddenFrameCount: Int

  /// Creates a cadence from known values.
  public init(
    rate: Rational, isRegular: Bool = true, hasGaps: Bool = false, origin: MediaTime = .zero, roundingStep: MediaTime = .zero,
    hiddenFrameCount: Int = 0
  ) {
    self.rate = rate
    self.isRegular = isRegular
    self.hasGaps = hasGaps
    self.origin = origin
    self.roundingStep = roundingStep
    self.hiddenFrameCount = hiddenFrameCount
  }

  /// Decodes a cadence. Without values for gaps and hidden frames, there are none.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      rate: try container.decode(Rational.self, forKey: .rate), isRegular: try container.decode(Bool.self, forKey: .isRegular),
      hasGaps: try container.decodeIfPresent(Bool.self, forKey: .hasGaps) ?? false,
      origin: try container.decode(MediaTime.self, forKey: .origin),
      roundingStep: try container.decode(MediaTime.self, forKey: .roundingStep),
      hiddenFrameCount: try container.decodeIfPresent(Int.self, forKey: .hiddenFrameCount) ?? 0)
  }

  /// The maximum output rate that an irregular track suggests, in frames per second.
  public static let highestVariableRate = Rational(60, 1)

  /// The rate in frames per second of an output that is near to any time.
  static let plainRate = Rational(30, 1)

  /// The output frame rate at which every regular frame is shown exactly once: ``rate``, but for irregular tracks at most
  /// ``highestVariableRate``, and 30 if theirs is below 1 frame per second, which no output follows.
  public var outputRate: Rational {
    if isRegular { return rate }
    if rate.value < StandardFrameRate.all[0].value { return Self.plainRate }
    return rate.value <= Self.highestVariableRate.value ? rate : Self.highestVariableRate
  }
}

/// Standard frame rates of cameras, players and encoders.
package enum StandardFrameRate {
  /// All rates in frames per second, rising.
  package static let all: [Rational] = {
    let slow = [1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 18, 20, 24, 25, 30, 36, 40, 48, 50, 60]
    let fast = [72, 75, 90, 96, 100, 120, 144, 200, 240]
    let broadcast = [12, 15, 24, 30, 48, 60, 120, 240].map { Rational($0 * 1000, 1001) }
    return ((slow + fast).map { Rational($0, 1) } + [Rational(25, 2)] + broadcast).sorted { $0.value < $1.value }
  }()

  /// The rate of film in NTSC video.
  package static let film = Rational(24_000, 1001)

  /// The standard rate nearest to `rate` within a relative `tolerance`. An integer rate is preferred to its 1000/1001
  /// counterpart unless that is at least four times as near.
  package static func nearest(to rate: Double, within tolerance: Double) -> Rational? {
    func distance(_ candidate: Rational) -> Double { abs(candidate.value - rate) / rate }
    let near = all.filter { distance($0) <= tolerance }.min { distance($0) < distance($1) }
    guard let near, near.denominator == 1001 else { return near }
    let whole = Rational(near.numerator / 1000, 1)
    return distance(whole) <= tolerance && distance(whole) < 4 * distance(near) ? whole : near
  }
}

/// The shortest recurring step between frames, in ticks.
struct RecurringStep {
  /// Mean step in ticks, > 0.
  let mean: Double
  /// Relative standard deviation of the steps that belong to it.
  let jitter: Double

  /// `nil` without steps.
  init?(_ steps: [Int64]) {
    let sorted = steps.filter { $0 > 0 }.sorted().map(Double.init)
    guard !sorted.isEmpty else { return nil }
    let fewest = sorted.count < 4 ? 1 : max(2, sorted.count / 10)
    for index in (sorted.count / 10)..<sorted.count {
      let cluster = RecurringStep.cluster(around: sorted[index], in: sorted)
      guard cluster.count >= fewest || index == sorted.count - 1 else { continue }
      mean = cluster.reduce(0, +) / Double(cluster.count)
      let (mean, count) = (mean, Double(cluster.count))
      jitter = (cluster.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / count).squareRoot() / mean
      return
    }
    return nil
  }

  /// The steps within 15 % of their own mean, found by iterating from `start` until the mean is stable.
  private static func cluster(around start: Double, in sorted: [Double]) -> ArraySlice<Double> {
    var (center, cluster) = (start, sorted[...])
    for _ in 0..<16 {
      let low = sorted.partitioningIndex { $0 >= center * 0.85 }
      let high = sorted.partitioningIndex { $0 > center * 1.15 }
      cluster = sorted[low..<high]
      let mean = cluster.reduce(0, +) / Double(cluster.count)
      if abs(mean - center) <= center * 1e-9 { break }
      center = mean
    }
    return cluster
  }
}

extension [Double] {
  /// The first index at which a predicate is true that is false before and true from there on. O(log n).
  fileprivate func partitioningIndex(where predicate: (Double) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if predicate(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
