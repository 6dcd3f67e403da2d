internal import Compositor
internal import Foundation

extension CAAnimation {
  /// Whether it shows one picture after another.
  var changesContents: Bool {
    (self as? CAPropertyAnimation)?.keyPath == "contents"
      || (self as? CAAnimationGroup)?.animations?.contains { $0.changesContents } == true
  }
}

extension Animation {
  /// The same animation of a group: one that lasts until the group's end is still there at the very end, which the group may hold.
  func held(untilEndOf length: Double) -> Animation {
    guard timing.speed != 0 else { return self }
    let pass = (timing.duration > 0 ? timing.duration : length) * (timing.autoreverses ? 2 : 1)
    let active =
      timing.repeatDuration > 0 ? timing.repeatDuration : timing.repeatCount > 0 ? timing.repeatCount * pass : pass
    guard timing.beginTime + active / abs(timing.speed) >= length - 1e-9 else { return self }
    var held = self
    switch timing.fillMode {
    case .removed: held.timing.fillMode = .forwards
    case .backwards: held.timing.fillMode = .both
    case .forwards, .both: break
    }
    return held
  }
}

extension LayerTiming {
  /// The timing of an animation. One that is removed after its end shows nothing there.
  ///
  /// - Parameter isGrouped: Whether it is one of a group, which alone is removed.
  init(_ animation: CAAnimation, isGrouped: Bool) {
    self.init(animation)
    guard animation.isRemovedOnCompletion, !isGrouped else { return }
    if fillMode == .both { fillMode = .backwards } else if fillMode == .forwards { fillMode = .removed }
  }
}

extension Easing {
  /// The curve of an animation; a straight line for `nil`.
  init(_ function: CAMediaTimingFunction?) {
    guard let controls = function?.controls.map({ Double($0) }), controls != [0, 0, 1, 1] else {
      self = .linear
      return
    }
    self = .cubicBezier(x1: controls[0], y1: controls[1], x2: controls[2], y2: controls[3])
  }
}

extension SpringCurve {
  /// The spring of an animation.
  init(_ animation: CASpringAnimation) {
    self.init(
      mass: Double(animation.mass), stiffness: Double(animation.stiffness), damping: Double(animation.damping),
      initialVelocity: Double(animation.initialVelocity))
  }
}

extension Keyframes {
  /// What an animation says beside its values.
  init(_ animation: CAKeyframeAnimation) {
    self.init()
    keyTimes = animation.keyTimes?.map(\.doubleValue) ?? []
    easings = animation.timingFunctions?.map { Easing($0) } ?? []
    let modes: [CAAnimationCalculationMode: CalculationMode] = [
      .linear: .linear, .discrete: .discrete, .paced: .paced, .cubic: .cubic, .cubicPaced: .cubicPaced,
    ]
    mode = modes[animation.calculationMode] ?? .linear
    guard animation.path != nil else { return }
    if animation.rotationMode == .rotateAuto { rotation = .auto }
    if animation.rotationMode == .rotateAutoReverse { rotation = .autoReverse }
  }
}
