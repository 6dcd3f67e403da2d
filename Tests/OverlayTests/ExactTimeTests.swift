import CompositorAPI
import CompositorOverlay
import Testing

/// Windows, loops, steps, key times and delays at every usual frame rate, compared with a model in exact fractions: each frame
/// shows what the times say, although layers have binary fractions of seconds.
struct ExactTimeTests {
  static let rates = [
    ExactFraction(24), ExactFraction(25), ExactFraction(30000, 1001), ExactFraction(30), ExactFraction(50),
    ExactFraction(60000, 1001), ExactFraction(60),
  ]

  /// A time as projects have them: frames, tenths, hundredths or thousandths of seconds.
  static func time(_ frames: ClosedRange<Int>, _ rate: ExactFraction, _ random: inout Numbers) -> ExactFraction {
    let count = ExactFraction(Int128(Int.random(in: frames, using: &random))) / rate
    guard Bool.random(using: &random) else { return count }
    let places = ExactFraction([10, 100, 1000].randomElement(using: &random) ?? 10)
    return max(ExactFraction((count * places).floor), frames.lowerBound > 0 ? .one : .zero) / places
  }

  /// An activity: a layer or an animation.
  struct Activity {
    var begin = ExactFraction.zero
    /// `nil` for an endless one.
    var duration: ExactFraction?
    var speed = ExactFraction.one
    var offset = ExactFraction.zero
    /// `nil` for forever.
    var passes: ExactFraction? = .one
    var reverses = false
    var fills = false

    var timing: LayerTiming {
      LayerTiming(
        beginTime: begin.value, duration: duration?.value ?? 0, speed: speed.value, timeOffset: offset.value,
        repeatCount: duration == nil ? 0 : passes?.value ?? .infinity, autoreverses: reverses,
        fillMode: fills ? .both : .removed)
    }

    /// Its local time and progress, and whether it waits at the beginning of a pass, where CSS's before flag is set; `nil` outside.
    func sample(at parent: ExactFraction) -> (time: ExactFraction, progress: ExactFraction, isBefore: Bool)? {
      var elapsed = (parent - begin) * speed
      guard let duration else { return parent < begin ? nil : (elapsed + offset, .zero, false) }
      let whole = passes.map { $0 * duration * ExactFraction(reverses ? 2 : 1) }
      var (isWaiting, isAtEnd) = (false, false)
      if parent < begin {
        guard fills else { return nil }
        (elapsed, isWaiting) = (.zero, true)
      } else if let whole, elapsed >= whole {
        guard fills else { return nil }
        (elapsed, isAtEnd) = (whole, true)
      }
      let local = elapsed + offset
      var leg = (local / duration).floor
      var time = local - ExactFraction(leg) * duration
      if isAtEnd, time == .zero { (leg, time) = (leg - 1, duration) }
      let isReturning = reverses && leg % 2 != 0
      if isReturning { time = duration - time }
      return (time, time / duration, isReturning ? isAtEnd : isWaiting)
    }
  }

  /// A title: a group with a moving box, whose position is the number of the step that it has reached.
  struct Title {
    var group = Activity(), box = Activity(), motion = Activity(fills: true)
    /// The number of equal steps; 0 for key times.
    var steps = 0
    var keyTimes: [ExactFraction] = []

