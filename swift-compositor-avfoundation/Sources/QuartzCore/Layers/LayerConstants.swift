/// How a picture fills its layer's bounds. Names are as they look: the top is the upper edge in both geometries.
public struct CALayerContentsGravity: RawRepresentable, Hashable, Sendable {
  /// The name.
  public let rawValue: String
  /// A placement by its name.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// At its own size in the middle.
  public static let center = CALayerContentsGravity(rawValue: "center")
  /// At its own size at the upper edge.
  public static let top = CALayerContentsGravity(rawValue: "top")
  /// At its own size at the lower edge.
  public static let bottom = CALayerContentsGravity(rawValue: "bottom")
  /// At its own size at the left edge.
  public static let left = CALayerContentsGravity(rawValue: "left")
  /// At its own size at the right edge.
  public static let right = CALayerContentsGravity(rawValue: "right")
  /// At its own size in the upper left corner.
  public static let topLeft = CALayerContentsGravity(rawValue: "topLeft")
  /// At its own size in the upper right corner.
  public static let topRight = CALayerContentsGravity(rawValue: "topRight")
  /// At its own size in the lower left corner.
  public static let bottomLeft = CALayerContentsGravity(rawValue: "bottomLeft")
  /// At its own size in the lower right corner.
  public static let bottomRight = CALayerContentsGravity(rawValue: "bottomRight")
  /// Stretched to the bounds.
  public static let resize = CALayerContentsGravity(rawValue: "resize")
  /// As large as it fits into the bounds.
  public static let resizeAspect = CALayerContentsGravity(rawValue: "resizeAspect")
  /// As small as it covers the bounds.
  public static let resizeAspectFill = CALayerContentsGravity(rawValue: "resizeAspectFill")
}

/// How pixels of a picture are found that is shown at another size. The compositor chooses by itself.
public struct CALayerContentsFilter: RawRepresentable, Hashable, Sendable {
  /// The name.
  public let rawValue: String
  /// A filter by its name.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Between pixels.
  public static let linear = CALayerContentsFilter(rawValue: "linear")
  /// The nearest pixel.
  public static let nearest = CALayerContentsFilter(rawValue: "nearest")
  /// Between pixels of smaller copies.
  public static let trilinear = CALayerContentsFilter(rawValue: "trilinear")
}

/// Draws and arranges layers for them.
public protocol CALayerDelegate: AnyObject {
  /// Sets the layer's contents. By default they are drawn by ``draw(_:in:)``.
  func display(_ layer: CALayer)
  /// Draws the layer's contents. By default nothing.
  func draw(_ layer: CALayer, in ctx: CGContext)
  /// Called before the contents are drawn.
  func layerWillDraw(_ layer: CALayer)
  /// Places the sublayers. By default they stay where they are.
  func layoutSublayers(of layer: CALayer)
}

extension CALayerDelegate {
  /// Has the contents drawn.
  public func display(_ layer: CALayer) { layer.drawContents() }
  /// Draws nothing.
  public func draw(_ layer: CALayer, in ctx: CGContext) {}
  /// Does nothing.
  public func layerWillDraw(_ layer: CALayer) {}
  /// Leaves them where they are.
  public func layoutSublayers(of layer: CALayer) {}
}
