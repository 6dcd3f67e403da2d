public import CompositorAPI
import CompositorMediaIO

/// The units in which the times of a movie's frames are counted.
public enum MovieTimeUnits: Hashable, Sendable, Codable {
  /// Every frame lasts `frameDuration` (1001/30000, 1/25 …) and starts at a multiple of it.
  case constant(frameDuration: MediaTime)
  /// Frames start and last at any time, rounded to 1/`timescale` seconds. The nominal rate is for the headers and for the
  /// encoder's rate control.
  case variable(timescale: Int32, nominalFrameRate: Rational)

  /// The unit of frame times in seconds.
  package var unit: Rational {
    switch self {
    case .constant(let duration):
      Rational(Int(duration.value), Int(duration.timescale)).reduced
    case .variable(let timescale, _): Rational(1, Int(timescale))
    }
  }

  /// Units per second that a container must have so that every time is exact.
  package var timescale: Int { unit.denominator }

  /// Nominal rate in frames per second.
  package var nominalFrameRate: Rational {
    switch self {
    case .constant: Rational(unit.denominator, unit.numerator)
    case .variable(_, let rate): rate.reduced
    }
  }

  func validate() throws(CompositorError) {
    switch self {
    case .constant(let duration):
      guard duration.isNumeric, duration.timescale > 0, duration.value > 0, duration.value <= Int64(Int32.max) else {
        throw CompositorError(
          .unsupportedOutput, "A frame duration of \(duration.readable) cannot be written.",
          recoverySuggestion: "Use a positive duration, for example 1001/30000.")
      }
    case .variable(let timescale, let rate):
      let limit = Int(Int32.max)
      guard timescale > 0, (1...limit).contains(rate.numerator), (1...limit).contains(rate.denominator) else {
        throw CompositorError(
          .unsupportedOutput, "Frames at a timescale of \(timescale) and a nominal rate of \(rate.plain) cannot be written.",
          recoverySuggestion: "Use a positive timescale, for example 90000, and a positive rate.")
      }
    }
  }

  /// A time as a number of ``unit``s. With a constant frame duration, it must be a multiple of it.
  ///
  /// - Throws: `.invalidValue` if the time is not numeric, negative or not a multiple.
  package func units(at time: MediaTime) throws(CompositorError) -> Int64 {
    guard time.isNumeric, time.timescale > 0, time.value >= 0 else {
      throw CompositorError(
        .invalidValue, "A frame at \(time.readable) cannot be written.",
        recoverySuggestion: "Give frames finite times from 0 on.")
    }
    let count = time.rounded(toUnitsOf: unit)
    if case .constant(let frameDuration) = self, !time.isExactly(count, unitsOf: unit) {
      throw CompositorError(
        .invalidValue, "The time \(time.readable) is not a multiple of the frame duration \(frameDuration.readable).",
        recoverySuggestion: "Place frames at multiples of it, or write with variable timing.", at: ErrorLocation(time: time))
    }
    return count
  }
}

extension MediaTime {
  func isExactly(_ count: Int64, unitsOf unit: Rational) -> Bool {
    Int128(value) * Int128(unit.denominator) == Int128(count) * Int128(unit.numerator) * Int128(timescale)
  }
}
