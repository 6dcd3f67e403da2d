import CompositorAPI

/// The points of a regular cadence in exact arithmetic.
struct CadenceGrid: Sendable, Hashable {
  /// Media time of a point in units of 1/`timescale` seconds.
  private let origin: Int128
  private let period: Int128
  private let timescale: Int32

  /// Points farther from time 0 than this would overflow the arithmetic; only damaged files state such times.
  private static let farthestOrigin: Int128 = 1 << 62

  /// `nil` for an irregular cadence, and if no timescale can hold both origin and period.
  init?(_ cadence: FrameCadence) {
    let (rate, start) = (cadence.rate, cadence.origin)
    guard cadence.isRegular, rate.isPositive, start.isNumeric, start.timescale > 0 else { return nil }
    var (a, b) = (Int128(rate.numerator), Int128(start.timescale))
    while b != 0 { (a, b) = (b, a % b) }
    let common = Int128(rate.numerator) / a * Int128(start.timescale)
    guard let timescale = Int32(exactly: common) else { return nil }
    self.timescale = timescale
    origin = Int128(start.value) * (common / Int128(start.timescale))
    period = Int128(rate.denominator) * (common / Int128(rate.numerator))
    guard origin.magnitude < Self.farthestOrigin.magnitude, period < Self.farthestOrigin else { return nil }
  }

  /// The number of the last point that is not after `numerator` / `denominator` seconds.
  func lastPoint(notAfter numerator: Int128, over denominator: Int128) -> Int128 {
    let dividend = numerator * Int128(timescale) - origin * denominator
    let divisor = period * denominator
    let quotient = dividend / divisor
    return dividend < 0 && quotient * divisor != dividend ? quotient - 1 : quotient
  }

  /// The time of a point in units of 1/``unitsPerSecond`` s.
  func units(ofPoint number: Int128) -> Int128 { origin + number * period }

  /// The units of ``units(ofPoint:)`` per second.
  var unitsPerSecond: Int128 { Int128(timescale) }

  /// The time of a point; `nil` if it cannot be represented.
  func time(ofPoint number: Int128) -> MediaTime? {
    Int64(exactly: units(ofPoint: number)).map { MediaTime(value: $0, timescale: timescale) }
  }
}
