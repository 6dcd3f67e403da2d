/// Emits particles, each a copy of the layer's first sublayer. The particles at a given time depend only on ``seed``, so times
/// may be requested in any order. If properties are animated, a particle keeps their values at its birth.
public struct EmitterContent: Hashable, Sendable, Codable {
  /// The seed of the random variations.
  public var seed: UInt64 = 1
  /// Particles born per second, ≥ 0.
  public var birthRate = 0.0
  /// Lifetime of a particle in seconds.
  public var lifetime = 1.0
  /// Half the width of the range around ``lifetime``, in seconds.
  public var lifetimeRange = 0.0
  /// Speed at birth, in pixels per second.
  public var velocity = 0.0
  /// Half the width of the range around ``velocity``, in pixels per second.
  public var velocityRange = 0.0
  /// Direction of emission in radians, clockwise; 0 is to the right.
  public var emissionAngle = 0.0
  /// Half the width of the range around ``emissionAngle``, in radians.
  public var emissionRange = 0.0
  /// Change of velocity, in pixels per second per second.
  public var acceleration = Point.zero
  /// Size at birth, relative to the sublayer.
  public var scale = 1.0
  /// Half the width of the range around ``scale``.
  public var scaleRange = 0.0
  /// Change of size per second.
  public var scaleSpeed = 0.0
  /// Rotation speed in radians per second.
  public var spin = 0.0
  /// Half the width of the range around ``spin``, in radians per second.
  public var spinRange = 0.0
  /// Change of opacity per second, from 1 at birth.
  public var alphaSpeed = 0.0
  /// Position of the emitter, in fractions of the bounds.
  public var emitterPosition = Point(x: 0.5, y: 0.5)
  /// Size of the rectangle around ``emitterPosition`` in which particles are born, in pixels.
  public var emitterSize = Size.zero

  /// Creates an emitter that emits nothing.
  public init() {}

  /// Decodes an emitter. Missing keys have their defaults.
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

/// Shows several copies of the sublayers, each offset in position, time and color from the previous one.
public struct ReplicatorContent: Hashable, Sendable, Codable {
  /// Number of copies, 0 … 10,000.
  public var instanceCount = 1
  /// Delay of each copy relative to the previous one, in seconds.
  public var instanceDelay = 0.0
  /// Transform from each copy to the next, about the center of the bounds.
  public var instanceTransform = LayerTransform.identity
  /// Change of opacity from each copy to the next.
  public var instanceOpacityOffset = 0.0

  /// Creates a replicator.
  public init(count: Int = 1, transform: LayerTransform = .identity, delay: Double = 0) {
    instanceCount = count
    instanceTransform = transform
    instanceDelay = delay
  }

  /// Decodes a replicator. Missing keys have their defaults.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init()
    instanceCount = try values.read(.instanceCount, or: instanceCount)
    instanceDelay = try values.read(.instanceDelay, or: instanceDelay)
    instanceTransform = try values.read(.instanceTransform, or: instanceTransform)
    instanceOpacityOffset = try values.read(.instanceOpacityOffset, or: instanceOpacityOffset)
  }
}
