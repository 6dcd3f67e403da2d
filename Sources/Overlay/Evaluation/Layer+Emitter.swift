package import CompositorAPI

extension Layer {
  /// The particles of an emitter layer with its animations: each particle keeps the emitter's values from its birth.
  ///
  /// - Throws: As ``EmitterContent/particles(at:greatest:_:)``.
  package func particles(at time: Double) throws(CompositorError) -> [Particle] {
    guard case .emitter(let model) = content else { return [] }
    let changes = animations.filter { $0.leaves.contains { $0.property?.isOfEmitter == true } }
    let greatest = (
      birthRate: greatest(.emitterBirthRate, model.birthRate, changes),
      lifetime: greatest(.emitterLifetime, model.lifetime, changes) + abs(model.lifetimeRange)
    )
    var plain = Layer()
    plain.content = content
    return try EmitterContent.particles(at: time, greatest: greatest) { birth in
      guard !changes.isEmpty else { return model }
      var layer = plain
      for change in changes { change.apply(to: &layer, model: plain, at: birth) }
      if case .emitter(let emitter) = layer.content { return emitter }
      return model
    }
  }

  /// The largest value that animations can give a property, as specified; overshooting curves and springs are clipped there.
  private func greatest(_ property: LayerProperty, _ model: Double, _ changes: [Animation]) -> Double {
    var (highest, sums) = (model, 0.0)
    for leaf in changes.flatMap(\.leaves) where leaf.property == property {
      let values = leaf.numbers(model: model)
      if leaf.isAdditive || leaf.isCumulative || leaf.isWiggle {
        sums += values.map(abs).max() ?? 0
      } else {
        highest = max(highest, values.max() ?? 0)
      }
    }
    return highest + sums
  }
}

extension Animation {
  fileprivate var isWiggle: Bool { if case .wiggle = kind { true } else { false } }

  /// The values for a one-number property that it lists.
  fileprivate func numbers(model: Double) -> [Double] {
    let values: [AnimationValue] =
      switch kind {
      case .basic(_, let from, let to, let by):
        Animation.ends(from: from, to: to, by: by, model: .number(model)).map { [$0.from, $0.to] } ?? []
      case .spring(_, let from, let to, _), .audio(_, let from, let to, _):
        Animation.ends(from: from, to: to, by: nil, model: .number(model)).map { [$0.from, $0.to] } ?? []
      case .keyframes(_, let frames): frames.values
      case .wiggle(_, let by, _): [by]
      case .group, .transition: []
      }
    return values.compactMap { if case .numbers(let numbers) = $0 { numbers.first } else { nil } }
  }
}
