import CompositorAPI
import Foundation
import CompositorOverlay
import Testing

struct AnimationTests {
  static let second = LayerTiming(duration: 1)

  func opacity(_ animations: [Animation], model: Double = 0.4, at time: Double) -> Double {
    var model_ = Layer()
    model_.opacity = model
    var layer = model_
    for animation in animations { animation.apply(to: &layer, model: model_, at: time) }
    return layer.opacity
  }

  @Test func basic_ofEverySetOfEnds_goesWhereTheModelSays() {
    func at(_ from: AnimationValue?, _ to: AnimationValue?, _ by: AnimationValue?) -> [Double] {
      [0, 0.5].map {
        (opacity([.basic(.opacity, from: from, to: to, by: by, timing: AnimationTests.second)], at: $0) * 1e6).rounded() / 1e6
      }
    }
    #expect(at(0, 1, nil) == [0, 0.5])
    #expect(at(0.1, nil, 0.2) == [0.1, 0.2])
    #expect(at(nil, 1, 0.5) == [0.5, 0.75])
    #expect(at(0, nil, nil) == [0, 0.2])
    #expect(at(nil, 1, nil) == [0.4, 0.7])
    #expect(at(nil, nil, 0.2) == [0.4, 0.5])
  }

  /// As CSS's before flag says: a step at the beginning isn't taken before it, nor after the way back to it.
  @Test func steps_atTheBeginning_areTakenWhenItComes() {
    let waiting = LayerTiming(beginTime: 1, duration: 1, fillMode: .both)
    let returning = LayerTiming(duration: 1, autoreverses: true, fillMode: .both)
    for (jump, first) in [(Easing.Jump.start, 0.25), (.both, 0.2), (.end, 0), (.none, 0)] {
      let animations = [waiting, returning].map {
        Animation.basic(.opacity, from: 0, to: 1, timing: $0, easing: .steps(4, jump))
      }
      #expect([0, 1, 2, 3].map { opacity([animations[0]], at: $0) } == [0, first, 1, 1], "\(jump)")
      #expect([-1, 0, 1, 3].map { opacity([animations[1]], at: $0) } == [0, first, 1, 0], "\(jump)")
      var frames = Keyframes([0, 1])
      frames.easings = [.steps(4, jump)]
      let through = Animation.keyframes(.opacity, frames, timing: waiting)
      #expect([0, 1, 2].map { opacity([through], at: $0) } == [0, first, 1], "\(jump)")
    }
  }

  @Test func additiveAndCumulative_addWhatTheySay() {
    var animation = Animation.basic(.opacity, from: 0, to: 0.1, timing: LayerTiming(duration: 1, repeatCount: 3))
    animation.isAdditive = true
    animation.isCumulative = true
    #expect(abs(opacity([animation], at: 2.5) - (0.4 + 0.2 + 0.05)) < 1e-12)
  }

  @Test func keyframes_linearDiscretePacedCubic_areAsDefined() {
    func at(_ frames: Keyframes, _ time: Double) -> Double {
      opacity([.keyframes(.opacity, frames, timing: AnimationTests.second)], at: time)
    }
    let values: [AnimationValue] = [0, 1, 0.5]
    #expect(at(Keyframes(values), 0.25) == 0.5)
    #expect(at(Keyframes(values, keyTimes: [0, 0.8, 1]), 0.4) == 0.5)
    let discrete = Keyframes(values, mode: .discrete)
    #expect([0.0, 0.33, 0.34, 0.67].map { at(discrete, $0) } == [0, 0, 1, 0.5])
    // Paced: two thirds of the way is spent on the first stretch, which is twice as long.
    #expect(abs(at(Keyframes(values, keyTimes: [0, 0.1, 1], mode: .paced), 1.0 / 3) - 0.5) < 1e-12)
    let cubic = Keyframes(values, mode: .cubic)
    #expect(at(cubic, 0.5) == 1)
    #expect(abs(at(cubic, 0.25) - 0.53125) < 1e-12)
  }

