extension ClosedRange<Int> {
  /// The range for messages: `1 to 64`.
  package var readable: String { "\(lowerBound) to \(upperBound)" }
}
