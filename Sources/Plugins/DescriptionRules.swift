import CompositorAPI

/// Rules for the descriptions of a plugin's compositors. They apply to descriptions from any source: a library, or a worker,
/// whose plugin may have forged the answer.
///
/// A forged description may be as long as a reply. The rules therefore take time in proportion to its length, in small steps:
/// each calls `check` before it, which ends the rules by throwing. (`DescriptionRules+Presets.swift` is about presets.)
enum DescriptionRules {
  private static let mostCompositors = 2000
  static let mostParameters = 1000
  static let mostChoices = 10_000
  private static let mostFormats = 1000
  /// Unicode scalars, or bytes of UTF-8 where nothing but names is valid.
  static let longestName = 200
  /// Unicode scalars.
  private static let longestText = 2000
  /// Bytes of UTF-8.
  private static let longestEasing = 10_000
  /// A message to a worker, in which files are twice as long, has at most 64 MiB.
  private static let largestFile = 24 << 20

  /// The first violation of the rules; `nil` if there is none.
  static func fault(in descriptors: [CompositorDescriptor], of specification: PluginSpecification) -> String? {
    fault(in: descriptors, of: specification) { () throws(Never) in }
  }

  /// The first violation of the rules; `nil` if there is none.
  ///
  /// - Parameter check: Called often. What it throws ends the rules.
  static func fault<Failure: Error>(
    in descriptors: [CompositorDescriptor], of specification: PluginSpecification, meanwhile check: () throws(Failure) -> Void
  ) throws(Failure) -> String? {
    if descriptors.count > mostCompositors {
      return "The plugin provides more than \(mostCompositors) compositors."
    }
    // Before they are compared: an ID that is within the rules is short.
    if let fault = descriptors.lazy.compactMap({ fault(inID: $0.id.rawValue, of: specification) }).first { return fault }
    if let id = try firstRepeated(descriptors.map(\.id.rawValue), check) {
      return "The plugin provides “\(shown(id))” twice."
    }
    for descriptor in descriptors {
      if let fault = try fault(in: descriptor, of: specification, check) { return fault }
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

  static func shownName(_ name: String) -> String { shown(TextCleaning.shortened(name, to: longestName)) }

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

  private static func fault<Failure: Error>(
    in descriptor: CompositorDescriptor, of specification: PluginSpecification, _ check: () throws(Failure) -> Void
  ) throws(Failure) -> String? {
    let id = descriptor.id.rawValue
    if descriptor.parameters.count > mostParameters {
      return "The compositor “\(id)” has more than \(mostParameters) parameters."
    }
    let keys = descriptor.parameters.flatMap { [$0.key] + $0.aliases }
    if let key = try first(of: keys, check, where: { !isName($0) }) {
      let name = shownName(key)
      return "The parameter key “\(name)” of “\(id)” is empty, too long or has invalid characters."
    }
    if let key = try firstRepeated(keys, check) { return "The compositor “\(id)” has the parameter “\(key)” twice." }
    if let fault = faultInFrames(of: descriptor, specification) { return fault }
    for parameter in descriptor.parameters {
      guard let fault = try fault(in: parameter, of: specification, check) else { continue }
      return "The parameter “\(parameter.key)” of “\(id)” has \(fault)."
    }
    return try faultInPresets(of: descriptor, check)
  }

  /// The first violation of the rules for the frames that a compositor takes and makes, and for their order.
  private static func faultInFrames(of descriptor: CompositorDescriptor, _ specification: PluginSpecification) -> String? {
    let id = descriptor.id.rawValue
    if descriptor.sourceFormats == .oneOf([]) { return "The compositor “\(id)” lists no source formats." }
    var lists = [descriptor.outputFormats]
    if case .oneOf(let formats) = descriptor.sourceFormats { lists.append(formats) }
    if lists.contains(where: { $0.count > mostFormats }) {
      return "The compositor “\(id)” lists more than \(mostFormats) formats."
    }
    if let device = descriptor.device {
      return "The compositor “\(id)” takes frames of the device “\(shownName("\(device)"))”, which plugins cannot."
    }
    // Filters of libavfilter and frei0r may.
    if case .binary = specification, descriptor.concurrency == .inOrder { return ordered(id) }
    return nil
  }

  /// A sentence about a plugin's compositor that asks for its frames in order.
  static func ordered(_ id: String) -> String {
    "The compositor “\(id)” keeps state from frame to frame (in order), which plugins cannot."
  }

  private static func fault<Failure: Error>(
    in parameter: ParameterDescription, of specification: PluginSpecification, _ check: () throws(Failure) -> Void
  ) throws(Failure) -> String? {
    switch parameter.kind {
    case .integer(let minimum, let maximum) where minimum > maximum: return "no range"
    case .number(let minimum, let maximum, _) where !(minimum.isFinite && maximum.isFinite && minimum <= maximum):
      return "no range"
    case .choice(let words):
      if words.isEmpty { return "no choices" }
      if words.count > mostChoices { return "more than \(mostChoices) choices" }
      if let word = try first(of: words, check, where: { !isDisplayable($0) }) {
        return "the choice “\(shownName(word))”, which is too long or cannot be displayed"
      }
      if let word = try firstRepeated(words, check) { return "the choice “\(word)” twice" }
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
    guard case .binary = specification, let value = parameter.defaultValue, let expected = mismatch(parameter.kind, value)
    else { return nil }
    return "the default \(shown(value.text)), which is not \(shown(expected))"
  }

  /// The kind of value that was expected; `nil` if the value fits.
  static func mismatch(_ kind: ParameterDescription.Kind, _ value: ParameterValue) -> String? {
    // Reading a long easing takes seconds.
    if case (.easing, .string(let text)) = (kind, value), text.utf8.count > longestEasing {
      return "an easing of at most \(longestEasing) bytes"
    }
    return kind.mismatch(value)
  }

  /// The first string that comes twice; all are short.
  static func firstRepeated<Failure: Error>(
    _ names: [String], _ check: () throws(Failure) -> Void
  ) throws(Failure) -> String? {
    var seen: Set<String> = []
    return try first(of: names, check) { !seen.insert($0).inserted }
  }

  /// The first string that meets a condition.
  static func first<Failure: Error>(
    of names: [String], _ check: () throws(Failure) -> Void, where isFound: (String) -> Bool
  ) throws(Failure) -> String? {
    for name in names {
      try check()
      if isFound(name) { return name }
    }
    return nil
  }

  /// Whether an ID consists of letters, digits, hyphens and underscores between single dots.
  static func isIdentifier(_ id: String) -> Bool {
    id.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) }
      && !id.split(separator: ".", omittingEmptySubsequences: false).contains("")
  }

  /// Whether a string has the length of a name at most, and no control characters.
  static func isDisplayable(_ text: String) -> Bool {
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
    clean(for: specification) { () throws(Never) in }
  }

  /// Checks what a worker states about its plugin, and makes the strings displayable.
  ///
  /// - Parameter check: Called often. What it throws ends the checks.
  /// - Returns: The first fault; `nil` if there is none.
  mutating func clean<Failure: Error>(
    for specification: PluginSpecification, meanwhile check: () throws(Failure) -> Void
  ) throws(Failure) -> String? {
    try check()
    let descriptors = compositors.map(\.descriptor)
    if let fault = try DescriptionRules.fault(in: descriptors, of: specification, meanwhile: check) { return fault }
    for index in compositors.indices {
      try check()
      compositors[index].descriptor = DescriptionRules.cleaned(compositors[index].descriptor)
    }
    let schemas = processors.map(\.schema)
    if let fault = try DescriptionRules.fault(in: schemas, of: specification, meanwhile: check) { return fault }
    processors = processors.map(DescriptionRules.cleaned)
    notes = notes.prefix(8).map(DescriptionRules.shown)
    return nil
  }
}
