/// A time in seconds that a person or a program has written as a decimal number.
///
/// Up to four decimal places it is meant exactly. A program that prints the time of a frame or sample writes more, which no
/// longer say the time exactly: then it is the time of a frame or sample that has these digits, if there is just one.
package struct PrintedTime: Sendable {
  /// The value in seconds: `mantissa` / 10 ^ `places`.
  private let mantissa: Int
  private let places: Int
  /// The number of decimal places that are written, including trailing zeros.
  private let writtenPlaces: Int

  /// - Parameter isMilliseconds: Whether the number counts milliseconds.
  package init(_ decimal: WrittenDecimal, isMilliseconds: Bool) {
    mantissa = decimal.mantissa
    let shift = isMilliseconds && mantissa != 0 ? 3 : 0
    (places, writtenPlaces) = (decimal.places + shift, decimal.writtenPlaces + shift)
  }

  /// Rates whose frames are recognized, in order of precedence: usual ones before others. The times of 100, 120 and 240 frames
  /// per second are also those of samples.
  private static let frameRates = [
    Rational(24_000, 1001), Rational(24, 1), Rational(25, 1), Rational(30_000, 1001), Rational(30, 1), Rational(48, 1),
    Rational(50, 1), Rational(60_000, 1001), Rational(60, 1),
  ]
  private static let otherFrameRates = [Rational(48_000, 1001), Rational(120_000, 1001)]
  /// Samples per second that are recognized.
  private static let sampleRates = [Rational(44_100, 1), Rational(48_000, 1)]
  /// Units per second in which the times of all frames and samples above are integers.
  private static let commonTimescale: Int32 = 705_600_000

  /// The time; `nil` if it is too large.
  package var time: MediaTime? {
    if places > 9 { return rounded(to: PrintedTime.commonTimescale) }
    guard places > 4 || writtenPlaces > 4 else { return exact }
    // Trailing zeros may be digits of the time, or be there because a program always prints as many.
    for places in writtenPlaces > places ? [writtenPlaces, places] : [places] where places > 4 {
      if let found = onGrid(places: places) { return found }
    }
    return exact
  }

  private var exact: MediaTime? {
    guard places <= 9 else { return nil }
    let ratio = Rational(mantissa, WrittenDecimal.power(places)).reduced
    return Int32(exactly: ratio.denominator).map { MediaTime(value: Int64(ratio.numerator), timescale: $0) }
  }

  private func rounded(to timescale: Int32) -> MediaTime? {
    // Places above 18 were rounded away; those of milliseconds are up to 21.
    let power = Int128(WrittenDecimal.power(min(places, 18))) * Int128(WrittenDecimal.power(max(places - 18, 0)))
    let ticks = (Int128(mantissa) * Int128(timescale) * 2 + power) / (power * 2)
    guard let ticks = Int64(exactly: ticks) else { return nil }
    let ratio = Rational(Int(ticks), Int(timescale)).reduced
    return MediaTime(value: Int64(ratio.numerator), timescale: Int32(ratio.denominator))
  }

  /// The time of a frame, or else of a sample, that has the same digits when it is rounded; `nil` if there is none, or more
  /// than one.
  private func onGrid(places: Int) -> MediaTime? {
    let frames = points(of: PrintedTime.frameRates, places: places)
    guard frames.isEmpty else { return frames.count == 1 ? frames.first : nil }
    let samples = points(of: PrintedTime.sampleRates, places: places)
    guard samples.isEmpty else { return samples.count == 1 ? samples.first : nil }
    let others = points(of: PrintedTime.otherFrameRates, places: places)
    return others.count == 1 ? others.first : nil
  }

  private func points(of rates: [Rational], places: Int) -> Set<MediaTime> {
    var found: Set<MediaTime> = []
    let denominator = Int128(WrittenDecimal.power(self.places))
    for rate in rates {
      // The point nearest to mantissa / denominator, as a number of rate.denominator / rate.numerator seconds.
      let (step, scale) = (Int128(rate.denominator), Int128(rate.numerator))
      let scaled = Int128(mantissa) * scale
      let number = (scaled * 2 + denominator * step) / (denominator * step * 2)
      // Its distance, compared with half a unit of the last digit.
      let distance = (number * step * denominator - scaled).magnitude
      guard distance * 2 * UInt128(WrittenDecimal.power(min(places, 18))) <= UInt128(denominator * scale),
        let value = Int64(exactly: number * step), let timescale = Int32(exactly: scale)
      else { continue }
      let ratio = Rational(Int(value), Int(timescale)).reduced
      found.insert(MediaTime(value: Int64(ratio.numerator), timescale: Int32(ratio.denominator)))
    }
    return found
  }
}
