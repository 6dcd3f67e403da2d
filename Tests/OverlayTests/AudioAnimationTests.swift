import CompositorAPI
import CompositorOverlay
import Foundation
import Testing

/// Animations that follow the level of audio: the movie's time of a layer, and the values between.
@Suite struct AudioAnimationTests {
  /// A level that rises from 0 to 1 in the first second of the movie.
  private static func rising(_ clock: LayerClock = LayerClock()) -> AudioLevel {
    var level = AudioLevel()
    level.curve = LevelCurve((0...200).map { Float($0) / 200 }, clock: clock)
    return level
  }

  @Test func curve_isLinearBetweenItsValues_andConstantOutside() {
    let level = Self.rising()
    for (time, expected) in [(-1, 0), (0, 0), (0.25, 0.25), (0.2512, 0.2512), (0.9975, 0.9975), (1, 1), (9, 1), (.nan, 0)] {
      #expect(abs(level.value(at: time) - expected) < 1e-7, "at \(time)")
    }
    #expect(AudioLevel().value(at: 1) == 0)
  }

  @Test(arguments: [
    LayerTiming(), LayerTiming(beginTime: 3), LayerTiming(beginTime: 2, duration: 5), LayerTiming(beginTime: 1, speed: 2),
    LayerTiming(beginTime: 1, duration: 4, speed: 0.5), LayerTiming(beginTime: 1, duration: 4, speed: -2),
    LayerTiming(speed: -1, timeOffset: 3), LayerTiming(beginTime: 1, timeOffset: 2), LayerTiming(duration: 4, repeatCount: 0.5),
  ])
  func clock_isTheInverseOfTheTiming(_ timing: LayerTiming) throws {
    let parent = try #require(LayerClock().inside(LayerTiming(beginTime: 0.5, duration: 20, speed: 1.25)))
    let clock = try #require(parent.inside(timing))
    for frame in 0..<400 {
      let movie = 0.5 + Double(frame) / 50
      guard let sample = timing.sample(at: (movie - 0.5) * 1.25, standardDuration: .infinity) else { continue }
      #expect(abs(clock.movieTime(of: sample.time) - movie) < 1e-9, "\(movie)")
    }
  }

