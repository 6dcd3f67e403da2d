import ArgumentParser

extension ClosedRange<Int> {
  /// Checks that the value of an option is in the range.
  ///
  /// - Parameters:
  ///   - value: The value; `nil` if the option isn't given.
  ///   - option: The option with its dashes.
  /// - Throws: An error of usage that names the range.
  func check(_ value: Int?, of option: String) throws {
    guard let value, !contains(value) else { return }
    throw ValidationError("\(option) takes \(lowerBound) to \(upperBound).")
  }
}
