import CompositorAPI
import CompositorOverlay
import Testing

/// Emitters whose properties are animated.
struct EmitterTests {
  static func layer(_ animations: [Animation], _ change: (inout EmitterContent) -> Void = { _ in }) -> Layer {
    var emitter = EmitterContent()
    (emitter.birthRate, emitter.lifetime) = (100, 1)
    change(&emitter)
    var layer = Layer(frame: Rect(x: 0, y: 0, width: 200, height: 100), content: .emitter(emitter))
    layer.sublayers = [Canvas.box(Rect(x: 0, y: 0, width: 2, height: 2))]
    layer.animations = animations
    return layer
  }

  static func lasting(_ seconds: Double) -> LayerTiming { LayerTiming(duration: seconds, fillMode: .both) }

  @Test func birthRate_animated_bearsAsManyAsItSays() throws {
    let rising = EmitterTests.layer([.basic(.emitterBirthRate, from: 0, to: 400, timing: EmitterTests.lasting(4))])
    // The integral of the rate over the last second.
    for (time, count) in [(1.0, 50.0), (2, 150), (3, 250), (4, 350), (6, 400)] {
      #expect(abs(Double(try rising.particles(at: time).count) - count) < 6, "\(time)")
    }
    let steady = EmitterTests.layer([.basic(.emitterBirthRate, from: 100, to: 100, timing: EmitterTests.lasting(4))])
    #expect(try steady.particles(at: 3) == EmitterTests.layer([]).particles(at: 3), "the same as without")
    let off = EmitterTests.layer([
      .keyframes(.emitterBirthRate, Keyframes([100, 0], mode: .discrete), timing: EmitterTests.lasting(4))
    ])
    #expect(abs(try off.particles(at: 2.5).count - 50) <= 1)
    #expect(try off.particles(at: 3.2).isEmpty)
  }

  @Test func birthRate_addedTo_isTheSum() throws {
    var more = Animation.basic(.emitterBirthRate, from: 50, to: 50, timing: EmitterTests.lasting(4))
    more.isAdditive = true
    #expect(abs(try EmitterTests.layer([more]).particles(at: 3).count - 150) < 4)
  }

  @Test func emitterPosition_animated_leavesParticlesWhereTheyWereBorn() throws {
    let moving = EmitterTests.layer([
      .basic(.emitterPosition, from: .point(x: 0, y: 0.5), to: .point(x: 1, y: 0.5), timing: EmitterTests.lasting(4))
    ])
    let particles = try moving.particles(at: 2)
    #expect(particles.count == 100 || particles.count == 101)
    #expect(particles.allSatisfy { abs($0.source.x - (2 - $0.age) / 4) < 1e-9 })
    let node = try #require(try EvaluationTests.evaluate(moving, at: 2))
    let places = node.children.map { $0.matrix.apply(to: Point(x: 1, y: 1)).x }
    #expect(places == places.sorted() && places[0] < 53 && places[places.count - 1] > 98)
  }

  @Test func everyAnimatedProperty_atAnyTime_isTheSameInAnyOrder() throws {
    let changes: [(LayerProperty, AnimationValue)] = [
      (.emitterLifetime, 2), (.emitterVelocity, 80), (.emitterAngle, 3), (.emitterRange, 1),
      (.emitterAcceleration, .point(x: 3, y: 50)), (.emitterScale, 2), (.emitterScaleSpeed, 1), (.emitterSpin, 4),
      (.emitterAlphaSpeed, -0.5), (.emitterSize, .point(x: 20, y: 10)),
    ]
    let plain = try EmitterTests.layer([]) { ($0.emissionRange, $0.velocity) = (0.1, 10) }.particles(at: 2.5)
    for (property, value) in changes {
      let layer = EmitterTests.layer([.basic(property, to: value, timing: EmitterTests.lasting(3))]) { emitter in
        (emitter.emissionRange, emitter.velocity) = (0.1, 10)
      }
      let times = [0.5, 1, 2.5, 4]
      let forwards = try times.map { try layer.particles(at: $0) }
      #expect(try times.reversed().map { try layer.particles(at: $0) } == forwards.reversed())
      let isChanged = forwards[2] != plain
      #expect(isChanged, "\(property.rawValue)")
    }
    let longer = EmitterTests.layer([.basic(.emitterLifetime, from: 1, to: 3, timing: EmitterTests.lasting(2))])
    #expect(abs(try longer.particles(at: 8).count - 300) < 3)
  }
}
