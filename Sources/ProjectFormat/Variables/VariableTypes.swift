import CompositorAPI
import CompositorTimeline

// The types of values from variables. Tables and command lines only have strings, so the location in a project determines the
// type.

extension JSON5Node.Value {
  /// The value in the type that a location requires; `nil` if it cannot be converted. Ranges are checked by the reader.
  func settled(as shape: ValueShape) -> JSON5Node.Value? {
    if let found = readings.first(where: { shape.takes($0) }) { return found }
    if case .object(let members) = self { return .object(members.settled(as: shape)) }
    guard case .array(let elements) = self else { return nil }
    for shape in shape.alternatives {
      guard let element = shape.elementShape else { continue }
      var settled: [JSON5Node] = []
      for node in elements {
        guard let value = node.value.settled(as: element) else { break }
        var converted = node
        converted.value = value
        settled.append(converted)
      }
      if settled.count == elements.count { return .array(settled) }
    }
    return nil
  }

  /// The possible interpretations of the value, starting with itself.
  var readings: [JSON5Node.Value] {
    switch self {
    case .string(let string):
      let word = string.trimmingSpaces
      var readings = [self]
      if Rational(decimal: word) != nil { readings.append(.number(word)) }
      if let bool = word.booleanOfTable { readings.append(.bool(bool)) }
      return word == string ? readings : readings + [.string(word)]
    case .number, .bool: return [self, .string(written)]
    case .null, .array, .object: return [self]
    }
  }
}

extension [JSON5Member] {
  /// The members of an object with their values in the types that its keys require; those that cannot be converted are left as
  /// they are.
  fileprivate func settled(as shape: ValueShape) -> [JSON5Member] {
    let shapes = shape.memberShapes(of: self)
    return map { member in
      var settled = member
      if let value = shapes(member.key).flatMap(member.value.value.settled) { settled.value.value = value }
      return settled
    }
  }
}

extension JSON5Node {
  /// A note that messages append: the value that variables give, and the item of a repetition that it is made for; `nil` for
  /// other values.
  var variableOrigin: String? {
    let origins = [pattern.map { "\(quoted($0)) is \(shown)" }, item].compactMap(\.self)
    return origins.isEmpty ? nil : " Here \(origins.joined(separator: ", and "))."
  }

  /// The value as messages show it.
  private var shown: String {
    switch value {
    case .string(let string): quoted(string)
    case .array, .object: kind
    case .null, .bool, .number: value.written
    }
  }
}

extension String {
  /// The text with another at its end, which it may have already.
  func ending(with end: String) -> String { hasSuffix(end) ? self : self + end }

  /// The value of `true` or `false`, which spreadsheets write in capitals; `nil` for other words.
  var booleanOfTable: Bool? {
    switch lowercased() {
    case "true": true
    case "false": false
    default: nil
    }
  }

  fileprivate var trimmingSpaces: String { String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) }
}

extension ValueShape {
  /// The alternative shapes.
  var alternatives: [ValueShape] {
    if case .any(let shapes) = self { shapes.flatMap(\.alternatives) } else { [self] }
  }

  /// The shape with `.animationValue` replaced by that of a property.
  func resolved(of property: LayerProperty?) -> ValueShape {
    switch self {
    case .animationValue: property?.shape ?? self
    case .list(let element, let minimum, let maximum):
      .list(element.resolved(of: property), minimum: minimum, maximum: maximum)
    case .any(let shapes): .any(shapes.map { $0.resolved(of: property) })
    default: self
    }
  }

  /// The shape of the elements of a list of any length.
  var elementShape: ValueShape? {
    switch self {
    case .list(let element, _, _): element
    case .tuple(let elements): elements.first
    default: nil
    }
  }

  /// The shapes of a list's elements, by index.
  func elementShapes(of node: JSON5Node) -> (Int) -> ValueShape? {
    let lists = alternatives.filter { $0.elementShape != nil }
    let list = lists.first { $0.fits(node) } ?? lists.first
    return { index in
      guard case .tuple(let elements)? = list else { return list?.elementShape }
      return elements.indices.contains(index) ? elements[index] : nil
    }
  }

