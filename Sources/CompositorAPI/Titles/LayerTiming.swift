/// What a layer or an animation shows outside its active time.
public enum FillMode: String, Hashable, Sendable, Codable, CaseIterable {
  /// Nothing: the layer is not drawn, the animation has no effect.
  case removed
  /// After the end, the end.
  case forwards
  /// Before the beginning, the beginning.
  case backwards
  /// Both.
  case both
}

/// How the time of a layer or an animation follows its parent's: `t_local = (t_parent − beginTime) · speed + timeOffset`,
/// then repetition. All times in seconds. Movie time 0 is plain 0.
///
/// The active time starts at ``beginTime`` and lasts `repeats · duration / |speed|`. ``timeOffset`` shifts the phase inside the
/// repetition, it does not move the active time (an offset of half a duration plays the second half, then the first). With a
/// negative ``speed`` an activity of finite length plays from its end to its beginning. With `speed` 0 time stands still at
/// ``timeOffset``, and the activity has no beginning and no end.
public struct LayerTiming: Hashable, Sendable {
  /// When it begins, in the parent's time.
  public var beginTime = 0.0
  /// Length of one pass. 0 stands for the default: 0.25 s on an animation, endless on a layer.
  public var duration = 0.0
  /// Local seconds per parent second.
  public var speed = 1.0
  /// Added to local time.
  public var timeOffset = 0.0
  /// Number of passes, fractional allowed; 0 is one pass. With ``autoreverses`` a pass is there and back.
  public var repeatCount = 0.0
  /// Length of all passes; 0 leaves it to ``repeatCount``.
  public var repeatDuration = 0.0
  /// Whether each pass is played back again.
  public var autoreverses = false
  /// What is shown outside the active time.
  public var fillMode = FillMode.removed

  /// Makes a timing that begins at 0 and plays once.
  public init(
    beginTime: Double = 0, duration: Double = 0, speed: Double = 1, timeOffset: Double = 0, repeatCount: Double = 0,
    repeatDuration: Double = 0, autoreverses: Bool = false, fillMode: FillMode = .removed
  ) {
    self.beginTime = beginTime
    self.duration = duration
    self.speed = speed
    self.timeOffset = timeOffset
    self.repeatCount = repeatCount
    self.repeatDuration = repeatDuration
    self.autoreverses = autoreverses
    self.fillMode = fillMode
  }

  /// Whether this is the timing that changes nothing.
  package var isIdentity: Bool { self == LayerTiming() }
}

/// Where an activity is at some time.
package struct TimingSample: Hashable, Sendable {
  /// Local time inside the pass: 0 … duration, or any time where the duration is endless.
  package var time: Double
  /// ``time`` by duration, 0 … 1; 0 where the duration is endless.
  package var progress: Double
  /// Passes completed before this one.
  package var iteration: Double
}

extension LayerTiming {
  /// The sample at a time of the parent; nil where the activity shows nothing.
  ///
  /// - Parameter standardDuration: What a duration of 0 stands for.
  package func sample(at parentTime: Double, standardDuration: Double) -> TimingSample? {
    let pass = duration > 0 ? duration : standardDuration
    let cycle = autoreverses ? 2 * pass : pass
    let active = repeatDuration > 0 ? repeatDuration : repeatCount > 0 ? repeatCount * cycle : cycle
    guard let elapsed = activeTime(at: parentTime, active: active) else { return nil }
    let local = elapsed + timeOffset
    guard pass.isFinite else { return TimingSample(time: local, progress: 0, iteration: 0) }
    var leg = (local / pass).rounded(.down)
    var time = local - leg * pass
    // The very end of the last pass is its end, not the beginning of one that never comes.
    if elapsed == active, elapsed > 0, time < pass * 1e-12 { (leg, time) = (leg - 1, pass) }
    let isReturning = autoreverses && leg.truncatingRemainder(dividingBy: 2) != 0
    if isReturning { time = pass - time }
    let iteration = autoreverses ? (leg / 2).rounded(.down) : leg
    return TimingSample(time: time, progress: min(max(time / pass, 0), 1), iteration: iteration)
  }

