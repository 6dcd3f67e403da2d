/// Shows the sublayers several times over, each copy a little on in place, time and colour.
public struct ReplicatorContent: Hashable, Sendable, Codable {
  /// Number of copies, 0 … 10,000.
  public var instanceCount = 1
  /// Seconds by which each copy's time lags behind the copy before it.
  public var instanceDelay = 0.0
  /// From each copy to the next, about the centre of the bounds.
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
