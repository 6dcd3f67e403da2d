import CompositorAPI
import CompositorOverlay
import Testing

/// The published table of the Web Animations tests, "simple iteration progress" (web-platform-tests,
/// web-animations/timing-model/animation-effects), and beside it that of "current iteration": duration 100, delay 1, fill both; `iterationStart` is our
/// `timeOffset / duration`. Left out are the rows that this model does not have: a duration of 0 (here 0 stands for the
/// default duration), 0 iterations (0 stands for one pass), an endless duration with an offset (an endless layer has no
/// passes) and an end delay. A playback rate of −1 plays within the same active time here, as on the web.
struct LayerTimingTests {
  struct Row: Sendable {
    var iterations, iterationStart, before, active: Double
    var after: Double?
    /// Numbers of the pass before, at the beginning and after.
    var passes: [Double]
  }

  static let table: [Row] = [
    Row(iterations: 3, iterationStart: 0, before: 0, active: 0, after: 1, passes: [0, 0, 2]),
    Row(iterations: 3, iterationStart: 2.5, before: 0.5, active: 0.5, after: 0.5, passes: [2, 2, 5]),
    Row(iterations: 3, iterationStart: 3, before: 0, active: 0, after: 1, passes: [3, 3, 5]),
    Row(iterations: 3.5, iterationStart: 0, before: 0, active: 0, after: 0.5, passes: [0, 0, 3]),
    Row(iterations: 3.5, iterationStart: 2.5, before: 0.5, active: 0.5, after: 1, passes: [2, 2, 5]),
    Row(iterations: 3.5, iterationStart: 3, before: 0, active: 0, after: 0.5, passes: [3, 3, 6]),
    Row(iterations: .infinity, iterationStart: 0, before: 0, active: 0, passes: [0, 0]),
    Row(iterations: .infinity, iterationStart: 2.5, before: 0.5, active: 0.5, passes: [2, 2]),
    Row(iterations: .infinity, iterationStart: 3, before: 0, active: 0, passes: [3, 3]),
  ]

  /// A layer has a time exactly while it is shown, whatever repeats, holds or runs backward.
  @Test func shownTime_isThatOfItsSamples() {
    for speed in [1, 0.5, -2, 0] {
      for (duration, count, length) in [(0, 0, 0), (2, 0, 0), (2, 3.5, 0), (2, 0, 5), (2, .infinity, 0)]
        as [(Double, Double, Double)]
      {
        for fill in [FillMode.removed, .forwards, .backwards, .both] {
          for reverses in [false, true] {
            let timing = LayerTiming(
              beginTime: 1.1, duration: duration, speed: speed, repeatCount: count, repeatDuration: length,
              autoreverses: reverses,
              fillMode: fill)
            let shown = timing.shownTime
            for time in stride(from: -3.03, to: 40, by: 0.25) {
              let isShown = timing.sample(at: time, standardDuration: .infinity) != nil
              #expect(isShown == (time >= shown.start && time < shown.end), "\(timing) at \(time)")
            }
          }
        }
      }
    }
  }

  @Test(arguments: table) func progress_ofThePublishedTable_agrees(row: Row) throws {
    let timing = LayerTiming(
      beginTime: 1, duration: 100, timeOffset: row.iterationStart * 100, repeatCount: row.iterations, fillMode: .both)
    #expect(timing.sample(at: 0, standardDuration: 1)?.progress == row.before)
    #expect(timing.sample(at: 1, standardDuration: 1)?.progress == row.active)
    #expect(timing.sample(at: 0, standardDuration: 1)?.iteration == row.passes[0])
    #expect(timing.sample(at: 1, standardDuration: 1)?.iteration == row.passes[1])
    guard let after = row.after else { return }
    let end = 1 + 100 * row.iterations
    #expect(timing.sample(at: end, standardDuration: 1)?.iteration == row.passes[2])
    #expect(timing.sample(at: end, standardDuration: 1)?.progress == after)
    #expect(timing.sample(at: end + 1000, standardDuration: 1)?.progress == after)
  }

  @Test func progress_withNegativeSpeed_runsFromTheEnd() {
    let timing = LayerTiming(beginTime: 1, duration: 1, speed: -1, fillMode: .both)
    #expect(timing.sample(at: 1, standardDuration: 1)?.progress == 1)
    #expect(timing.sample(at: 1.25, standardDuration: 1)?.progress == 0.75)
    #expect(timing.sample(at: 3, standardDuration: 1)?.progress == 0)
  }

