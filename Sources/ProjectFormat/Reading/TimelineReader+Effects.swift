import CompositorPlugins
import CompositorHost
import CompositorAPI
import CompositorMediaIO
import CompositorTimeline
import CompositorValidation

/// Effects: a name, with parameters that are checked against the schema of the named compositor.
extension TimelineReader {
  func effect(_ value: ProjectValue) throws(CompositorError) -> TimelineEffect {
    let object = try value.object(ProjectSchema.shape("effect"))
    try object.exclude("use", "compositor")
    let range = TimeRange(
      start: try time(object.required("at")), duration: try positive(object.required("duration")))
    if object["use"] != nil { return TimelineEffect(timeRange: range, effect: try effectUse(object)) }
    try object.exclude("compositor", "mask")
    if let stray = object.others.first { throw unknownKey(stray.member, in: object, among: object.shape.keys.map(\.key)) }
    let id = try compositorID(object.required("compositor"))
    let (fixed, animated) = try parameters(object, of: id)
    return TimelineEffect(timeRange: range, compositor: id, parameters: fixed, animatedParameters: animated)
  }

  /// Reads `parameters`: values and keyframes. They are checked if the compositor is known.
  func parameters(
    _ object: ProjectObject, of id: CompositorID
  ) throws(CompositorError) -> (fixed: ParameterValues, animated: AnimatedValues) {
    var (fixed, animated): (ParameterValues, AnimatedValues) = ([:], [:])
    let descriptor = descriptor(of: id)
    object.value.notes?.use(id)
    for (key, value) in try object["parameters"]?.map() ?? [] {
      if let descriptor, descriptor.parameter(named: key) == nil {
        let fault = ParameterSchema.unknown(key, in: descriptor)
        throw value.error("In \(descriptor.id.shortName), \(fault.what)", recoverySuggestion: fault.recoverySuggestion)
      }
      let read = try parameter(value, key, of: descriptor)
      (fixed[key], animated[key]) = (read.fixed, read.animated)
    }
    return (fixed, animated)
  }

  func effectUse(_ value: ProjectValue) throws(CompositorError) -> TimelineEffectUse {
    try effectUse(try value.object(ProjectSchema.shape("effectUse")))
  }

  private func effectUse(_ object: ProjectObject) throws(CompositorError) -> TimelineEffectUse {
    let place = try object.required("use")
    let mask = try object.read("mask", effectMask)
    let (id, descriptor) = try effectID(place)
    var use = TimelineEffectUse(id)
    use.mask = mask
    for (member, value) in object.others {
      let (fixed, animated) = try parameter(value, member, of: descriptor, in: object)
      use.parameters[member.key] = fixed
      use.animatedParameters[member.key] = animated
    }
    if object.shape.keys.contains(where: { $0.key == "parameters" }) { try addParameters(of: object, to: &use, descriptor) }
    if let descriptor {
      let missing = ParameterSchema.faults(of: use.parameters, in: descriptor).first {
        use.parameters[$0.key] == nil && use.animatedParameters[$0.key] == nil
      }
      if let missing {
        throw place.error("Effect \(id.shortName): \(missing.what)", recoverySuggestion: missing.recoverySuggestion)
      }
    }
    return use
  }

  /// Adds the values in `parameters`, which may have keys that mean something else beside `use`: `at` and `duration` are those of the
  /// effect.
  ///
  /// - Throws: `.invalidProject` if the compositor has a parameter of such a name, which would have its default without a word.
  private func addParameters(
    of object: ProjectObject, to use: inout TimelineEffectUse, _ descriptor: CompositorDescriptor?
  ) throws(CompositorError) {
    let (fixed, animated) = try parameters(object, of: use.compositor)
    for key in Set(fixed.keys).union(animated.keys).sorted() {
      guard use.parameters[key] == nil, use.animatedParameters[key] == nil else {
        throw object.value.error("The parameter \(quoted(key)) appears twice.", recoverySuggestion: "Keep one of them.")
      }
      (use.parameters[key], use.animatedParameters[key]) = (fixed[key], animated[key])
    }
    let own = object.shape.keys.map(\.key)
    for key in object.shape.keys.filter(\.isRequired).map(\.key) {
      guard let hidden = descriptor?.parameter(named: key), let place = object[key] else { continue }
      let names = [hidden.key] + hidden.aliases
      // One with another name can be written beside the others, and needn't.
      guard names.allSatisfy({ own.contains($0) && use.parameters[$0] == nil && use.animatedParameters[$0] == nil }) else {
        continue
      }
      throw place.error(
        "\(quoted(key)) is that of the effect, not the parameter of the same name of \(use.compositor.shortName).",
        recoverySuggestion: "Give the parameter a value, too: parameters: { \(key): \(hidden.defaultValue?.text ?? "…") }.")
    }
  }

  private func effectMask(_ value: ProjectValue) throws(CompositorError) -> TimelineEffectMask {
    let object = try value.object(ProjectSchema.shape("effectMask"))
    var mask = TimelineEffectMask(
      try source(try object.required("asset")), sourceStart: try object.read("in", time),
      channel: try object.choice("channel", EffectMask.Channel.self) ?? .luma,
      isInverted: try object.bool("inverted") ?? false)
    mask.videoTrackIndex = try object.integer("videoTrack") ?? 0
    try object.exclude("hold", "loop")
    mask.holdsLastFrame = try object.bool("hold") ?? false
    mask.loop = try object.read("loop", loop) ?? nil
    return mask
  }

