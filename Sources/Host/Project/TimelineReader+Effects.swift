import CompositorAPI

/// Transitions and effects: a name, and parameters beside it that are checked against the schema of whom it names.
extension TimelineReader {
  func transition(_ value: ProjectValue) throws(CompositorError) -> Transition {
    let object = try value.object(ProjectSchema.shape("transition"))
    try object.exclude("type", "compositor")
    let duration = try positive(try object.required("duration"))
    if let compositor = object["compositor"] {
      try object.exclude("compositor", "direction")
      if let stray = object.others.first { throw unknownKey(stray.member, in: object, among: object.shape.keys.map(\.key)) }
      let (fixed, animated) = try parameters(object)
      var transition = Transition(.compositor(try compositorID(compositor), fixed), duration: duration)
      transition.animatedParameters = animated
      return transition
    }
    if let stray = object["parameters"] {
      throw stray.error("Parameters are for a transition by a compositor.", remedy: "Name the compositor, or remove them.")
    }
    let name = try object.string("type") ?? "dissolve"
    guard let kind = TransitionName.kind(name) else {
      throw (object["type"] ?? value).error(
        "\(quoted(name)) is not possible here.", remedy: remedy(for: name, among: TransitionName.all))
    }
    if case .dissolve = kind, try object.string("direction") != nil {
      throw value.error("A dissolve has no direction.", remedy: "Remove it, or write type: \"push\".")
    }
    var animated: [String: Animated<Double>] = [:]
    var transition = Transition(try self.kind(kind, object, &animated), duration: duration)
    transition.animatedParameters = animated
    return transition
  }

  /// The kind with the parameters that stand beside it.
  private func kind(
    _ kind: Transition.Kind, _ object: ProjectObject, _ animated: inout [String: Animated<Double>]
  ) throws(CompositorError) -> Transition.Kind {
    var written = object.others
    if let direction = object["direction"], let member = object.members.first(where: { $0.key == "direction" }) {
      written.append((member, direction))
    }
    switch kind {
    case .dissolve, .compositor:
      if let stray = written.first { throw unknownKey(stray.member, in: object, among: object.shape.keys.map(\.key)) }
      return kind
    case .push:
      if let stray = object.others.first { throw unknownKey(stray.member, in: object, among: object.shape.keys.map(\.key)) }
      guard let direction = try object.choice("direction", Transition.Direction.self) else { return kind }
      return .push(direction)
    case .builtin(let id, let preset):
      var parameters = preset
      let descriptor = CompositorRegistry.builtIn[id]?.descriptor
      for (member, value) in written {
        let read = try parameter(value, member, of: descriptor, in: object)
        animated[member.key] = read.animated
        if let fixed = read.fixed { parameters[member.key] = fixed }
      }
      return .builtin(id, parameters)
    }
  }

  func effect(_ value: ProjectValue) throws(CompositorError) -> TimelineEffect {
    let object = try value.object(ProjectSchema.shape("effect"))
    try object.exclude("use", "compositor")
    let range = TimeRange(
      start: try time(object.required("at")), duration: try positive(object.required("duration")))
    if object["use"] != nil {
      try object.exclude("use", "parameters")
      return TimelineEffect(timeRange: range, effect: try effectUse(object))
    }
    if let stray = object.others.first { throw unknownKey(stray.member, in: object, among: object.shape.keys.map(\.key)) }
    let (fixed, animated) = try parameters(object)
    var effect = TimelineEffect(
      timeRange: range, compositor: try compositorID(object.required("compositor")), parameters: fixed)
    effect.animatedParameters = animated
    return effect
  }

  /// What stands under `parameters`: values and keyframes, for a compositor whose schema is not known here.
  func parameters(
    _ object: ProjectObject
  ) throws(CompositorError) -> (fixed: ParameterValues, animated: [String: Animated<Double>]) {
    var (fixed, animated): (ParameterValues, [String: Animated<Double>]) = ([:], [:])
    for (key, value) in try object["parameters"]?.map() ?? [] {
      if isKeyframes(value) {
        animated[key] = try keyframes(value, ProjectSchema.shape("parameterKeyframe")) { object, _ throws(CompositorError) in
          try object.required("value").number(-1e9...1e9)
        }
      } else {
        fixed[key] = try value.parameter()
      }
    }
    return (fixed, animated)
  }

