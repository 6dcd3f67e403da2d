import CompositorAPI
package import CompositorMediaIO

/// Maps a filter's options to parameters, and parameters to libavfilter's notation.
struct FilterParameters: Sendable {
  let filter: String
  /// The parameters, in the filter's own order. Options that name files are excluded.
  let descriptions: [ParameterDescription]

  /// - Parameter hidden: Options that the host sets.
  init(filter: FilterDescription, hidden: Set<String> = []) {
    self.filter = filter.name
    let files = FilterAccess.fileOptionNames(of: filter.name)
    var descriptions = FilterCatalog.options(of: filter.name)
      .filter { !files.contains($0.name) && !hidden.contains($0.name) }
      .map { option in
        var description = ParameterDescription(option)
        description.aliases = option.aliases
        description.isAnimatable = description.kind.isInterpolatable && FilterCommands.takes(option, of: filter.name)
        return description
      }
    if filter.hasTimeline {
      descriptions.append(
        ParameterDescription(
          "enable", .string, default: .string(""), summary: "An expression of t; the filter is active while it is not 0."))
    }
    self.descriptions = descriptions
  }

  /// `filter=key=value:…` with every value that differs from the filter's default.
  func text(_ values: ParameterValues) -> String {
    let set = descriptions.compactMap { description -> String? in
      guard let value = values[description.key], value != description.defaultValue else { return nil }
      return "\(description.key)=\(FilterParameters.quoted(FilterParameters.text(value)))"
    }
    return set.isEmpty ? filter : "\(filter)=\(set.joined(separator: ":"))"
  }

  /// The values that a running graph accepts, in libavfilter's notation.
  func settings(_ values: ParameterValues) -> [String: String] {
    var settings: [String: String] = [:]
    for description in descriptions where description.canChange {
      settings[description.key] = (values[description.key] ?? description.defaultValue).map(FilterParameters.text)
    }
    for (leader, follower) in FilterCommands.followers[filter] ?? [] where follows(follower, in: values) {
      settings[follower] = settings[leader]
    }
    return settings
  }

  /// Whether an option has the default value that makes it follow another option.
  private func follows(_ key: String, in values: ParameterValues) -> Bool {
    guard let description = descriptions.first(where: { $0.key == key }) else { return false }
    return (values[key] ?? description.defaultValue) == description.defaultValue
  }

  private static func text(_ value: ParameterValue) -> String {
    switch value {
    case .bool(let value): return value ? "1" : "0"
    case .integer(let value): return "\(value)"
    case .number(let value): return "\(value)"
    case .string(let value): return value
    case .data(let bytes): return String(decoding: bytes, as: UTF8.self)
    case .list(let values): return values.map(text).joined(separator: " ")
    }
  }

  /// Quotes a value for both levels of libavfilter's unquoting: as part of a graph, then of an option.
  static func quoted(_ value: String) -> String {
    escaped(escaped(value, "\\':"), "\\'[],;")
  }

  private static func escaped(_ text: String, _ special: String) -> String {
    var result = ""
    for (index, character) in text.enumerated() {
      let isOuterSpace = character.isWhitespace && (index == 0 || index == text.count - 1)
      if special.contains(character) || isOuterSpace { result.append("\\") }
      result.append(character)
    }
    return result
  }
}

extension ParameterDescription {
  /// Creates a parameter for an option.
  init(_ option: FilterOption) {
    let words = option.words.map(\.word)
    let summary = option.summary.isEmpty ? option.name : option.summary
    switch option.kind {
    case .bool where option.minimum >= 0:
      self.init(option.name, .bool, default: .bool(option.defaultNumber > 0), summary: summary)
    case .integer where option.isChoice, .bool where option.isChoice:
      let word = option.words.first { Double($0.value) == option.defaultNumber }?.word
      self.init(option.name, .choice(words), default: .string(word ?? words.first ?? ""), summary: summary)
    case .integer, .bool:
      let (least, most) = (Int(saturating: option.minimum), Int(saturating: option.maximum))
      self.init(
        option.name, .integer(minimum: least, maximum: most), default: .integer(Int(saturating: option.defaultNumber)),
        summary: words.isEmpty
          ? summary : "\(summary) (\(option.words.map { "\($0.value) \($0.word)" }.joined(separator: ", ")))")
    case .number, .seconds:
      self.init(
        option.name,
        .number(minimum: option.minimum, maximum: option.maximum, unit: option.kind == .seconds ? "s" : ""),
        default: .number(option.defaultNumber), summary: summary)
    case .text where option.isExpression:
      self.init(option.name, .expression, default: .string(option.defaultText ?? ""), summary: summary)
    case .color, .text:
      let hint = words.isEmpty ? "" : " (\(words.joined(separator: ", ")))"
      self.init(option.name, .string, default: .string(option.defaultText ?? ""), summary: summary + hint)
    }
  }
}

extension FilterOption {
  /// Whether it is an arithmetic expression: libavfilter declares it, or the default is a number.
  fileprivate var isExpression: Bool {
    kind == .text && words.isEmpty && (summary.contains("expression") || defaultText.flatMap(Double.init) != nil)
  }
}

extension Int {
  /// The nearest integer, clamped; 0 for NaN.
  fileprivate init(saturating value: Double) {
    guard !value.isNaN else {
      self = 0
      return
    }
    self = Int(exactly: value.rounded()) ?? (value < 0 ? .min : .max)
  }
}

/// The options that a filter can change between frames, so that their parameters can have keyframes.
package enum FilterCommands {
  /// Whether setting an option in a running graph gives the same frames as a graph created with that value.
  package static func takes(_ option: FilterOption, of filter: String) -> Bool {
    if let names = unmarked[filter], names.contains(option.name) { return true }
    return option.isRuntime && unsound[filter]?.contains(option.name) != true
  }

  /// Options that filters accept as commands although libavfilter does not mark them.
  private static let unmarked: [String: Set<String>] = ["overlay": ["x", "y"]]

  /// Options marked by libavfilter for which a test has shown that a value set later gives different frames, or none at all.
  package static let unsound: [String: Set<String>] = ["pseudocolor": ["index"]]

  /// Options that follow another one while they have their default. Filters evaluate that only on creation, so the follower
  /// is set together with its leader.
  static let followers: [String: [(leader: String, follower: String)]] = [
    "gblur": [("sigma", "sigmaV")], "avgblur": [("sizeX", "sizeY")], "median": [("radius", "radiusV")],
  ]
}