  @Test func sample_outsideTheActiveTime_isNilUnlessFilled() {
    let timing = LayerTiming(beginTime: 2, duration: 1)
    #expect(timing.sample(at: 1.999, standardDuration: 1) == nil)
    #expect(timing.sample(at: 2, standardDuration: 1) != nil)
    #expect(timing.sample(at: 3, standardDuration: 1) == nil)
  }

  @Test func autoreverse_overTwoPasses_comesBackTwice() {
    let timing = LayerTiming(duration: 1, repeatCount: 2, autoreverses: true, fillMode: .forwards)
    let progress = [0.0, 0.5, 1, 1.5, 2, 2.5, 3.25, 4].map { timing.sample(at: $0, standardDuration: 1)?.progress }
    #expect(progress == [0, 0.5, 1, 0.5, 0, 0.5, 0.75, 0])
    #expect(timing.sample(at: 3.9, standardDuration: 1)?.iteration == 1)
  }

  /// An animation as long as its layer's pass runs where the layer's time turns, too: its value has no hole of a frame.
  @Test(arguments: [0.04, 1, 4.0, 3600], [0.25, 1, 3.0])
  func autoreverse_whereTimeTurns_isStillInThePass(_ pass: Double, _ speed: Double) {
    let outer = LayerTiming(beginTime: 2, duration: pass, speed: speed, repeatCount: 3, autoreverses: true)
    let inner = LayerTiming(duration: pass)
    let slow = LayerTiming(duration: 2 * pass, speed: 2)
    for turn in [1.0, 3, 5] {
      let time = outer.sample(at: 2 + turn * pass / speed, standardDuration: 1)
      let (whole, half) = (
        inner.sample(at: time?.time ?? -1, standardDuration: 1), slow.sample(at: time?.time ?? -1, standardDuration: 1)
      )
      #expect(time?.progress == 1 && abs((whole?.progress ?? 0) - 1) < 1e-6 && abs((half?.progress ?? 0) - 1) < 1e-6)
    }
    #expect(inner.sample(at: pass, standardDuration: 1) == nil)
  }

  @Test func time_ofNestedSpeedsAndOffsets_isThatOfTheFormula() {
    let outer = LayerTiming(beginTime: 2, speed: 3, timeOffset: 0.5)
    let inner = LayerTiming(beginTime: 1, speed: 0.5, timeOffset: 4)
    let parent = outer.sample(at: 5, standardDuration: .infinity)?.time
    #expect(parent == (5 - 2) * 3 + 0.5)
    #expect(inner.sample(at: parent ?? 0, standardDuration: .infinity)?.time == (9.5 - 1) * 0.5 + 4)
  }

  @Test func time_withSpeedZero_standsStillAtItsOffset() {
    let timing = LayerTiming(speed: 0, timeOffset: 7)
    #expect(timing.sample(at: -100, standardDuration: .infinity)?.time == 7)
    #expect(timing.sample(at: 100, standardDuration: .infinity)?.time == 7)
  }

  @Test func repeatDuration_overridesTheCount() {
    let timing = LayerTiming(duration: 2, repeatCount: 9, repeatDuration: 3, fillMode: .forwards)
    #expect(timing.sample(at: 2.5, standardDuration: 1)?.progress == 0.25)
    #expect(timing.sample(at: 50, standardDuration: 1)?.progress == 0.5)
  }
}

struct SpringCurveTests {
  @Test func spring_ofTheDefaults_followsTheClosedForm() {
    let spring = SpringCurve()
    #expect(spring.value(at: 0) == 0)
    // ζ = 0.5, ω = 10: 1 − e^(−5t)(cos 8.6603 t + 0.57735 sin 8.6603 t); the first overshoot is e^(−π ζ/√(1−ζ²)) = 0.16303.
    let peak = Double.pi / (10 * 0.75.squareRoot())
    #expect(abs(spring.value(at: peak) - 1.163_034) < 1e-5)
    #expect(abs(spring.value(at: spring.settlingDuration) - 1) < 2e-3)
  }

  @Test func spring_ofEveryDamping_obeysItsDifferentialEquation() {
    for damping in [1.0, 10, 20, 60] {
      let spring = SpringCurve(mass: 1, stiffness: 100, damping: damping, initialVelocity: 3)
      let h = 1e-4
      for time in [0.05, 0.2, 0.7] {
        let (before, now, after) = (spring.value(at: time - h), spring.value(at: time), spring.value(at: time + h))
        let (speed, force) = ((after - before) / (2 * h), (after - 2 * now + before) / (h * h))
        #expect(abs(force + damping * speed + 100 * (now - 1)) < 0.02)
      }
      #expect(abs((spring.value(at: h) - spring.value(at: 0)) / h - 3) < 0.1)
    }
  }
}
