extension ParameterDescription.Kind {
  /// The kind of value that was expected; `nil` if the value fits.
  package func mismatch(_ value: ParameterValue) -> String? {
    switch self {
    case .bool:
      if case .bool = value { return nil }
      return "true or false"
    case .integer(let minimum, let maximum):
      if case .integer(let number) = value, number >= minimum, number <= maximum { return nil }
      return "an integer \(minimum) … \(maximum)"
    case .number(let minimum, let maximum, let unit):
      if let number = value.number, number >= minimum, number <= maximum { return nil }
      return "a number \(minimum) … \(maximum)\(unit.isEmpty ? "" : " \(unit)")"
    case .string:
      if case .string = value { return nil }
      return "a string"
    case .expression:
      switch value {
      case .string, .integer, .number: return nil
      default: return "a number or an expression"
      }
    case .textFile, .file:
      if case .string(let path) = value, !path.isEmpty { return nil }
      return "the path of a file"
    case .choice(let words):
      if case .string(let word) = value, words.contains(word) { return nil }
      return "one of: \(words.joined(separator: ", "))"
    case .easing:
      if case .string(let text) = value, Easing(text) != nil { return nil }
      return "an easing: \(Easing.examples)"
    case .color:
      if let numbers = value.numbers, (3...4).contains(numbers.count), numbers.allSatisfy((0...1).contains) { return nil }
      return "a list of 3 or 4 numbers 0 … 1"
    case .point:
      if let numbers = value.numbers, numbers.count == 2, numbers.allSatisfy(\.isFinite) { return nil }
      return "a list of 2 numbers"
    }
  }
}

extension ParameterDescription.Kind {
  /// The name of the kind with its article, for messages.
  package var noun: String {
    switch self {
    case .bool: "true or false"
    case .integer: "an integer"
    case .number: "a number"
    case .string: "a string"
    case .expression: "an expression"
    case .choice: "one of several values"
    case .easing: "an easing"
    case .color: "a color"
    case .point: "a point"
    case .textFile, .file: "a file"
    }
  }

  /// An interpolated value converted to this kind: integers are rounded to the nearest.
  package func conforming(_ value: ParameterValue) -> ParameterValue {
    guard case .integer = self, case .number(let number) = value else { return value }
    return Int(exactly: number.rounded()).map { .integer($0) } ?? value
  }
}

extension ParameterValue {
  /// The value in the notation of project files.
  package var text: String {
    switch self {
    case .bool(let flag): "\(flag)"
    case .integer(let whole): "\(whole)"
    case .number(let number): "\(number)"
    case .string(let text): "“\(text)”"
    case .data(let bytes): "\(bytes.count) bytes"
    case .list(let items): "[\(items.map(\.text).joined(separator: ", "))]"
    }
  }
}
