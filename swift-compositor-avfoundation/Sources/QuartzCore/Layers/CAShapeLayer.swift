public import Foundation

/// Which points are inside a path that crosses itself.
public struct CAShapeLayerFillRule: RawRepresentable, Hashable, Sendable {
  /// The name.
  public let rawValue: String
  /// A rule by its name.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Points around which the path winds.
  public static let nonZero = CAShapeLayerFillRule(rawValue: "non-zero")
  /// Points from which a ray crosses the path an odd number of times.
  public static let evenOdd = CAShapeLayerFillRule(rawValue: "even-odd")
}

/// The ends of lines.
public struct CAShapeLayerLineCap: RawRepresentable, Hashable, Sendable {
  /// The name.
  public let rawValue: String
  /// A shape by its name.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Cut off at the end.
  public static let butt = CAShapeLayerLineCap(rawValue: "butt")
  /// A half circle beyond the end.
  public static let round = CAShapeLayerLineCap(rawValue: "round")
  /// A half square beyond the end.
  public static let square = CAShapeLayerLineCap(rawValue: "square")
}

/// The corners of lines.
public struct CAShapeLayerLineJoin: RawRepresentable, Hashable, Sendable {
  /// The name.
  public let rawValue: String
  /// A shape by its name.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Pointed, up to the miter limit.
  public static let miter = CAShapeLayerLineJoin(rawValue: "miter")
  /// Round.
  public static let round = CAShapeLayerLineJoin(rawValue: "round")
  /// Cut off.
  public static let bevel = CAShapeLayerLineJoin(rawValue: "bevel")
}

/// A path that is filled and drawn as a line, in the layer's own space. It does not end at the bounds.
open class CAShapeLayer: CALayer {
  /// The path; `nil` for none.
  open var path: CGPath?
  /// The color of its inside; `nil` for none. Default black.
  open var fillColor: CGColor? = .black
  /// Which points are inside.
  open var fillRule = CAShapeLayerFillRule.nonZero
  /// The color of the line; `nil`, the default, for none.
  open var strokeColor: CGColor?
  /// Where the line begins, in fractions of the path.
  open var strokeStart: CGFloat = 0
  /// Where the line ends, in fractions of the path.
  open var strokeEnd: CGFloat = 1
  /// The width of the line.
  open var lineWidth: CGFloat = 1
  /// The largest length of a pointed corner, in line widths.
  open var miterLimit: CGFloat = 10
  /// The ends of the line.
  open var lineCap = CAShapeLayerLineCap.butt
  /// The corners of the line.
  open var lineJoin = CAShapeLayerLineJoin.miter
  /// Where the line begins in the dashes.
  open var lineDashPhase: CGFloat = 0
  /// The lengths of dashes and gaps in turn; `nil` for a solid line.
  open var lineDashPattern: [NSNumber]?

  /// The compositor draws the path.
  open override func display() {}
}
