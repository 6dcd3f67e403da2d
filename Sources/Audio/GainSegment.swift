import CompositorAPI
import CompositorMediaIO

/// Samples over which a gain is constant or changes linearly.
struct GainSegment {
  /// In samples from composition time 0.
  let range: Range<Int64>
  /// Gain at the first sample.
  let start: Double
  /// Change from one sample to the next.
  let step: Double

  /// Adds as many samples as the run has.
  func add(_ samples: UnsafePointer<Float>, to sums: UnsafeMutablePointer<Float>) {
    let (count, first, step) = (range.count, start, step)
    if step == 0 {
      let gain = Float(first)
      guard gain != 0 else { return }
      for index in 0..<count { sums[index] += samples[index] * gain }
    } else {
      for index in 0..<count { sums[index] += samples[index] * Float(first + step * Double(index)) }
    }
  }

  /// The runs that cover `range`, in order. A sample has the gain of its own time, so a jump acts on the first sample at or
  /// after it.
  static func runs(of volume: PropertyTimeline<Double>, over range: Range<Int64>, sampleRate: Int) -> [GainSegment] {
    guard !volume.isConstant else { return [GainSegment(range: range, start: volume.defaultValue, step: 0)] }
    var runs: [GainSegment] = []
    var (position, next) = (range.lowerBound, firstRamp(of: volume, after: range.lowerBound, sampleRate))
    while position < range.upperBound {
      let limit = next < volume.ramps.count ? sample(at: volume.ramps[next].timeRange.start, sampleRate) : .max
      let current = next > 0 ? volume.ramps[next - 1] : nil
      let run = run(from: position, limit: min(limit, range.upperBound), current, volume.defaultValue, sampleRate)
      if run.range.lowerBound < run.range.upperBound { runs.append(run) }
      position = run.range.upperBound
      if position >= limit { next += 1 }
    }
    return runs
  }

  private static func run(
    from position: Int64, limit: Int64, _ ramp: Ramp<Double>?, _ defaultValue: Double, _ sampleRate: Int
  ) -> GainSegment {
    guard let ramp else { return GainSegment(range: position..<limit, start: defaultValue, step: 0) }
    let rampEnd = sample(at: ramp.timeRange.end, sampleRate)
    guard position < rampEnd else { return GainSegment(range: position..<limit, start: ramp.end, step: 0) }
    let duration = ramp.timeRange.duration.seconds
    let elapsed = Double(position) / Double(sampleRate) - ramp.timeRange.start.seconds
    let slope = (ramp.end - ramp.start) / duration
    return GainSegment(
      range: position..<min(limit, rampEnd), start: ramp.start + slope * elapsed, step: slope / Double(sampleRate))
  }

  /// The first sample that is not before `time`.
  private static func sample(at time: MediaTime, _ sampleRate: Int) -> Int64 {
    let nearest = time.rounded(toUnitsOf: Rational(1, sampleRate))
    return MediaTime(value: nearest, timescale: Int32(clamping: sampleRate)) < time ? nearest + 1 : nearest
  }

  /// Index of the first ramp that starts after a sample.
  private static func firstRamp(of volume: PropertyTimeline<Double>, after position: Int64, _ sampleRate: Int) -> Int {
    var (low, high) = (0, volume.ramps.count)
    while low < high {
      let middle = (low + high) / 2
      if sample(at: volume.ramps[middle].timeRange.start, sampleRate) > position { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
