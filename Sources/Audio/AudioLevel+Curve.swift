package import CompositorAPI
import CompositorPlatform

extension AudioLevel {
  /// The range from floor to ceiling if the floor isn't given, in dB.
  private static let standardRange = 30.0
  /// The level at and below which audio counts as silent, in dBFS.
  private static let silence = -100.0
  /// Values differ by at least this part of the range, so that equal frames of different machines are equal bit by bit.
  private static let quantum = 0x1p-20

  /// The level over the movie, 0 (at the floor) … 1 (at the ceiling): linear in decibels, and rising and falling no faster than the
  /// attack and the release allow.
  ///
  /// - Parameter meanSquares: Mean squares, ``LevelCurve/rate`` in a second.
  package func values(ofMeanSquares meanSquares: [Double]) -> [Float] {
    let loudest = Self.decibels(meanSquares.max() ?? 0)
    let ceiling = ceiling ?? loudest
    let floor = floor ?? max(ceiling - Self.standardRange, Self.silence)
    guard floor < ceiling else { return Array(repeating: 0, count: meanSquares.count) }
    let (rise, fall) = (Self.change(over: attack), Self.change(over: release))
    var last: Double?
    return meanSquares.map { square in
      let wanted = min(max((Self.decibels(square) - floor) / (ceiling - floor), 0), 1)
      let value = last.map { min(max(wanted, $0 - fall), $0 + rise) } ?? wanted
      last = value
      return Float((value / Self.quantum).rounded() * Self.quantum)
    }
  }

  /// The largest change from one value to the next.
  private static func change(over time: Double) -> Double { time > 0 ? 1 / (time * Double(LevelCurve.rate)) : 1 }

  private static func decibels(_ square: Double) -> Double { square > 0 ? max(10 * log10(square), -300) : -300 }
}
