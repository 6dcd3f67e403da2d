extension AnimationValue: Codable {
  /// Decodes a number, a list of numbers, a string, a list of colors (as the numbers of all), or a path in the notation of a
  /// shape.
  public init(from decoder: any Decoder) throws {
    let single = try decoder.singleValueContainer()
    if let number = try? single.decode(Double.self) {
      self = .numbers([number])
    } else if let numbers = try? single.decode([Double].self) {
      self = .numbers(numbers)
    } else if let text = try? single.decode(String.self) {
      self = .text(text)
    } else if let colors = try? single.decode([ColorNotation].self) {
      self = .numbers(colors.flatMap { [$0.color.red, $0.color.green, $0.color.blue, $0.color.alpha] })
    } else if (try? decoder.container(keyedBy: ShapePath.ShapeKeys.self))?.allKeys.isEmpty == false {
      self = .path(try ShapePath(from: decoder))
    } else {
      throw DecodingError.dataCorruptedError(
        in: single, debugDescription: "a value is a number, a list of numbers, a string, or a list of colors")
    }
  }

  /// Encodes the form that ``init(from:)`` decodes; a path as SVG path data.
  public func encode(to encoder: any Encoder) throws {
    var single = encoder.singleValueContainer()
    switch self {
    case .numbers(let numbers) where numbers.count == 1: try single.encode(numbers[0])
    case .numbers(let numbers): try single.encode(numbers)
    case .text(let text): try single.encode(text)
    case .path(let path): try single.encode(path.svg)
    }
  }

  /// The value in the form that a property needs: a string becomes a color or a path if necessary.
  package func adapted(to property: LayerProperty) throws(CompositorError) -> AnimationValue {
    guard case .text(let text) = self else {
      guard case .numbers(let numbers) = self, property.isColor, numbers.count == 3 else { return self }
      return .numbers(numbers + [1])
    }
    switch property.kind {
    case .text: return self
    case .path: return .path(try ShapePath(svg: text))
    case .numbers where property.isColor:
      guard let color = Color(notation: text) else { break }
      return .color(color)
    default: break
    }
    throw CompositorError(
      .invalidValue, "\"\(text)\" isn't a valid value for \(property.rawValue).",
      recoverySuggestion: "Give numbers, or a color such as \"#ffcc00\" where the property is a color.")
  }
}

extension Animation: Codable {
  private enum CodingKeys: String, CodingKey, CaseIterable {
    case property, from, to, by, values, path, keyTimes, easings, mode, rotation, spring, wiggle, audio, group, transition
    case easing, additive, cumulative
  }

  /// Decodes an animation: `property` with `from`, `to`, `by`; or with `values` or `path`; or with `spring`; or with `by` and
  /// `wiggle`; or with `audio`; or `group`; or `transition`; together with the keys of ``LayerTiming``.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let timing = try LayerTiming(from: decoder)
    if let group = try values.decodeIfPresent([Animation].self, forKey: .group) {
      self.init(.group(group), timing: timing)
    } else if let transition = try values.decodeIfPresent(LayerTransition.self, forKey: .transition) {
      self.init(.transition(transition), timing: timing)
    } else {
      let property = try values.decode(LayerProperty.self, forKey: .property)
      self.init(try Animation.kind(of: property, values), timing: timing)
    }
    easing = try values.decodeIfPresent(Easing.self, forKey: .easing) ?? easing
    isAdditive = try values.read(.additive, or: false)
    isCumulative = try values.read(.cumulative, or: false)
    try requireUsable()
  }

  private static func kind(
    of property: LayerProperty, _ values: KeyedDecodingContainer<CodingKeys>
  ) throws -> Kind {
    func value(_ key: CodingKeys) throws -> AnimationValue? {
      try values.decodeIfPresent(AnimationValue.self, forKey: key)?.adapted(to: property)
    }
    if values.contains(.values) || values.contains(.path) {
      var frames = Keyframes()
      frames.values = try values.read(.values, or: [AnimationValue]()).map { try $0.adapted(to: property) }
      frames.path = try values.decodeIfPresent(ShapePath.self, forKey: .path)
      frames.keyTimes = try values.read(.keyTimes, or: [])
      frames.easings = try values.decodeIfPresent([Easing].self, forKey: .easings) ?? []
      frames.mode = try values.read(.mode, or: .linear)
      frames.rotation = try values.read(.rotation, or: .none)
      return .keyframes(property, frames)
    }
    if let spring = try values.decodeIfPresent(SpringCurve.self, forKey: .spring) {
      return .spring(property, from: try value(.from), to: try value(.to), spring)
    }
    if let wiggle = try values.decodeIfPresent(Wiggle.self, forKey: .wiggle) {
      return .wiggle(property, by: try values.decode(AnimationValue.self, forKey: .by).adapted(to: property), wiggle)
    }
    if let level = try values.decodeIfPresent(AudioLevel.self, forKey: .audio) {
      return .audio(property, from: try value(.from), to: try value(.to), level)
    }
    return .basic(property, from: try value(.from), to: try value(.to), by: try value(.by))
  }

  /// Encodes the form that ``init(from:)`` decodes.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try timing.encode(to: encoder)
    try values.encode(easing, forKey: .easing)
    try values.encode(isAdditive, forKey: .additive)
    try values.encode(isCumulative, forKey: .cumulative)
    switch kind {
    case .basic(let property, let from, let to, let by):
      try values.encode(property, forKey: .property)
      try values.encodeIfPresent(from, forKey: .from)
      try values.encodeIfPresent(to, forKey: .to)
      try values.encodeIfPresent(by, forKey: .by)
    case .keyframes(let property, let frames):
      try values.encode(property, forKey: .property)
      try values.encode(frames.values, forKey: .values)
      try values.encodeIfPresent(frames.path, forKey: .path)
      try values.encode(frames.keyTimes, forKey: .keyTimes)
      try values.encode(frames.easings, forKey: .easings)
      try values.encode(frames.mode, forKey: .mode)
      try values.encode(frames.rotation, forKey: .rotation)
    case .spring(let property, let from, let to, let spring):
      try values.encode(property, forKey: .property)
      try values.encodeIfPresent(from, forKey: .from)
      try values.encodeIfPresent(to, forKey: .to)
      try values.encode(spring, forKey: .spring)
    case .wiggle(let property, let by, let wiggle):
      try values.encode(property, forKey: .property)
      try values.encode(by, forKey: .by)
      try values.encode(wiggle, forKey: .wiggle)
    case .audio(let property, let from, let to, let level):
      try values.encode(property, forKey: .property)
      try values.encodeIfPresent(from, forKey: .from)
      try values.encodeIfPresent(to, forKey: .to)
      try values.encode(level, forKey: .audio)
    case .group(let group): try values.encode(group, forKey: .group)
    case .transition(let transition): try values.encode(transition, forKey: .transition)
    }
  }
}
