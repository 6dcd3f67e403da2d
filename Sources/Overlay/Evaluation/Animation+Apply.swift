package import CompositorAPI

extension Animation {
  /// Applies the animation to `layer` at `time` (the layer's own time). `model` is the layer without animations. In a group,
  /// a duration of 0 is replaced by the group's.
  package func apply(to layer: inout Layer, model: Layer, at time: Double, within groupLength: Double = .infinity) {
    guard let sample = timing.sample(at: time, standardDuration: standardLength(within: groupLength)) else { return }
    let progress = easing.value(at: sample.progress, isBefore: sample.isBefore)
    switch kind {
    case .basic(let property, let from, let to, let by):
      guard let modelValue = property.value(in: model),
        let ends = Animation.ends(from: from, to: to, by: by, model: modelValue)
      else { return }
      set(property, property.mixed(ends.from, ends.to, progress), end: ends.to, sample, &layer)
    case .keyframes(let property, let frames):
      guard let found = frames.value(at: progress, isBefore: sample.isBefore, areColors: property.holdsColors) else { return }
      let value = property.limited(found.value, as: frames.values)
      set(property, value, end: frames.value(at: 1)?.value, sample, &layer)
      if let angle = found.angle { layer.transform.rotationZ += angle }
    case .spring(let property, let from, let to, let spring):
      guard let modelValue = property.value(in: model),
        let ends = Animation.ends(from: from, to: to, by: nil, model: modelValue)
      else { return }
      set(property, property.mixed(ends.from, ends.to, spring.value(at: sample.time)), end: ends.to, sample, &layer)
    case .wiggle(let property, let by, let wiggle): swing(property, by, wiggle, at: sample.time, &layer)
    case .audio(let property, let from, let to, let level):
      guard let modelValue = property.value(in: model),
        let ends = Animation.ends(from: from, to: to, by: nil, model: modelValue)
      else { return }
      let share = easing.value(at: level.value(at: timing.within(time, standardDuration: groupLength)))
      set(property, property.mixed(ends.from, ends.to, share), end: ends.to, sample, &layer)
    case .group(let members):
      let length = timing.duration > 0 ? timing.duration : standardLength(within: groupLength)
      for member in members {
        member.apply(to: &layer, model: model, at: progress * length, within: length)
      }
    case .transition: break
    }
  }

  private func standardLength(within groupLength: Double) -> Double {
    if case .spring(_, _, _, let spring) = kind { return spring.settlingDuration }
    if lastsAsLongAsItsLayer { return groupLength }
    return groupLength.isFinite ? groupLength : Animation.standardDuration
  }

  /// Adds the deviation of a wiggle to the property's value.
  private func swing(_ property: LayerProperty, _ by: AnimationValue, _ wiggle: Wiggle, at time: Double, _ layer: inout Layer) {
    guard case .numbers(let amplitudes) = by, case .numbers(var numbers)? = property.value(in: layer) else { return }
    // One amplitude swings both axes of a scale together.
    let axes = property.axes(of: layer)
    if let axes { numbers = [axes.x, axes.y] }
    let isTogether = axes != nil && amplitudes.count == 1
    guard isTogether || amplitudes.count == numbers.count else { return }
    for index in numbers.indices {
      let number = isTogether ? 0 : index
      let swung = numbers[index] + amplitudes[number] * wiggle.value(at: time, number: number)
      numbers[index] = property.least(index).map { max(swung, $0) } ?? swung
    }
    layer.set(property, to: .numbers(numbers))
  }

  private func set(
    _ property: LayerProperty, _ value: AnimationValue, end: AnimationValue?, _ sample: TimingSample, _ layer: inout Layer
  ) {
    var value = value
    if isCumulative, sample.iteration > 0, let end { value = value.adding(end, times: sample.iteration) }
    if isAdditive, let under = property.value(in: layer) { value = under.adding(value) }
    layer.set(property, to: value)
  }

  /// Both ends of a basic animation, from the given values and the layer's own; `nil` if none is given.
  package static func ends(
    from: AnimationValue?, to: AnimationValue?, by: AnimationValue?, model: AnimationValue
  ) -> (from: AnimationValue, to: AnimationValue)? {
    switch (from, to, by) {
    case (let from?, let to?, _): (from, to)
    case (let from?, nil, let by?): (from, from.adding(by))
    case (nil, let to?, let by?): (to.adding(by, times: -1), to)
    case (let from?, nil, nil): (from, model)
    case (nil, let to?, nil): (model, to)
    case (nil, nil, let by?): (model, model.adding(by))
    case (nil, nil, nil): nil
    }
  }
}

extension LayerProperty {
  /// Interpolates between two values of the property. An easing or a spring that overshoots doesn't make widths and sizes
  /// negative.
  fileprivate func mixed(_ from: AnimationValue, _ to: AnimationValue, _ fraction: Double) -> AnimationValue {
    let mixed = from.interpolated(to: to, fraction, areColors: holdsColors)
    return fraction < 0 || fraction > 1 ? limited(mixed, as: [from, to]) : mixed
  }

  /// A value between others, or beyond them. It is at least what the property may be, unless one of the others is less itself.
  fileprivate func limited(_ value: AnimationValue, as others: [AnimationValue]) -> AnimationValue {
    guard least(2) != nil, case .numbers(var numbers) = value else { return value }
    for index in numbers.indices {
      guard let least = least(index), numbers[index] < least else { continue }
      let isWanted = others.contains { other in
        if case .numbers(let numbers) = other { numbers.indices.contains(index) && numbers[index] < least } else { false }
      }
      if !isWanted { numbers[index] = least }
    }
    return .numbers(numbers)
  }

  /// The smallest value of a number of the property; `nil` if there is none.
  fileprivate func least(_ index: Int) -> Double? {
    switch self {
    case .bounds: index >= 2 ? 0 : nil
    case .boundsSize, .borderWidth, .shadowRadius, .fontSize, .outlineWidth, .lineHeight, .lineWidth, .blurRadius, .brightness,
      .contrast, .saturation, .glowRadius, .glowIntensity, .backdropBlurRadius:
      0
    case .miterLimit: 1
    default: nil
    }
  }

  /// Both axes of a scale that may be one number.
  fileprivate func axes(of layer: Layer) -> (x: Double, y: Double)? {
    switch self {
    case .scale: (layer.transform.scaleX, layer.transform.scaleY)
    case .sublayerScale: (layer.sublayerTransform.scaleX, layer.sublayerTransform.scaleY)
    case .instanceScale:
      if case .replicator(let replicator) = layer.content {
        (replicator.instanceTransform.scaleX, replicator.instanceTransform.scaleY)
      } else {
        nil
      }
    default: nil
    }
  }
}
