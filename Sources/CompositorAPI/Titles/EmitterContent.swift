/// Throws particles, each a copy of the layer's first sublayer. What flies where at a time follows from ``seed`` alone: any
/// time can be asked for in any order. Where its properties are animated, a particle keeps those of its birth.
public struct EmitterContent: Hashable, Sendable, Codable {
  /// Chooses among all the possible flights.
  public var seed: UInt64 = 1
  /// Particles born per second, ≥ 0.
  public var birthRate = 0.0
  /// Seconds that a particle lives.
  public var lifetime = 1.0
  /// Half the width of the range around ``lifetime``.
  public var lifetimeRange = 0.0
  /// Pixels per second at birth.
  public var velocity = 0.0
  /// Half the width of the range around ``velocity``.
  public var velocityRange = 0.0
  /// Direction of flight in radians; 0 is to the right, clockwise.
  public var emissionAngle = 0.0
  /// Half the width of the range around ``emissionAngle``.
  public var emissionRange = 0.0
  /// Change of velocity, in pixels per second per second.
  public var acceleration = Point.zero
  /// Size at birth, in sizes of the sublayer.
  public var scale = 1.0
  /// Half the width of the range around ``scale``.
  public var scaleRange = 0.0
  /// Change of size per second.
  public var scaleSpeed = 0.0
  /// Turning speed, in radians per second.
  public var spin = 0.0
  /// Half the width of the range around ``spin``.
  public var spinRange = 0.0
  /// Change of opacity per second, from 1 at birth.
  public var alphaSpeed = 0.0
  /// Where particles are born, in fractions of the bounds.
  public var emitterPosition = Point(x: 0.5, y: 0.5)
  /// The box around ``emitterPosition`` in which they are born, in pixels.
  public var emitterSize = Size.zero

  /// An emitter at rest.
  public init() {}

  /// Reads an emitter; missing keys have their defaults.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init()
    seed = try values.read(.seed, or: seed)
    try values.readNumbers(
      into: &self,
      [
        .birthRate: \.birthRate, .lifetime: \.lifetime, .lifetimeRange: \.lifetimeRange, .velocity: \.velocity,
        .velocityRange: \.velocityRange, .emissionAngle: \.emissionAngle, .emissionRange: \.emissionRange, .scale: \.scale,
        .scaleRange: \.scaleRange, .scaleSpeed: \.scaleSpeed, .spin: \.spin, .spinRange: \.spinRange,
        .alphaSpeed: \.alphaSpeed,
      ])
    acceleration = try values.decodeIfPresent(PointNotation.self, forKey: .acceleration)?.point ?? acceleration
    emitterPosition = try values.decodeIfPresent(PointNotation.self, forKey: .emitterPosition)?.point ?? emitterPosition
    emitterSize = try values.decodeIfPresent(SizeNotation.self, forKey: .emitterSize)?.size ?? emitterSize
  }
}

/// Shows the sublayers several times over, each copy a little on in place, time and color.
public struct ReplicatorContent: Hashable, Sendable, Codable {
  /// Number of copies, 0 … 10,000.
  public var instanceCount = 1
  /// Seconds by which each copy's time lags behind the copy before it.
  public var instanceDelay = 0.0
  /// From each copy to the next, about the center of the bounds.
  public var instanceTransform = LayerTransform.identity
  /// Change of opacity from each copy to the next.
  public var instanceOpacityOffset = 0.0

  /// Copies.
  public init(count: Int = 1, transform: LayerTransform = .identity, delay: Double = 0) {
    instanceCount = count
    instanceTransform = transform
    instanceDelay = delay
  }

  /// Reads a replicator; missing keys have their defaults.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init()
    instanceCount = try values.read(.instanceCount, or: instanceCount)
    instanceDelay = try values.read(.instanceDelay, or: instanceDelay)
    instanceTransform = try values.read(.instanceTransform, or: instanceTransform)
    instanceOpacityOffset = try values.read(.instanceOpacityOffset, or: instanceOpacityOffset)
  }
}
