import AVFoundation
import Testing

/// A fade from 0 to 1 with a timing, and its value by the formulas; `nil` where it shows nothing.
private struct Case: Sendable, CustomStringConvertible {
  var name: String
  var begin = 0.0
  var duration = 1.0
  var speed: Float = 1
  var offset = 0.0
  var count: Float = 0
  var reverses = false
  var fill = CAMediaTimingFillMode.removed
  var isRemoved = false

  var description: String { name }

  func value(at time: Double) -> Double? {
    let passes = count == 0 ? 1.0 : Double(count)
    let length = duration * (reverses ? 2 : 1) * passes
    var active = (time - begin) * Double(speed)
    if active < -1e-9 {
      guard fill == .backwards || fill == .both else { return nil }
      active = 0
    }
    if active > length - 1e-9 {
      guard !isRemoved, fill == .forwards || fill == .both else { return nil }
      // The end of the last pass, not the beginning of another one.
      return reverses ? 0 : passes.rounded(.down) == passes ? 1 : passes - passes.rounded(.down)
    }
    let local = (active + offset) / duration
    let pass = (local + 1e-9).rounded(.down)
    let part = max(local - pass, 0)
    return reverses && pass.truncatingRemainder(dividingBy: 2) != 0 ? 1 - part : part
  }

  var animation: CABasicAnimation {
    let fade = CABasicAnimation(keyPath: "opacity")
    (fade.fromValue, fade.toValue) = (0, NSNumber(value: 1))
    (fade.beginTime, fade.duration, fade.speed, fade.timeOffset) = (begin, duration, speed, offset)
    (fade.repeatCount, fade.autoreverses, fade.fillMode, fade.isRemovedOnCompletion) = (count, reverses, fill, isRemoved)
    return fade
  }
}

private let cases = [
  Case(name: "plain"), Case(name: "begin", begin: 0.52), Case(name: "both", begin: 0.52, duration: 0.4, fill: .both),
  Case(name: "forwards", begin: 0.52, duration: 0.4, fill: .forwards),
  Case(name: "backwards", begin: 0.52, duration: 0.4, fill: .backwards),
  Case(name: "removed", begin: 0.52, duration: 0.4, fill: .both, isRemoved: true),
  Case(name: "repeated", duration: 0.4, count: 2.5, fill: .forwards), Case(name: "reversed", duration: 0.4, reverses: true),
  Case(name: "both ways", duration: 0.4, count: .infinity, reverses: true),
  Case(name: "fast", begin: 0.2, speed: 2, fill: .both),
  Case(name: "offset", duration: 0.8, offset: 0.2, count: .greatestFiniteMagnitude),
]

@Suite struct LayerTimingTests {
  /// The opacity of white over black is the value; without an animation it is 0.4, which is the layer's own.
  @Test(arguments: cases) fileprivate func animations_followTheFormulas(timing: Case) async throws {
    let scene = try await LayerScene()
    let layer = scene.box(scene.root.bounds, 1, 1, 1)
    layer.opacity = 0.4
    layer.add(timing.animation, forKey: "fade")
    scene.root.addSublayer(layer)
    for time in [0.08, 0.48, 0.6, 1.0, 1.56] {
      let expected = timing.value(at: time) ?? 0.4
      let shown = Double(try await scene.image(at: time).pixel(80, 45)[0]) / 255
      #expect(abs(shown - expected) < 0.02, "\(timing) at \(time): \(shown) instead of \(expected)")
    }
  }

  /// A layer's own time is that of its animations and of the layers below it.
  @Test func layers_haveTimesOfTheirOwn() async throws {
    let scene = try await LayerScene()
    let late = scene.box(scene.root.bounds, 1, 1, 1)
    (late.beginTime, late.duration, late.speed) = (0.4, 2, 2)
    late.add(Case(name: "inner", begin: 0.4, duration: 0.8, fill: .both).animation, forKey: nil)
    scene.root.addSublayer(late)
    for (time, expected) in [(0.2, 0.0), (0.6, 0), (0.8, 0.5), (1.2, 1), (1.48, 0)] {
      let shown = Double(try await scene.image(at: time).pixel(80, 45)[0]) / 255
      #expect(abs(shown - expected) < 0.02, "\(time): \(shown) instead of \(expected)")
    }
  }

  /// A group has a time of its own, a keyframe animation its key times and curves.
  @Test func groupsAndKeyframes_areShown() async throws {
    let scene = try await LayerScene()
    let layer = scene.box(CGRect(x: 0, y: 0, width: 20, height: 90), 1, 1, 1)
    let frames = CAKeyframeAnimation(keyPath: "position.x")
    frames.values = [10, 150, 90]
    frames.keyTimes = [0, 0.5, 1]
    frames.timingFunctions = [CAMediaTimingFunction(name: .linear), CAMediaTimingFunction(name: .easeIn)]
    let fade = CABasicAnimation(keyPath: "opacity")
    (fade.fromValue, fade.toValue) = (1, 0.5)
    let group = CAAnimationGroup()
    group.animations = [frames, fade]
    (group.beginTime, group.duration, group.fillMode, group.isRemovedOnCompletion) = (0.4, 0.8, .both, false)
    layer.add(group, forKey: "group")
    scene.root.addSublayer(layer)
    for (time, x, value) in [(0.2, 10, 255), (0.8, 150, 191), (1.6, 90, 128)] {
      let image = try await scene.image(at: time)
      #expect(abs(image.pixel(x, 45)[0] - value) < 5, "\(time): \(image.pixel(x, 45))")
      #expect(image.pixel(x < 60 ? 150 : 10, 45)[0] < 5)
    }
  }
}
