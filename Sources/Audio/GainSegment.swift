import CCompositorAudioKernels
import CompositorAPI
import CompositorMediaIO

/// A range of samples over which a value is constant or linear.
struct GainSegment {
  /// Range in samples, counted from composition time 0.
  var range: Range<Int64>
  /// The sample at which the value is `start`, inside the range or before it.
  let origin: Int64
  /// Value at `origin`.
  let start: Double
  /// Change from one sample to the next.
  let step: Double

  var isConstant: Bool { step == 0 }

  /// The values as a ramp that starts at the beginning of the range.
  var ramp: cak_ramp { cak_ramp(start: start, step: step, offset: range.lowerBound - origin) }
}

/// A volume or pan curve in samples. Each sample has the curve's value at the sample's own time, so a jump takes effect at the
/// first sample that is not before the jump.
struct GainCurve {
  /// Segments that cover all samples without gaps.
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

  /// Whether the curve has the given value at all times.
  func isAlways(_ value: Double) -> Bool { segments.allSatisfy { $0.isConstant && $0.start == value } }

  /// Calls `body` for each part of `range` that lies in one segment, in order. `offset` is the part's position in the range.
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
  /// Multiplies the first `range.count` samples of every channel by the curve.
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

  /// Multiplies the first `range.count` samples of every channel by the curve, and adds the products to `sums`.
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

  /// Balances left and right channels, using the curve as the pan position. See `ChannelSide`.
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

/// The side of a channel, for panning by balance. A centered pan changes nothing. As the pan moves toward one side, the gain of
/// the other side's channels follows a cosine down to silence, while the channels of that side keep their level. Center and LFE
/// are unaffected.
enum ChannelSide: Int {
  case left = -1
  case middle = 0
  case right = 1

  /// The sides of the channels in the default layout for each channel count: mono; L R; L R LFE; L R C S; L R C Ls Rs; L R C
  /// LFE Ls Rs; L R C LFE S Lss Rss; L R C LFE Lrs Rrs Lss Rss.
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
