/// A layer's transform about its anchor point, kept in parts so that each can be animated on its own and an angle may be
/// more than one turn: first scale, then rotation about z, y and x, then translation.
public struct LayerTransform: Hashable, Sendable, Codable {
  /// Factors; negative mirrors.
  public var scaleX = 1.0
  /// See ``scaleX``.
  public var scaleY = 1.0
  /// Angle about the axis to the right, in radians; positive tips the top away.
  public var rotationX = 0.0
  /// Angle about the axis down, in radians.
  public var rotationY = 0.0
  /// Angle in the picture, in radians; positive is clockwise.
  public var rotationZ = 0.0
  /// Movement to the right, in pixels.
  public var translationX = 0.0
  /// Movement downwards, in pixels.
  public var translationY = 0.0
  /// Movement towards the viewer, in pixels; seen only under a perspective.
  public var translationZ = 0.0

  /// Leaves everything where it is.
  public static let identity = LayerTransform()

  /// The identity.
  public init() {}

  /// Reads parts; missing ones leave things as they are.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init()
    try values.readNumbers(
      into: &self,
      [
        .scaleX: \.scaleX, .scaleY: \.scaleY, .rotationX: \.rotationX, .rotationY: \.rotationY, .rotationZ: \.rotationZ,
        .translationX: \.translationX, .translationY: \.translationY, .translationZ: \.translationZ,
      ])
  }

  /// Grows by a factor.
  public static func scale(_ factor: Double) -> LayerTransform {
    var transform = LayerTransform()
    (transform.scaleX, transform.scaleY) = (factor, factor)
    return transform
  }

  /// Turns clockwise.
  public static func rotation(radians: Double) -> LayerTransform {
    var transform = LayerTransform()
    transform.rotationZ = radians
    return transform
  }

  /// Moves.
  public static func translation(x: Double, y: Double) -> LayerTransform {
    var transform = LayerTransform()
    (transform.translationX, transform.translationY) = (x, y)
    return transform
  }
}
