/// A sentence that names settings and operations, which each program spells as it calls them.
///
/// ```swift
/// let wording: Wording =
///   "a.mp4 has 50 frames a second, the output 25" + .advice("; \(setting: .frameRate, value: "50") shows them")
/// ```
package struct Wording: Hashable, Sendable {
  /// A part of a sentence.
  package enum Part: Hashable, Sendable {
    /// What happened.
    case text(String)
    /// What to do about it, between the settings that it names.
    case advice(String)
    /// A setting to change, part of the advice.
    case option(RecoveryOption)
    /// An operation that helps, part of the advice.
    case operation(ProgramOperation)
  }

  package private(set) var parts: [Part]

  package init(parts: [Part]) { self.parts = parts }

  /// A sentence that names no setting.
  package init(_ text: String) { parts = text.isEmpty ? [] : [.text(text)] }

  /// A part of a sentence that says what to do.
  package static func advice(_ wording: Wording) -> Wording {
    Wording(parts: wording.parts.map { if case .text(let text) = $0 { .advice(text) } else { $0 } })
  }

  package static func + (first: Wording, second: Wording) -> Wording { Wording(parts: first.parts + second.parts) }

  /// What happened, without advice.
  package var message: String {
    parts.map { if case .text(let text) = $0 { text } else { "" } }.joined()
  }

  /// The settings that it names, in order.
  package var recoveryOptions: [RecoveryOption] {
    parts.compactMap { if case .option(let option) = $0 { option } else { nil } }
  }

  /// The whole sentence, with settings and operations in the words of a program.
  package func text(_ spelling: SettingSpelling) -> String {
    let text = parts.map { part in
      switch part {
      case .text(let text), .advice(let text): text
      case .option(let option): spelling(option)
      case .operation(let operation): spelling(operation)
      }
    }.joined()
    // The description of an operation is not the beginning of a sentence.
    guard case .operation? = parts.first else { return text }
    return text.prefix(1).uppercased() + text.dropFirst()
  }

  /// The sentence with a capital, if it begins with a letter.
  package var capitalized: Wording {
    guard case .text(let text)? = parts.first else { return self }
    return Wording(parts: [.text(text.prefix(1).uppercased() + text.dropFirst())] + parts.dropFirst())
  }

  /// Whether programs say it differently.
  package var isSpelled: Bool {
    parts.contains { part in
      switch part {
      case .option, .operation: true
      case .text, .advice: false
      }
    }
  }

  /// The sentence in which settings and operations are spelled, and are text like the rest.
  package func spelled(_ spelling: SettingSpelling) -> Wording { isSpelled ? Wording(text(spelling)) : self }
}

extension [Wording] {
  /// The sentences as one, with a text between them.
  package func joined(separator: String) -> Wording {
    Wording(parts: Array<[Wording.Part]>(map(\.parts)).joined(separator: [.text(separator)]).map(\.self))
  }
}

extension Wording: CustomStringConvertible {
  /// The whole sentence, with names of Swift.
  package var description: String { text(.swift) }
}

extension Wording: ExpressibleByStringInterpolation {
  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var parts: [Part] = []
    private var text = ""

    package init(literalCapacity: Int, interpolationCount: Int) {}

    package mutating func appendLiteral(_ literal: String) { text += literal }

    package mutating func appendInterpolation(_ value: some CustomStringConvertible) { text += value.description }

    package mutating func appendInterpolation(_ option: RecoveryOption) {
      endText()
      parts.append(.option(option))
    }

    package mutating func appendInterpolation(setting: RecoveryOption.Setting, value: String? = nil) {
      appendInterpolation(RecoveryOption(setting, value: value))
    }

    package mutating func appendInterpolation(operation: ProgramOperation) {
      endText()
      parts.append(.operation(operation))
    }

    package mutating func appendInterpolation(_ wording: Wording) {
      endText()
      parts += wording.parts
    }

    fileprivate mutating func endText() {
      if !text.isEmpty { parts.append(.text(text)) }
      text = ""
    }
  }

  package init(stringInterpolation: StringInterpolation) {
    var interpolation = stringInterpolation
    interpolation.endText()
    self.init(parts: interpolation.parts)
  }

  package init(stringLiteral text: String) { self.init(text) }
}

extension Wording.Part: Codable {
  private enum CodingKeys: String, CodingKey { case text, advice, option, operation }

  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    if let option = try values.decodeIfPresent(RecoveryOption.self, forKey: .option) {
      self = .option(option)
    } else if let operation = try values.decodeIfPresent(ProgramOperation.self, forKey: .operation) {
      self = .operation(operation)
    } else if let advice = try values.decodeIfPresent(String.self, forKey: .advice) {
      self = .advice(advice)
    } else {
      self = .text(try values.decode(String.self, forKey: .text))
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .text(let text): try values.encode(text, forKey: .text)
    case .advice(let advice): try values.encode(advice, forKey: .advice)
    case .option(let option): try values.encode(option, forKey: .option)
    case .operation(let operation): try values.encode(operation, forKey: .operation)
    }
  }
}

extension Wording: Codable {
  package init(from decoder: any Decoder) throws {
    self.init(parts: try decoder.singleValueContainer().decode([Part].self))
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(parts)
  }
}