  /// The ID of a built-in effect by its short name, or an ID that contains a dot.
  private func effectID(_ value: ProjectValue) throws(CompositorError) -> (CompositorID, CompositorDescriptor?) {
    let name = try value.string()
    let builtIn = CompositorRegistry.builtIn
    if let known = builtIn.descriptors.first(where: { $0.id.shortName == name || $0.id.rawValue == name }) {
      return (known.id, known)
    }
    guard name.contains(".") else {
      let names = builtIn.descriptors(for: .effect).map(\.id.shortName)
      if suggestion(for: name, among: names) == nil, let filter = UnknownCompositor.filter(named: name)?.rawValue {
        value.offer(filter)
        throw value.error(
          "There is no effect \(quoted(name)), but a filter of FFmpeg.", recoverySuggestion: "Did you mean \(quoted(filter))?")
      }
      throw value.error("There is no effect \(quoted(name)).", for: name, among: names)
    }
    return try known(CompositorID(rawValue: name), value)
  }

  /// - Throws: `.compositorNotFound` at the value, if all compositors are known.
  func known(_ id: CompositorID, _ value: ProjectValue) throws(CompositorError) -> (id: CompositorID, CompositorDescriptor?) {
    let descriptor = descriptor(of: id)
    value.notes?.use(id)
    if let registry, descriptor == nil {
      let error = value.error(
        "There is no compositor \(quoted(id.rawValue)).",
        advice: UnknownCompositor.advice(for: id, registry))
      throw CompositorError(
        .compositorNotFound, error.message, advice: error.advice, at: error.location)
    }
    return (id, descriptor)
  }

  func descriptor(of id: CompositorID) -> CompositorDescriptor? { (registry ?? .builtIn)[id]?.descriptor }

  /// A parameter that is written next to other keys.
  func parameter(
    _ value: ProjectValue, _ member: JSON5Member, of descriptor: CompositorDescriptor?, in object: ProjectObject
  ) throws(CompositorError) -> (fixed: ParameterValue?, animated: Animated<ParameterValue>?) {
    if let descriptor, descriptor.parameter(named: member.key) == nil {
      throw unknownKey(member, in: object, among: object.shape.keys.map(\.key) + descriptor.parameters.map(\.key))
    }
    return try parameter(value, member.key, of: descriptor)
  }

  /// A parameter's value or keyframes, checked if the compositor is known.
  private func parameter(
    _ value: ProjectValue, _ key: String, of descriptor: CompositorDescriptor?
  ) throws(CompositorError) -> (fixed: ParameterValue?, animated: Animated<ParameterValue>?) {
    let description = descriptor?.parameter(named: key)
    let value = if let description { try value.settled(as: description.kind) } else { value }
    guard value.isKeyframes else {
      let fixed = try fixed(value, description)
      if let descriptor { try check(fixed, key, value, descriptor) }
      return (fixed, nil)
    }
    if let descriptor, let fault = ParameterSchema.immobility(of: key, in: descriptor) {
      throw value.error("In \(descriptor.id.shortName), \(fault.what)", recoverySuggestion: fault.recoverySuggestion)
    }
    let animation = try keyframes(value, ProjectSchema.shape("parameterKeyframe")) { object, _ throws(CompositorError) in
      let place = try object.required("value")
      // A draft doesn't know the parameters of plugins.
      let value = try description?.isRelative ?? true ? place.relativePoint() : place.keyframeValue()
      if let descriptor { try check(value, key, place, descriptor) }
      return value
    }
    return (nil, animation)
  }

  /// A value with colors and paths in the notation of projects.
  private func fixed(
    _ value: ProjectValue, _ description: ParameterDescription?
  ) throws(CompositorError) -> ParameterValue {
    switch description?.kind {
    case .color where value.isText:
      let color = try value.color()
      return .list([color.red, color.green, color.blue, color.alpha].map { .number($0) })
    case .point where description?.isRelative == true && value.isList: return try value.relativePoint()
    case .easing: return .string(try value.decoded(as: Easing.self).description)
    case .textFile(let limit), .file(let limit):
      let path = try ProjectReader(directory: directory).path(value)
      value.notes?.namesFiles = true
      // Without the registry this is a draft.
      if registry != nil, frameRate != nil {
        do throws(CompositorError) {
          _ = try RegularFile.bytes(of: path, maximumByteCount: limit)
        } catch {
          let located = value.error(error.message, recoverySuggestion: error.recoverySuggestion)
          throw CompositorError(
            error.code, located.message, recoverySuggestion: located.recoverySuggestion,
            cause: [path, error.cause].compactMap(\.self).joined(separator: ": "), at: located.location)
        }
      }
      return .string(path)
    default: return try value.parameter()
    }
  }

  private func check(
    _ value: ParameterValue, _ key: String, _ place: ProjectValue, _ descriptor: CompositorDescriptor
  ) throws(CompositorError) {
    guard let fault = ParameterSchema.faults(of: [key: value], in: descriptor).first(where: { $0.key == key }) else { return }
    throw place.error("In \(descriptor.id.shortName), \(fault.what)", recoverySuggestion: fault.recoverySuggestion)
  }

  func unknownKey(_ member: JSON5Member, in object: ProjectObject, among known: [String]) -> CompositorError {
    object.value.error("There is no key \(quoted(member.key)) here.", ofKey: member, in: object.shape, among: known)
  }
}