  @Test func path_withRotation_movesEvenlyAndTurns() {
    var frames = Keyframes(mode: .paced)
    var path = ShapePath()
    path.move(to: .zero)
    path.line(to: Point(x: 300, y: 0))
    path.line(to: Point(x: 300, y: 100))
    frames.path = path
    frames.rotation = .auto
    let animation = Animation.keyframes(.position, frames, timing: AnimationTests.second)
    var layer = Layer()
    animation.apply(to: &layer, model: Layer(), at: 0.5)
    #expect(layer.position == Point(x: 200, y: 0))
    #expect(layer.transform.rotationZ == 0)
    animation.apply(to: &layer, model: Layer(), at: 0.875)
    #expect(layer.position == Point(x: 300, y: 50))
    #expect(abs(layer.transform.rotationZ - .pi / 2) < 1e-12)
  }

  @Test func group_cutsItsMembersAndDoesNotScaleThem() {
    let member = Animation.basic(.opacity, from: 0, to: 1, timing: LayerTiming(beginTime: 1, duration: 4))
    let group = Animation(.group([member]), timing: LayerTiming(beginTime: 10, duration: 2))
    #expect(opacity([group], at: 10.5) == 0.4)
    #expect(opacity([group], at: 11.5) == 0.125)
    #expect(opacity([group], at: 12) == 0.4)
  }

  @Test func everyProperty_writtenAndRead_isTheSame() {
    let contents: [LayerContent] = [
      .text(TextContent("a")), .shape(ShapeContent()), .gradient(GradientContent([.black, .white])), .image(ImageContent()),
      .replicator(ReplicatorContent()), .emitter(EmitterContent()),
    ]
    // Highlights are of pieces of text only, and selectors have their own.
    let others = TextRangeSelector.properties.union([.textHighlight])
    for property in LayerProperty.allCases where !others.contains(property) {
      let wanted: AnimationValue =
        switch property.kind {
        case .text: "words"
        case .path: .path(.rectangle(Rect(x: 0, y: 0, width: 1, height: 1)))
        case .numbers(let count): .numbers((0..<count).map { property == .hidden ? 1 : Double($0 + 1) / 4 })
        case .list: .numbers([0.25, 0.5, 0.75, 1])
        }
      let held = contents.contains { content in
        var layer = Layer()
        layer.content = content
        guard property.value(in: layer) != nil else { return false }
        layer.set(property, to: property == .instanceCount ? 3 : wanted)
        return property.value(in: layer) == (property == .instanceCount ? 3 : wanted)
      }
      #expect(held, "\(property.rawValue)")
    }
  }

  @Test func layer_writtenAsJSONAndRead_isTheSame() throws {
    var layer = Layer(frame: Rect(x: 0, y: 0, width: 10, height: 20), content: .text(TextContent("Magic")))
    layer.sublayers = [
      Layer(frame: Rect(x: 1, y: 2, width: 3, height: 4), content: .shape(ShapeContent(.star(center: .zero, radius: 5))))
    ]
    layer.mask = Layer()
    layer.animations = [
      .basic(.opacity, from: 1, to: 0, timing: LayerTiming(beginTime: 10, duration: 1, fillMode: .forwards), easing: .easeIn),
      Animation(
        .group([.keyframes(.textColor, Keyframes([.color(.black), .color(.white)]), timing: AnimationTests.second)]),
        timing: .init()),
      Animation(.transition(LayerTransition(.push, from: .top)), timing: AnimationTests.second),
    ]
    layer = layer.spinning(every: .seconds(3)).shown(from: .seconds(1), for: .positiveInfinity)
    let data = try JSONEncoder().encode(layer)
    #expect(try JSONDecoder().decode(Layer.self, from: data) == layer)
  }

  @Test func svgPath_ofEveryCommand_isRead() throws {
    let path = try ShapePath(svg: "M10-20h5v.5l1e1,2 3 4c1 1 2 2 3 3s1 1 2 2Q0 0 1 1t2 2z m1 1")
    #expect(path.steps == [.move, .line, .line, .line, .line, .curve, .curve, .curve, .curve, .close, .move])
    #expect(Array(path.coordinates.prefix(4)) == [10, -20, 15, -20])
    #expect(throws: CompositorError.self) { try ShapePath(svg: "M 1 2 A 3 4 5") }
    #expect(throws: CompositorError.self) { try ShapePath(svg: "M 1") }
  }
}
