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

  private struct Missing: Error {}
}