  /// Active time 0 … `active`, the fill mode applied; nil outside.
  private func activeTime(at parentTime: Double, active: Double) -> Double? {
    guard speed != 0 else { return 0 }
    let isBackwards = speed < 0 && active.isFinite
    let elapsed = (parentTime - beginTime) * speed
    if parentTime < beginTime {
      guard fillMode == .backwards || fillMode == .both else { return nil }
      return isBackwards ? active : 0
    }
    if abs(elapsed) >= active {
      guard fillMode == .forwards || fillMode == .both else { return nil }
      return isBackwards ? 0 : active
    }
    return isBackwards ? active + elapsed : elapsed
  }
}

extension LayerTiming: Codable {
  private enum CodingKeys: CodingKey, CaseIterable {
    case beginTime, duration, speed, timeOffset, repeatCount, repeatDuration, autoreverses, fillMode
  }

  /// Reads a timing; missing keys have their defaults. A `duration`, `repeatCount` or `repeatDuration` without end is `"forever"`.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    func length(_ key: CodingKeys, or standard: Double) throws -> Double {
      try values.decodeIfPresent(LengthNotation.self, forKey: key)?.value ?? standard
    }
    self.init()
    beginTime = try values.read(.beginTime, or: beginTime)
    duration = try length(.duration, or: duration)
    speed = try values.read(.speed, or: speed)
    timeOffset = try values.read(.timeOffset, or: timeOffset)
    repeatCount = try length(.repeatCount, or: repeatCount)
    repeatDuration = try length(.repeatDuration, or: repeatDuration)
    autoreverses = try values.read(.autoreverses, or: autoreverses)
    fillMode = try values.read(.fillMode, or: fillMode)
    try requireUsable()
  }

  /// Writes what ``init(from:)`` reads.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(beginTime, forKey: .beginTime)
    try values.encode(LengthNotation(value: duration), forKey: .duration)
    try values.encode(speed, forKey: .speed)
    try values.encode(timeOffset, forKey: .timeOffset)
    try values.encode(LengthNotation(value: repeatCount), forKey: .repeatCount)
    try values.encode(LengthNotation(value: repeatDuration), forKey: .repeatDuration)
    try values.encode(autoreverses, forKey: .autoreverses)
    try values.encode(fillMode, forKey: .fillMode)
  }
}

/// A number that may have no end: JSON has no word for infinity.
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
      throw DecodingError.dataCorruptedError(in: single, debugDescription: "here stands a number, or \"forever\"")
    }
  }

  func encode(to encoder: any Encoder) throws {
    var single = encoder.singleValueContainer()
    if value == .infinity { try single.encode("forever") } else { try single.encode(value) }
  }
}

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A mass on a damped spring, let go at 0 and drawn towards 1.
public struct SpringCurve: Hashable, Sendable, Codable {
  /// Mass, > 0.
  public var mass = 1.0
  /// Force per displacement, > 0.
  public var stiffness = 100.0
  /// Force per velocity, ≥ 0.
  public var damping = 10.0
  /// Velocity at the start, in displacements per second, towards 1.
  public var initialVelocity = 0.0

  /// Makes a spring.
  public init(mass: Double = 1, stiffness: Double = 100, damping: Double = 10, initialVelocity: Double = 0) {
    self.mass = mass
    self.stiffness = stiffness
    self.damping = damping
    self.initialVelocity = initialVelocity
  }

  /// Reads a spring; missing keys have their defaults.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init()
    mass = try values.read(.mass, or: mass)
    stiffness = try values.read(.stiffness, or: stiffness)
    damping = try values.read(.damping, or: damping)
    initialVelocity = try values.read(.initialVelocity, or: initialVelocity)
  }

  /// Position after `seconds`: the exact solution of `m·x″ + c·x′ + k·(x − 1) = 0`.
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

  /// Seconds until the spring stays within 0.1 % of 1, at most 60: the duration of a spring animation that has none.
  public var settlingDuration: Double {
    let natural = (stiffness / mass).squareRoot()
    let decay = damping / (2 * mass)
    let slowest = decay <= natural ? decay : decay - (decay * decay - natural * natural).squareRoot()
    guard slowest > 0 else { return 60 }
    return min((6.908 + log(1 + abs(initialVelocity) / natural)) / slowest, 60)
  }
}
