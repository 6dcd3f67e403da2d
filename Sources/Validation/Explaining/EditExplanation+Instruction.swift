import CompositorAPI
import CompositorPlugins

extension EditExplanation.Instruction {
  init(_ instruction: Instruction, index: Int, plan: RenderPlan) throws(CompositorError) {
    let range = instruction.timeRange
    start = range.start
    end = range.end
    frameCount = plan.frames(in: range).count
    compositor = instruction.compositor
    (route, reason) = try plan.route(ofInstruction: index)
    layers = instruction.layers.map { EditExplanation.Layer($0, over: range) }
    additionalTracks = instruction.additionalTrackIDs
    (parameters, animatedParameters) = instruction.compositorReference.constantAndAnimatedParameters
    effects = instruction.effects.map(\.explanation)
    residency = plan.composition.registry.residency(of: instruction)
  }

  /// The parameters as `key: value`, sorted.
  var parameterTexts: [String] { EditExplanation.texts(parameters, animated: animatedParameters) }

  /// The devices as `compositor: device NAME`, sorted.
  var residencyTexts: [String] { residency.map { "\($0.key): device \($0.value)" }.sorted() }
}

/// Parameters and devices are encoded as in the description for people.
extension EditExplanation.Instruction: Encodable {
  private enum CodingKeys: CodingKey {
    case start, end, frameCount, compositor, route, reason, layers, additionalTracks, parameters, effects, residency
  }

  /// Encodes the explanation. `parameters` are strings `key: value`; `residency` is absent if all frames are in the host's memory.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(start, forKey: .start)
    try values.encode(end, forKey: .end)
    try values.encode(frameCount, forKey: .frameCount)
    try values.encode(compositor, forKey: .compositor)
    try values.encode(route, forKey: .route)
    try values.encode(reason, forKey: .reason)
    try values.encode(layers, forKey: .layers)
    try values.encode(additionalTracks, forKey: .additionalTracks)
    try values.encode(parameterTexts, forKey: .parameters)
    try values.encode(effects, forKey: .effects)
    try values.encodeIfPresent(residency.isEmpty ? nil : residencyTexts, forKey: .residency)
  }
}

extension CompositorRegistry {
  /// The devices on which an instruction's compositors and effects take their frames.
  fileprivate func residency(of instruction: Instruction) -> [CompositorID: DeviceID] {
    let devices = instruction.calls.map(\.compositor).compactMap { id in self[id]?.descriptor.device.map { (id, $0) } }
    return Dictionary(devices) { first, _ in first }
  }
}

extension EffectReference {
  /// `builtin.gaussian-blur (radius: 12) masked by the luma of track 3`.
  var explanation: String {
    let (values, animated) = constantAndAnimatedParameters
    let texts = EditExplanation.texts(values, animated: animated)
    let name = texts.isEmpty ? "\(compositor)" : "\(compositor) (\(texts.joined(separator: ", ")))"
    guard let mask else { return name }
    return "\(name) masked by the \(mask.isInverted ? "inverted " : "")\(mask.channel.rawValue) of track \(mask.trackID)"
  }

  /// The values of parameters that don't change, and the keys of those that do.
  fileprivate var constantAndAnimatedParameters: (values: ParameterValues, animated: Set<String>) {
    (parameters.filter { animatedParameters[$0.key] == nil }, Set(animatedParameters.keys))
  }
}

extension EditExplanation {
  /// `key: value`, sorted by key.
  fileprivate static func texts(_ values: ParameterValues, animated: Set<String>) -> [String] {
    (values.map { "\($0.key): \($0.value.text)" } + animated.map { "\($0): changing" }).sorted()
  }
}
