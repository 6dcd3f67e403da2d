import CompositorAPI

extension TextAnimator {
  /// The weight of each of the animated units at a time of the layer; `nil` without a selector.
  func weights(of units: ArraySlice<Range<Int>>, in layout: TextLayout, at time: Double) -> [Double]? {
    guard let selector, let first = units.first, let last = units.last else { return nil }
    let shown = selector.shown(at: time)
    guard let basis = selector.basis, basis.rawValue != unit.rawValue else {
      let places = places(count: units.count)
      let count = (places.max() ?? 0) + 1
      return places.map { shown.weight(of: $0, among: count) }
    }
    let counted = layout.ranges(by: basis).filter { $0.overlaps(first.lowerBound..<last.upperBound) }
    let places = places(count: counted.count)
    let count = (places.max() ?? 0) + 1
    var index = 0
    return units.map { unit in
      while index + 1 < counted.count, counted[index + 1].lowerBound <= unit.lowerBound { index += 1 }
      return counted.isEmpty ? 1 : shown.weight(of: places[index], among: count)
    }
  }

  /// The places that a selector gives `count` units: those that begin together share one.
  private func places(count: Int) -> [Int] { times.isEmpty ? ranks(count: count) : Array(0..<count) }
}

extension TextRangeSelector {
  /// The selector with its animations applied, at a time of the layer.
  func shown(at time: Double) -> TextRangeSelector {
    guard !animations.isEmpty else { return self }
    var (model, text) = (Layer(), TextContent())
    text.selector = self
    model.content = .text(text)
    var layer = model
    for animation in animations { animation.apply(to: &layer, model: model, at: time) }
    if case .text(let text) = layer.content { return text.selector ?? self }
    return self
  }
}

extension TextLayout {
  /// What the places of a selector count, as ranges of ``clusters`` in reading order.
  fileprivate func ranges(by basis: TextRangeSelector.Basis) -> [Range<Int>] {
    switch basis {
    case .character: return units(by: .character)
    case .word: return units(by: .word)
    case .line: return units(by: .line)
    case .characterAndBlank:
      var (ranges, next) = ([Range<Int>](), 0)
      for unit in units(by: .character) {
        // What belongs to no character is blank.
        ranges += (next..<unit.lowerBound).map { $0..<$0 + 1 }
        ranges.append(unit)
        next = unit.upperBound
      }
      return ranges + (next..<clusters.count).map { $0..<$0 + 1 }
    }
  }
}

extension Layer {
  /// The state of a unit of text between two others: the model's + weight · (its own − the model's). Weights beyond 0 and 1 go beyond
  /// them, except those of colors.
  func weighted(_ weight: Double, over model: Layer) -> Layer {
    func mixed(_ own: Double, _ other: Double) -> Double { other + (own - other) * weight }
    var result = self
    result.opacity = mixed(opacity, model.opacity)
    result.filters.blurRadius = mixed(filters.blurRadius, model.filters.blurRadius)
    result.transform = transform.mixed(with: model.transform, mixed)
    guard case .text(var text) = content, case .text(let plain) = model.content else { return result }
    text.tracking = mixed(text.tracking, plain.tracking)
    text.highlight = text.highlight.map { mixed($0, plain.highlight ?? 0) }
    text.color = text.color.mixed(weight, over: plain.color)
    text.outlineColor = text.outlineColor.mixed(weight, over: plain.outlineColor)
    result.content = .text(text)
    return result
  }
}

extension LayerTransform {
  fileprivate func mixed(with other: LayerTransform, _ mixed: (Double, Double) -> Double) -> LayerTransform {
    var result = self
    (result.scaleX, result.scaleY) = (mixed(scaleX, other.scaleX), mixed(scaleY, other.scaleY))
    (result.skewX, result.skewY) = (mixed(skewX, other.skewX), mixed(skewY, other.skewY))
    (result.rotationX, result.rotationY) = (mixed(rotationX, other.rotationX), mixed(rotationY, other.rotationY))
    result.rotationZ = mixed(rotationZ, other.rotationZ)
    result.translationX = mixed(translationX, other.translationX)
    result.translationY = mixed(translationY, other.translationY)
    result.translationZ = mixed(translationZ, other.translationZ)
    return result
  }
}

extension Color {
  /// The color between another one (0) and this one (1), mixed with premultiplied alpha.
  fileprivate func mixed(_ weight: Double, over other: Color) -> Color {
    guard self != other, weight > 0 else { return other }
    let mixed = AnimationValue.color(other).interpolated(to: .color(self), min(weight, 1), areColors: true)
    if case .numbers(let numbers) = mixed { return Color(numbers) }
    return self
  }
}
