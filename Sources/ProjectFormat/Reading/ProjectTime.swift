public import CompositorAPI
import CompositorTimeline

/// A time in the notation of projects: exact, and possibly in frames of a rate that isn't known yet.
public enum ProjectTime: Hashable, Sendable {
  /// Seconds: `2.5s`, `1500ms`, `1:02.5`, `1:02:03.5`, `1001/30000`, and the number 0.
  case seconds(MediaTime)
  /// Frames of the output's rate: `48f`.
  case frames(Int64)
  /// A timecode at the output's rate: `00:00:02:12`. A `;` before the frames makes it drop-frame timecode.
  case timecode(hours: Int, minutes: Int, seconds: Int, frames: Int, dropFrame: Bool)
  /// The sum of multiples of times, which an expression with frames in a project gives: `2s - 12f`.
  case sum([Multiple])

  /// A multiple of a time.
  public struct Multiple: Hashable, Sendable {
    /// What the time is multiplied by; a denominator above 0.
    public var factor: Rational
    /// The time.
    public var time: ProjectTime

    /// Creates a multiple of a time.
    public init(_ factor: Rational, _ time: ProjectTime) { (self.factor, self.time) = (factor, time) }
  }

  /// The accepted syntax, for messages.
  package static let forms = "Write a time as \"48f\", \"2.5s\", \"1500ms\", \"1:02.5\", \"00:00:02:12\" or \"1001/30000\"."

  /// Whether a time is written in frames, such as `48f`.
  static func isInFrames(_ text: String) -> Bool { text.hasSuffix("f") }

  /// Parses a time exactly, without binary fractions.
  ///
  /// A decimal number with more places than people write is the time that a program printed: that of a frame or a sample, if
  /// just one has these digits. `0.30000000000000004s` is 3/10 s, and `0.033367s` is 1001/30000 s.
  ///
  /// - Throws: `.invalidValue` if the string isn't a time, is negative, or is a fraction with a denominator above 2147483647.
  public init(_ text: String) throws(CompositorError) {
    if let short = ProjectTime(short: text) {
      self = short
      return
    }
    let parsed: ProjectTime?
    if text == "0" {
      parsed = .seconds(.zero)
    } else if text.hasSuffix("ms") {
      parsed = try ProjectTime.seconds(decimal: text.dropLast(2), isMilliseconds: true, of: text)
    } else if text.hasSuffix("s") {
      parsed = try ProjectTime.seconds(decimal: text.dropLast(), isMilliseconds: false, of: text)
    } else if ProjectTime.isInFrames(text) {
      parsed = ProjectTime.digits(text.dropLast()).map { .frames($0) }
    } else if text.contains(":") {
      parsed = try ProjectTime.clock(text) ?? ProjectTime.timecode(text)
    } else {
      parsed = try ProjectTime.fraction(text)
    }
    guard let parsed else {
      if text.hasPrefix("-"), (try? ProjectTime(String(text.dropFirst()))) != nil {
        throw CompositorError(
          .invalidValue, "\(quoted(text)) is a negative time.", recoverySuggestion: "Use a time of 0 or more here.")
      }
      if let point = WrittenDecimal.withPoint(text), (try? ProjectTime(point)) != nil {
        throw CompositorError(
          .invalidValue, "\(quoted(text)) has a decimal comma.", advice: .write(.string(point)))
      }
      let isNumber = Double(text) != nil
      let meant = ProjectTime.spelling(of: text).map { Advice.write(.string($0)) }
      throw CompositorError(
        .invalidValue, "\(quoted(text)) is not a time.",
        advice: isNumber ? .write(.string(text + "s"), " for seconds.") : meant ?? Advice(ProjectTime.forms))
    }
    self = parsed
  }

  /// Parses the most common forms, `48f`, `2.5s` and `1500ms` with few digits, byte by byte, because projects may have 100,000
  /// of them.
  private init?(short text: String) {
    var text = Substring(text).utf8
    var unitsPerSecond = 1
    switch text.popLast() {
    case UInt8(ascii: "f"):
      guard let number = ShortDecimal(text), number.denominator == 1 else { return nil }
      self = .frames(Int64(number.numerator))
      return
    case UInt8(ascii: "s"):
      if text.last == UInt8(ascii: "m") {
        text.removeLast()
        unitsPerSecond = 1000
      }
    default: return nil
    }
    // What has many decimal places may be printed by a program.
    guard let number = ShortDecimal(text), number.denominator * unitsPerSecond <= 10_000 else { return nil }
    let seconds = Rational(number.numerator, number.denominator * unitsPerSecond).reduced
    guard let timescale = Int32(exactly: seconds.denominator) else { return nil }
    self = .seconds(MediaTime(value: Int64(seconds.numerator), timescale: timescale))
  }

