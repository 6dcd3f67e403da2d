extension Easing: LosslessStringConvertible {
  /// Parses an easing in CSS syntax; `nil` if it is invalid.
  public init?(_ description: String) {
    guard let easing = Easing.parsed(description), easing.fault == nil else { return nil }
    self = easing
  }

  /// Parses an easing without checking its numbers.
  private static func parsed(_ description: String) -> Easing? {
    let text = Easing.trimmed(description[...])
    if let known = Easing.named.first(where: { $0.name == text }) {
      return known.easing
    } else if let arguments = Easing.arguments(of: "cubic-bezier", in: text) {
      let numbers = arguments.compactMap(Easing.number)
      guard arguments.count == 4, numbers.count == 4 else { return nil }
      return .cubicBezier(x1: numbers[0], y1: numbers[1], x2: numbers[2], y2: numbers[3])
    } else if let arguments = Easing.arguments(of: "steps", in: text), let count = arguments.first.flatMap({ Int($0) }) {
      let words = ["start": Jump.start, "end": Jump.end]
      guard arguments.count <= 2, let jump = arguments.count == 1 ? .end : words[arguments[1]] ?? Jump(rawValue: arguments[1])
      else { return nil }
      return .steps(count, jump)
    } else if let arguments = Easing.arguments(of: "linear", in: text) {
      return Easing.linearStops(arguments)
    }
    return nil
  }

  /// The stops of `linear(…)`: each is a number with up to two percentages before or after it.
  private static func linearStops(_ arguments: [String]) -> Easing? {
    var stops: [(value: Double, percents: [Double])] = []
    for argument in arguments {
      let words = argument.split(whereSeparator: \.isWhitespace).map(String.init)
      let isLast = words.first?.hasSuffix("%") == true
      guard let value = (isLast ? words.last : words.first).flatMap(number), (1...3).contains(words.count) else { return nil }
      let percents = (isLast ? words.dropLast() : words.dropFirst()).compactMap { word in
        word.hasSuffix("%") ? number(String(word.dropLast())) : nil
      }
      guard percents.count == words.count - 1 else { return nil }
      stops.append((value, percents))
    }
    return .linearStops(Stop.placed(stops))
  }

  /// The easing in CSS syntax, by name if it has one.
  public var description: String {
    if let known = Easing.named.first(where: { $0.easing == self }) { return known.name }
    switch self {
    case .linear: return "linear"
    case .cubicBezier(let x1, let y1, let x2, let y2):
      return "cubic-bezier(\([x1, y1, x2, y2].map(Easing.text).joined(separator: ", ")))"
    case .steps(let count, let jump): return "steps(\(count), \(jump.rawValue))"
    case .linearStops(let stops):
      let points = stops.map { "\(Easing.text($0.value)) \(Easing.text($0.percent))%" }
      return "linear(\(points.joined(separator: ", ")))"
    case .penner(let equation, let direction): return "\(equation.rawValue)-\(direction.rawValue)"
    }
  }

  private static func text(_ number: Double) -> String {
    let text = "\(number)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// The accepted syntax, for messages.
  package static let forms: String = {
    let jumps = Jump.allCases.map(\.rawValue).joined(separator: "|")
    return "Write \(names.joined(separator: ", ")), cubic-bezier(x1, y1, x2, y2), steps(n, \(jumps)) or linear(0, 0.25 25%, 1)."
  }()

  /// A short form of ``forms``.
  package static var examples: String { "\(names.joined(separator: ", ")), cubic-bezier(…), steps(…) or linear(…)" }

  private static func trimmed(_ text: Substring) -> String {
    String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }

  private static func arguments(of function: String, in text: String) -> [String]? {
    guard text.hasPrefix("\(function)("), text.hasSuffix(")") else { return nil }
    return text.dropFirst(function.count + 1).dropLast().split(separator: ",", omittingEmptySubsequences: false).map(trimmed)
  }

  /// Parses a number in CSS syntax; hexadecimal numbers and `inf` or `nan` aren't accepted.
  private static func number(_ text: String) -> Double? {
    guard text.allSatisfy({ "0123456789+-.eE".contains($0) }), let number = Double(text), number.isFinite else { return nil }
    return number
  }
}

extension Easing: Codable {
  /// The spellings to suggest to an author.
  package static var spellings: [String] {
    names + ["cubic-bezier(x1, y1, x2, y2)", "steps(n, jump-end)", "linear(0, 0.25 25%, 1)"]
  }

  /// Decodes an easing in CSS syntax.
  ///
  /// - Throws: `DecodingError` for anything else; ``CompositorError`` `.invalidValue` if the numbers aren't valid.
  public init(from decoder: any Decoder) throws {
    let easing = Easing.parsed(try decoder.singleValueContainer().decode(String.self))
    guard let easing else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "This is not an easing. \(Easing.forms)"))
    }
    try easing.requireUsable()
    self = easing
  }

  /// Encodes ``description``.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
