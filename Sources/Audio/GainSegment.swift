import CCompositorAudioKernels
import CompositorAPI
import CompositorMediaIO

/// Samples over which a value is constant or changes linearly.
struct GainSegment {
  /// In samples from composition time 0.
  var range: Range<Int64>
  /// The sample at which the value is `start`; inside the range or before it.
  let origin: Int64
  /// Value at `origin`.
  let start: Double
  /// Change from one sample to the next.
  let step: Double

  var isConstant: Bool { step == 0 }

  /// The values from the beginning of the range on.
  var ramp: cak_ramp { cak_ramp(start: start, step: step, offset: range.lowerBound - origin) }
}

/// A volume or a pan in samples. A sample has the value of its own time, so a jump acts on the first sample at or after it.
struct GainCurve {
  /// Without gaps, over all samples.
  private let segments: [GainSegment]

  init(_ timeline: PropertyTimeline<Double>, sampleRate: Int) {
    var segments: [GainSegment] = []
    func add(_ range: Range<Int64>, _ start: Double, _ step: Double) {
      segments.append(GainSegment(range: range, origin: step == 0 ? 0 : range.lowerBound, start: start, step: step))
    }
    let starts = timeline.ramps.map { GainCurve.sample(at: $0.timeRange.start, sampleRate) } + [.max]
    if .min < starts[0] { add(.min..<starts[0], timeline.defaultValue, 0) }
    for (ramp, (begin, next)) in zip(timeline.ramps, zip(starts, starts.dropFirst())) where begin < next {
      let end = min(max(begin, GainCurve.sample(at: ramp.timeRange.end, sampleRate)), next)
      if begin < end {
        let slope = (ramp.end - ramp.start) / ramp.timeRange.duration.seconds
        let late = Double(begin) / Double(sampleRate) - ramp.timeRange.start.seconds
        add(begin..<end, ramp.start + slope * late, slope / Double(sampleRate))
      }
      if end < next { add(end..<next, ramp.end, 0) }
    }
    self.segments = segments
  }

  /// Whether it has one value at all times.
  func isAlways(_ value: Double) -> Bool { segments.allSatisfy { $0.isConstant && $0.start == value } }

  /// Calls `body` for each stretch of `range` with one segment, in order; stretches begin `offset` samples into the range.
  func forEach(over range: Range<Int64>, _ body: (_ segment: GainSegment, _ offset: Int, _ count: Int) -> Void) {
    var (low, high) = (0, segments.count)
    while low < high {
      let middle = (low + high) / 2
      if segments[middle].range.upperBound > range.lowerBound { high = middle } else { low = middle + 1 }
    }
    var position = range.lowerBound
    while position < range.upperBound, low < segments.count {
      var segment = segments[low]
      segment.range = position..<min(segment.range.upperBound, range.upperBound)
      body(segment, Int(position - range.lowerBound), segment.range.count)
      position = segment.range.upperBound
      low += 1
    }
  }

  /// The first sample that is not before `time`.
  private static func sample(at time: MediaTime, _ sampleRate: Int) -> Int64 {
    let nearest = time.rounded(toUnitsOf: Rational(1, sampleRate))
    return MediaTime(value: nearest, timescale: Int32(clamping: sampleRate)) < time && nearest < .max ? nearest + 1 : nearest
  }
}

extension GainCurve {
  /// Multiplies the first samples of every channel.
  func apply(to channels: [UnsafeMutablePointer<Float>], over range: Range<Int64>) {
    forEach(over: range) { segment, offset, count in
      for channel in channels {
        if segment.isConstant {
          if segment.start != 1 { cak_apply_gain(channel + offset, Int32(count), Float(segment.start)) }
        } else {
          cak_apply_ramp(channel + offset, Int32(count), segment.ramp)
        }
      }
    }
  }

  /// Adds the first samples of every channel, multiplied, to sums.
  func add(_ channels: [UnsafeMutablePointer<Float>], to sums: [UnsafeMutablePointer<Float>], over range: Range<Int64>) {
    forEach(over: range) { segment, offset, count in
      for index in channels.indices {
        let (source, sum) = (channels[index] + offset, sums[index] + offset)
        if !segment.isConstant {
          cak_add_ramp(source, sum, Int32(count), segment.ramp)
        } else if segment.start == 1 {
          cak_add(source, sum, Int32(count))
        } else if segment.start != 0 {
          cak_add_gain(source, sum, Int32(count), Float(segment.start))
        }
      }
    }
  }

  /// Balances left and right channels, the curve being a pan: see `ChannelSide`.
  func balance(_ channels: [UnsafeMutablePointer<Float>], sides: [ChannelSide], over range: Range<Int64>) {
    forEach(over: range) { segment, offset, count in
      for index in channels.indices where sides[index] != .middle {
        let side = Double(sides[index].rawValue)
        if segment.isConstant {
          let gain = cak_side_gain(segment.start, side)
          if gain != 1 { cak_apply_gain(channels[index] + offset, Int32(count), gain) }
        } else {
          cak_apply_balance(channels[index] + offset, Int32(count), segment.ramp, side)
        }
      }
    }
  }
}

/// The side of a channel, which pan lowers or leaves: a balance. In the middle nothing changes; toward one side the channels of the
/// other follow a cosine down to silence, and those of its own keep their level. Center and LFE stay.
enum ChannelSide: Int {
  case left = -1
  case middle = 0
  case right = 1

  /// The sides of the channels in the usual order of as many: mono; L R; L R LFE; L R C S; L R C Ls Rs; L R C LFE Ls Rs;
  /// L R C LFE S Lss Rss; L R C LFE Lrs Rrs Lss Rss.
  static func all(channelCount: Int) -> [ChannelSide] {
    let (l, m, r) = (ChannelSide.left, ChannelSide.middle, ChannelSide.right)
    let layouts: [[ChannelSide]] = [
      [m], [l, r], [l, r, m], [l, r, m, m], [l, r, m, l, r], [l, r, m, m, l, r], [l, r, m, m, m, l, r],
      [l, r, m, m, l, r, l, r],
    ]
    return layouts.indices.contains(channelCount - 1)
      ? layouts[channelCount - 1] : Array(repeating: .middle, count: channelCount)
  }
}
