/// What a layer or an animation shows outside its active time.
public enum FillMode: String, Hashable, Sendable, Codable, CaseIterable {
  /// Nothing: the layer is not drawn, the animation has no effect.
  case removed
  /// After the end, its state at the end.
  case forwards
  /// Before the beginning, its state at the beginning.
  case backwards
  /// Both of these.
  case both
}

/// The time that ``LayerTiming/beginTime`` counts from.
public enum TimeAnchor: String, Hashable, Sendable, Codable, CaseIterable {
  /// The start of the parent's time.
  case start
  /// The end of the parent.
  case end
}

/// The mapping of a parent's time to the time of a layer or an animation: `t_local = (t_parent − beginTime) · speed +
/// timeOffset`, followed by repetition. All times are in seconds; movie time 0 is 0.
///
/// Times that differ by less than half a nanosecond are equal, in all comparisons. A layer is therefore visible from exactly the
/// frame at ``beginTime`` until the frame before its end, and a pass begins at its frame, although seconds are binary fractions.
///
/// The active time starts at ``beginTime`` and lasts `repeats · duration / |speed|`. ``timeOffset`` shifts the phase within the
/// repetition, but not the active time: an offset of half a duration plays the second half, then the first. If ``speed`` is
/// negative, an activity of finite duration plays from its end to its beginning. If ``speed`` is 0, local time is constantly
/// ``timeOffset``, and the activity has no beginning or end.
///
/// ``relativeTo`` counts ``beginTime`` from the end of the parent instead, whatever its length: of the layer for its animations,
/// of the parent layer for a layer, of the group for a member of a group. This is how an end screen fades with its movie:
///
/// ```swift
/// let fade = LayerTiming(beginTime: -0.5, relativeTo: .end, duration: 0.5, fillMode: .forwards)
/// title.animations.append(.basic(.opacity, to: .number(0), timing: fade))
/// ```
///
/// A layer ends after its duration, or with its parent if that is earlier; if it repeats, its time ends with each pass. A title
/// ends after its duration, or with its movie. The begin time is the sum of the end and ``beginTime``, and is compared like any
/// other.
public struct LayerTiming: Hashable, Sendable {
  /// The start in the parent's time, in seconds from ``relativeTo``.
  public var beginTime = 0.0
  /// What ``beginTime`` counts from. From the end, it is below 0.
  public var relativeTo = TimeAnchor.start
  /// The duration of one pass in seconds. 0 is the default: 0.25 s for an animation, endless for a layer.
  public var duration = 0.0
  /// Local seconds per parent second.
  public var speed = 1.0
  /// An offset added to local time, in seconds.
  public var timeOffset = 0.0
  /// The number of passes, possibly fractional; 0 is one pass. With ``autoreverses`` a pass is forward and back.
  public var repeatCount = 0.0
  /// The duration of all passes in seconds; 0 to use ``repeatCount``.
  public var repeatDuration = 0.0
  /// Whether each pass is also played backward.
  public var autoreverses = false
  /// What is shown outside the active time.
  public var fillMode = FillMode.removed
  /// How the time of a layer whose content has another duration than ``duration`` is stretched to it; `nil` if it isn't. It
  /// concerns layers with a finite duration, and is applied last.
  public var stretch: TimeStretch? {
    get { stretches.first }
    set { stretches = newValue.map { [$0] } ?? [] }
  }
  /// In a list, so that the copies of layers on the stack stay small.
  private var stretches: [TimeStretch] = []

  /// Creates a timing that begins at 0 and plays once.
  public init(
    beginTime: Double = 0, relativeTo: TimeAnchor = .start, duration: Double = 0, speed: Double = 1, timeOffset: Double = 0,
    repeatCount: Double = 0,
    repeatDuration: Double = 0, autoreverses: Bool = false, fillMode: FillMode = .removed
  ) {
    self.beginTime = beginTime
    self.relativeTo = relativeTo
    self.duration = duration
    self.speed = speed
    self.timeOffset = timeOffset
    self.repeatCount = repeatCount
    self.repeatDuration = repeatDuration
    self.autoreverses = autoreverses
    self.fillMode = fillMode
  }

  /// Whether all properties have their defaults.
  package var isIdentity: Bool { self == LayerTiming() }
}