  private static func digits(_ text: Substring) -> Int64? {
    guard !text.isEmpty, text.utf8.allSatisfy(\.isDecimalDigit) else { return nil }
    return Int64(text)
  }

  private static func seconds(
    decimal: Substring, isMilliseconds: Bool, of text: String
  ) throws(CompositorError) -> ProjectTime? {
    guard decimal.utf8.first?.isNumberStart == true, !decimal.hasPrefix("-"), !decimal.hasPrefix("+") else { return nil }
    guard let number = WrittenDecimal(decimal) else {
      let whole = decimal.prefix { $0 != "." }
      guard whole.count > 18, digits(whole.prefix(18)) != nil else { return nil }
      throw tooLong(text)
    }
    guard let time = PrintedTime(number, isMilliseconds: isMilliseconds).time else { throw tooLong(text) }
    return .seconds(time)
  }

  static func tooLong(_ text: String) -> CompositorError {
    CompositorError(
      .invalidValue, "\(quoted(text)) is too long.", recoverySuggestion: "Write a shorter one.")
  }

  private static func fraction(_ text: String) throws(CompositorError) -> ProjectTime? {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let numerator = digits(parts[0]), let denominator = digits(parts[1]), denominator > 0 else {
      return nil
    }
    // An explicit fraction keeps its timescale: 2/4 isn't replaced by 1/2.
    guard let timescale = Int32(exactly: denominator) else { throw tooFine(text) }
    return .seconds(MediaTime(value: numerator, timescale: timescale))
  }

  private static func timecode(_ text: String) -> ProjectTime? {
    let dropFrame = text.contains(";")
    let parts = text.split(omittingEmptySubsequences: false) { $0 == ":" || $0 == ";" }
    guard parts.count == 4, !dropFrame || text.dropLast(parts[3].count).hasSuffix(";"),
      text.filter({ $0 == ";" }).count <= 1
    else { return nil }
    let numbers = parts.compactMap { $0.count <= 3 ? digits($0) : nil }
    guard numbers.count == 4, numbers[1] < 60, numbers[2] < 60 else { return nil }
    return .timecode(
      hours: Int(numbers[0]), minutes: Int(numbers[1]), seconds: Int(numbers[2]), frames: Int(numbers[3]),
      dropFrame: dropFrame)
  }

  private static func tooFine(_ text: String) -> CompositorError {
    CompositorError(
      .invalidValue, "\(quoted(text)) is too fine.",
      recoverySuggestion: "A time has a denominator of at most \(MediaTime.maximumTimescale).")
  }
}

extension ProjectTime {
  /// The exact time at a frame rate.
  ///
  /// - Parameter frameRate: Frames per second. Both numbers are > 0, the numerator is at most 2147483647.
  /// - Throws: `.invalidValue` if a timecode doesn't exist at that rate, the time is too large, or a sum is negative or too fine.
  public func time(atFrameRate frameRate: Rational) throws(CompositorError) -> MediaTime {
    switch self {
    case .seconds(let time): return time
    case .frames(let count): return try ProjectTime.time(ofFrame: count, frameRate: frameRate)
    case .timecode: return try ProjectTime.time(ofFrame: try frameNumber(atFrameRate: frameRate), frameRate: frameRate)
    case .sum(let multiples):
      let seconds = try ProjectTime.seconds(of: multiples, atFrameRate: frameRate)
      guard seconds.numerator >= 0 else {
        throw CompositorError(
          .invalidValue, "The expression is \(seconds.plain) s, a negative time.",
          recoverySuggestion: "Use a time of 0 or more here.")
      }
      guard let timescale = Int32(exactly: seconds.denominator) else { throw ProjectTime.tooFine("\(seconds.plain)") }
      return MediaTime(value: Int64(seconds.numerator), timescale: timescale)
    }
  }

  /// Whether it depends on a frame rate.
  var countsFrames: Bool { if case .seconds = self { false } else { true } }

  /// The time at a frame rate; `nil` if it is in frames and the rate isn't known yet, in which case only its syntax is checked.
  func time(atKnownFrameRate frameRate: Rational?) throws(CompositorError) -> MediaTime? {
    guard let frameRate else {
      if case .seconds(let time) = self { return time }
      return nil
    }
    return try time(atFrameRate: frameRate)
  }

