/// Comparisons of times in title trees.
///
/// Times of layers and animations are binary fractions of seconds, and speeds, offsets and passes round them further: 3/24 s and
/// 1/24 s add up to a little more than 4/24 s. All comparisons therefore consider two times equal if they differ by less than
/// ``timeTolerance``. Times that are meant to differ differ by more: at the usual frame rates, frames and milliseconds are at
/// least 8 µs apart, and still 83 ns after a speed of two decimal places.
extension Double {
  /// The difference in seconds below which another time equals this one: half a nanosecond, or more beyond nine hours, where
  /// binary fractions are coarser.
  package var timeTolerance: Double { isFinite ? max(5e-10, magnitude * 0x1p-46) : 0 }

  /// Whether this time in seconds is less than another one and doesn't equal it.
  package func isBefore(_ other: Double) -> Bool { self < other - timeTolerance }

  /// The difference below which two fractions of a duration are equal, for example a progress and a key time.
  package static let progressTolerance = 1e-9
}
