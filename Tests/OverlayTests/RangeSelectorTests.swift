import CompositorAPI
import CompositorOverlay
import Foundation
import Testing

/// Selectors of units of text, against the formulae of their documentation.
struct RangeSelectorTests {
  private static let size = PixelSize(width: 640, height: 160)

  private static func held(_ property: LayerProperty, _ value: AnimationValue) -> Animation {
    .basic(property, from: value, to: value, timing: LayerTiming(duration: 1, fillMode: .both))
  }

  private static func layer(
    _ string: String, _ selector: TextRangeSelector, _ animations: Animation..., change: (inout TextAnimator) -> Void = { _ in }
  ) -> Layer {
    var text = TextContent(string, font: TextFont(family: "DejaVu Sans", size: 30))
    var animator = TextAnimator(.character, animations)
    animator.selector = selector
    change(&animator)
    text.animators = [animator]
    return Layer(frame: Rect(x: 20, y: 20, width: 600, height: 120), content: .text(text))
  }

  private static func units(_ layer: Layer, at time: Double = 0) throws -> [TextUnit] {
    let presenter = try LayerPresenter(layer, canvas: Self.size, fonts: try FontLibrary())
    return try presenter.presentation(at: MediaTime(seconds: time, preferredTimescale: 90000))?.units ?? []
  }

  /// The weights of ten letters, as they are seen in a translation by 100 pixels.
  private static func weights(
    _ selector: TextRangeSelector, _ string: String = "abcdefghij", at time: Double = 0,
    change: (inout TextAnimator) -> Void = { _ in }
  ) throws -> [Double] {
    let layer = layer(string, selector, held(.translationY, 100), change: change)
    return try units(layer, at: time).map { ($0.transform?.origin.y ?? 0) / 100 }
  }

  /// The Bézier curve of the documentation, by bisection.
  private static func eased(_ weight: Double, _ low: Double, _ high: Double) -> Double {
    let (x1, y1, x2, y2) = (max(low, 0), max(-low, 0), 1 - max(high, 0), 1 - max(-high, 0))
    func curve(_ t: Double, _ one: Double, _ two: Double) -> Double {
      3 * (1 - t) * (1 - t) * t * one + 3 * (1 - t) * t * t * two + t * t * t
    }
    // At its ends, a steep curve would show the last bits of the bisection.
    guard weight > 0, weight < 1 else { return weight }
    var (left, right) = (0.0, 1.0)
    for _ in 0..<80 {
      let middle = (left + right) / 2
      if curve(middle, x1, x2) < weight { left = middle } else { right = middle }
    }
    return curve((left + right) / 2, y1, y2)
  }

  private static func wanted(_ selector: TextRangeSelector, _ k: Int, of n: Int) -> Double {
    let low = (min(selector.start, selector.end) + selector.offset) * Double(n)
    let high = (max(selector.start, selector.end) + selector.offset) * Double(n)
    let u = min(max((Double(k) + 0.5 - low) / (high - low), 0), 1)
    var weight: Double
    switch selector.shape {
    case .square: weight = min(max(min(high, Double(k + 1)) - max(low, Double(k)), 0), 1)
    case .rampUp: weight = u
    case .rampDown: weight = 1 - u
    case .triangle: weight = 1 - abs(2 * u - 1)
    case .round: weight = sqrt(1 - pow(2 * u - 1, 2))
    case .smooth: weight = (1 - cos(2 * .pi * u)) / 2
    }
    weight = eased(weight, selector.easeLow, selector.easeHigh)
    if selector.shape == .square { weight = min(max((weight - 0.5) / selector.smoothness + 0.5, 0), 1) }
    return weight * selector.amount
  }

