import CompositorAPI
import CompositorOverlay
import Testing

/// Colors that are animated with premultiplied alpha, as CSS Color 4 interpolates them.
struct ColorAnimationTests {
  static let colors = [
    Color(red: 1, green: 0.5, blue: 0), Color(red: 0, green: 0, blue: 0, alpha: 0), Color(red: 1, green: 1, blue: 1, alpha: 0),
    Color(red: 0, green: 0.25, blue: 1, alpha: 0.5), Color(red: 0.2, green: 0.9, blue: 0.4, alpha: 0.05),
  ]

  static func numbers(_ color: Color) -> [Double] { [color.red, color.green, color.blue, color.alpha] }

  /// The color that a layer has at a time of an animation of one second.
  static func color(_ kind: Animation.Kind, _ property: LayerProperty, at time: Double) throws -> [Double] {
    var layer = Layer()
    switch property {
    case .textColor, .outlineColor: layer.content = .text(TextContent("a"))
    case .fillColor, .strokeColor: layer.content = .shape(ShapeContent())
    case .gradientColors: layer.content = .gradient(GradientContent([.black, .white]))
    default: break
    }
    let model = layer
    Animation(kind, timing: LayerTiming(duration: 1, fillMode: .both)).apply(to: &layer, model: model, at: time)
    guard case .numbers(let numbers)? = property.value(in: layer) else { throw ProgramError.noValue }
    return numbers
  }

  enum ProgramError: Error { case noValue }

  static func expectSame(_ found: [Double], premultiplied expected: [Double], _ comment: Comment) {
    for color in stride(from: 0, to: expected.count, by: 4) {
      #expect(abs(found[color + 3] - expected[color + 3]) < 1e-12, comment)
      for part in color..<color + 3 {
        #expect(abs(found[part] * found[color + 3] - expected[part]) < 1e-12, comment)
        #expect((0...1).contains(found[part]), comment)
      }
    }
  }

  @Test(arguments: [
    LayerProperty.backgroundColor, .borderColor, .shadowColor, .textColor, .outlineColor, .fillColor, .strokeColor,
    .gradientColors,
  ])
  func everyColor_fadesWithoutOthersShowingThrough(property: LayerProperty) throws {
    for from in Self.colors {
      for to in Self.colors {
        let twice = property == .gradientColors ? 2 : 1
        let (first, last) = (Self.numbers(from), Self.numbers(to))
        let values = [first, last].map { AnimationValue.numbers(Array(repeating: $0, count: twice).flatMap(\.self)) }
        for time in [0, 0.25, 0.5, 0.9, 1] {
          func mixed(_ part: Int) -> Double {
            let alpha = (first[3], last[3])
            return part == 3
              ? alpha.0 + (alpha.1 - alpha.0) * time
              : first[part] * alpha.0 + (last[part] * alpha.1 - first[part] * alpha.0) * time
          }
          let expected = Array(repeating: (0..<4).map(mixed), count: twice).flatMap(\.self)
          let basic = try Self.color(.basic(property, from: values[0], to: values[1], by: nil), property, at: time)
          Self.expectSame(basic, premultiplied: expected, "\(from) to \(to) at \(time)")
          let keyed = try Self.color(.keyframes(property, Keyframes(values)), property, at: time)
          #expect(keyed == basic)
        }
      }
    }
  }

  /// An orange fades to nothing: its parts stay in proportion, also on curves and springs.
  @Test func orange_fadingAway_staysOrange() throws {
    let values = [Self.colors[0], Color(red: 1, green: 0.5, blue: 0, alpha: 0.7), Self.colors[1]].map(AnimationValue.color)
    for time in stride(from: 0, through: 0.99, by: 0.03) {
      let kinds: [Animation.Kind] = [
        .basic(.backgroundColor, from: values[0], to: values[2], by: nil),
        .keyframes(.backgroundColor, Keyframes(values)),
        .keyframes(.backgroundColor, Keyframes(values, mode: .cubic)),
        .spring(.backgroundColor, from: values[0], to: values[2], SpringCurve(stiffness: 20, damping: 40)),
      ]
      for kind in kinds {
        let found = try Self.color(kind, .backgroundColor, at: time)
        #expect(found[3] > 0 && abs(found[0] - 1) < 1e-9 && abs(found[1] - 0.5) < 1e-9 && found[2] == 0, "\(kind) at \(time)")
      }
    }
  }

  @Test func colors_ofOneAlpha_areMixedAsBefore() throws {
    let (from, to) = (Color(red: 0.1, green: 0.7, blue: 0.3, alpha: 0.3), Color(red: 0.9, green: 0.2, blue: 0.6, alpha: 0.3))
    let found = try Self.color(.basic(.backgroundColor, from: .color(from), to: .color(to), by: nil), .backgroundColor, at: 0.3)
    #expect(found == zip(Self.numbers(from), Self.numbers(to)).map { $0 + ($1 - $0) * 0.3 })
  }

  /// A curve that overshoots its end gives no visible colors beyond white or below black.
  @Test func overshoot_staysInRange() throws {
    var animation = Animation.basic(
      .backgroundColor, from: .color(Self.colors[0]), to: .color(Self.colors[4]), timing: LayerTiming(duration: 1),
      easing: .cubicBezier(x1: 0.3, y1: 1.8, x2: 0.6, y2: 1.2))
    animation.timing.fillMode = .both
    for step in 0...40 {
      var layer = Layer()
      animation.apply(to: &layer, model: Layer(), at: Double(step) / 40)
      let color = try #require(layer.backgroundColor)
      guard color.alpha > 0 else { continue }
      #expect(min(color.red, color.green, color.blue) >= 0 && max(color.red, color.green, color.blue) <= 1)
    }
  }
}
