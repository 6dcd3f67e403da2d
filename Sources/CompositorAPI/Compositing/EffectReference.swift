/// A use of a compositor as an effect, which takes one frame and produces one frame.
///
/// An effect is any ``VideoCompositor`` that is called with one source. On a layer (``LayerInstruction/effects``) it changes
/// the track's frame before it is placed: the result has the source's own size, and the request contains that one layer. On an
/// instruction (``Instruction/effects``) it changes the composed frame before titles are drawn, which it receives as the frame
/// of the track ``Instruction/composedTrackID``.
///
/// ```swift
/// var layer = LayerInstruction(trackID: track)
/// layer.effects = [EffectReference("builtin.gaussian-blur", parameters: ["radius": .number(12)])]
/// ```
public struct EffectReference: Hashable, Sendable, Codable {
  /// The identifier of the compositor to use.
  public var compositor: CompositorID
  /// Parameters, according to the compositor's schema.
  public var parameters: ParameterValues
  /// Parameters that change over time, in composition time; see ``Instruction/animatedParameters``.
  public var animatedParameters: AnimatedParameters
  /// Where the effect is shown; `nil`, the default, for everywhere.
  public var mask: EffectMask? {
    get { extras.first?.mask }
    set { set(Extras(mask: newValue, timeRange: timeRange)) }
  }
  /// The time range over which the effect is applied without interruption, in composition time; `nil`, the default, for that of the
  /// instruction. If several instructions follow each other within it, the effect's clock goes on, and one that needs its frames in
  /// order gets those from the beginning of this range. Requests show it as the time range of their instruction.
  public var timeRange: TimeRange? {
    get { extras.first?.timeRange }
    set { set(Extras(mask: mask, timeRange: newValue)) }
  }

  /// What most references don't have.
  private struct Extras: Hashable, Sendable {
    var mask: EffectMask?
    var timeRange: TimeRange?
  }

  // A list, because the tasks of frames keep many copies of references, for which they have little room.
  private var extras: [Extras] = []

  private mutating func set(_ extras: Extras) {
    self.extras = extras.mask == nil && extras.timeRange == nil ? [] : [extras]
  }

  /// Creates a reference.
  public init(
    _ compositor: CompositorID, parameters: ParameterValues = [:], animatedParameters: AnimatedParameters = [:]
  ) {
    self.compositor = compositor
    self.parameters = parameters
    self.animatedParameters = animatedParameters
  }

  private enum CodingKeys: CodingKey { case compositor, parameters, animatedParameters, mask, timeRange }

  /// Decodes a reference. Absent parameters mean none, and so does an absent mask.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    compositor = try container.decode(CompositorID.self, forKey: .compositor)
    parameters = try container.decodeIfPresent(ParameterValues.self, forKey: .parameters) ?? [:]
    animatedParameters = try container.decodeIfPresent(AnimatedParameters.self, forKey: .animatedParameters) ?? [:]
    mask = try container.decodeIfPresent(EffectMask.self, forKey: .mask)
    timeRange = try container.decodeIfPresent(TimeRange.self, forKey: .timeRange)
  }

  /// Encodes every key except those of absent parts.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(compositor, forKey: .compositor)
    try container.encode(parameters, forKey: .parameters)
    try container.encode(animatedParameters, forKey: .animatedParameters)
    try container.encodeIfPresent(mask, forKey: .mask)
    try container.encodeIfPresent(timeRange, forKey: .timeRange)
  }
}

/// Parameters that change over time, by key.
public typealias AnimatedParameters = [String: PropertyTimeline<ParameterValue>]

extension ParameterValues {
  /// A copy in which the fixed values of animated parameters are replaced by their values at a given time.
  ///
  /// - Parameter schema: The compositor's parameters. Interpolated integers are rounded to the nearest integer.
  public func setting(
    _ animated: AnimatedParameters, at time: MediaTime, schema: [ParameterDescription] = []
  ) -> ParameterValues {
    conforming(animated.mapValues { $0.value(at: time) }, to: schema) { _, new in new }
  }

  /// The values to create an instance with. An animated parameter without a fixed value has its value before the first entry.
  package func completed(with animated: AnimatedParameters, schema: [ParameterDescription] = []) -> ParameterValues {
    conforming(animated.mapValues(\.defaultValue), to: schema) { fixed, _ in fixed }
  }

  private func conforming(
    _ values: ParameterValues, to schema: [ParameterDescription],
    picking pick: (ParameterValue, ParameterValue) -> ParameterValue
  ) -> ParameterValues {
    var result = self
    for (key, value) in values {
      let description = schema.first { $0.key == key } ?? schema.first { $0.aliases.contains(key) }
      let new = description?.kind.conforming(value) ?? value
      // Use the parameter's primary key, since it may have aliases.
      let name = description?.key ?? key
      result[name] = result[name].map { pick($0, new) } ?? new
    }
    return result
  }
}
