/// A compositor in use as an effect: one picture in, one picture out, with parameters.
///
/// An effect is any ``VideoCompositor`` that is asked with one source. On a layer (``LayerInstruction/effects``) it changes
/// the track's picture before that is placed: the frame it makes has the source's own size, and the request has that one
/// layer. On an instruction (``Instruction/effects``) it changes the composed picture before titles, which it is given as the
/// frame of the track ``Instruction/composedTrackID``.
///
/// ```swift
/// var layer = LayerInstruction(trackID: track)
/// layer.effects = [EffectReference("builtin.gaussian-blur", parameters: ["radius": .number(12)])]
/// ```
public struct EffectReference: Hashable, Sendable, Codable {
  /// Who changes the picture.
  public var compositor: CompositorID
  /// Parameters, as the compositor's schema describes them.
  public var parameters: ParameterValues
  /// Parameters that change over time, in composition time; see ``Instruction/animatedParameters``.
  public var animatedParameters: AnimatedParameters

  /// Makes a reference.
  public init(
    _ compositor: CompositorID, parameters: ParameterValues = [:], animatedParameters: AnimatedParameters = [:]
  ) {
    self.compositor = compositor
    self.parameters = parameters
    self.animatedParameters = animatedParameters
  }

  /// Reads a reference; parameters that are absent are none.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    compositor = try container.decode(CompositorID.self, forKey: .compositor)
    parameters = try container.decodeIfPresent(ParameterValues.self, forKey: .parameters) ?? [:]
    animatedParameters = try container.decodeIfPresent(AnimatedParameters.self, forKey: .animatedParameters) ?? [:]
  }
}

/// Numbers, points and colors that change over time, by the key of the parameter.
public typealias AnimatedParameters = [String: PropertyTimeline<ParameterValue>]

extension ParameterValues {
  /// The same with the animated parameters' values at a time in place of their fixed ones.
  ///
  /// - Parameter schema: The compositor's parameters: between two integers the nearest integer is taken.
  public func setting(
    _ animated: AnimatedParameters, at time: MediaTime, schema: [ParameterDescription] = []
  ) -> ParameterValues {
    conforming(animated.mapValues { $0.value(at: time) }, to: schema) { _, new in new }
  }

  /// What an instance is made with: an animated parameter that has no fixed value has its value before the first entry.
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
      // Under its own name, where it has several.
      let name = description?.key ?? key
      result[name] = result[name].map { pick($0, new) } ?? new
    }
    return result
  }
}