  /// The shapes of an object's values, by key.
  func memberShapes(of members: [JSON5Member]) -> (String) -> ValueShape? {
    var candidates: [(String) -> ValueShape?] = []
    for shape in alternatives {
      switch shape {
      case .map(let element): candidates.append { _ in element }
      case .object(let name):
        let shape = ProjectSchema.shape(name)
        candidates.append { key in
          shape.keys.first { $0.key == key }?.value ?? shape.others
        }
      default: break
      }
    }
    let best = candidates.first { shapes in members.allSatisfy { shapes($0.key) != nil } } ?? candidates.first
    return { best?($0) }
  }

  /// Whether a value already has this shape.
  func takes(_ value: JSON5Node.Value) -> Bool {
    switch (self, value) {
    case (.text, .string), (.string, .string), (.size, .string), (.parameter, _), (.animationValue, _), (.bool, .bool): true
    case (.number, .number), (.factor, .number), (.angle, .number), (.ratio, .number), (.frameRate, .number), (.gain, .number),
      (.loudness, .number):
      true
    case (.length, .number), (.layoutLength, .number), (.frameLength, .number), (.fraction, .number), (.part, .number): true
    case (.integer, .number(let digits)): JSON5Node.integer(digits) != nil
    case (.time, .number(let digits)), (.signedTime, .number(let digits)), (.percent, .number(let digits)):
      Rational(decimal: digits)?.numerator == 0
    case (.ratio, .string(let text)), (.frameRate, .string(let text)): Rational(fraction: text) != nil
    case (_, .string(let text)) where expressionKind.map({ ProjectExpression.fits(text, $0) }) == true: true
    case (.time, .string(let text)): (try? ProjectTime(text)) != nil
    case (.signedTime, .string(let text)): (try? ProjectTime(String(text.hasPrefix("-") ? text.dropFirst() : text[...]))) != nil
    case (.length, .string(let text)), (.layoutLength, .string(let text)): CanvasLength(text) != nil
    case (.fraction, .string(let text)), (.percent, .string(let text)), (.part, .string(let text)),
      (.frameLength, .string(let text)):
      CanvasLength(text)?.percentage != nil
    case (.gain, .string(let text)), (.decibels, .string(let text)): ProjectDecibels.number(text, unit: "dB") != nil
    case (.loudness, .string(let text)): ProjectDecibels.number(text, unit: "LUFS") != nil
    case (.color, .string(let text)): Color(notation: text) != nil
    case (.easing, .string(let text)): Easing(text) != nil
    case (.choice(let words), .string(let word)): words.contains(word)
    case (.list(let element, _, _), .array(let elements)): elements.allSatisfy { element.takes($0.value) }
    case (.tuple(let shapes), .array(let elements)):
      shapes.count == elements.count && zip(shapes, elements).allSatisfy { $0.takes($1.value) }
    case (.any(let shapes), _): shapes.contains { $0.takes(value) }
    default: false
    }
  }
}

extension LayerProperty {
  /// The property that an animation specifies.
  init?(namedIn members: [JSON5Member]) {
    guard case .string(let name)? = members.first(where: { $0.key == "property" })?.value.value else { return nil }
    self.init(rawValue: name)
  }

  /// The shape of the property's values.
  fileprivate var shape: ValueShape {
    let number = units.first ?? ProjectSchema.anyNumber
    return switch kind {
    case .numbers(4) where isColor: ProjectSchema.color
    case .numbers(1): number
    case .numbers: .list(number)
    case .list: .list(self == .gradientColors ? ProjectSchema.color : ProjectSchema.anyNumber)
    case .text: .string
    case .path: ProjectSchema.path
    }
  }
}

extension ProjectValue {
  /// A value from variables converted to the type of a parameter, or the number of an expression; other values are unchanged.
  func settled(as kind: ParameterDescription.Kind) throws(CompositorError) -> ProjectValue {
    switch kind {
    case .integer, .number:
      if let number = try numberOfExpression() {
        return holding(.number(number.denominator == 1 ? "\(number.numerator)" : "\(number.value)"))
      }
    default: break
    }
    guard node.pattern != nil else { return self }
    let found = node.value.readings.first { reading in
      if case .color = kind, case .string(let text) = reading { return Color(notation: text) != nil }
      guard let parameter = try? inner(JSON5Node(reading), path).parameter() else { return false }
      return kind.mismatch(parameter) == nil
    }
    var settled = node
    settled.value = found ?? node.value
    return inner(settled, path)
  }
}