  /// The start of frame `number` at a constant rate.
  package static func time(ofFrame number: Int64, frameRate: Rational) throws(CompositorError) -> MediaTime {
    let (value, overflow) = number.multipliedReportingOverflow(by: Int64(frameRate.denominator))
    guard !overflow, let timescale = Int32(exactly: frameRate.numerator), timescale > 0 else {
      throw CompositorError(.invalidValue, "Frame \(number) at \(frameRate.plain) frames a second is too large a time.")
    }
    return MediaTime(value: value, timescale: timescale)
  }

  /// Converts a timecode to frames: 30 per second for 29.97 (SMPTE ST 12-1). Drop-frame timecode skips the first two numbers
  /// (four at 59.94) of each minute that isn't a multiple of ten.
  private func frameNumber(atFrameRate rate: Rational) throws(CompositorError) -> Int64 {
    guard case .timecode(let hours, let minutes, let seconds, let frames, let dropFrame) = self else { return 0 }
    let nominal = Int64((rate.value).rounded())
    guard nominal > 0 else {
      throw CompositorError(
        .invalidValue, "There is no timecode at \(rate.plain) frames a second.",
        recoverySuggestion: "Write the time in seconds or frames, such as \"2.5s\" or \"48f\".")
    }
    let total = (Int64(hours) * 3600 + Int64(minutes) * 60 + Int64(seconds)) * nominal + Int64(frames)
    guard frames < nominal else {
      throw CompositorError(
        .invalidValue,
        "At \(rate.plain) frames a second, the frames of a timecode go from 0 to \(nominal - 1), but this is frame \(frames).",
        recoverySuggestion: ProjectTime.adviceOnFrame(frames, total, nominalRate: nominal, dropFrame: dropFrame))
    }
    guard dropFrame else { return total }
    guard rate.denominator == 1001, nominal == 30 || nominal == 60 else {
      throw CompositorError(
        .invalidValue, "There is no drop-frame timecode at \(rate.plain) frames a second.",
        recoverySuggestion: "Use : before the frames; only 29.97 and 59.94 have drop-frame timecode.")
    }
    let dropped = nominal / 15
    if seconds == 0, frames < dropped, minutes % 10 != 0 {
      throw CompositorError(
        .invalidValue, "Drop-frame timecode has no frame \(frames) in the first second of minute \(minutes).",
        recoverySuggestion: "The minute starts with frame \(dropped).")
    }
    let wholeMinutes = Int64(hours) * 60 + Int64(minutes)
    return total - dropped * (wholeMinutes - wholeMinutes / 10)
  }
}

extension ProjectTime {
  /// What to write instead of a frame that a second doesn't have.
  ///
  /// - Parameter total: The number of the frame in the movie, if the frames of a second went on.
  fileprivate static func adviceOnFrame(_ frame: Int, _ total: Int64, nominalRate: Int64, dropFrame: Bool) -> String {
    if dropFrame { return "End the timecode with ;00 to ;\(nominalRate - 1)." }
    let code = timecode(ofFrame: total, nominalRate: nominalRate)
    // Three digits are milliseconds in other programs.
    guard frame >= 100 else { return "Write \(quoted(code)), or a smaller frame." }
    let seconds = (total - Int64(frame)) / nominalRate
    return
      "Write milliseconds after a point: \(quoted(timecode(ofFrame: seconds * 100, nominalRate: 100).dropLast(3) + ".\(frame)"))."
  }

  /// The timecode of a frame, counted in `nominalRate` frames a second.
  fileprivate static func timecode(ofFrame number: Int64, nominalRate: Int64) -> String {
    let seconds = number / nominalRate
    return [seconds / 3600, seconds / 60 % 60, seconds % 60, number % nominalRate]
      .map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
  }
}

/// A decimal number without a sign, of at most 12 digits.
private struct ShortDecimal {
  private(set) var numerator = 0
  private(set) var denominator = 1

  /// `nil` for other strings. `1.`, `.5` and longer numbers are left to the general parser.
  init?(_ text: Substring.UTF8View) {
    var (count, hasPoint) = (0, false)
    for byte in text {
      if byte == UInt8(ascii: "."), !hasPoint, count > 0 {
        hasPoint = true
        continue
      }
      guard byte.isDecimalDigit, count < 12 else { return nil }
      numerator = numerator * 10 + Int(byte - UInt8(ascii: "0"))
      if hasPoint { denominator *= 10 }
      count += 1
    }
    guard count > 0, text.last != UInt8(ascii: ".") else { return nil }
  }
}
