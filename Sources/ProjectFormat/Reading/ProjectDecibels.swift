package import CompositorAPI
import CompositorPlatform

/// Levels in the notation of projects and the command line: `"-6dB"`, `"-14LUFS"`.
package enum ProjectDecibels {
  /// The valid gains of a volume in dB, in addition to 0: linear 0.000001 to 16.
  package static let gains = -120.0...24.1
  /// The valid linear gains.
  package static let volumes = 0.0...16
  /// The valid loudness targets, in LUFS.
  package static let loudness = -70.0...(-5)

  /// A regular expression for a number with a unit.
  static func pattern(_ unit: String) -> String { #"^[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)"# + unit + "$" }

  /// The number before a unit; `nil` for other strings.
  static func number(_ text: String, unit: String) -> Double? {
    guard text.hasSuffix(unit) else { return nil }
    let digits = text.dropLast(unit.count)
    let allowed = "+-.0123456789"
    guard !digits.isEmpty, digits.allSatisfy(allowed.contains), let number = Double(digits), number.isFinite else { return nil }
    return number
  }

  /// Parses a volume, `-6dB` or a number, as a linear gain.
  ///
  /// - Throws: `.invalidValue` for other strings, and for gains outside of 0 … 16.
  package static func gain(_ text: String) throws(CompositorError) -> Double {
    if let decibels = number(text, unit: "dB") {
      guard gains.contains(decibels) else {
        throw CompositorError(
          .invalidValue, "\(text) is outside \(gains.lowerBound)dB to 24dB.",
          recoverySuggestion: "Write a level in between, or 0 for silence.")
      }
      return min(pow(10, decibels / 20), volumes.upperBound)
    }
    guard let gain = number(text, unit: ""), volumes.contains(gain) else {
      throw CompositorError(
        .invalidValue, "\(quoted(text)) is not a volume.",
        advice: number(text, unit: "").map { $0 < 0 } == true
          ? .write(.string(text + "dB"), " for decibels.")
          : "Write a level such as \"-6dB\", or a linear gain from 0 to 16; 0 is silence.")
    }
    return gain
  }

  /// Parses a loudness, `-14LUFS` or a number.
  ///
  /// - Throws: `.invalidValue` for other strings, and for values outside of −70 … −5.
  package static func loudness(_ text: String) throws(CompositorError) -> Double {
    guard let loudness = number(text, unit: "LUFS") ?? number(text, unit: ""), self.loudness.contains(loudness) else {
      throw CompositorError(
        .invalidValue, "\(quoted(text)) is not a loudness that audio can be brought to.",
        recoverySuggestion: "Write -70 to -5, such as -14 or \"-14LUFS\".")
    }
    return loudness
  }
}

extension ProjectValue {
  /// A linear gain: a number, or a string in dB.
  func gain() throws(CompositorError) -> Double {
    if case .number(let digits) = node.value, let gain = Rational(decimal: digits), gain.numerator < 0 {
      throw error("\(digits) is outside 0 to 16.", advice: .write(.string("\(digits)dB"), " for decibels."))
    }
    guard isText else { return try number(ProjectDecibels.volumes) }
    let text = try string()
    // Plain numbers must be JSON numbers in a project.
    guard text.hasSuffix("dB") else {
      throw error(
        "\(quoted(text)) is not a volume.",
        recoverySuggestion: "Write a level such as \"-6dB\", or a linear gain such as 0.5; 0 is silence.")
    }
    return try placing { () throws(CompositorError) in try ProjectDecibels.gain(text) }
  }

  /// A level in dB, with its unit.
  func decibels(_ range: ClosedRange<Double>) throws(CompositorError) -> Double {
    let forms = "Write it with its unit, such as \"\(Int(range.lowerBound + range.upperBound) / 2)dB\"."
    guard isText else {
      guard case .number(let digits) = node.value else { throw error("A level has a unit.", recoverySuggestion: forms) }
      // Without its unit or its sign, a number is still meant as a level.
      let meant = [digits + "dB", "-\(digits)dB"].first { ProjectDecibels.number($0, unit: "dB").map(range.contains) == true }
      throw error("A level has a unit.", advice: meant.map { .write(.string($0)) } ?? Advice(forms))
    }
    let text = try string()
    guard let decibels = ProjectDecibels.number(text, unit: "dB") else {
      throw error("\(quoted(text)) is not a level.", recoverySuggestion: forms)
    }
    guard range.contains(decibels) else {
      let opposite = decibels < 0 ? String(text.dropFirst()) : "-" + String(text.drop { $0 == "+" })
      throw error(
        "\(text) is outside \(range.lowerBound)dB to \(range.upperBound)dB.",
        advice: range.contains(-decibels)
          ? .write(.string(opposite))
          : "Write a level in between, such as \"\(Int(range.lowerBound + range.upperBound) / 2)dB\".")
    }
    return decibels
  }

  /// A loudness in LUFS: a number, or a string with the unit.
  func loudness() throws(CompositorError) -> Double {
    guard isText else { return try number(ProjectDecibels.loudness) }
    let text = try string()
    return try placing { () throws(CompositorError) in try ProjectDecibels.loudness(text) }
  }
}
