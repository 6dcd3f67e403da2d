import CompositorAPI

/// Validation was told to stop.
struct ValidationStopped: Error {}

/// Gathers diagnostics and asks after each whether to go on.
struct DiagnosticCollector {
  private(set) var diagnostics: [ValidationDiagnostic] = []
  private let shouldContinue: (ValidationDiagnostic) -> Bool

  init(shouldContinue: @escaping (ValidationDiagnostic) -> Bool) {
    self.shouldContinue = shouldContinue
  }

  var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

  mutating func add(_ diagnostic: ValidationDiagnostic) throws(ValidationStopped) {
    diagnostics.append(diagnostic)
    guard shouldContinue(diagnostic) else { throw ValidationStopped() }
  }
}

extension MediaTime {
  /// For people: the exact rational and, where there is one, the number of seconds to the millisecond.
  var readable: String {
    guard isNumeric else {
      if !isValid { return "an invalid time" }
      return flags.contains(.indefinite) ? "an indefinite time" : seconds > 0 ? "+∞" : "−∞"
    }
    let milliseconds = (seconds * 1000).rounded()
    guard abs(milliseconds) < 1e15 else { return "\(value)/\(timescale) s" }
    let sign = milliseconds < 0 ? "-" : ""
    let (whole, rest) = Int64(abs(milliseconds)).quotientAndRemainder(dividingBy: 1000)
    let fraction = String(String(rest + 1000).dropFirst())
    return "\(value)/\(timescale) (\(sign)\(whole).\(fraction) s)"
  }
}
