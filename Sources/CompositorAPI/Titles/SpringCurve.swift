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
