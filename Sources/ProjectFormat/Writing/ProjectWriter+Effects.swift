import CompositorAPI
import CompositorPlugins
import CompositorTimeline
import CompositorValidation

/// Effects with their masks, parameters and explicit instructions.
extension ProjectWriter {
  func effect(_ effect: TimelineEffect, at path: String) throws(CompositorError) -> JSON5Node {
    var object = WrittenObject("effect")
    object.set("at", .time(effect.timeRange.start))
    object.set("duration", .time(effect.timeRange.duration))
    switch effect.content {
    case .effect(let use): try set(use, in: &object, at: path)
    case .compositor(let id, let parameters, let animated):
      object.set("compositor", .text(id.rawValue))
      let written = try self.parameters(parameters, animated, of: id, at: "\(path).parameters")
      object.set("parameters", written.isEmpty ? nil : JSON5Node(.object(written)))
    }
    return object.node
  }

  func effectUses(_ uses: [TimelineEffectUse], at path: String) throws(CompositorError) -> [JSON5Node] {
    var nodes: [JSON5Node] = []
    for (index, use) in uses.enumerated() {
      var object = WrittenObject("effectUse")
      try set(use, in: &object, at: "\(path)[\(index)]")
      nodes.append(object.node)
    }
    return nodes
  }

  /// Adds an effect, with its parameters beside the other keys. Those of the same name as one of these are in `parameters`, if the
  /// object has it.
  private func set(_ use: TimelineEffectUse, in object: inout WrittenObject, at path: String) throws(CompositorError) {
    let isBuiltIn = CompositorRegistry.builtIn[use.compositor] != nil
    object.set("use", .text(isBuiltIn ? use.compositor.shortName : use.compositor.rawValue))
    var hidden: [JSON5Member] = []
    for member in try parameters(use.parameters, use.animatedParameters, of: use.compositor, at: path) {
      if !object.reserves(member.key) {
        object.setParameter(member.key, member.value)
      } else if object.reserves("parameters") {
        hidden.append(member)
      } else {
        throw ProjectWriter.unsupported("a parameter \(quoted(member.key)) of an effect", at: "\(path).\(member.key)")
      }
    }
    if !hidden.isEmpty { object.set("parameters", JSON5Node(.object(hidden))) }
    object.set("mask", use.mask.map(mask))
  }

  private func mask(_ mask: TimelineEffectMask) -> JSON5Node {
    var object = WrittenObject("effectMask")
    object.set("asset", .text(assets.name(of: mask.source)))
    object.set("in", mask.sourceStart.map { .time($0) })
    object.set("channel", mask.channel, default: .luma)
    object.set("inverted", ifTrue: mask.isInverted)
    object.set("hold", ifTrue: mask.holdsLastFrame)
    object.set("loop", mask.loop.map(loop))
    object.set("videoTrack", mask.videoTrackIndex, default: 0) { .integer($0) }
    return object.node
  }

  /// Parameters with values and with keyframes, by key.
  func parameters(
    _ fixed: ParameterValues, _ animated: AnimatedValues, of id: CompositorID, at path: String
  ) throws(CompositorError) -> [JSON5Member] {
    let descriptor = CompositorRegistry.builtIn[id]?.descriptor
    var members: [JSON5Member] = []
    for (key, value) in fixed {
      members.append(
        JSON5Member(key, try parameter(value, of: descriptor?.parameter(named: key)?.kind, at: "\(path).\(key)")))
    }
    for (key, value) in animated {
      let path = "\(path).\(key)"
      guard fixed[key] == nil, case .keyframes(let keyframes) = value else {
        throw ProjectWriter.unsupported("a parameter with a value beside its keyframes", at: path)
      }
      var nodes: [JSON5Node] = []
      for (index, keyframe) in keyframes.enumerated() {
        nodes.append(try parameter(keyframe.value, at: "\(path)[\(index)].value"))
      }
      var rest = nodes[...]
      members.append(
        JSON5Member(key, self.keyframes(keyframes, "parameterKeyframe") { $1.set("value", rest.popFirst()) }))
    }
    return members.sorted { $0.key < $1.key }
  }

  /// - Parameter kind: The kind of the parameter; `nil` if it isn't known. Paths are relative to the project, as other ones are.
  func parameter(
    _ value: ParameterValue, of kind: ParameterDescription.Kind? = nil, at path: String
  ) throws(CompositorError) -> JSON5Node {
    switch (kind, value) {
    case (.textFile?, .string(let file)), (.file?, .string(let file)): return .text(self.path(file))
    default: break
    }
    guard let node = JSON5Node.parameter(value) else {
      throw ProjectWriter.unsupported("the contents of a file", at: path, "Name the file, where the parameter takes a path.")
    }
    return node
  }

  func instruction(_ instruction: TimelineInstruction, at path: String) throws(CompositorError) -> JSON5Node {
    var object = WrittenObject("instruction")
    object.set("at", instruction.start.map { .time($0) })
    object.set("duration", instruction.duration.map { .time($0) })
    object.set("background", instruction.background.map { .color($0) })
    var layers: [JSON5Node] = []
    for (index, layer) in instruction.layers.enumerated() {
      layers.append(try self.layer(layer, at: "\(path).layers[\(index)]"))
    }
    object.set("layers", layers)
    object.set("passthrough", instruction.passthroughTrack.map { .integer($0) })
    object.set("compositor", instruction.compositor, default: .layer) { .text($0.rawValue) }
    let written = try parameters(
      instruction.parameters, instruction.animatedParameters, of: instruction.compositor, at: "\(path).parameters")
    object.set("parameters", written.isEmpty ? nil : JSON5Node(.object(written)))
    object.set("tracks", instruction.additionalTracks.map { .integer($0) })
    object.set("effects", try effectUses(instruction.effects, at: "\(path).effects"))
    return object.node
  }

  private func layer(_ layer: TimelineLayer, at path: String) throws(CompositorError) -> JSON5Node {
    var object = WrittenObject("layer")
    object.set("track", .integer(layer.track))
    setLook(
      WrittenLook(
        fit: layer.fit, opacity: layer.opacity, placement: layer.placement, crop: layer.crop, decoration: layer.decoration,
        sampling: layer.sampling, motionBlur: layer.motionBlur), in: &object)
    // No effects of its own are other than the clip's.
    if let effects = layer.effects { object.set("effects", .list(try effectUses(effects, at: "\(path).effects"))) }
    return object.node
  }
}
