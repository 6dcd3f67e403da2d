import CompositorAPI

/// Rules for the descriptions of a plugin's compositors. They apply to descriptions from any source: a library, or a worker,
/// whose plugin may have forged the answer.
enum DescriptionRules {
  private static let mostCompositors = 2000
  private static let mostParameters = 1000
  private static let mostChoices = 10_000
  /// Unicode scalars, or bytes of UTF-8 where nothing but names is valid.
  static let longestName = 200
  /// Unicode scalars.
  private static let longestText = 2000
  /// A message to a worker, in which files are twice as long, has at most 64 MiB.
  private static let largestFile = 24 << 20

  /// The first violation of the rules; `nil` if there is none.
  static func fault(in descriptors: [CompositorDescriptor], of specification: PluginSpecification) -> String? {
    if descriptors.count > mostCompositors {
      return "The plugin provides more than \(mostCompositors) compositors."
    }
    // Before they are compared: an ID that is within the rules is short.
    if let fault = descriptors.lazy.compactMap({ fault(inID: $0.id.rawValue, of: specification) }).first { return fault }
    if let id = firstRepeated(descriptors.map(\.id.rawValue)) { return "The plugin provides “\(shown(id))” twice." }
    for descriptor in descriptors {
      if let fault = fault(in: descriptor, of: specification) { return fault }
    }
    return nil
  }

  /// A copy with strings in displayable form: without control characters and of limited length. IDs, keys and enumerated
  /// values, which ``fault(in:of:)`` checks, are unchanged.
  static func cleaned(_ descriptor: CompositorDescriptor) -> CompositorDescriptor {
    var descriptor = descriptor
    descriptor.name = shown(descriptor.name)
    descriptor.version = shown(descriptor.version)
    descriptor.summary = shown(descriptor.summary)
    for index in descriptor.parameters.indices {
      descriptor.parameters[index].summary = shown(descriptor.parameters[index].summary)
      descriptor.parameters[index].label = shown(descriptor.parameters[index].label)
      descriptor.parameters[index].group = shown(descriptor.parameters[index].group)
      if case .number(let minimum, let maximum, let unit) = descriptor.parameters[index].kind {
        descriptor.parameters[index].kind = .number(minimum: minimum, maximum: maximum, unit: shown(unit))
      }
    }
    for index in descriptor.presets.indices {
      descriptor.presets[index].summary = shown(descriptor.presets[index].summary)
    }
    return descriptor
  }

  /// The same for an audio processor.
  static func cleaned(_ descriptor: AudioProcessorDescriptor) -> AudioProcessorDescriptor {
    let schema = cleaned(descriptor.schema)
    var descriptor = descriptor
    (descriptor.name, descriptor.version, descriptor.summary) = (schema.name, schema.version, schema.summary)
    descriptor.parameters = schema.parameters
    return descriptor
  }

  static func shown(_ text: String) -> String { TextCleaning.withoutControls(TextCleaning.shortened(text, to: longestText)) }

  private static func shownName(_ name: String) -> String { shown(TextCleaning.shortened(name, to: longestName)) }

  private static func fault(inID id: String, of specification: PluginSpecification) -> String? {
    let own: String? =
      switch specification {
      case .binary: nil
      case .avfilter: FilterCollection.avfilter.prefix
      case .frei0r: FilterCollection.frei0r.prefix
      }
    // Names of filters come from their libraries.
    if !isName(id) || own == nil && !isIdentifier(id) {
      return """
        The compositor ID “\(shownName(id))” is empty, too long or has invalid characters: valid are letters, \
        digits, hyphens and underscores between single dots.
        """
    }
    if let own { return id.hasPrefix(own) ? nil : "The compositor “\(id)” has an ID that does not begin with “\(own)”." }
    let kept = [("builtin.", "the host's own compositors")] + FilterCollection.allCases.map { ($0.prefix, "filters") }
    return kept.first { id.hasPrefix($0.0) }.map { prefix, owner in
      "The compositor “\(id)” has an ID that begins with “\(prefix)”, which is reserved for \(owner)."
    }
  }

  private static func fault(in descriptor: CompositorDescriptor, of specification: PluginSpecification) -> String? {
    let id = descriptor.id.rawValue
    if descriptor.parameters.count > mostParameters {
      return "The compositor “\(id)” has more than \(mostParameters) parameters."
    }
    let keys = descriptor.parameters.flatMap { [$0.key] + $0.aliases }
    if let key = keys.first(where: { !isName($0) }) {
      let name = shownName(key)
      return "The parameter key “\(name)” of “\(id)” is empty, too long or has invalid characters."
    }
    if let key = firstRepeated(keys) { return "The compositor “\(id)” has the parameter “\(key)” twice." }
    if descriptor.sourceFormats == .oneOf([]) { return "The compositor “\(id)” lists no source formats." }
    for parameter in descriptor.parameters {
      guard let fault = fault(in: parameter, of: specification) else { continue }
      return "The parameter “\(parameter.key)” of “\(id)” has \(fault)."
    }
    return faultInPresets(of: descriptor)
  }

