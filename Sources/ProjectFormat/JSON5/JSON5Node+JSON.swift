import CompositorTimeline

extension JSON5Node {
  /// The value as JSON over several lines, with keys in their order and numbers as written.
  package func json(indent: Int = 0) -> String {
    let inner = String(repeating: " ", count: indent + 2)
    let outer = String(repeating: " ", count: indent)
    switch value {
    case .null: return "null"
    case .bool(let bool): return bool ? "true" : "false"
    case .number(let digits): return JSON5Node.jsonNumber(digits)
    case .string(let string): return JSON5Node.jsonString(string)
    case .array(let elements):
      guard !elements.isEmpty else { return "[]" }
      if elements.allSatisfy(\.isScalar) { return "[\(elements.map { $0.json() }.joined(separator: ", "))]" }
      return "[\n\(elements.map { inner + $0.json(indent: indent + 2) }.joined(separator: ",\n"))\n\(outer)]"
    case .object(let members):
      guard !members.isEmpty else { return "{}" }
      let lines = members.map { inner + JSON5Node.jsonString($0.key) + ": " + $0.value.json(indent: indent + 2) }
      return "{\n\(lines.joined(separator: ",\n"))\n\(outer)}"
    }
  }

  private var isScalar: Bool {
    switch value {
    case .array, .object: false
    default: true
    }
  }

  /// Converts a number to JSON, which supports neither hexadecimal digits nor bare decimal points. Integers remain integers.
  private static func jsonNumber(_ digits: String) -> String {
    if let integer = integer(digits) { return String(integer) }
    guard let number = double(digits), number.isFinite else { return "null" }
    return String(number)
  }

  private static func jsonString(_ string: String) -> String {
    var result = "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case "\r": result += "\\r"
      case "\u{00}"..."\u{1F}", "\u{7F}":
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
