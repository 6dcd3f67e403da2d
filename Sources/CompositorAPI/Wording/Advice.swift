/// What to do about a problem, as a sentence, and what the sentence says to write if that is a single value.
///
/// A literal is advice that is only a sentence. Advice with a value is made by ``write(_:key:_:)``, so that the sentence is made of
/// the value, and nothing has to search the sentence for it.
package struct Advice: Hashable, Sendable, ExpressibleByStringInterpolation {
  /// The sentence, with the settings that it names.
  package let wording: Wording
  /// What to write at the location of the problem; `nil` if the author has a choice.
  package let literal: WrittenLiteral?

  package init(wording: Wording, writing literal: WrittenLiteral? = nil) {
    (self.wording, self.literal) = (wording, literal)
  }

  package init(_ sentence: String, writing literal: WrittenLiteral? = nil) {
    self.init(wording: Wording(sentence), writing: literal)
  }

  package init(stringLiteral sentence: String) { self.init(sentence) }

  package init(stringInterpolation: Wording.StringInterpolation) {
    self.init(wording: Wording(stringInterpolation: stringInterpolation))
  }

  /// The sentence with names of Swift.
  package var sentence: String { wording.description }

  /// The same advice with settings in the words of a program.
  package func spelled(_ spelling: SettingSpelling) -> Advice {
    Advice(wording: wording.spelled(spelling), writing: literal)
  }

  /// `Write "-6dB".`, or `Write at: "auto".` for the value of a key.
  ///
  /// - Parameter end: The rest of the sentence.
  package static func write(_ value: WrittenLiteral.Value, key: String? = nil, _ end: String = ".") -> Advice {
    let literal = WrittenLiteral(key: key, value: value)
    return Advice("Write \(literal)\(end)", writing: literal)
  }

  /// `Write 29.97.` for a number; `Write 29.97fps.` for one with a unit, which is only a sentence.
  package static func write(number: String) -> Advice {
    Double(number) == nil ? Advice("Write \(number).") : .write(.word(number))
  }
}

/// A value to write in a project.
package struct WrittenLiteral: Hashable, Sendable, CustomStringConvertible {
  package enum Value: Hashable, Sendable {
    case string(String)
    /// A number, `true`, `false` or `null`, as it is written.
    case word(String)
    /// An object with one string.
    case object(key: String, String)
  }

  /// The key of the value in the object at the location of the problem; `nil` for the value there.
  package let key: String?
  package let value: Value

  package init(key: String? = nil, value: Value) { (self.key, self.value) = (key, value) }

  /// The value, after its key if it has one, as sentences quote it.
  package var description: String { (key.map { "\($0): " } ?? "") + value.description }
}

extension WrittenLiteral.Value: CustomStringConvertible {
  package var description: String {
    switch self {
    case .string(let text): quoted(text)
    case .word(let word): word
    case .object(let key, let text): "{ \(key): \(quoted(text)) }"
    }
  }
}