  private static func faultInPresets(of descriptor: CompositorDescriptor) -> String? {
    let (id, presets) = (descriptor.id.rawValue, descriptor.presets)
    if presets.count > mostParameters {
      return "The compositor “\(id)” has more than \(mostParameters) presets."
    }
    // By key: there may be many values.
    let parameters = Dictionary(descriptor.parameters.map { ($0.key, $0) }) { first, _ in first }
    if let preset = presets.first(where: { $0.name.isEmpty || !isDisplayable($0.name) }) {
      let name = shownName(preset.name)
      return "The compositor “\(id)” has the preset “\(name)”, whose name is empty, too long or cannot be displayed."
    }
    if let name = firstRepeated(presets.map(\.name)) { return "The compositor “\(id)” has the preset “\(name)” twice." }
    // Presets may be as many as choices: comparing each with each could take hours.
    let choices = parameters.compactMapValues { if case .choice(let words) = $0.kind { Set(words) } else { nil } }
    func isRight(_ key: String, _ value: ParameterValue) -> Bool {
      guard let parameter = parameters[key], parameter.kind.fileLimit == nil else { return false }
      guard let words = choices[key] else { return parameter.kind.mismatch(value) == nil }
      if case .string(let word) = value { return words.contains(word) }
      return false
    }
    for preset in presets {
      let wrong = preset.values.filter { !isRight($0.key, $0.value) }.min { $0.key < $1.key }
      guard let (key, value) = wrong else { continue }
      let name = preset.name
      guard let parameter = parameters[key], parameter.kind.fileLimit == nil, let expected = parameter.kind.mismatch(value)
      else {
        let shownKey = shownName(key)
        return "The preset “\(name)” of “\(id)” has a value for “\(shownKey)”, which takes none from presets."
      }
      return "The preset “\(name)” of “\(id)” has \(shown(value.text)) for “\(key)”, which is not \(shown(expected))."
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
      if words.count > mostChoices { return "more than \(mostChoices) choices" }
      if let word = words.first(where: { !isDisplayable($0) }) {
        return "the choice “\(shownName(word))”, which is too long or cannot be displayed"
      }
      if let word = firstRepeated(words) { return "the choice “\(word)” twice" }
    case .textFile(let maximum), .file(let maximum):
      if maximum <= 0 { return "a maximum size of 0" }
      if maximum > largestFile { return "a maximum size of \(maximum) bytes; the limit is \(largestFile)" }
      // The host reads the file; only the edit may select it, never the plugin.
      guard [nil, .string(""), .data([])].contains(parameter.defaultValue) else {
        return "a default file, which is not allowed"
      }
      return nil
    default: break
    }
    // Filters have defaults outside their ranges, such as NaN for "not given".
    guard case .binary = specification, let value = parameter.defaultValue, let expected = parameter.kind.mismatch(value) else {
      return nil
    }
    return "the default \(shown(value.text)), which is not \(shown(expected))"
  }

  /// The first string that comes twice; all are short.
  private static func firstRepeated(_ names: [String]) -> String? {
    var seen: Set<String> = []
    return names.first { !seen.insert($0).inserted }
  }

  /// Whether an ID consists of letters, digits, hyphens and underscores between single dots.
  static func isIdentifier(_ id: String) -> Bool {
    id.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) }
      && !id.split(separator: ".", omittingEmptySubsequences: false).contains("")
  }

  /// Whether a string has the length of a name at most, and no control characters.
  private static func isDisplayable(_ text: String) -> Bool {
    text.unicodeScalars.count <= longestName && TextCleaning.withoutControls(text) == text
  }

  /// Whether a string can be used as a name in a project file, on a command line and in a list without ambiguity.
  private static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= longestName && TextCleaning.withoutControls(text) == text
      && !text.unicodeScalars.contains { $0.properties.isWhitespace || $0.properties.generalCategory == .unassigned }
  }
}

extension WirePlugin {
  /// Checks what a worker states about its plugin, and makes the strings displayable.
  ///
  /// - Returns: The first fault; `nil` if there is none.
  mutating func clean(for specification: PluginSpecification) -> String? {
    if let fault = DescriptionRules.fault(in: compositors.map(\.descriptor), of: specification) { return fault }
    for index in compositors.indices { compositors[index].descriptor = DescriptionRules.cleaned(compositors[index].descriptor) }
    if let fault = DescriptionRules.fault(in: processors.map(\.schema), of: specification) { return fault }
    processors = processors.map(DescriptionRules.cleaned)
    notes = notes.prefix(8).map(DescriptionRules.shown)
    return nil
  }
}