  @Test func clock_ofAStretchedLayer_isItsInverse_andRepeatsHaveNone() throws {
    var timing = LayerTiming(beginTime: 1, duration: 6)
    timing.stretch = TimeStretch(start: 1, end: 0.5, duration: 4)
    let clock = try #require(LayerClock().inside(timing))
    for movie in stride(from: 1.01, to: 6.99, by: 0.037) {
      let own = try #require(timing.sample(at: movie, standardDuration: .infinity)).time
      #expect(abs(clock.movieTime(of: own) - movie) < 1e-9)
    }
    for timing in [
      LayerTiming(duration: 1, repeatCount: 2), LayerTiming(duration: 1, repeatDuration: 3), LayerTiming(speed: 0),
      LayerTiming(duration: 1, autoreverses: true), LayerTiming(duration: 1, timeOffset: 0.5),
    ] { #expect(LayerClock().inside(timing) == nil, "\(timing)") }
  }

  @Test func animation_goesFromOneValueToTheOther() {
    let model = Layer(frame: Rect(x: 0, y: 0, width: 10, height: 10))
    func shown(_ animation: Animation, at time: Double) -> Layer {
      var layer = model
      animation.apply(to: &layer, model: model, at: time)
      return layer
    }
    let timing = LayerTiming(beginTime: 0.25)
    let scale = Animation(.audio(.scale, from: 1, to: 3, Self.rising()), timing: timing)
    #expect(shown(scale, at: 0.2).transform.scaleX == 1)
    #expect(shown(scale, at: 0.5).transform.scaleX == 2 && shown(scale, at: 90).transform.scaleY == 3)
    // From the layer's own value, with an easing, added, and held at its end.
    let eased = Animation(.audio(.opacity, from: nil, to: 0, Self.rising()), timing: timing, easing: .steps(1))
    #expect(shown(eased, at: 0.9).opacity == 1 && shown(eased, at: 1).opacity == 0)
    var added = Animation(
      .audio(.positionX, from: 0, to: 8, Self.rising()), timing: LayerTiming(duration: 0.5, fillMode: .both))
    added.isAdditive = true
    #expect(shown(added, at: 0.25).position.x == 7 && shown(added, at: 5).position.x == 9)
    #expect(shown(Animation(.audio(.scale, from: 2, to: 3, AudioLevel()), timing: timing), at: 1).transform.scaleX == 2)
  }

  @Test func tree_isAPureFunctionOfTime() throws {
    var layer = Layer(frame: Rect(x: 10, y: 10, width: 40, height: 20))
    layer.backgroundColor = .white
    layer.animations = [
      Animation(.audio(.positionX, from: 30, to: 90, Self.rising()), timing: LayerTiming()),
      Animation(.audio(.opacity, from: 0, to: 1, Self.rising()), timing: LayerTiming()),
    ]
    layer.motionBlur = MotionBlur(exposure: 0.02)
    let size = PixelSize(width: 120, height: 40)
    let presenter = try LayerPresenter(Layer(canvas: size) { layer }, canvas: size, fonts: try FontLibrary())
    let times = (0..<30).map { MediaTime(value: $0, timescale: 25) }
    let forward = try times.map { try presenter.presentation(at: $0) }
    #expect(try times.reversed().map { try presenter.presentation(at: $0) } == forward.reversed())
    #expect(forward[10] != nil && forward[10] != forward[11] && forward[27] != nil)
  }

  @Test func tree_givesEachLevelItsClockAndPath() throws {
    func following(_ source: AudioLevel.Source = .mix) -> [Animation] {
      [Animation(.audio(.opacity, from: 0, to: 1, AudioLevel(of: source)), timing: LayerTiming())]
    }
    var (root, text, cell, emitter) = (Layer(), TextContent(), Layer(), Layer())
    text.animators = [TextAnimator(.character, following(.trackIndex(1)))]
    text.animators[0].selector = TextRangeSelector()
    text.animators[0].selector?.animations = [
      Animation(.audio(.selectorEnd, from: 0, to: 1, AudioLevel()), timing: LayerTiming())
    ]
    root.content = .text(text)
    root.timing.beginTime = 2
    cell.animations = following(.trackNamed("x"))
    emitter.content = .emitter(EmitterContent())
    emitter.sublayers = [cell]
    root.sublayers = [Layer(), emitter]
    var found: [String: Double?] = [:]
    try root.updateAudioLevels { (level, clock, path) throws(CompositorError) in
      found.updateValue(clock?.movieTime(of: 1), forKey: path)
      level.source = .tracks([7])
    }
    #expect(
      found == [
        "content.text.animators[0].animations[0].audio": 3, "content.text.animators[0].selector.animations[0].audio": 3,
        "sublayers[1].sublayers[0].animations[0].audio": Double?.none,
      ])
    guard case .audio(_, _, _, let level)? = root.sublayers[1].sublayers[0].animations.first?.kind else {
      Issue.record("no level")
      return
    }
    #expect(level.source == .tracks([7]))
    let error = #expect(throws: CompositorError.self) { try root.requireNoAudioLevels() }
    #expect(error?.location.path == "content.text.animators[0].animations[0].audio", "\(error.map { "\($0)" } ?? "")")
  }

  @Test func animation_asJSON_isReadAndWritten() throws {
    let text = #"""
      { "property": "transform.scale", "to": 2, "audio": { "track": "drums", "band": [40, 150], "release": 0.4, "floor": -50 } }
      """#
    let animation = try JSONDecoder().decode(Animation.self, from: Data(text.utf8))
    var level = AudioLevel(of: .trackNamed("drums"))
    (level.band, level.release, level.floor) = (40...150, 0.4, -50)
    #expect(animation.kind == .audio(.scale, from: nil, to: 2, level))
    level.source = .tracks([3, 5])
    level.ceiling = -6
    for source in [level.source, .mix, .trackIndex(2), .trackNamed("2")] {
      level.source = source
      let written = Animation(.audio(.opacity, from: 0, to: 1, level), timing: LayerTiming())
      #expect(try JSONDecoder().decode(Animation.self, from: JSONEncoder().encode(written)) == written)
    }
    for wrong in [
      #""audio": {}"#, #""to": 1, "audio": { "band": [150, 40] }"#, #""to": 1, "audio": { "band": [1, 40] }"#,
      #""to": 1, "audio": { "attack": -1 }"#, #""to": 1, "audio": { "floor": -6, "ceiling": -6 }"#,
      #""to": 1, "audio": { "ceiling": 21 }"#, #""to": "x", "audio": {}"#,
    ] {
      let text = "{ \"property\": \"opacity\", \(wrong) }"
      #expect(throws: (any Error).self, "\(wrong)") { try JSONDecoder().decode(Animation.self, from: Data(text.utf8)) }
    }
    let group = #"{ "group": [{ "property": "opacity", "to": 1, "audio": {} }], "duration": 1 }"#
    #expect(throws: (any Error).self) { try JSONDecoder().decode(Animation.self, from: Data(group.utf8)) }
  }
}
