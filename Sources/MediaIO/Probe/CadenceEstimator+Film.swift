import CompositorAPI

/// Film in video of 60 fields per second.
///
/// MPEG-2 of an NTSC DVD has each frame of a film once, and flags by which players show its fields two and three times in turn (3:2 pulldown,
/// ISO/IEC 13818-2, `repeat_first_field`). The frames' times are then those of the film, rounded to the fields' clock.
extension CadenceEstimator {
  /// The film's grid, if the timestamps are those of two and three fields in turn.
  func filmGrid(_ step: RecurringStep) -> Grid? {
    let rates = [StandardFrameRate.film, Rational(24, 1)]
    // Containers state the rate of the video that players make of the film.
    let agreed = rates.filter { rate in stated.contains { abs($0.value - rate.value * 1.25) < rate.value * 1e-4 } }
    return (agreed + rates).lazy.compactMap(filmGrid(rate:)).first
  }

  private func filmGrid(rate: Rational) -> Grid? {
    let period = ticks(perFrameAt: rate)
    let field = period / Self.fieldsPerFilmFrame
    guard isPulldown(field) else { return nil }
    let tolerance = field / 2 + rounding
    for phase in [0, stamps[0]] {
      let (share, residual) = fit(period: period, phase: phase, tolerance: tolerance)
      guard share >= Self.regularShare else { continue }
      let rank = Grid.Rank(isAgreed: true, isStandard: true, isRoundedFromZero: phase == 0, residual: residual)
      return Grid(rate: rate, phase: phase, tolerance: Int64(tolerance.rounded(.up)), rank: rank)
    }
    return nil
  }

  /// Whether nearly all steps have the length of two or three fields, those of each kind following the other.
  private func isPulldown(_ field: Double) -> Bool {
    guard field > 4, steps.count > 2 else { return false }
    let fields = steps.map { step in
      let count = (Double(step) / field).rounded()
      return abs(Double(step) - count * field) <= rounding ? count : 0
    }
    let turns = zip(fields, fields.dropFirst()).count { ($0 == 2 && $1 == 3) || ($0 == 3 && $1 == 2) }
    return Double(turns) >= Self.regularShare * Double(fields.count - 1)
  }

  private static let fieldsPerFilmFrame = 2.5

  /// Ticks by which a time may be rounded: at least those of Matroska's millisecond, through which the file may have gone.
  private var rounding: Double { max(1.5, 0.0012 / timebase.seconds) }
}
