import CompositorAPI

/// The parameters of a built-in compositor, checked against its descriptor, with defaults filled in.
struct BuiltinParameters {
  private let values: ParameterValues
  private let descriptor: CompositorDescriptor

  /// - Throws: `.invalidParameter` if `values` has a key that the descriptor doesn't declare.
  init(_ values: ParameterValues, _ descriptor: CompositorDescriptor) throws(CompositorError) {
    self.values = values
    self.descriptor = descriptor
    let known = descriptor.parameters.map(\.key)
    if let stray = values.keys.filter({ !known.contains($0) }).min() {
      throw invalid("There is no parameter “\(stray)”.", "The parameters are: \(known.joined(separator: ", ")).")
    }
  }

  /// A copy of these parameters in which animatable ones have the values of the request.
  func updated(with current: ParameterValues) throws(CompositorError) -> BuiltinParameters {
    let animatable = descriptor.parameters.filter(\.isAnimatable).map(\.key)
    let changed = current.filter { animatable.contains($0.key) }
    return changed.isEmpty ? self : try BuiltinParameters(values.merging(changed) { _, new in new }, descriptor)
  }

  /// A number within the bounds that its description declares.
  func number(_ key: String) throws(CompositorError) -> Double {
    let description = try description(key)
    guard case .number(let minimum, let maximum, _) = description.kind,
      let number = (values[key] ?? description.defaultValue)?.number, number >= minimum, number <= maximum
    else { throw invalid("“\(key)” is not a number inside its bounds.", description.summary) }
    return number
  }

  /// An integer within the bounds that its description declares.
  func integer(_ key: String) throws(CompositorError) -> Int {
    let description = try description(key)
    guard case .integer(let minimum, let maximum) = description.kind,
      case .integer(let number)? = values[key] ?? description.defaultValue, number >= minimum, number <= maximum
    else { throw invalid("“\(key)” is not an integer inside its bounds.", description.summary) }
    return number
  }

  /// A Boolean value.
  func bool(_ key: String) throws(CompositorError) -> Bool {
    let description = try description(key)
    guard case .bool(let bool)? = values[key] ?? description.defaultValue else {
      throw invalid("“\(key)” is neither true nor false.", description.summary)
    }
    return bool
  }

  /// A case of an enumeration, by its raw value.
  func choice<Choice: RawRepresentable>(_ key: String, _ type: Choice.Type) throws(CompositorError) -> Choice
  where Choice.RawValue == String {
    let description = try description(key)
    guard case .string(let word)? = values[key] ?? description.defaultValue, let choice = Choice(rawValue: word) else {
      throw invalid("“\(key)” is not one of its values.", description.summary)
    }
    return choice
  }

  /// The easing of the transition's progress.
  func easing() throws(CompositorError) -> Easing {
    guard let easing = Easing(try string("easing")) else { throw invalid("“easing” is not an easing.", Easing.forms) }
    return easing
  }

  /// A string.
  func string(_ key: String) throws(CompositorError) -> String {
    let description = try description(key)
    guard case .string(let text)? = values[key] ?? description.defaultValue else {
      throw invalid("“\(key)” is not a string.", description.summary)
    }
    return text
  }

  /// An sRGB color, given as a list of three or four numbers, each 0 … 1: red, green, blue and optionally alpha.
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
  /// The descriptor of a built-in transition, which accepts any source format, honors layer geometry and mixes in the
  /// output's planes.
  static func transition(
    _ name: String, _ title: String, _ summary: String, _ parameters: [ParameterDescription] = []
  ) -> CompositorDescriptor {
    CompositorDescriptor(id: CompositorID(rawValue: "builtin.\(name)"), name: title, summary: summary) {
      $0.sourceFormats = .any
      $0.colorHandling = .conformsItself
      $0.parameters = parameters + [.easing]
      $0.role = .transition
    }
  }
}

extension CompositorDescriptor {
  /// The descriptor of a built-in effect, which accepts any source format and is time-invariant: equal frames and parameters
  /// give equal results.
  ///
  /// - Parameter identity: The values with which it changes nothing.
  static func effect(
    _ name: String, _ title: String, _ summary: String, _ parameters: [ParameterDescription], makesAlpha: Bool = false,
    identity: ParameterValues? = nil
  ) -> CompositorDescriptor {
    CompositorDescriptor(id: CompositorID(rawValue: "builtin.\(name)"), name: title, summary: summary) {
      $0.sourceFormats = .any
      $0.colorHandling = .conformsItself
      $0.parameters = parameters
      $0.role = .effect
      $0.isTimeInvariant = true
      $0.makesAlpha = makesAlpha
      $0.identity = identity
    }
  }
}

extension ParameterDescription {
  /// An animatable number.
  static func amount(
    _ key: String, _ range: ClosedRange<Double>, _ unit: String, _ value: Double, _ summary: String
  ) -> ParameterDescription {
    ParameterDescription(
      key, .number(minimum: range.lowerBound, maximum: range.upperBound, unit: unit), default: .number(value),
      isAnimatable: true, summary: summary)
  }

  /// The easing of a transition's progress.
  static let easing = ParameterDescription(
    "easing", .easing, default: .string("linear"), summary: "The easing of the progress, as in CSS: \(Easing.examples).")

  /// The width of the edge, as a fraction (0 … 1) of the distance that the edge travels.
  static let softness = ParameterDescription(
    "softness", .number(minimum: 0, maximum: 1, unit: "of the way"), default: .number(0),
    summary: "Width of the soft edge, as a fraction of the edge's path; 0 is sharp, with one pixel of antialiasing.")

  /// One coordinate of the center, as a fraction (0 … 1) of the frame's width or height.
  static func center(_ key: String, _ side: String) -> ParameterDescription {
    ParameterDescription(
      key, .number(minimum: 0, maximum: 1, unit: "of the \(side)"), default: .number(0.5),
      summary: "The center, as a fraction of the frame's \(side).")
  }

  /// An enumerated parameter; its first value is the default.
  static func choice(_ key: String, _ words: [String], _ summary: String) -> ParameterDescription {
    ParameterDescription(
      key, .choice(words), default: words.first.map { .string($0) }, summary: "\(summary): \(words.joined(separator: ", ")).")
  }
}