  @Test(arguments: TextRangeSelector.Shape.allCases) func weights_areThoseOfTheFormulae(_ shape: TextRangeSelector.Shape) throws
  {
    let ranges = [(0.0, 1.0, 0.0), (0.13, 0.62, 0), (0.8, 0.21, 0.07), (0, 0.4, -0.25), (0.5, 0.9, 0.33)]
    for (start, end, offset) in ranges {
      for (easeLow, easeHigh) in [(0.0, 0.0), (0.6, 0.3), (-0.7, 1), (1, -1)] {
        for (amount, smoothness) in [(1.0, 1.0), (-0.5, 0.4)] {
          var selector = TextRangeSelector(start: start, end: end, shape: shape)
          (selector.offset, selector.amount, selector.smoothness) = (offset, amount, smoothness)
          (selector.easeLow, selector.easeHigh) = (easeLow, easeHigh)
          let reference = (0..<10).map { Self.wanted(selector, $0, of: 10) }
          let found = try Self.weights(selector)
          if found.isEmpty {
            #expect(reference.allSatisfy { abs($0) < 1e-12 }, "\(selector)")
          } else {
            for (one, other) in zip(found, reference) { #expect(abs(one - other) < 1e-5, "\(selector) \(found) \(reference)") }
          }
        }
      }
    }
  }

  @Test func emptyRanges_andJumps_areWhole() throws {
    var selector = TextRangeSelector(start: 0.5, end: 0.5, shape: .rampUp)
    #expect(try Self.weights(selector) == [0, 0, 0, 0, 0, 1, 1, 1, 1, 1])
    selector.shape = .rampDown
    #expect(try Self.weights(selector) == [1, 1, 1, 1, 1, 0, 0, 0, 0, 0])
    selector.shape = .smooth
    #expect(try Self.weights(selector) == [])
    var square = TextRangeSelector(start: 0, end: 0.37)
    square.smoothness = 0
    #expect(try Self.weights(square) == [1, 1, 1, 1, 0, 0, 0, 0, 0, 0])
  }

  /// All properties are between the unit's own values and those of the animator.
  @Test func values_areMixedWithTheUnitsOwn() throws {
    let selector = TextRangeSelector(start: 0, end: 1, shape: .rampUp)
    let layer = Self.layer(
      "abcd", selector, Self.held(.opacity, 0.2), Self.held(.scale, 3), Self.held(.blurRadius, 8),
      Self.held(.textColor, .color(Color(red: 1, green: 0, blue: 0, alpha: 0.5))))
    for (index, unit) in try Self.units(layer).enumerated() {
      let weight = (Double(index) + 0.5) / 4
      #expect(abs(unit.opacity - (1 - 0.8 * weight)) < 1e-12 && abs(unit.blurRadius - 8 * weight) < 1e-12)
      #expect(abs((unit.transform?.x.x ?? 0) - (1 + 2 * weight)) < 1e-12)
      // From opaque white to half transparent red, with premultiplied alpha.
      let color = try #require(unit.color)
      let alpha = 1 - weight / 2
      #expect(abs(color.alpha - alpha) < 1e-12 && abs(color.green - (1 - weight) / alpha) < 1e-12 && abs(color.red - 1) < 1e-12)
    }
    // Beyond its own values in the other direction; colors and blur stay.
    var other = selector
    other.amount = -1
    let turned = Self.layer(
      "abcd", other, Self.held(.rotation, 1), Self.held(.blurRadius, 8), Self.held(.textColor, .color(.black)))
    for (index, unit) in try Self.units(turned).enumerated() {
      let angle = -(Double(index) + 0.5) / 4
      #expect(abs((unit.transform?.x.y ?? 0) - sin(angle)) < 1e-12 && unit.blurRadius == 0 && unit.color == nil)
    }
  }

  @Test func wholeText_hasTheValuesWithoutASelector() throws {
    func draw(_ layer: Layer) throws -> [[[Int]]] { Canvas.allSamples(try TextAnimatorTests.draw(layer, at: 0.5)) }
    let animations = [Self.held(.scale, 1.4), Self.held(.textTracking, 3), Self.held(.opacity, 0.7)]
    var plain = Self.layer("Weights", TextRangeSelector(), animations[0], animations[1], animations[2])
    let selected = try draw(plain)
    guard case .text(var text) = plain.content else { return }
    text.animators[0].selector = nil
    plain.content = .text(text)
    #expect(try draw(plain) == selected)
  }

  @Test func animations_moveTheRange() throws {
    var selector = TextRangeSelector(start: 0, end: 0.3, shape: .smooth)
    selector.animations = [
      .basic(.selectorOffset, from: -0.3, to: 1, timing: LayerTiming(beginTime: 1, duration: 2, fillMode: .both))
    ]
    for time in [2.9, 1.6, 2.2, 1.1] {
      var shown = selector
      shown.offset = -0.3 + 1.3 * (time - 1) / 2
      let reference = (0..<10).map { Self.wanted(shown, $0, of: 10) }
      let found = try Self.weights(selector, at: time)
      #expect(found.isEmpty == reference.allSatisfy { $0 < 1e-12 })
      for (one, other) in zip(found, reference) { #expect(abs(one - other) < 1e-6, "\(time) \(found) \(reference)") }
    }
    #expect(try Self.weights(selector, at: 0) == [])
    #expect(try Self.weights(selector, at: 4) == [])
    // Relative to the end of its layer.
    selector.animations[0].timing = LayerTiming(beginTime: -1, duration: 1, fillMode: .both)
    selector.animations[0].timing.relativeTo = .end
    var layer = Self.layer("abcdefghij", selector, Self.held(.opacity, 0))
    layer.timing.duration = 4
    #expect(try Self.units(layer, at: 2.9).isEmpty)
    #expect(try !Self.units(layer, at: 3.5).isEmpty)
  }

  @Test func places_countWhatTheSelectorCounts() throws {
    var half = TextRangeSelector(start: 0, end: 0.5)
    half.smoothness = 0
    func weights(_ basis: TextRangeSelector.Basis?, _ change: (inout TextAnimator) -> Void = { _ in }) throws -> [Double] {
      half.basis = basis
      return try Self.weights(half, "ab  cdef", change: change)
    }
    #expect(try weights(nil) == [1, 1, 1, 0, 0, 0])
    #expect(try weights(.character) == [1, 1, 1, 0, 0, 0])
    #expect(try weights(.characterAndBlank) == [1, 1, 0, 0, 0, 0])
    #expect(try weights(.word) == [1, 1, 0, 0, 0, 0])
    #expect(try weights(.line) == [1, 1, 1, 1, 1, 1])
    #expect(try weights(nil) { $0.order = .backward } == [0, 0, 0, 1, 1, 1])
    #expect(try weights(nil) { $0.order = .toCenter } == [1, 1, 0, 0, 1, 1])
    #expect(try weights(nil) { $0.range = 1..<3 } == [0, 1, 0, 0, 0, 0])
    let random = try weights(nil) { $0.order = .random }
    let again = try weights(nil) { $0.order = .random }
    #expect(random.filter { $0 == 1 }.count == 3 && random == again)
  }

  @Test func mistakes_areNamedWithTheirPlace() throws {
    func place(_ change: (inout TextAnimator) -> Void) -> String? {
      var animator = TextAnimator(.word, [Self.held(.opacity, 0)])
      animator.selector = TextRangeSelector()
      change(&animator)
      return #expect(throws: CompositorError.self) { try animator.requireUsable() }?.location.path
    }
    #expect(place { $0.selector?.start = 1.5 } == "selector.start")
    #expect(place { $0.selector?.offset = -2 } == "selector.offset")
    #expect(place { $0.selector?.easeHigh = .nan } == "selector.easeHigh")
    #expect(place { $0.selector?.basis = .character } == "selector.by")
    #expect(place { $0.selector?.animations = [Self.held(.opacity, 0)] } == "selector.animations[0]")
    let own = Layer(frame: Rect(x: 0, y: 0, width: 9, height: 9), content: .text(TextContent("a")))
    var animated = own
    animated.animations = [Self.held(.selectorOffset, 0)]
    #expect(throws: CompositorError.self) { try animated.requireUsable() }
  }

  @Test func selectors_areReadAndWritten() throws {
    let json = #"""
      {"animations":[{"property":"opacity","values":[0]}],"selector":{"start":0.1,"end":0.4,"offset":-0.2,"shape":"ramp-up",
      "smoothness":0.5,"easeHigh":0.3,"easeLow":-0.4,"amount":-1,"by":"character-and-blank",
      "animations":[{"property":"selector.offset","from":0,"to":1}]}}
      """#
    let animator = try JSONDecoder().decode(TextAnimator.self, from: Data(json.utf8))
    let selector = try #require(animator.selector)
    #expect(selector.shape == .rampUp && selector.basis == .characterAndBlank && selector.easeLow == -0.4)
    #expect(selector.animations.first?.timing.fillMode == .both)
    #expect(try JSONDecoder().decode(TextAnimator.self, from: JSONEncoder().encode(animator)) == animator)
    // One value is a constant.
    #expect(
      try Self.units(Self.layer("ab", TextRangeSelector(end: 0.5), animator.animations[0]), at: 7).map(\.opacity) == [0, 1])
  }
}
