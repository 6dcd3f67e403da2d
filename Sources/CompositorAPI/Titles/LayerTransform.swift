/// A layer's transform about its anchor point: scale, then skew, then rotation about z, y and x, then translation. The components are
/// stored separately, so that each can be animated on its own and an angle may exceed a full turn.
public struct LayerTransform: Hashable, Sendable, Codable {
  /// Horizontal scale. Negative values mirror.
  public var scaleX = 1.0
  /// Vertical scale. Negative values mirror.
  public var scaleY = 1.0
  /// The angle by which vertical lines lean, in radians, less than a quarter turn: positive values move what is below the anchor
  /// point to the right, as in CSS.
  public var skewX = 0.0
  /// The angle by which horizontal lines lean, in radians: positive values move what is right of the anchor point down.
  public var skewY = 0.0
  /// Rotation about the axis to the right, in radians. Positive values tilt the top away from the viewer.
  public var rotationX = 0.0
  /// Rotation about the axis down, in radians.
  public var rotationY = 0.0
  /// Rotation in the plane of the frame, in radians, clockwise.
  public var rotationZ = 0.0
  /// Translation to the right, in pixels.
  public var translationX = 0.0
  /// Translation downward, in pixels.
  public var translationY = 0.0
  /// Translation toward the viewer, in pixels. Visible only under a perspective.
  public var translationZ = 0.0

  /// The identity transform.
  public static let identity = LayerTransform()

  /// Creates the identity transform.
  public init() {}

  /// Decodes the components. Missing ones are those of the identity.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init()
    try values.readNumbers(
      into: &self,
      [
        .scaleX: \.scaleX, .scaleY: \.scaleY, .skewX: \.skewX, .skewY: \.skewY, .rotationX: \.rotationX,
        .rotationY: \.rotationY,
        .rotationZ: \.rotationZ, .translationX: \.translationX, .translationY: \.translationY, .translationZ: \.translationZ,
      ])
  }

  /// Creates a uniform scale.
  public static func scale(_ factor: Double) -> LayerTransform {
    var transform = LayerTransform()
    (transform.scaleX, transform.scaleY) = (factor, factor)
    return transform
  }

  /// Creates a clockwise rotation.
  public static func rotation(radians: Double) -> LayerTransform {
    var transform = LayerTransform()
    transform.rotationZ = radians
    return transform
  }

  /// Creates a translation, in pixels.
  public static func translation(x: Double, y: Double) -> LayerTransform {
    var transform = LayerTransform()
    (transform.translationX, transform.translationY) = (x, y)
    return transform
  }
}
