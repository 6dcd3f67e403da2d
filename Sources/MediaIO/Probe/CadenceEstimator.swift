package import CompositorAPI
import CompositorPlatform

/// Finds the regular grid that a track's timestamps were rounded from, if there is one.
///
/// The shortest recurring step gives the approximate rate. Every rate near it (standard, stated by the container or measured
/// over the whole track) is tried with a grid through media time 0 and one through the first timestamp. A grid is accepted if
/// nine in ten timestamps lie within the container's rounding of its points. Of a clock that has fewer than four steps a frame,
/// such as that of a GIF at 30 frames per second, every timestamp has to be a point of the grid rounded in the same way. If
/// timestamps merely cluster around the points of a standard rate's grid, the track is irregular and has that rate. If an output
/// would miss frames that are only early or late, each of them means the nearest point: see ``steadied(_:clusteredAt:)``.
package struct CadenceEstimator {
  let timebase: Timebase
  let stated: [Rational]
  /// Timestamps in ticks, rising.
  let stamps: [Int64]
  let steps: [Int64]
  /// Number of frames that have the timestamp of another.
  private let equalCount: Int
  /// Number of frames that lie a tick behind another, and are left out of ``stamps``.
  private let mergedCount: Int
  /// Distinct timestamps in order, with those.
  private let distinct: [Int64]

  /// The smallest share of timestamps on a grid for it to be accepted.
  static let regularShare = 0.9
  /// The minimum number of rounding steps per frame for `regularShare`; a finer grid would fit anything.
  static let fewestStepsPerFrame = 4.0
  /// The minimum number of rounding steps per frame for a grid that all timestamps are on: with fewer, the timestamps of 48 frames
  /// a second look like those of 24.
  private static let fewestStepsOfAll = 2.5
  /// The coarsest rounding in seconds: that of GIF.
  static let coarsestRounding = 0.01

  /// - Parameters:
  ///   - stamps: Presentation timestamps in ticks, in any order.
  ///   - stated: Rates stated by the container; they decide between rates that fit equally well.
  package init(stamps: [Int64], timebase: Timebase, stated: [Rational]) {
    self.timebase = timebase
    self.stated = stated.filter(\.isPositive)
    let all = Array(Set(stamps)).sorted()
    equalCount = stamps.count - all.count
    let median = CadenceEstimator.steps(of: all).sorted().middle ?? 0
    // Frames that lie a tick beside another don't belong to a grid that the others are on.
    self.stamps = median > 4 ? CadenceEstimator.merged(all) : all
    mergedCount = all.count - self.stamps.count
    distinct = all
    self.steps = CadenceEstimator.steps(of: self.stamps)
  }

  /// The cadence; `nil` if there are fewer than two frames and no stated rate.
  package func cadence() -> FrameCadence? {
    guard let step = RecurringStep(steps) else {
      guard let first = stamps.first, let rate = stated.first else { return nil }
      return FrameCadence(rate: rate.reduced, origin: timebase.time(first))
    }
    if let rate = tickRate {
      return FrameCadence(rate: rate.reduced, hasGaps: steps.contains { $0 > 1 }, origin: timebase.time(stamps[0]))
    }
    let grids = candidates(near: step).compactMap { grid(rate: $0, step: step) }
    if let best = grids.min(by: { $0.rank < $1.rank }) ?? filmGrid(step), var cadence = best.cadence(timebase) {
      let steps = Double(stamps[stamps.count - 1] - stamps[0]) / ticks(perFrameAt: cadence.rate)
      cadence.hasGaps = steps.rounded() + 1 > Double(stamps.count)
      cadence.hiddenFrameCount = hiddenCount(of: cadence)
      return steadied(cadence)
    }
    let jittered = jitteredRate(near: step)
    var cadence = FrameCadence(
      rate: jittered ?? shortestRate(step), isRegular: false, origin: timebase.time(stamps[0]), roundingStep: timebase.time(1))
    cadence.hiddenFrameCount = hiddenCount(of: cadence)
    return steadied(cadence, clusteredAt: jittered)
  }

  /// The stated rate of a container that numbers frames instead of timing them (AVI, Theora in Ogg), some of which may be left out.
  private var tickRate: Rational? {
    guard steps.contains(1) else { return nil }
    return stated.first { $0.value <= Self.highestNumberedRate && abs(ticks(perFrameAt: $0) - 1) < 1e-9 }
  }

  /// Rates above this are those of clocks.
  private static let highestNumberedRate = 240.0

  // MARK: irregular tracks

  /// The standard rate around whose grid the timestamps cluster, as with a camera's unsteady clock; `nil` if there is none. The
  /// criterion is Rayleigh's measure, the length of the mean of the timestamps' phases: 1 for a perfect grid, near 0 for none.
  private func jitteredRate(near step: RecurringStep) -> Rational? {
    let wholeFirst = StandardFrameRate.all.filter { $0.denominator != 1001 } + StandardFrameRate.all
    let near = (stated.filter(isStandard) + wholeFirst).filter {
      (0.7...1.4).contains(ticks(perFrameAt: $0) / step.mean)
    }
    let measured = near.map { (rate: $0, length: phaseLength(period: ticks(perFrameAt: $0))) }
    let longest = measured.map(\.length).max() ?? 0
    guard longest >= Self.clusteredPhase else { return nil }
    return measured.first { $0.length >= longest - 0.01 }?.rate
  }

  private static let clusteredPhase = 0.7

  private func phaseLength(period: Double) -> Double {
    let (x, y) = phaseSum(period: period)
    return (x * x + y * y).squareRoot() / Double(stamps.count)
  }

  /// The mean of the timestamps' phases from the first one on, as a part of a period, ±1/2.
  func meanPhase(period: Double) -> Double {
    let (x, y) = phaseSum(period: period)
    return atan2(y, x) / (2 * Double.pi)
  }

  private func phaseSum(period: Double) -> (x: Double, y: Double) {
    stamps.reduce((0.0, 0.0)) { sum, stamp in
      let angle = 2 * Double.pi * (Double(stamp - stamps[0]) / period).truncatingRemainder(dividingBy: 1)
      return (sum.0 + cos(angle), sum.1 + sin(angle))
    }
  }

  /// The rate of the shortest recurring step, snapped to a standard rate within its jitter.
  private func shortestRate(_ step: RecurringStep) -> Rational {
    let rate = 1 / (step.mean * timebase.seconds)
    let standard = StandardFrameRate.nearest(to: rate, within: max(step.jitter, 0.0025))
    let measured = timebase.rate(frames: 1, ticks: max(1, Int64(step.mean.rounded())))
    // Steps of years, which only damaged files have, have no rate that can be represented.
    return standard ?? (measured.isPositive ? measured : StandardFrameRate.all[0])
  }

  /// The number of frames that an output at the cadence's rate doesn't show, whose frames begin at multiples of its frame duration,
  /// or at the grid's points.
  func hiddenCount(of cadence: FrameCadence) -> Int {
    // On a grid, rounding shortens steps, and if many packets have the time of another, those are the fields of frames.
    let equal = cadence.isRegular && equalCount * Self.fewestFramesPerEqual > stamps.count ? 0 : equalCount
    // Beside a grid, both of two frames a tick apart may be shown.
    let (frames, merged) = cadence.isRegular ? (stamps, mergedCount) : (distinct, 0)
    let clock = FrameStampClock(timebase: timebase, cadence: cadence)
    return merged + equal + zip(frames, frames.dropFirst()).count { isHidden($0, until: $1, cadence, clock) }
  }

  /// Whether an output at the cadence's rate doesn't show a frame.
  ///
  /// - Parameters:
  ///   - stamp: The frame's timestamp.
  ///   - end: That of the next frame, or the end of the last one.
  func isHidden(_ stamp: Int64, until end: Int64, _ cadence: FrameCadence, _ clock: FrameStampClock) -> Bool {
    let (perFrame, duration) = (ticks(perFrameAt: cadence.outputRate), cadence.outputRate.frameDuration)
    let longest = cadence.isRegular ? perFrame * 0.75 : perFrame
    let start = cadence.isRegular ? cadence.origin : .zero
    let before = ((Double(stamp) - start.seconds / timebase.seconds) / perFrame).rounded(.down) - 1
    // A frame beside the grid may come too late for its own point and be replaced before the next one.
    let mayBeHidden = Double(end) - Double(stamp) < longest || cadence.isRegular && clock.endOfRegularFrame(stamp) == nil
    guard mayBeHidden, abs(before) < Self.farthestFrame else { return false }
    let times = (Int64(before)...Int64(before) + 3).lazy.map { duration.multiplied(by: $0, over: 1) + start }
    // Only damaged files have times that can't be represented.
    let shown = times.filter(\.isNumeric).map(clock.lastStamp(notAfter:))
    return !(shown.first { $0 >= stamp }.map { $0 < end } ?? true)
  }

  /// The minimum number of frames on a grid for each that has the time of another.
  private static let fewestFramesPerEqual = 5

  /// Frames of an output beyond this are not looked at; only damaged files have them.
  private static let farthestFrame = 1e9

  // MARK: timestamps

  private static func merged(_ stamps: [Int64]) -> [Int64] {
    var kept: [Int64] = []
    for stamp in stamps where kept.last.map({ stamp - $0 > 1 }) ?? true { kept.append(stamp) }
    return kept
  }

  private static func steps(of stamps: [Int64]) -> [Int64] { zip(stamps.dropFirst(), stamps).map { $0 - $1 } }

  /// The step in ticks that timestamps were rounded to: more than one if they came from a clock coarser than the container's.
  private func roundingTicks(_ step: RecurringStep) -> Int64 {
    let common = steps.reduce(0, greatestCommonDivisor)
    let isRounding = Double(common) * timebase.seconds <= Self.coarsestRounding * (1 + 1e-9)
    return common > 1 && isRounding && Double(common) * Self.fewestStepsOfAll <= step.mean ? common : 1
  }

  // MARK: grids

  private func candidates(near step: RecurringStep) -> [Rational] {
    let frames = steps.reduce(Int64(0)) { $0 + max(1, Int64((Double($1) / step.mean).rounded())) }
    let measured = timebase.rate(frames: frames, ticks: stamps[stamps.count - 1] - stamps[0])
    let slack = max(Double(roundingTicks(step)), step.mean * 0.02)
    return (StandardFrameRate.all + stated + [measured]).filter { rate in
      rate.isPositive && abs(ticks(perFrameAt: rate) - step.mean) <= slack
    }
  }

  func ticks(perFrameAt rate: Rational) -> Double { 1 / (rate.value * timebase.seconds) }

  private func grid(rate: Rational, step: RecurringStep) -> Grid? {
    let period = ticks(perFrameAt: rate)
    let rounding = roundingTicks(step)
    for phase in [0, stamps[0]] {
      guard let (tolerance, residual) = fit(period: period, phase: phase, rounding: rounding) else { continue }
      return Grid(
        rate: rate, phase: phase, tolerance: tolerance,
        rank: Grid.Rank(
          isAgreed: stated.contains { abs($0.value - rate.value) < rate.value * 1e-4 }, isStandard: isStandard(rate),
          isRoundedFromZero: phase == 0 && residual <= Double(rounding) / 2 + 1e-6, residual: residual))
    }
    return nil
  }

  private func isStandard(_ rate: Rational) -> Bool { StandardFrameRate.all.contains(rate) }

  /// The tolerance in ticks of a grid that the timestamps are on, and their greatest deviation; `nil` if they are not.
  private func fit(period: Double, phase: Int64, rounding: Int64) -> (tolerance: Int64, residual: Double)? {
    let steps = period / Double(rounding)
    let tolerance = steps >= Self.fewestStepsPerFrame ? rounding : 0
    let (share, residual) = fit(period: period, phase: phase, tolerance: Double(tolerance))
    if share >= Self.regularShare { return (tolerance, residual) }
    guard tolerance == 0, steps >= Self.fewestStepsOfAll,
      let residual = roundedResidual(of: stamps, period: period, phase: phase, rounding: Double(rounding))
    else { return nil }
    return (rounding, residual)
  }

  /// The greatest deviation from a grid whose points, all rounded in the same way, are the given times; `nil` if they are not.
  /// However a clock rounds, the deviations differ by less than one of its steps.
  func roundedResidual(of stamps: [Int64], period: Double, phase: Int64, rounding: Double) -> Double? {
    var (least, most) = (0.0, 0.0)
    for stamp in stamps {
      let points = Double(stamp - phase) / period
      let deviation = (points - points.rounded()) * period
      (least, most) = (min(least, deviation), max(most, deviation))
      guard most - least < rounding - 1e-6, max(most, -least) <= rounding else { return nil }
    }
    return max(most, -least)
  }

  /// The share of timestamps within `tolerance` ticks of a grid, and the greatest deviation among those.
  func fit(period: Double, phase: Int64, tolerance: Double) -> (share: Double, residual: Double) {
    var (count, greatest) = (0, 0.0)
    for stamp in stamps {
      let points = Double(stamp - phase) / period
      let distance = abs(points - points.rounded()) * period
      guard distance <= tolerance + 1e-6 else { continue }
      count += 1
      greatest = max(greatest, distance)
    }
    return (Double(count) / Double(stamps.count), greatest)
  }

  /// A rate and phase that fit the timestamps.
  struct Grid {
    /// The order of preference among grids; the least is the best.
    struct Rank: Comparable {
      /// The container states this rate.
      var isAgreed: Bool
      var isStandard: Bool
      /// Every timestamp equals a point of a grid from media time 0, rounded to nearest.
      var isRoundedFromZero: Bool
      var residual: Double

      static func < (left: Rank, right: Rank) -> Bool {
        if left.isStandard != right.isStandard { return left.isStandard }
        if left.isStandard, left.isAgreed != right.isAgreed { return left.isAgreed }
        if left.isRoundedFromZero != right.isRoundedFromZero { return left.isRoundedFromZero }
        return left.residual < right.residual
      }
    }
    var rate: Rational
    var phase: Int64
    var tolerance: Int64
    var rank: Rank

    /// `nil` if times on the grid do not fit a timescale.
    func cadence(_ timebase: Timebase) -> FrameCadence? {
      let rate = rate.reduced
      let origin = phase == 0 ? MediaTime.zero : timebase.time(phase)
      let cadence = FrameCadence(rate: rate, origin: origin, roundingStep: timebase.time(tolerance))
      return CadenceGrid(cadence) == nil ? nil : cadence
    }
  }
}

extension [Int64] {
  fileprivate var middle: Int64? { isEmpty ? nil : self[count / 2] }
}

private func greatestCommonDivisor(_ a: Int64, _ b: Int64) -> Int64 {
  var (a, b) = (a, b)
  while b != 0 { (a, b) = (b, a % b) }
  return a
}
