public import CompositorAPI
import CompositorExport
import CompositorMediaWriting
import CompositorTimeline

/// A bit rate in a readable notation: `8M`, `800k`, `1.5M`, or a number.
public struct BitRate: Hashable, Sendable {
  /// Bits per second.
  public let bitsPerSecond: Int

  /// The accepted syntax, for messages.
  package static let forms = "Write a number of bits per second, or a string such as \"8M\" or \"800k\"."

  /// Parses a decimal number above 0 with an optional `k` or `M`; `nil` for other strings.
  public init?(_ text: String) {
    let factor = text.hasSuffix("k") ? 1000 : text.hasSuffix("M") ? 1_000_000 : 1
    guard let ratio = Rational(decimal: factor > 1 ? text.dropLast() : text[...]), ratio.numerator > 0 else { return nil }
    let rate = (Double(ratio.numerator) * Double(factor) / Double(ratio.denominator)).rounded()
    guard rate >= 1, rate <= 1e12 else { return nil }
    bitsPerSecond = Int(rate)
  }
}

/// The maximum distance between key frames: a number of frames, or a time.
public enum KeyFrameInterval: Hashable, Sendable {
  /// A number of frames, 1 … 100,000.
  case frames(Int)
  /// A time, > 0.
  case time(MediaTime)

  /// Parses `48`, `48f`, `2s` or another time in the notation of projects.
  ///
  /// - Throws: `.invalidValue` for anything else, and for 0.
  public init(_ text: String) throws(CompositorError) {
    let time: ProjectTime = if let count = Int64(text) { .frames(count) } else { try ProjectTime(text) }
    let counts = VideoEncodingSettings.keyFrameIntervals
    switch time {
    case .frames(let count) where counts.contains(Int(count)): self = .frames(Int(count))
    case .seconds(let time) where time > .zero: self = .time(time)
    default:
      throw CompositorError(
        .invalidValue, "\(quoted(text)) isn't a distance between key frames.",
        recoverySuggestion: "Write frames from \(counts.readable) (\"48f\"), or a time such as \"2s\".")
    }
  }
}

/// A frame rate in a readable notation: `25`, `29.97`, `30000/1001`. 23.976, 29.97 and the like are interpreted as the ratios
/// over 1001 that they abbreviate.
public struct FrameRateValue: Hashable, Sendable {
  /// Frames per second.
  public let rate: Rational

  /// - Throws: `.invalidValue` if the string isn't a rate from 0.01 to 1000.
  public init(_ text: String) throws(CompositorError) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    var ratio: Rational?
    if parts.count == 2, let numerator = Int(parts[0]), let denominator = Int(parts[1]), numerator > 0, denominator > 0 {
      ratio = Rational(numerator, denominator)
    } else if parts.count == 1 {
      ratio = Rational(printed: text)
    }
    guard let ratio, ExportSettings.frameRates.contains(ratio.value), Int32(exactly: ratio.numerator) != nil else {
      throw CompositorError(
        .invalidValue, "\(quoted(text)) is not a frame rate.",
        advice: WrittenDecimal.withPoint(text).map { .write(number: $0) }
          ?? "Write a number from 0.01 to 1000, or a ratio such as 30000/1001.")
    }
    rate = FrameRateValue.standard(ratio.reduced, written: text)
  }

  /// The rate over 1001 that a decimal number abbreviates (`29.97`) or that a program printed (`59.940059`, `23.976023976`);
  /// other rates are unchanged.
  ///
  /// - Parameter text: The number as it is written.
  static func standard(_ rate: Rational, written text: String) -> Rational {
    if let known = abbreviations[rate] { return known }
    guard let decimal = WrittenDecimal(text), decimal.places >= 4 else { return rate }
    let count = (decimal.ratio.value * 1.001).rounded()
    guard (1...1000).contains(count) else { return rate }
    let unit = max(1 / Double(decimal.denominator), 1e-12)
    let candidate = Rational(Int(count) * 1000, 1001)
    // Digits may be cut off instead of rounded, so a whole unit of the last one counts.
    return abs(candidate.value - decimal.ratio.value) <= unit ? candidate.reduced : rate
  }

  /// Decimal abbreviations of ratios over 1001.
  private static let abbreviations: [Rational: Rational] = [
    Rational(23_976, 1000).reduced: Rational(24_000, 1001), Rational(2398, 100).reduced: Rational(24_000, 1001),
    Rational(2397, 100): Rational(24_000, 1001),
    Rational(2997, 100): Rational(30_000, 1001), Rational(47_952, 1000).reduced: Rational(48_000, 1001),
    Rational(4795, 100).reduced: Rational(48_000, 1001), Rational(5994, 100).reduced: Rational(60_000, 1001),
    Rational(11_988, 100).reduced: Rational(120_000, 1001), Rational(23_976, 100).reduced: Rational(240_000, 1001),
  ]
}
