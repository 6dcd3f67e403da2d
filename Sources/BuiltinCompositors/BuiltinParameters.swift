import CompositorAPI

/// Parameters of a built-in compositor, read as its own descriptor describes them: defaults filled in, bounds kept.
struct BuiltinParameters {
  private let values: ParameterValues
  private let descriptor: CompositorDescriptor

  /// - Throws: `.invalidParameter` for a key that the descriptor does not have.
  init(_ values: ParameterValues, _ descriptor: CompositorDescriptor) throws(CompositorError) {
    self.values = values
    self.descriptor = descriptor
    let known = descriptor.parameters.map(\.key)
    if let stray = values.keys.filter({ !known.contains($0) }).min() {
      throw invalid("There is no parameter “\(stray)”.", "The parameters are: \(known.joined(separator: ", ")).")
    }
  }

  /// The same with what a request says about parameters that change over time.
  func updated(with current: ParameterValues) throws(CompositorError) -> BuiltinParameters {
    let animatable = descriptor.parameters.filter(\.isAnimatable).map(\.key)
    let changed = current.filter { animatable.contains($0.key) }
    return changed.isEmpty ? self : try BuiltinParameters(values.merging(changed) { _, new in new }, descriptor)
  }

  /// A number inside its bounds.
  func number(_ key: String) throws(CompositorError) -> Double {
    let description = try description(key)
    guard case .number(let minimum, let maximum, _) = description.kind,
      let number = (values[key] ?? description.defaultValue)?.number, number >= minimum, number <= maximum
    else { throw invalid("“\(key)” is not a number inside its bounds.", description.summary) }
    return number
  }

  /// An integer inside its bounds.
  func integer(_ key: String) throws(CompositorError) -> Int {
    let description = try description(key)
    guard case .integer(let minimum, let maximum) = description.kind,
      case .integer(let number)? = values[key] ?? description.defaultValue, number >= minimum, number <= maximum
    else { throw invalid("“\(key)” is not an integer inside its bounds.", description.summary) }
    return number
  }

  /// True or false.
  func bool(_ key: String) throws(CompositorError) -> Bool {
    let description = try description(key)
    guard case .bool(let bool)? = values[key] ?? description.defaultValue else {
      throw invalid("“\(key)” is neither true nor false.", description.summary)
    }
    return bool
  }

  /// One of the words of a type.
  func choice<Choice: RawRepresentable>(_ key: String, _ type: Choice.Type) throws(CompositorError) -> Choice
  where Choice.RawValue == String {
    let description = try description(key)
    guard case .string(let word)? = values[key] ?? description.defaultValue, let choice = Choice(rawValue: word) else {
      throw invalid("“\(key)” is not one of its words.", description.summary)
    }
    return choice
  }

  /// The easing of a transition.
  func easing() throws(CompositorError) -> Easing {
    guard let easing = Easing(try string("easing")) else { throw invalid("“easing” is not an easing.", Easing.forms) }
    return easing
  }

  /// A text.
  func string(_ key: String) throws(CompositorError) -> String {
    let description = try description(key)
    guard case .string(let text)? = values[key] ?? description.defaultValue else {
      throw invalid("“\(key)” is not a text.", description.summary)
    }
    return text
  }

  /// A color in sRGB.
  func color(_ key: String) throws(CompositorError) -> Color {
    let description = try description(key)
    guard case .list(let items)? = values[key] ?? description.defaultValue, (3...4).contains(items.count),
      case let numbers = items.compactMap(\.number), numbers.count == items.count, numbers.allSatisfy((0...1).contains)
    else { throw invalid("“\(key)” is not a color.", "Give three or four numbers 0 … 1.") }
    return Color(red: numbers[0], green: numbers[1], blue: numbers[2], alpha: numbers.count == 4 ? numbers[3] : 1)
  }

  private func description(_ key: String) throws(CompositorError) -> ParameterDescription {
    guard let description = descriptor.parameters.first(where: { $0.key == key }) else {
      throw CompositorError(.internalFault, "\(descriptor.id) does not describe its parameter “\(key)”.")
    }
    return description
  }

  private func invalid(_ what: String, _ recoverySuggestion: String) -> CompositorError {
    CompositorError(
      .invalidParameter, what, recoverySuggestion: recoverySuggestion, at: ErrorLocation(compositor: descriptor.id))
  }
}

extension CompositorDescriptor {
  /// A built-in transition: it takes whatever layers take, places them as they say, and mixes in the output's planes.
  static func transition(
    _ name: String, _ title: String, _ summary: String, _ parameters: [ParameterDescription] = []
  ) -> CompositorDescriptor {
    CompositorDescriptor(
      id: CompositorID(rawValue: "builtin.\(name)"), name: title, summary: summary, sourceFormats: .any,
      colorHandling: .conformsItself, parameters: parameters + [.easing], role: .transition)
  }
}

extension CompositorDescriptor {
  /// A built-in effect: it takes its picture as it is, and the same picture and parameters make the same frame.
  static func effect(
    _ name: String, _ title: String, _ summary: String, _ parameters: [ParameterDescription], makesAlpha: Bool = false
  ) -> CompositorDescriptor {
    CompositorDescriptor(
      id: CompositorID(rawValue: "builtin.\(name)"), name: title, summary: summary, sourceFormats: .any,
      colorHandling: .conformsItself, parameters: parameters, role: .effect, isTimeInvariant: true, makesAlpha: makesAlpha)
  }
}

extension ParameterDescription {
  /// A number that may change over time.
  static func amount(
    _ key: String, _ range: ClosedRange<Double>, _ unit: String, _ value: Double, _ summary: String
  ) -> ParameterDescription {
    ParameterDescription(
      key, .number(minimum: range.lowerBound, maximum: range.upperBound, unit: unit), default: .number(value),
      isAnimatable: true, summary: summary)
  }

  /// The easing of a transition's progress.
  static let easing = ParameterDescription(
    "easing", .easing, default: .string("linear"), summary: "How its progress is eased, as in CSS: \(Easing.examples).")

  /// The width of an edge.
  static let softness = ParameterDescription(
    "softness", .number(minimum: 0, maximum: 1, unit: "of the way"), default: .number(0),
    summary: "Width of the soft edge, as a part of the way that the edge goes; 0 is sharp, with one pixel of antialiasing.")

  /// A fraction of the frame's width or height.
  static func center(_ key: String, _ side: String) -> ParameterDescription {
    ParameterDescription(
      key, .number(minimum: 0, maximum: 1, unit: "of the \(side)"), default: .number(0.5),
      summary: "The center, as a part of the frame's \(side).")
  }

  /// One of several words.
  static func choice(_ key: String, _ words: [String], _ summary: String) -> ParameterDescription {
    ParameterDescription(
      key, .choice(words), default: words.first.map { .string($0) }, summary: "\(summary): \(words.joined(separator: ", ")).")
  }
}
