package import CompositorAPI

extension Animation {
  /// Applies the animation to `layer` at `time` (the layer's own time). `model` is the layer without animations. In a group,
  /// a duration of 0 is replaced by the group's.
  package func apply(to layer: inout Layer, model: Layer, at time: Double, within groupLength: Double = .infinity) {
    guard let sample = timing.sample(at: time, standardDuration: standardLength(within: groupLength)) else { return }
    let progress = easing.value(at: sample.progress)
    switch kind {
    case .basic(let property, let from, let to, let by):
      guard let modelValue = property.value(in: model),
        let ends = Animation.ends(from: from, to: to, by: by, model: modelValue)
      else { return }
      set(property, property.mixed(ends.from, ends.to, progress), end: ends.to, sample, &layer)
    case .keyframes(let property, let frames):
      guard let found = frames.value(at: progress, areColors: property.holdsColors) else { return }
      set(property, found.value, end: frames.value(at: 1)?.value, sample, &layer)
      if let angle = found.angle { layer.transform.rotationZ += angle }
    case .spring(let property, let from, let to, let spring):
      guard let modelValue = property.value(in: model),
        let ends = Animation.ends(from: from, to: to, by: nil, model: modelValue)
      else { return }
      set(property, property.mixed(ends.from, ends.to, spring.value(at: sample.time)), end: ends.to, sample, &layer)
    case .wiggle(let property, let by, let wiggle): swing(property, by, wiggle, at: sample.time, &layer)
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
    if case .wiggle = kind { return groupLength }
    return groupLength.isFinite ? groupLength : Animation.standardDuration
  }

  /// Adds the deviation of a wiggle to the property's value.
  private func swing(_ property: LayerProperty, _ by: AnimationValue, _ wiggle: Wiggle, at time: Double, _ layer: inout Layer) {
    guard case .numbers(let amplitudes) = by, case .numbers(var numbers)? = property.value(in: layer) else { return }
    // A scale is one number if both axes have the same.
    if property == .scale, amplitudes.count == 2 { numbers = [layer.transform.scaleX, layer.transform.scaleY] }
    guard amplitudes.count == numbers.count else { return }
    for index in numbers.indices {
      let swung = numbers[index] + amplitudes[index] * wiggle.value(at: time, number: index)
      numbers[index] = property.nonnegative.map { index >= $0 } == true ? max(swung, 0) : swung
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
    guard fraction < 0 || fraction > 1, let first = nonnegative, case .numbers(let ends) = from.adding(to),
      case .numbers(var numbers) = mixed, ends.count == numbers.count
    else { return mixed }
    for index in numbers.indices where index >= first && ends[index] >= 0 { numbers[index] = max(numbers[index], 0) }
    return .numbers(numbers)
  }

  /// The index of the first number that cannot be negative; `nil` if all can.
  fileprivate var nonnegative: Int? {
    switch self {
    case .bounds: 2
    case .boundsSize, .borderWidth, .shadowRadius, .fontSize, .outlineWidth, .lineHeight, .lineWidth: 0
    default: nil
    }
  }
}
