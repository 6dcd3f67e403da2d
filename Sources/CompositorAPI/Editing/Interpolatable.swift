/// A value that can be interpolated.
public protocol Interpolatable: Hashable, Sendable, Codable {
  /// The value a `fraction` of the way to `other`: exactly `self` at 0 and `other` at 1. An easing that overshoots produces
  /// fractions below 0 and above 1, for which numbers are extrapolated.
  func interpolated(to other: Self, fraction: Double) -> Self
}

extension Double: Interpolatable {
  /// Interpolates linearly. Exact at both ends.
  public func interpolated(to other: Double, fraction: Double) -> Double {
    if fraction == 0 { return self }
    return fraction == 1 ? other : self + (other - self) * fraction
  }
}

extension ParameterValue: Interpolatable {
  /// Interpolates numbers linearly, and points and colors component by component; a color without alpha is opaque. Every other
  /// value is held until the ramp ends.
  /// The components of a color are its sRGB values and its alpha, which isn't premultiplied. Titles interpolate colors in the
  /// same way.
  public func interpolated(to other: ParameterValue, fraction: Double) -> ParameterValue {
    if fraction == 0 { return self }
    if fraction == 1 { return other }
    let held = fraction < 1 ? self : other
    if let from = number, let to = other.number { return .number(from.interpolated(to: to, fraction: fraction)) }
    guard var from = numbers, var to = other.numbers else { return held }
    let count = max(from.count, to.count)
    if count == 4, min(from.count, to.count) == 3 {
      from += Array(repeating: 1, count: count - from.count)
      to += Array(repeating: 1, count: count - to.count)
    }
    guard from.count == to.count else { return held }
    return .list(zip(from, to).map { .number($0.interpolated(to: $1, fraction: fraction)) })
  }
}

extension AffineMatrix: Interpolatable {
  /// Interpolates component by component.
  public func interpolated(to other: AffineMatrix, fraction: Double) -> AffineMatrix {
    AffineMatrix(
      a: a.interpolated(to: other.a, fraction: fraction), b: b.interpolated(to: other.b, fraction: fraction),
      c: c.interpolated(to: other.c, fraction: fraction), d: d.interpolated(to: other.d, fraction: fraction),
      tx: tx.interpolated(to: other.tx, fraction: fraction), ty: ty.interpolated(to: other.ty, fraction: fraction))
  }
}

extension Rect: Interpolatable {
  /// Interpolates component by component. If either value is infinite, `self` is held until the ramp ends.
  public func interpolated(to other: Rect, fraction: Double) -> Rect {
    if isInfinite || other.isInfinite { return fraction >= 1 ? other : self }
    return Rect(
      x: minX.interpolated(to: other.minX, fraction: fraction),
      y: minY.interpolated(to: other.minY, fraction: fraction),
      width: size.width.interpolated(to: other.size.width, fraction: fraction),
      height: size.height.interpolated(to: other.size.height, fraction: fraction))
  }
}

extension Point: Interpolatable {
  /// Interpolates component by component.
  public func interpolated(to other: Point, fraction: Double) -> Point {
    Point(x: x.interpolated(to: other.x, fraction: fraction), y: y.interpolated(to: other.y, fraction: fraction))
  }
}

extension Color: Interpolatable {
  /// Interpolates with premultiplied alpha, as CSS Color 4 does: what is invisible has no color, so that a color that fades away
  /// keeps its hue. Alpha stays within 0 … 1. If primaries or transfer functions differ, `self` is held until the ramp ends.
  public func interpolated(to other: Color, fraction: Double) -> Color {
    if fraction == 0 { return self }
    if fraction == 1 { return other }
    guard primaries == other.primaries, transfer == other.transfer else { return fraction < 1 ? self : other }
    let mixedAlpha = min(max(alpha.interpolated(to: other.alpha, fraction: fraction), 0), 1)
    func mixed(_ component: KeyPath<Color, Double>) -> Double {
      let (from, to) = (self[keyPath: component], other[keyPath: component])
      // Without visible color there is nothing to divide.
      guard alpha != other.alpha, mixedAlpha > 0 else { return from.interpolated(to: to, fraction: fraction) }
      return (from * alpha).interpolated(to: to * other.alpha, fraction: fraction) / mixedAlpha
    }
    return Color(
      red: mixed(\.red), green: mixed(\.green), blue: mixed(\.blue), alpha: mixedAlpha, primaries: primaries,
      transfer: transfer)
  }
}

/// One coordinate of a cubic Bézier curve from 0 to 1 as a function of its parameter s: `a·s³ + b·s² + c·s`.
struct BezierCoordinate {
  private let a, b, c: Double

  /// - Parameters:
  ///   - first: The coordinate of the first control point.
  ///   - second: The coordinate of the second control point.
  init(_ first: Double, _ second: Double) {
    c = 3 * first
    b = 3 * (second - first) - c
    a = 1 - c - b
  }

  func value(_ s: Double) -> Double { ((a * s + b) * s + c) * s }

  /// The parameter s at which a non-decreasing coordinate has a value, found by Newton's method within a bracket that shrinks
  /// to adjacent numbers.
  ///
  /// - Parameter value: The value of the coordinate, 0 … 1.
  func parameter(for value: Double) -> Double {
    var (low, high, s) = (0.0, 1.0, value)
    for _ in 0..<100 {
      let error = self.value(s) - value
      if error == 0 { break }
      if error > 0 { high = s } else { low = s }
      let newton = s - error / ((3 * a * s + 2 * b) * s + c)
      guard newton != s else { break }
      let next = newton > low && newton < high ? newton : (low + high) / 2
      guard next > low, next < high else { break }
      s = next
    }
    return s
  }
}
