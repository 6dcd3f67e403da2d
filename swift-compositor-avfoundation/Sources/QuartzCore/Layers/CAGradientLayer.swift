public import Foundation

/// How colors lie in a gradient.
public struct CAGradientLayerType: RawRepresentable, Hashable, Sendable {
  /// The name.
  public let rawValue: String
  /// A form by its name.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Along the line from the start point to the end point.
  public static let axial = CAGradientLayerType(rawValue: "axial")
  /// Outward from the start point; the end point is a corner of the box around the last color's ellipse.
  public static let radial = CAGradientLayerType(rawValue: "radial")
  /// Around the start point, from the direction of the end point on.
  public static let conic = CAGradientLayerType(rawValue: "conic")
}

/// Colors that pass into each other over the bounds.
open class CAGradientLayer: CALayer {
  /// The colors, as `CGColor`; `nil` for nothing.
  open var colors: [Any]?
  /// Where the colors are, 0 … 1, in their order; `nil` for equal distances.
  open var locations: [NSNumber]?
  /// The start point in fractions of the bounds; (0, 0) is where both axes begin.
  open var startPoint = CGPoint(x: 0.5, y: 0)
  /// The end point in fractions of the bounds.
  open var endPoint = CGPoint(x: 0.5, y: 1)
  /// How colors lie.
  open var type = CAGradientLayerType.axial

  /// The compositor draws the gradient.
  open override func display() {}
}