/// The state of an activity at a given time.
package struct TimingSample: Hashable, Sendable {
  /// Local time within the pass, 0 … duration, or any time if the duration is endless.
  package var time: Double
  /// ``time`` divided by the duration, 0 … 1; 0 if the duration is endless.
  package var progress: Double
  /// The number of passes completed before this one.
  package var iteration: Double
  /// Whether the activity waits at the beginning of a pass: it hasn't begun, or has ended on its way back.
  package var isBefore = false
}

extension LayerTiming {
  /// The sample at a given time of the parent; `nil` if the activity shows nothing.
  ///
  /// - Parameter standardDuration: The duration that 0 represents.
  package func sample(at parentTime: Double, standardDuration: Double) -> TimingSample? {
    let pass = duration > 0 ? duration : standardDuration
    let cycle = autoreverses ? 2 * pass : pass
    let active = repeatDuration > 0 ? repeatDuration : repeatCount > 0 ? repeatCount * cycle : cycle
    guard let (elapsed, isFilled) = activeTime(at: parentTime, active: active) else { return nil }
    let local = elapsed + timeOffset
    guard pass.isFinite else { return TimingSample(time: local, progress: 0, iteration: 0) }
    let tolerance = min(local.timeTolerance, pass / 4)
    var leg = ((local + tolerance) / pass).rounded(.down)
    var time = local - leg * pass
    if time < tolerance { time = 0 }
    // The very end of the last pass belongs to that pass, not to a next one.
    if elapsed == active, elapsed > 0, time == 0 { (leg, time) = (leg - 1, pass) }
    let isReturning = autoreverses && leg.truncatingRemainder(dividingBy: 2) != 0
    if isReturning { time = pass - time }
    let progress = min(max(time / pass, 0), 1)
    // Where the time turns, what lasts as long as the pass is still there, as it is before and after.
    if isReturning, time == pass { time -= min(16 * tolerance, pass / 4) }
    let iteration = autoreverses ? (leg / 2).rounded(.down) : leg
    if let stretch { time = stretch.contentTime(at: time, in: pass) }
    let isBefore = isFilled && elapsed == (isReturning ? active : 0)
    return TimingSample(time: time, progress: progress, iteration: iteration, isBefore: isBefore)
  }

  /// The parent's time in which a layer of this timing is shown, including what it shows before and after its active time; its
  /// ends may be infinite.
  package var shownTime: (start: Double, end: Double) {
    guard speed != 0 else { return (-.infinity, .infinity) }
    let cycle = duration > 0 ? (autoreverses ? 2 * duration : duration) : .infinity
    let active = repeatDuration > 0 ? repeatDuration : repeatCount > 0 ? repeatCount * cycle : cycle
    return (
      fillMode == .backwards || fillMode == .both ? -.infinity : beginTime,
      fillMode == .forwards || fillMode == .both ? .infinity : beginTime + active / abs(speed)
    )
  }

  /// Active time 0 … `active`, and whether it is that of the fill mode; `nil` outside.
  private func activeTime(at parentTime: Double, active: Double) -> (elapsed: Double, isFilled: Bool)? {
    guard speed != 0 else { return (0, false) }
    let isBackwards = speed < 0 && active.isFinite
    if parentTime.isBefore(beginTime) {
      guard fillMode == .backwards || fillMode == .both else { return nil }
      return (isBackwards ? active : 0, true)
    }
    let elapsed = max(parentTime - beginTime, 0) * speed
    guard abs(elapsed).isBefore(active) else {
      guard fillMode == .forwards || fillMode == .both else { return nil }
      return (isBackwards ? 0 : active, true)
    }
    return (isBackwards ? active + elapsed : elapsed, false)
  }
}

extension LayerTiming: Codable {
  private enum CodingKeys: CodingKey, CaseIterable {
    case beginTime, relativeTo, duration, speed, timeOffset, repeatCount, repeatDuration, autoreverses, fillMode, stretch
  }