  func effectUse(_ value: ProjectValue) throws(CompositorError) -> TimelineEffectUse {
    try effectUse(try value.object(ProjectSchema.shape("effectUse")))
  }

  private func effectUse(_ object: ProjectObject) throws(CompositorError) -> TimelineEffectUse {
    let place = try object.required("use")
    let (id, descriptor) = try effectID(place)
    var use = TimelineEffectUse(id)
    for (member, value) in object.others {
      let (fixed, animated) = try parameter(value, member, of: descriptor, in: object)
      use.parameters[member.key] = fixed
      use.animatedParameters[member.key] = animated
    }
    if let descriptor {
      let missing = ParameterSchema.faults(of: use.parameters, in: descriptor).first {
        use.parameters[$0.key] == nil && use.animatedParameters[$0.key] == nil
      }
      if let missing { throw place.error("Effect \(id.shortName): \(missing.what)", remedy: missing.fix) }
    }
    return use
  }

  /// A built-in effect by its short name, or whatever an ID with a dot names.
  private func effectID(_ value: ProjectValue) throws(CompositorError) -> (CompositorID, CompositorDescriptor?) {
    let name = try value.string()
    let registry = CompositorRegistry.builtIn
    if let known = registry.descriptors.first(where: { $0.id.shortName == name || $0.id.rawValue == name }) {
      return (known.id, known)
    }
    guard name.contains(".") else {
      let names = registry.descriptors(for: .effect).map(\.id.shortName)
      throw value.error("There is no effect \(quoted(name)).", remedy: remedy(for: name, among: names))
    }
    return (CompositorID(rawValue: name), nil)
  }

  /// A parameter's value, or its keyframes. Where it is known whose it is, it is checked.
  private func parameter(
    _ value: ProjectValue, _ member: JSON5Member, of descriptor: CompositorDescriptor?, in object: ProjectObject
  ) throws(CompositorError) -> (fixed: ParameterValue?, animated: Animated<Double>?) {
    let description = descriptor?.parameters.first { $0.key == member.key }
    if let descriptor, description == nil {
      throw unknownKey(member, in: object, among: object.shape.keys.map(\.key) + descriptor.parameters.map(\.key))
    }
    if isKeyframes(value) {
      if let description, !description.isAnimatable {
        throw value.error("\(quoted(member.key)) cannot change over time.", remedy: "Give it one value.")
      }
      let shape = ProjectSchema.shape("parameterKeyframe")
      let animation = try keyframes(value, shape) { object, _ throws(CompositorError) in
        let place = try object.required("value")
        let number = try place.number(-1e9...1e9)
        if let descriptor { try check(.number(number), member.key, place, descriptor) }
        return number
      }
      return (nil, animation)
    }
    let fixed = try fixed(value, description)
    if let descriptor { try check(fixed, member.key, value, descriptor) }
    return (fixed, nil)
  }

  private func isKeyframes(_ value: ProjectValue) -> Bool {
    guard case .array(let elements) = value.node.value, case .object? = elements.first?.value else { return false }
    return true
  }

  /// A value, with colours and paths as projects write them.
  private func fixed(
    _ value: ProjectValue, _ description: ParameterDescription?
  ) throws(CompositorError) -> ParameterValue {
    switch description?.kind {
    case .color where value.isText:
      let color = try value.color()
      return .list([color.red, color.green, color.blue, color.alpha].map { .number($0) })
    case .textFile: return .string(try ProjectReader(directory: directory).path(value))
    default: return try value.parameter()
    }
  }

  private func check(
    _ value: ParameterValue, _ key: String, _ place: ProjectValue, _ descriptor: CompositorDescriptor
  ) throws(CompositorError) {
    guard let fault = ParameterSchema.faults(of: [key: value], in: descriptor).first(where: { $0.key == key }) else { return }
    throw place.error("In \(descriptor.id.shortName), \(fault.what)", remedy: fault.fix)
  }

  private func unknownKey(_ member: JSON5Member, in object: ProjectObject, among known: [String]) -> CompositorError {
    object.value.text.error(
      "There is no key \(quoted(member.key)) here.", remedy: remedy(for: member.key, among: known), atByte: member.keyOffset,
      path: NodePath.key(object.value.path, member.key).description)
  }
}
