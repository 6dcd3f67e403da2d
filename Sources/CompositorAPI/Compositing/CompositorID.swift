/// A compositor's name, in reverse domain order: `org.example.glow`.
public struct CompositorID: RawRepresentable, Hashable, Sendable, Codable, ExpressibleByStringLiteral,
  CustomStringConvertible
{
  /// The name.
  public var rawValue: String
  /// Takes any name.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Takes any name.
  public init(stringLiteral value: String) { self.rawValue = value }
  /// The name.
  public var description: String { rawValue }
  /// The built-in compositor: opacity, transform and crop.
  public static let layer: CompositorID = "builtin.layer"
}
