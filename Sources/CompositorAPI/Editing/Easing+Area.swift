extension Easing {
  /// The area under the curve from 0 to `progress`, 0 … 1.
  func area(to progress: Double) -> Double {
    switch self {
    case .linear: return progress * progress / 2
    case .cubicBezier(let x1, let y1, let x2, let y2):
      let parameter = progress >= 1 ? 1 : progress <= 0 ? 0 : BezierCoordinate(x1, x2).parameter(for: progress)
      return Easing.area(x1, y1, x2, y2, to: parameter)
    case .steps(let count, _):
      let count = Double(max(count, 1))
      let whole = (progress * count).rounded(.down)
      // Progress is constant inside each step, so its value in the middle represents it. Steps rise evenly, so the mean is that
      // of the first and the last.
      let before = whole * (value(at: 0.5 / count) + value(at: (whole - 0.5) / count)) / 2
      return (whole > 0 ? before : 0) / count + value(at: (whole + 0.5) / count) * (progress - whole / count)
    case .linearStops(let stops): return Stop.area(of: stops, to: progress)
    case .penner(let equation, let direction): return PennerCurve(equation, direction).area(to: progress)
    }
  }

  /// ∫ y dx along a Bézier curve from (0, 0) up to a parameter, which is a polynomial.
  private static func area(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, to s: Double) -> Double {
    let (xc, yc) = (3 * x1, 3 * y1)
    let (xb, yb) = (3 * (x2 - x1) - xc, 3 * (y2 - y1) - yc)
    let (xa, ya) = (1 - xc - xb, 1 - yc - yb)
    let sixth = xa * ya / 2
    let fifth = (3 * xa * yb + 2 * xb * ya) / 5
    let fourth = (3 * xa * yc + 2 * xb * yb + xc * ya) / 4
    let third = (2 * xb * yc + xc * yb) / 3
    return ((((sixth * s + fifth) * s + fourth) * s + third) * s + xc * yc / 2) * s * s
  }

  /// Progress inside 0 … 1 at which the curve has a corner or a jump.
  package var corners: [Double] {
    switch self {
    case .linear, .cubicBezier, .steps: []
    case .linearStops(let stops): stops.map { $0.percent / 100 }.filter { $0 > 0 && $0 < 1 }
    case .penner(let equation, let direction): PennerCurve(equation, direction).corners
    }
  }
}