    init(_ rate: ExactFraction, _ random: inout Numbers) {
      let speeds = [(1, 1), (1, 1), (1, 2), (2, 1), (5, 4), (4, 5), (7, 10), (13, 10)].map { ExactFraction($0.0, $0.1) }
      group.begin = ExactTimeTests.time(0...100_000, rate, &random)
      group.speed = speeds.randomElement(using: &random) ?? .one
      box.begin = ExactTimeTests.time(0...12, rate, &random)
      box.duration = ExactTimeTests.time(1...20, rate, &random)
      box.passes = [.one, ExactFraction(2), ExactFraction(5, 2), nil].randomElement(using: &random) ?? .one
      motion.begin = ExactTimeTests.time(0...4, rate, &random)
      motion.duration = ExactTimeTests.time(1...12, rate, &random)
      motion.speed = speeds.randomElement(using: &random) ?? .one
      motion.offset = Bool.random(using: &random) ? .zero : ExactTimeTests.time(0...7, rate, &random)
      motion.passes = [.one, ExactFraction(3), ExactFraction(7, 2), nil].randomElement(using: &random) ?? .one
      motion.reverses = Bool.random(using: &random)
      steps = Int.random(in: 0...12, using: &random)
      guard steps == 0 else { return }
      let cuts = Set((0..<3).map { _ in Int128.random(in: 1...99, using: &random) })
      keyTimes = [.zero] + cuts.sorted().map { ExactFraction($0, 100) }
    }

    var layer: Layer {
      var child = Canvas.box(Rect(x: 0, y: 0, width: 4, height: 4))
      child.timing = box.timing
      if steps > 0 {
        child.animations = [
          .basic(.positionX, from: 0, to: .number(Double(steps)), timing: motion.timing, easing: .steps(steps))
        ]
      } else {
        let values = keyTimes.indices.map { AnimationValue.number(Double($0)) }
        child.animations = [
          .keyframes(.positionX, Keyframes(values, keyTimes: keyTimes.map(\.value), mode: .discrete), timing: motion.timing)
        ]
      }
      var parent = Layer(frame: Rect(x: 0, y: 0, width: 100, height: 100))
      (parent.timing, parent.sublayers) = (group.timing, [child])
      return parent
    }

    /// The step that is shown; `nil` if the box isn't visible.
    func step(at time: ExactFraction) -> Int? {
      guard let outer = group.sample(at: time), let inner = box.sample(at: outer.time),
        let (_, progress, isBefore) = motion.sample(at: inner.time)
      else { return nil }
      if steps > 0 {
        let exact = progress * ExactFraction(Int128(steps))
        let isJump = isBefore && ExactFraction(exact.floor) == exact
        return Int(min(max(exact.floor - (isJump ? 1 : 0), 0), Int128(steps)))
      }
      return keyTimes.lastIndex { $0 <= progress } ?? 0
    }
  }

  @Test(arguments: rates.indices) func frames_ofRandomTitles_areThoseOfTheModel(rate index: Int) throws {
    let rate = Self.rates[index]
    var random = Numbers(state: 0x51ed_2701 + UInt64(index))
    var (wrong, count) = ([String](), 0)
    for _ in 0..<1430 {
      let title = Title(rate, &random)
      let layer = title.layer
      let first = (title.group.begin * rate).floor - 1
      for frame in first..<first + 40 {
        let time = ExactFraction(frame) / rate
        let node = try EvaluationTests.evaluate(layer, at: time.value)
        let shown = node?.children.first.map { Int($0.layer.position.x.rounded()) }
        count += 1
        if shown != title.step(at: time) { wrong.append("\(title) at \(time): \(shown.map(String.init) ?? "nothing")") }
      }
    }
    #expect(count == 1430 * 40 && wrong.isEmpty, "\(wrong.count) of \(count) frames, \(wrong.first ?? "")")
  }

  @Test(arguments: rates.indices) func partsOneAfterAnother_areNeverShownTogether(rate index: Int) throws {
    let rate = Self.rates[index]
    var random = Numbers(state: 0x77 + UInt64(index))
    for _ in 0..<60 {
      let length = Self.time(1...30, rate, &random)
      var root = Layer(frame: Rect(x: 0, y: 0, width: 100, height: 100))
      root.sublayers = (0..<Int128(20)).map { place in
        var box = Canvas.box(Rect(x: Double(place), y: 0, width: 4, height: 4))
        box.timing = Activity(begin: ExactFraction(place) * length, duration: length).timing
        return box
      }
      for frame in 0..<min((ExactFraction(20) * length * rate).floor, 400) {
        let time = ExactFraction(frame) / rate
        let places = try EvaluationTests.evaluate(root, at: time.value)?.children.map { Int($0.layer.position.x) - 2 }
        #expect(places == [Int((time / length).floor)], "frame \(frame) at \(rate), parts of \(length)")
      }
    }
  }

