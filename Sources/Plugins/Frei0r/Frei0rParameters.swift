import CompositorAPI

/// Maps a plugin's parameters to parameter descriptions.
///
/// Names become lowercase keys with `-` between words. Numbers are always 0 … 1, as in frei0r; a position is two such
/// numbers, as fractions of the frame.
struct Frei0rParameters: Sendable {
  private let parameters: [(description: ParameterDescription, parameter: Frei0rLibrary.Parameter)]

  /// - Parameter defaults: The initial values of an instance, in the parameters' order.
  init(_ parameters: [Frei0rLibrary.Parameter], defaults: [Frei0rValue]) {
    var taken = Set<String>()
    self.parameters = zip(parameters, defaults).map { parameter, value in
      var key = Frei0rParameters.key(parameter.name)
      if !taken.insert(key).inserted { key += "-\(parameter.index)" }
      taken.insert(key)
      return (ParameterDescription(key, parameter, default: value), parameter)
    }
  }

  var descriptions: [ParameterDescription] { parameters.map(\.description) }

  /// The given values, by parameter index.
  func values(_ given: ParameterValues) -> [Int: Frei0rValue] {
    var result: [Int: Frei0rValue] = [:]
    for (description, parameter) in parameters {
      guard let value = given[description.key] else { continue }
      result[parameter.index] = Frei0rValue(value)
    }
    return result
  }

  /// The initial values of an instance, by parameter index.
  var defaults: [Int: Frei0rValue] {
    values(
      Dictionary(parameters.compactMap { entry in entry.description.defaultValue.map { (entry.description.key, $0) } }) { $1 })
  }

  private static func key(_ name: String) -> String {
    let words = name.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    return words.isEmpty ? "parameter" : words.joined(separator: "-")
  }
}

extension Frei0rValue {
  fileprivate init(_ value: ParameterValue) {
    switch value {
    case .bool(let value): self.init(numbers: [value ? 1 : 0])
    case .integer(let value): self.init(numbers: [Double(value)])
    case .number(let value): self.init(numbers: [value])
    case .string(let value): self.init(text: value)
    case .data(let bytes): self.init(text: String(decoding: bytes, as: UTF8.self))
    case .list(let values): self.init(numbers: values.compactMap(\.number))
    }
  }
}

extension ParameterDescription {
  fileprivate init(_ key: String, _ parameter: Frei0rLibrary.Parameter, default value: Frei0rValue) {
    let summary = parameter.summary.isEmpty ? parameter.name : parameter.summary
    let first = value.numbers.first ?? 0
    switch parameter.kind {
    case .bool: self.init(key, .bool, default: .bool(first >= 0.5), summary: summary)
    case .number:
      // Some plugins have initial values outside frei0r's range, and accept them.
      let start = first.isFinite ? first : 0
      self.init(
        key, .number(minimum: min(0, start), maximum: max(1, start), unit: ""), default: .number(start), isAnimatable: true,
        summary: summary)
    case .color:
      let codes = value.numbers.map { ParameterValue.number(min(max($0.isFinite ? $0 : 0, 0), 1)) }
      self.init(key, .color, default: .list(codes), isAnimatable: true, summary: summary)
    case .position:
      self.init(
        key, .point, default: .list(value.numbers.map { .number($0.isFinite ? $0 : 0) }), isAnimatable: true,
        summary: "\(summary) (as a fraction of the frame)")
      isRelative = true
    case .text: self.init(key, .string, default: .string(value.text), summary: summary)
    }
  }
}
