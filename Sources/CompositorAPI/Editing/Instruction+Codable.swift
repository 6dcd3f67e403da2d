/// Instructions as JSON: the parts of the content are keys of the instruction.
extension Instruction: Codable {
  private enum CodingKeys: String, CodingKey {
    case timeRange, layers, backgroundColor, enablePostProcessing, passthroughTrackID, compositor, parameters
    case animatedParameters, additionalTrackIDs, effects, progressRange, containsTweeningOverride, tag
  }

  /// Decodes an instruction. Absent effects and animated parameters mean none.
  ///
  /// - Throws: `DecodingError` if a track passes through beside composed content, too.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    var composed = Composed(
      layers: try container.decode([LayerInstruction].self, forKey: .layers),
      compositor: try container.decode(CompositorID.self, forKey: .compositor))
    composed.parameters = try container.decode(ParameterValues.self, forKey: .parameters)
    composed.animatedParameters = try container.decodeIfPresent(AnimatedParameters.self, forKey: .animatedParameters) ?? [:]
    composed.additionalTrackIDs = try container.decode([TrackID].self, forKey: .additionalTrackIDs)
    let passing = try container.decodeIfPresent(TrackID.self, forKey: .passthroughTrackID)
    guard passing == nil || composed == Composed() else {
      throw DecodingError.dataCorruptedError(
        forKey: .passthroughTrackID, in: container,
        debugDescription: "A track that passes through has no layers, compositor, parameters and additional tracks.")
    }
    self.init(
      timeRange: try container.decode(TimeRange.self, forKey: .timeRange),
      content: passing.map(Content.passthrough) ?? .composed(composed))
    backgroundColor = try container.decodeIfPresent(Color.self, forKey: .backgroundColor)
    enablePostProcessing = try container.decode(Bool.self, forKey: .enablePostProcessing)
    effects = try container.decodeIfPresent([EffectReference].self, forKey: .effects) ?? []
    progressRange = try container.decodeIfPresent(TimeRange.self, forKey: .progressRange)
    containsTweeningOverride = try container.decodeIfPresent(Bool.self, forKey: .containsTweeningOverride)
    tag = try container.decodeIfPresent(String.self, forKey: .tag)
  }

  /// Encodes an instruction.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(timeRange, forKey: .timeRange)
    try container.encode(layers, forKey: .layers)
    try container.encodeIfPresent(backgroundColor, forKey: .backgroundColor)
    try container.encode(enablePostProcessing, forKey: .enablePostProcessing)
    try container.encodeIfPresent(passthroughTrackID, forKey: .passthroughTrackID)
    try container.encode(compositor, forKey: .compositor)
    try container.encode(parameters, forKey: .parameters)
    try container.encode(animatedParameters, forKey: .animatedParameters)
    try container.encode(additionalTrackIDs, forKey: .additionalTrackIDs)
    try container.encode(effects, forKey: .effects)
    try container.encodeIfPresent(progressRange, forKey: .progressRange)
    try container.encodeIfPresent(containsTweeningOverride, forKey: .containsTweeningOverride)
    try container.encodeIfPresent(tag, forKey: .tag)
  }
}
