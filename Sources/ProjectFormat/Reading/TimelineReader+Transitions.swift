import CompositorAPI
import CompositorPlugins
import CompositorTimeline

/// Transitions: a name or a compositor, with parameters that are checked against the schema of the named compositor.
extension TimelineReader {
  func transition(_ value: ProjectValue) throws(CompositorError) -> Transition {
    if value.isText {
      let (name, length) = Timeline.jointWords(try value.string())
      throw value.mismatch(
        "an object (a transition)", advice: "Write its keys in braces: { type: \(quoted(name)), duration: \(quoted(length)) }.")
    }
    let object = try value.object(ProjectSchema.shape("transition"))
    try object.exclude("type", "compositor")
    let length = try object.required("duration")
    let known = try knownTime(length)
    if let known, known <= .zero {
      throw length.error(
        "A transition lasts more than 0.",
        recoverySuggestion: "Write a time such as \"1s\", or remove the transition for a cut.")
    }
    let audio = try object.choice("audio", AudioCrossFade.self) ?? .equalPower
    var transition =
      if let compositor = object["compositor"] {
        try self.transition(by: compositor, object)
      } else {
        try namedTransition(value, object)
      }
    transition.duration = known ?? .zero
    transition.audio = audio
    return transition
  }

  /// A transition by a compositor, without its duration.
  private func transition(by compositor: ProjectValue, _ object: ProjectObject) throws(CompositorError) -> Transition {
    try object.exclude("compositor", "direction")
    try object.exclude("compositor", "easing")
    if let stray = object.others.first { throw unknownKey(stray.member, in: object, among: object.shape.keys.map(\.key)) }
    let id = try compositorID(compositor)
    let (fixed, animated) = try parameters(object, of: id)
    var transition = Transition(.compositor(id, fixed), duration: .zero)
    transition.animatedParameters = animated
    return transition
  }

  /// A transition of the built-in kinds, without its duration.
  private func namedTransition(_ value: ProjectValue, _ object: ProjectObject) throws(CompositorError) -> Transition {
    if let stray = object["parameters"] {
      throw stray.error(
        "Parameters are for a transition by a compositor.", recoverySuggestion: "Name the compositor, or remove them.")
    }
    let name = try object.string("type") ?? "dissolve"
    guard let kind = TransitionName.kind(name) else {
      if name.contains(".") {
        throw (object["type"] ?? value).error(
          "\(quoted(name)) is not the name of a transition, but may be that of a compositor.",
          recoverySuggestion: "Write compositor: \(quoted(name)) instead of type.")
      }
      throw (object["type"] ?? value).error("\(quoted(name)) is not possible here.", for: name, among: TransitionName.all)
    }
    if case .dissolve? = kind.layers, try object.string("direction") != nil {
      throw value.error("A dissolve has no direction.", recoverySuggestion: "Remove it, or write type: \"push\".")
    }
    var animated: AnimatedValues = [:]
    let read = try self.kind(kind, object, &animated)
    try checkName(name, of: kind, against: read, object)
    if let written = object["color"], let named = TransitionName.color(of: name),
      animated["color"] != nil || read.parameters["color"]?.color != named.color
    {
      throw written.error(
        "The type \(quoted(name)) has the color \(named.word).",
        recoverySuggestion: "Write type: \"\(kind.compositor.shortName)\", or leave the color out.")
    }
    var transition = Transition(read, duration: .zero)
    if kind.layers != nil { transition.easing = try object.read("easing", easing) ?? .linear }
    transition.animatedParameters = animated
    return transition
  }

  /// Refuses a parameter that contradicts the name: `direction: "right"` beside `wipe-left`.
  private func checkName(
    _ name: String, of named: Transition.Kind, against read: Transition.Kind, _ object: ProjectObject
  ) throws(CompositorError) {
    let short = named.compositor.shortName
    guard name != short else { return }
    for (key, value) in named.parameters {
      guard case .string(let said) = value, case .string(let other)? = read.parameters[key], other != said,
        let written = object[key]
      else { continue }
      throw written.error(
        "The type \(quoted(name)) has the \(key) \(quoted(said)).",
        recoverySuggestion: "Write type: \(quoted("\(short)-\(other)")), or leave the \(key) out.")
    }
  }

  private func easing(_ value: ProjectValue) throws(CompositorError) -> Easing { try value.decoded(as: Easing.self) }

  /// The kind with the parameters from the same object.
  private func kind(
    _ kind: Transition.Kind, _ object: ProjectObject, _ animated: inout AnimatedValues
  ) throws(CompositorError) -> Transition.Kind {
    var written = object.others
    // The easing of layers is read as that of keyframes.
    let ownKeys = kind.layers == nil ? ["direction", "easing"] : ["direction"]
    for member in object.members where ownKeys.contains(member.key) {
      if let value = object[member.key] { written.append((member, value)) }
    }
    switch kind.layers {
    case .dissolve?:
      if let stray = written.first { throw unknownKey(stray.member, in: object, among: object.shape.keys.map(\.key)) }
      return kind
    case .push?:
      if let stray = object.others.first { throw unknownKey(stray.member, in: object, among: object.shape.keys.map(\.key)) }
      guard let direction = try object.choice("direction", Transition.Direction.self) else { return kind }
      return .push(direction)
    case nil:
      var parameters = kind.parameters
      let descriptor = descriptor(of: kind.compositor)
      object.value.notes?.use(kind.compositor)
      for (member, value) in written {
        let read = try parameter(value, member, of: descriptor, in: object)
        animated[member.key] = read.animated
        if let fixed = read.fixed { parameters[member.key] = fixed }
      }
      return .compositor(kind.compositor, parameters)
    }
  }
}
