import CompositorPlatform

/// An easing by Robert Penner, with the constants that easings.net publishes.
///
/// The curves that ease in are those that ease out, turned by 180°; the ones that do both are two halves. Only easing out is
/// written as a formula.
struct PennerCurve {
  private let equation: Easing.Equation
  private let direction: Easing.Direction

  init(_ equation: Easing.Equation, _ direction: Easing.Direction) {
    self.equation = equation
    self.direction = direction
  }

  /// The value at a progress of 0 … 1; exact at both ends.
  func value(at progress: Double) -> Double {
    guard progress > 0, progress < 1 else { return progress }
    return switch direction {
    case .in: 1 - out(1 - progress)
    case .out: out(progress)
    case .inOut: progress < 0.5 ? (1 - out(1 - 2 * progress)) / 2 : (1 + out(2 * progress - 1)) / 2
    }
  }

  /// The area under the curve from 0 to `progress`, 0 … 1.
  func area(to progress: Double) -> Double {
    /// The area of the curve that eases in.
    func area(in progress: Double) -> Double { progress - outArea(1) + outArea(1 - progress) }
    return switch direction {
    case .in: area(in: progress)
    case .out: outArea(progress)
    case .inOut:
      progress < 0.5
        ? area(in: 2 * progress) / 4 : (area(in: 1) + (2 * progress - 1) + outArea(2 * progress - 1)) / 4
    }
  }

  /// Progress inside 0 … 1 at which the slope jumps.
  var corners: [Double] {
    let out = equation == .bounce ? PennerCurve.bounces.map(\.end).filter { $0 < 1 } : []
    return switch direction {
    case .in: out.reversed().map { 1 - $0 }
    case .out: out
    case .inOut: out.reversed().map { (1 - $0) / 2 } + [0.5] + out.map { (1 + $0) / 2 }
    }
  }

  /// The value of the curve that eases out, for a progress of 0 … 1.
  private func out(_ progress: Double) -> Double {
    switch equation {
    case .bounce:
      let arc = arc(at: progress)
      return PennerCurve.gravity * (progress - arc.middle) * (progress - arc.middle) + arc.height
    case .back:
      let rest = progress - 1
      return 1 + (overshoot + 1) * rest * rest * rest + overshoot * rest * rest
    case .elastic:
      // The wave has not come to rest at the end, but its end is 1 by definition.
      return progress >= 1 ? 1 : exp2(-10 * progress) * sin(phase(progress)) + 1
    }
  }

  /// The area of the curve that eases out, from 0 to a progress of 0 … 1.
  private func outArea(_ progress: Double) -> Double {
    switch equation {
    case .bounce:
      var (area, start) = (0.0, 0.0)
      for arc in PennerCurve.bounces where start < progress {
        let end = min(arc.end, progress)
        let (from, to) = (start - arc.middle, end - arc.middle)
        area += PennerCurve.gravity * (to * to * to - from * from * from) / 3 + arc.height * (end - start)
        start = end
      }
      return area
    case .back:
      let rest = progress - 1
      let cube = rest * rest * rest
      return progress + (overshoot + 1) * (cube * rest - 1) / 4 + overshoot * (cube + 1) / 3
    case .elastic:
      let (decay, rate) = (10 * log(2.0), phase(1) - phase(0))
      func integral(_ progress: Double) -> Double {
        let phase = phase(progress)
        return exp2(-10 * progress) * (decay * sin(phase) + rate * cos(phase)) / (decay * decay + rate * rate)
      }
      return progress + integral(0) - integral(progress)
    }
  }

  // MARK: Bounce

  /// A parabola of the falling ball: it ends at `end`, and its lowest value, `height`, is in the middle.
  private struct Arc {
    var end: Double
    var middle: Double
    var height: Double
  }

  private static let gravity = 7.5625
  private static let bounces = [
    Arc(end: 1 / 2.75, middle: 0, height: 0), Arc(end: 2 / 2.75, middle: 1.5 / 2.75, height: 0.75),
    Arc(end: 2.5 / 2.75, middle: 2.25 / 2.75, height: 0.9375), Arc(end: 1, middle: 2.625 / 2.75, height: 0.984375),
  ]

  private func arc(at progress: Double) -> Arc {
    PennerCurve.bounces.first { progress < $0.end } ?? PennerCurve.bounces[PennerCurve.bounces.count - 1]
  }

  // MARK: Back and elastic

  /// How far the curve draws back: 1.70158 gives 10 %.
  private var overshoot: Double { direction == .inOut ? 1.70158 * 1.525 : 1.70158 }

  /// The angle of the wave in radians: 10/3 turns, which begin a quarter of a turn late.
  private func phase(_ progress: Double) -> Double {
    direction == .inOut ? (10 * progress - 1.125) * (2 * .pi / 4.5) : (10 * progress - 0.75) * (2 * .pi / 3)
  }
}
