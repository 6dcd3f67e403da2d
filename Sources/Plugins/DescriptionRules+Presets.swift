import CompositorAPI

/// The rules for presets.
extension DescriptionRules {
  /// Of all presets of a compositor.
  private static let mostPresetValues = 50_000

  /// The first violation of the rules for a compositor's presets; `nil` if there is none. Its parameters are within the rules.
  static func faultInPresets<Failure: Error>(
    of descriptor: CompositorDescriptor, _ check: () throws(Failure) -> Void
  ) throws(Failure) -> String? {
    let (id, presets) = (descriptor.id.rawValue, descriptor.presets)
    if presets.count > mostParameters {
      return "The compositor “\(id)” has more than \(mostParameters) presets."
    }
    if presets.reduce(0, { $0 + $1.values.count }) > mostPresetValues {
      return "The presets of “\(id)” have more than \(mostPresetValues) values."
    }
    if let preset = presets.first(where: { $0.name.isEmpty || !isDisplayable($0.name) }) {
      let name = shownName(preset.name)
      return "The compositor “\(id)” has the preset “\(name)”, whose name is empty, too long or cannot be displayed."
    }
    if let name = try firstRepeated(presets.map(\.name), check) {
      return "The compositor “\(id)” has the preset “\(name)” twice."
    }
    let rules = try PresetRules(descriptor.parameters, check)
    for preset in presets {
      var wrong: (key: String, value: ParameterValue)?
      for (key, value) in preset.values {
        try check()
        if !rules.allow(value, for: key), wrong.map({ key < $0.key }) ?? true { wrong = (key, value) }
      }
      if let wrong { return rules.fault(in: preset, of: id, wrong.key, wrong.value) }
    }
    return nil
  }
}

/// The values that a compositor's presets may have.
private struct PresetRules {
  /// By key: there may be many values.
  private let parameters: [String: ParameterDescription]
  /// The words of choices, by key. Presets may be as many as words: comparing each with each could take hours.
  private var words: [String: Set<String>] = [:]

  init<Failure: Error>(
    _ descriptions: [ParameterDescription], _ check: () throws(Failure) -> Void
  ) throws(Failure) {
    parameters = Dictionary(descriptions.map { ($0.key, $0) }) { first, _ in first }
    for parameter in descriptions {
      guard case .choice(let choices) = parameter.kind else { continue }
      var known: Set<String> = []
      for word in choices {
        try check()
        known.insert(word)
      }
      words[parameter.key] = known
    }
  }

  /// Whether a preset may have a value.
  func allow(_ value: ParameterValue, for key: String) -> Bool {
    guard let kind = parameters[key]?.kind, kind.fileLimit == nil else { return false }
    guard let known = words[key] else { return DescriptionRules.mismatch(kind, value) == nil }
    if case .string(let word) = value { return known.contains(word) }
    return false
  }

  /// A sentence about a value that isn't allowed.
  func fault(
    in preset: ParameterPreset, of id: String, _ key: String, _ value: ParameterValue
  ) -> String {
    let (name, shown) = (preset.name, DescriptionRules.shown)
    guard let kind = parameters[key]?.kind, kind.fileLimit == nil, let expected = DescriptionRules.mismatch(kind, value) else {
      let shownKey = DescriptionRules.shownName(key)
      return "The preset “\(name)” of “\(id)” has a value for “\(shownKey)”, which takes none from presets."
    }
    return "The preset “\(name)” of “\(id)” has \(shown(value.text)) for “\(key)”, which is not \(shown(expected))."
  }
}
