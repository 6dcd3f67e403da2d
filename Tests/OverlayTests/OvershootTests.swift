import CompositorAPI
import CompositorOverlay
import Testing

/// Easings and springs that leave 0 … 1.
@Suite struct OvershootTests {
  private func shape(_ animation: Animation, at time: Double) -> Layer {
    let frame = Rect(x: 0, y: 0, width: 10, height: 10)
    let model = Layer(frame: frame, content: .shape(ShapeContent(.rectangle(frame))))
    var layer = model
    animation.apply(to: &layer, model: model, at: time)
    return layer
  }

  @Test(arguments: ["back-in", "elastic-in", "elastic-in-out", "back-in-out", "linear(0, -0.5, 1)"])
  func widths_thatOvershoot_areNeverNegative(_ text: String) throws {
    let easing = try #require(Easing(text))
    let timing = LayerTiming(duration: 1)
    let width = Animation.basic(.lineWidth, from: .number(0), to: .number(8), timing: timing, easing: easing)
    let place = Animation.basic(.translationX, from: .number(0), to: .number(8), timing: timing, easing: easing)
    for step in 0..<100 {
      let (time, value) = (Double(step) / 100, 8 * easing.value(at: Double(step) / 100))
      guard case .shape(let shape) = self.shape(width, at: time).content else { throw Missing() }
      #expect(abs(shape.lineWidth - max(value, 0)) < 1e-12, "\(text) at \(time)")
      #expect(abs(self.shape(place, at: time).transform.translationX - value) < 1e-12, "\(text) at \(time)")
    }
  }

  @Test func springs_ofSizes_stopAtZero() throws {
    let spring = SpringCurve(stiffness: 400, damping: 4)
    let animation = Animation(
      .spring(.lineWidth, from: .number(8), to: .number(0), spring), timing: LayerTiming(duration: 2))
    for step in 0..<100 {
      guard case .shape(let shape) = self.shape(animation, at: Double(step) / 50).content else { throw Missing() }
      #expect(abs(shape.lineWidth - max(8 - 8 * spring.value(at: Double(step) / 50), 0)) < 1e-12)
    }
  }

  @Test(arguments: [LayerProperty.blurRadius, .brightness, .contrast, .saturation])
  func filters_thatOvershoot_stopAtZero(property: LayerProperty) throws {
    let easing = try #require(Easing("back-out"))
    let timing = LayerTiming(duration: 1)
    let animation = Animation.basic(property, from: .number(20), to: .number(0), timing: timing, easing: easing)
    let wiggle = Animation(.wiggle(property, by: .number(3), Wiggle(frequency: 5)), timing: LayerTiming(duration: .infinity))
    let values = try (0..<200).flatMap { step in
      try [(animation, 200.0), (wiggle, 20)].map { animation, rate in
        let layer = self.shape(animation, at: Double(step) / rate)
        guard case .numbers(let numbers)? = property.value(in: layer), let number = numbers.first else { throw Missing() }
        return number
      }
    }
    #expect(values.allSatisfy { $0 >= 0 } && values.contains(0) && values.contains { $0 > 15 })
  }

  @Test func keyframes_thatOvershoot_stopAtZero() throws {
    var frames = Keyframes([.number(8), .number(0)])
    frames.easings = [try #require(Easing("back-out"))]
    var cubic = Keyframes([.number(40), .number(0), .number(0), .number(40)])
    cubic.mode = .cubic
    for frames in [frames, cubic] {
      let animation = Animation(.keyframes(.lineWidth, frames), timing: LayerTiming(duration: 1))
      let widths = try (0..<100).map { step in
        guard case .shape(let shape) = self.shape(animation, at: Double(step) / 100).content else { throw Missing() }
        return shape.lineWidth
      }
      #expect(widths.allSatisfy { $0 >= 0 } && widths.contains(0))
    }
  }

  /// A layer of more than full opacity is one of full opacity, with any blend mode and within groups.
  @Test(arguments: [BlendMode.normal, .multiply, .screen], [PixelFormat.rgba16, .yuv420p])
  func opacity_aboveOne_isOne(_ mode: BlendMode, _ format: PixelFormat) throws {
    func frame(_ opacity: Double, isGrouped: Bool) throws -> [[[Int]]] {
      var box = Canvas.box(Rect(x: 8, y: 8, width: 30, height: 20), Color(red: 0.5, green: 0.4, blue: 0.3))
      (box.opacity, box.blendMode, box.cornerRadius) = (opacity, mode, 5)
      var group = Canvas.root(PixelSize(width: 64, height: 48), [box])
      if isGrouped { (group.masksToBounds, group.opacity) = (true, opacity) }
      let canvas = try Canvas.frame(PixelSize(width: 64, height: 48), format, color: Color(red: 0.9, green: 0.8, blue: 0.7))
      return Canvas.allSamples(try Canvas.draw([group], over: canvas))
    }
    for isGrouped in [false, true] {
      #expect(try frame(1.2, isGrouped: isGrouped) == frame(1, isGrouped: isGrouped), "\(mode), \(isGrouped)")
    }
  }

  /// Scales whose product is no number.
  @Test func scales_thatMultiplyBeyondAllNumbers_endNothing() throws {
    var layer = Canvas.box(Rect(x: 0, y: 0, width: 20, height: 20))
    layer.shadowOpacity = 1
    layer.filters.blurRadius = 3
    for _ in 0..<4 {
      var outer = Layer(frame: Rect(x: 0, y: 0, width: 20, height: 20))
      (outer.transform.scaleX, outer.transform.scaleY, outer.transform.rotationZ) = (1e160, 1e160, 0.3)
      outer.sublayers = [layer]
      layer = outer
    }
    _ = try? Canvas.draw([layer], over: Canvas.frame(PixelSize(width: 64, height: 48)))
  }

  /// One amplitude of a scale swings both axes about their own values.
  @Test func wiggle_ofAScale_keepsTheShapeOfTheLayer() {
    var model = Layer(frame: Rect(x: 0, y: 0, width: 10, height: 10))
    (model.transform.scaleX, model.transform.scaleY) = (1, 2)
    let wiggle = Wiggle(frequency: 3)
    let animation = Animation(.wiggle(.scale, by: .number(0.05), wiggle), timing: LayerTiming(duration: .infinity))
    for step in 0..<50 {
      var layer = model
      animation.apply(to: &layer, model: model, at: Double(step) / 10)
      let swing = 0.05 * wiggle.value(at: Double(step) / 10, number: 0)
      #expect(abs(layer.transform.scaleX - 1 - swing) < 1e-12 && abs(layer.transform.scaleY - 2 - swing) < 1e-12)
    }
  }

  private struct Missing: Error {}
}
