import CompositorAPI

/// What the descriptions of a plugin's compositors must keep to, wherever they come from: a library that speaks for itself, or a worker
/// in which a plugin can answer in its place.
enum DescriptionRules {
  private static let mostCompositors = 2000
  private static let mostParameters = 1000
  private static let longestName = 200
  private static let longestText = 2000

  /// The first thing that is wrong; nil where nothing is.
  static func fault(in descriptors: [CompositorDescriptor], of specification: PluginSpecification) -> String? {
    if descriptors.count > mostCompositors {
      return "The plugin brings \(descriptors.count) compositors; \(mostCompositors) are the most."
    }
    if let id = firstRepeated(descriptors.map(\.id.rawValue)) { return "The plugin brings “\(shown(id))” twice." }
    for descriptor in descriptors {
      if let fault = fault(inID: descriptor.id.rawValue, of: specification) ?? fault(in: descriptor, of: specification) {
        return fault
      }
    }
    return nil
  }

  /// Texts as they may be shown: without control characters, of bounded length. IDs, keys and words, which ``fault(in:of:)`` has
  /// looked at, stay as they are.
  static func cleaned(_ descriptor: CompositorDescriptor) -> CompositorDescriptor {
    var descriptor = descriptor
    descriptor.name = shown(descriptor.name)
    descriptor.version = shown(descriptor.version)
    descriptor.summary = shown(descriptor.summary)
    for index in descriptor.parameters.indices {
      descriptor.parameters[index].summary = shown(descriptor.parameters[index].summary)
      descriptor.parameters[index].group = shown(descriptor.parameters[index].group)
      if case .number(let minimum, let maximum, let unit) = descriptor.parameters[index].kind {
        descriptor.parameters[index].kind = .number(minimum: minimum, maximum: maximum, unit: shown(unit))
      }
    }
    return descriptor
  }

  static func shown(_ text: String) -> String { TextCleaning.withoutControls(String(text.prefix(longestText))) }

  private static func fault(inID id: String, of specification: PluginSpecification) -> String? {
    if !isName(id) {
      return "The compositor ID “\(shown(String(id.prefix(longestName))))” is empty, too long or no plain word."
    }
    let own: String? =
      switch specification {
      case .binary: nil
      case .avfilter: "avfilter."
      case .frei0r: "frei0r."
      }
    if let own { return id.hasPrefix(own) ? nil : "The compositor “\(id)” has an ID that does not begin with “\(own)”." }
    let kept = ["builtin.": "the host's own compositors", "avfilter.": "filters", "frei0r.": "filters"]
    return kept.first { id.hasPrefix($0.key) }.map {
      "The compositor “\(id)” has an ID that begins with “\($0.key)”, which is kept for \($0.value)."
    }
  }

  private static func fault(in descriptor: CompositorDescriptor, of specification: PluginSpecification) -> String? {
    let id = descriptor.id.rawValue
    if descriptor.parameters.count > mostParameters {
      return "The compositor “\(id)” has \(descriptor.parameters.count) parameters; \(mostParameters) are the most."
    }
    let keys = descriptor.parameters.flatMap { [$0.key] + $0.aliases }
    if let key = keys.first(where: { !isName($0) }) {
      return "The parameter key “\(shown(String(key.prefix(longestName))))” of “\(id)” is empty, too long or no plain word."
    }
    if let key = firstRepeated(keys) { return "The compositor “\(id)” has the parameter “\(key)” twice." }
    if descriptor.sourceFormats == .oneOf([]) { return "The compositor “\(id)” lists no source formats." }
    for parameter in descriptor.parameters {
      guard let fault = fault(in: parameter, of: specification) else { continue }
      return "The parameter “\(parameter.key)” of “\(id)” has \(fault)."
    }
    return nil
  }

  private static func fault(in parameter: ParameterDescription, of specification: PluginSpecification) -> String? {
    switch parameter.kind {
    case .integer(let minimum, let maximum) where minimum > maximum: return "no range"
    case .number(let minimum, let maximum, _) where !(minimum.isFinite && maximum.isFinite && minimum <= maximum):
      return "no range"
    case .choice(let words):
      if words.isEmpty { return "no choices" }
      if let word = words.first(where: { $0.count > longestName || shown($0) != $0 }) {
        return "the choice “\(shown(String(word.prefix(longestName))))”, which is too long or cannot be shown"
      }
      if let word = firstRepeated(words) { return "the choice “\(word)” twice" }
    case .textFile(let maximum):
      if maximum <= 0 { return "no room for its text" }
      // The host reads the file: which one is for the edit to say, never for the plugin.
      guard [nil, .string("")].contains(parameter.defaultValue) else { return "a file for its default, which none may be" }
      return nil
    default: break
    }
    // Filters have defaults outside of their ranges, such as no number for "not given".
    guard case .binary = specification, let value = parameter.defaultValue, let expected = parameter.kind.mismatch(value) else {
      return nil
    }
    return "the default \(shown(value.text)), which is not \(shown(expected))"
  }

  private static func firstRepeated(_ names: [String]) -> String? {
    var seen: Set<String> = []
    return names.first { !seen.insert($0).inserted }
  }

  /// Whether a text can stand in a project file, a command line and a list without being taken for something else.
  private static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= longestName && TextCleaning.withoutControls(text) == text
      && !text.unicodeScalars.contains { $0.properties.isWhitespace || $0.properties.generalCategory == .unassigned }
  }
}

extension WirePlugin {
  /// Checks what a worker says of its plugin, and makes its texts fit to be shown.
  ///
  /// - Returns: What is wrong; nil where nothing is.
  mutating func clean(for specification: PluginSpecification) -> String? {
    if let fault = DescriptionRules.fault(in: compositors.map(\.descriptor), of: specification) { return fault }
    for index in compositors.indices { compositors[index].descriptor = DescriptionRules.cleaned(compositors[index].descriptor) }
    notes = notes.prefix(8).map(DescriptionRules.shown)
    return nil
  }
}