  @Test(arguments: rates.indices) func lettersThatBeginOneAfterAnother_areOnTime(rate index: Int) throws {
    let rate = Self.rates[index]
    var random = Numbers(state: 0x1234 + UInt64(index))
    let fonts = try FontLibrary()
    for _ in 0..<12 {
      let delay = Self.time(1...9, rate, &random)
      var animator = TextAnimator(
        .character, [.basic(.opacity, from: 0, to: 1, timing: Activity(duration: delay, fills: true).timing, easing: .steps(1))]
      )
      animator.delay = delay.value
      let presenter = try LayerPresenter(
        TextAnimatorTests.layer("abcdefghijkl", animator), canvas: TextAnimatorTests.size, fonts: fonts)
      for frame in 0..<min((ExactFraction(12) * delay * rate).floor, 60) {
        let time = ExactFraction(frame) / rate
        let exact = MediaTime(value: Int64(time.numerator), timescale: Int32(time.denominator))
        let units = try presenter.presentation(at: exact)?.units ?? []
        let lit = units.filter { $0.opacity > 0.5 }.count
        #expect(lit == Int((time / delay).floor), "frame \(frame) at \(rate), delay \(delay)")
      }
    }
  }

  @Test(arguments: rates.indices) func particles_areBornAndDieOnTime(rate index: Int) throws {
    let rate = Self.rates[index]
    var random = Numbers(state: 0x9876 + UInt64(index))
    for _ in 0..<100 {
      var emitter = EmitterContent()
      let births = Int128.random(in: 1...60, using: &random)
      let lifetime = Self.time(1...50, rate, &random)
      (emitter.birthRate, emitter.lifetime) = (Double(births), lifetime.value)
      for frame in 0..<Int128(50) {
        let time = ExactFraction(frame) / rate
        let born = (time * ExactFraction(births)).floor + 1
        let dead = time < lifetime ? 0 : ((time - lifetime) * ExactFraction(births)).floor + 1
        let alive = try Layer(frame: .zero, content: .emitter(emitter)).particles(at: time.value).count
        #expect(alive == Int(born - dead), "frame \(frame) at \(rate), \(births) a second for \(lifetime)")
      }
    }
  }

  @Test(arguments: [NumberRounding.nearest, .floor, .ceiling]) func numbersThatCount_changeOnTime(rounding: NumberRounding)
    throws
  {
    for rate in Self.rates {
      for seconds in [Int128(3), 7, 10] {
        let timing = LayerTiming(duration: Double(seconds), fillMode: .both)
        var text = TextContent()
        text.generator = .number(fractionDigits: 0, minimumIntegerDigits: 1, grouping: "", rounding: rounding)
        var layer = Layer(frame: Rect(x: 0, y: 0, width: 100, height: 50), content: .text(text))
        layer.animations = [.basic(.textValue, from: .number(Double(seconds)), to: 0, timing: timing)]
        for frame in 0..<(ExactFraction(seconds) * rate).floor {
          let rest = ExactFraction(seconds) - ExactFraction(frame) / rate
          let expected =
            switch rounding {
            case .nearest: (rest + ExactFraction(1, 2)).floor
            case .floor: rest.floor
            case .ceiling: 0 - (ExactFraction(0) - rest).floor
            }
          let node = try EvaluationTests.evaluate(layer, at: (ExactFraction(frame) / rate).value)
          guard case .text(let shown)? = node?.layer.content else { continue }
          #expect(shown.string == "\(expected)", "frame \(frame) at \(rate)")
        }
      }
    }
  }
}
