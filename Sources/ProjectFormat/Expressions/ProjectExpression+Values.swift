import CompositorAPI

// What a number with its unit is at a location, and what a location makes of an expression's value.

extension ProjectExpression {
  /// A number with its unit.
  ///
  /// - Parameter isCalled: Whether a parenthesis follows, as after the name of a function.
  init(operand text: String, _ kind: Kind, isCalled: Bool) throws(CompositorError) {
    guard !isCalled else {
      throw CompositorError(
        .invalidValue, "\(quoted(text)) is no part of an expression.",
        recoverySuggestion: text == "calc"
          ? "Write the expression without calc: \"(100% - 20) / 2\"." : "Write numbers with units, + - * / and parentheses.")
    }
    if let number = Rational(decimal: text) ?? (kind == .time ? nil : Rational(fraction: text)) {
      self.init(number, .none)
    } else if kind == .time {
      try self.init(time: text)
    } else if let length = CanvasLength(text), kind == .length || (kind == .fraction && length.percentage != nil),
      let part = length.parts.first
    {
      self.init(part.factor, .length(part.unit))
    } else {
      throw Self.unusable(text, kind)
    }
  }

  private init(time text: String) throws(CompositorError) {
    switch try ProjectTime(text) {
    case .seconds(let time): self.init(Rational(Int(time.value), Int(time.timescale)).reduced, .second)
    case .frames(let count): self.init(Rational(Int(count), 1), .frame)
    case let time: self.init(1, .timecode(time))
    }
  }

  private static func unusable(_ text: String, _ kind: Kind) -> CompositorError {
    if let number = WrittenNumber(text), kind == .length || kind == .number {
      return CompositorError(
        .invalidValue, "\(quoted(text)) has a unit that an expression here cannot have.",
        recoverySuggestion: kind == .length ? "Write pixels without a unit." : number.advice(asFraction: true))
    }
    let isTime = (try? ProjectTime(text)) != nil
    let forms =
      switch kind {
      case .number, .time: "Write numbers without a unit here."
      case .length: CanvasLength.forms
      case .fraction: "Write numbers, or percent such as \"50%\"."
      }
    return CompositorError(
      .invalidValue, "\(quoted(text)) is \(isTime ? "a time, and " : "")no part of an expression here.",
      recoverySuggestion: forms)
  }

  static func missingValue(before rest: String) -> CompositorError {
    CompositorError(
      .invalidValue, "A value is missing before \(quoted(rest)) in the expression.",
      recoverySuggestion: "Write one, such as a number with its unit.")
  }

  /// The value as a time.
  ///
  /// - Throws: `.invalidValue` for a number other than 0, and for a time that is negative or too fine, as far as it is known
  ///   without a frame rate.
  var time: ProjectTime {
    get throws(CompositorError) {
      let multiples = try timeMultiples
      guard multiples.contains(where: { $0.time.countsFrames }) else {
        return .seconds(try ProjectTime.sum(multiples).time(atFrameRate: 1))
      }
      return .sum(multiples)
    }
  }

  /// The value as a sum of times, which may be negative.
  var timeMultiples: [ProjectTime.Multiple] {
    get throws(CompositorError) {
      if let number, number.numerator != 0 {
        throw CompositorError(
          .invalidValue, "The expression is \(number.plain), which has no unit.",
          recoverySuggestion: "Write a unit, as in \"2 * 0.5s\".")
      }
      return terms.compactMap { term in
        switch term.unit {
        case .second: ProjectTime.Multiple(term.factor, .seconds(.seconds(1)))
        case .frame: ProjectTime.Multiple(term.factor, .frames(1))
        case .timecode(let time): ProjectTime.Multiple(term.factor, time)
        case .none, .length: nil
        }
      }
    }
  }

  /// The value as a length on the canvas.
  var length: CanvasLength {
    CanvasLength(
      pixels: self[.none],
      parts: terms.compactMap { term in
        if case .length(let unit) = term.unit { CanvasLength.Part(unit: unit, factor: term.factor) } else { nil }
      })
  }

  /// The value as a fraction of a whole.
  ///
  /// - Throws: `.invalidValue` if it doesn't fit.
  var fraction: Rational {
    get throws(CompositorError) {
      if let number { return number }
      guard let fraction = self[.length(.percent)].product(with: Rational(1, 100)) else { throw Self.tooLarge }
      return fraction
    }
  }
}

extension ProjectTime {
  /// The exact sum of multiples of times at a frame rate, in seconds. It may be negative.
  ///
  /// - Throws: `.invalidValue` if a timecode doesn't exist at that rate, or a number doesn't fit.
  static func seconds(of multiples: [Multiple], atFrameRate frameRate: Rational) throws(CompositorError) -> Rational {
    var sum: Rational = 0
    for multiple in multiples {
      let time = try multiple.time.time(atFrameRate: frameRate)
      guard let product = Rational(Int(time.value), Int(time.timescale)).product(with: multiple.factor),
        let total = sum.sum(with: product)
      else { throw ProjectExpression.tooLarge }
      sum = total
    }
    return sum
  }
}

extension ProjectValue {
  /// Whether it is a string that isn't meant as an expression.
  var isWord: Bool {
    guard case .string(let text) = node.value else { return false }
    return !ProjectExpression.isWritten(in: text)
  }

  /// The value of an expression at this location; `nil` if it isn't a string that is meant as one.
  func expression(_ kind: ProjectExpression.Kind) throws(CompositorError) -> ProjectExpression? {
    guard case .string(let text) = node.value, ProjectExpression.isWritten(in: text) else { return nil }
    return try placing { () throws(CompositorError) in try ExpressionParser.value(of: text, kind) }
  }

  /// The seconds of an expression, which may be negative; `nil` if it isn't a string that is meant as one.
  ///
  /// - Parameter frameRate: Frames per second; `nil` if unknown, in which case an expression with frames is 0.
  func signedSeconds(atFrameRate frameRate: Rational?) throws(CompositorError) -> Rational? {
    guard let value = try expression(.time) else { return nil }
    let multiples = try placing { () throws(CompositorError) in try value.timeMultiples }
    if multiples.contains(where: { $0.time.countsFrames }) {
      notes?.countsFrames = true
      if frameRate == nil { return 0 }
    }
    return try placing { () throws(CompositorError) in
      try ProjectTime.seconds(of: multiples, atFrameRate: frameRate ?? 1)
    }
  }

  /// The number that an expression is; `nil` if it isn't a string that is meant as one.
  func numberOfExpression() throws(CompositorError) -> Rational? {
    guard let value = try expression(.number) else { return nil }
    return value[.none]
  }
}

extension Rational {
  /// The number as a parameter.
  var parameter: ParameterValue { denominator == 1 ? .integer(numerator) : .number(value) }
}

extension ProjectExpression {
  /// Whether a string is an expression of a kind that a location takes.
  static func fits(_ text: String, _ kind: Kind) -> Bool {
    guard isWritten(in: text), let value = try? ExpressionParser.value(of: text, kind) else { return false }
    return kind != .time || (try? value.timeMultiples) != nil
  }
}