  /// Decodes a timing. Missing keys have their defaults. An endless `duration`, `repeatCount` or `repeatDuration` is
  /// `"forever"`.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    func length(_ key: CodingKeys, or standard: Double) throws -> Double {
      try values.decodeIfPresent(LengthNotation.self, forKey: key)?.value ?? standard
    }
    self.init()
    beginTime = try values.read(.beginTime, or: beginTime)
    relativeTo = try values.read(.relativeTo, or: relativeTo)
    duration = try length(.duration, or: duration)
    speed = try values.read(.speed, or: speed)
    timeOffset = try values.read(.timeOffset, or: timeOffset)
    repeatCount = try length(.repeatCount, or: repeatCount)
    repeatDuration = try length(.repeatDuration, or: repeatDuration)
    autoreverses = try values.read(.autoreverses, or: autoreverses)
    fillMode = try values.read(.fillMode, or: fillMode)
    stretch = try values.decodeIfPresent(TimeStretch.self, forKey: .stretch)
    try requireUsable()
  }

  /// Encodes the form that ``init(from:)`` decodes.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(beginTime, forKey: .beginTime)
    if relativeTo != .start { try values.encode(relativeTo, forKey: .relativeTo) }
    try values.encode(LengthNotation(value: duration), forKey: .duration)
    try values.encode(speed, forKey: .speed)
    try values.encode(timeOffset, forKey: .timeOffset)
    try values.encode(LengthNotation(value: repeatCount), forKey: .repeatCount)
    try values.encode(LengthNotation(value: repeatDuration), forKey: .repeatDuration)
    try values.encode(autoreverses, forKey: .autoreverses)
    try values.encode(fillMode, forKey: .fillMode)
    try values.encodeIfPresent(stretch, forKey: .stretch)
  }
}

/// A number that may be infinite, which JSON cannot express.
private struct LengthNotation: Codable {
  var value: Double

  init(value: Double) { self.value = value }

  init(from decoder: any Decoder) throws {
    let single = try decoder.singleValueContainer()
    if let number = try? single.decode(Double.self) {
      value = number
    } else if let word = try? single.decode(String.self), word == "forever" {
      value = .infinity
    } else {
      throw DecodingError.dataCorruptedError(in: single, debugDescription: "expected a number, or \"forever\"")
    }
  }

  func encode(to encoder: any Encoder) throws {
    var single = encoder.singleValueContainer()
    if value == .infinity { try single.encode("forever") } else { try single.encode(value) }
  }
}

import CompositorPlatform

/// A damped spring that moves a mass from 0 to 1.
public struct SpringCurve: Hashable, Sendable, Codable {
  /// Mass, > 0.
  public var mass = 1.0
  /// Force per displacement, > 0.
  public var stiffness = 100.0
  /// Damping force per velocity, ≥ 0.
  public var damping = 10.0
  /// Initial velocity toward 1, in displacements per second.
  public var initialVelocity = 0.0

  /// Creates a spring.
  public init(mass: Double = 1, stiffness: Double = 100, damping: Double = 10, initialVelocity: Double = 0) {
    self.mass = mass
    self.stiffness = stiffness
    self.damping = damping
    self.initialVelocity = initialVelocity
  }

  /// Decodes a spring. Missing keys have their defaults.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init()
    mass = try values.read(.mass, or: mass)
    stiffness = try values.read(.stiffness, or: stiffness)
    damping = try values.read(.damping, or: damping)
    initialVelocity = try values.read(.initialVelocity, or: initialVelocity)
  }

  /// The position after `seconds`: the exact solution of `m·x″ + c·x′ + k·(x − 1) = 0`.
  public func value(at seconds: Double) -> Double {
    let natural = (stiffness / mass).squareRoot()
    let decay = damping / (2 * mass)
    let remaining: Double
    if abs(decay - natural) < 1e-9 * natural {
      remaining = exp(-decay * seconds) * (1 + (decay - initialVelocity) * seconds)
    } else if decay < natural {
      let rate = (natural * natural - decay * decay).squareRoot()
      remaining = exp(-decay * seconds) * (cos(rate * seconds) + (decay - initialVelocity) / rate * sin(rate * seconds))
    } else {
      let rate = (decay * decay - natural * natural).squareRoot()
      let (slow, fast) = (-decay + rate, -decay - rate)
      let share = (-fast - initialVelocity) / (slow - fast)
      remaining = share * exp(slow * seconds) + (1 - share) * exp(fast * seconds)
    }
    return 1 - remaining
  }

  /// The time in seconds until the spring stays within 0.1 % of 1, at most 60. A spring animation without a duration lasts this
  /// long.
  public var settlingDuration: Double {
    let natural = (stiffness / mass).squareRoot()
    let decay = damping / (2 * mass)
    let slowest = decay <= natural ? decay : decay - (decay * decay - natural * natural).squareRoot()
    guard slowest > 0 else { return 60 }
    return min((6.908 + log(1 + abs(initialVelocity) / natural)) / slowest, 60)
  }
}
