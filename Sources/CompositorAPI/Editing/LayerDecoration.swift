/// Rounded corners, a border and a shadow of a layer.
///
/// Lengths are in the source's display space, as ``LayerInstruction/crop`` is, so they scale and rotate with the layer's
/// transform. Corners and border follow the cropped frame.
///
/// ```swift
/// var (start, end) = (LayerDecoration(), LayerDecoration())
/// (start.borderWidth, end.borderWidth) = (2, 12)
/// var border = PropertyTimeline(default: start)
/// try border.setRamp(from: start, to: end, timeRange: range)
/// layer.decoration = border
/// ```
public struct LayerDecoration: Hashable, Sendable, Codable {
  /// Radius of the corners, ≥ 0, limited to half of the shorter side.
  public var cornerRadius = 0.0
  /// Width of the border inside the edge, ≥ 0.
  public var borderWidth = 0.0
  /// Color of the border.
  public var borderColor = Color.black
  /// Opacity of the shadow, 0 (none) … 1.
  public var shadowOpacity = 0.0
  /// Offset of the shadow from the layer.
  public var shadowOffset = Point(x: 0, y: 3)
  /// Standard deviation of the shadow's blur, ≥ 0, limited to 100 pixels of the output.
  public var shadowRadius = 3.0
  /// Color of the shadow.
  public var shadowColor = Color.black

  /// Creates a decoration without rounded corners, border or shadow.
  public init() {}

  /// Whether the decoration is invisible.
  package var isPlain: Bool { cornerRadius <= 0 && borderWidth <= 0 && shadowOpacity <= 0 }

  /// The decoration in a space scaled by `scale`, with its shadow offset mapped by a linear map.
  package func scaled(by scale: Double, offset map: AffineMatrix) -> LayerDecoration {
    var result = self
    (result.cornerRadius, result.borderWidth, result.shadowRadius) = (
      cornerRadius * scale, borderWidth * scale, shadowRadius * scale
    )
    result.shadowOffset = Point(
      x: shadowOffset.x * map.a + shadowOffset.y * map.c, y: shadowOffset.x * map.b + shadowOffset.y * map.d)
    return result
  }

  /// A description of what cannot be drawn; `nil` if everything can.
  package var fault: String? {
    let lengths = [("cornerRadius", cornerRadius), ("borderWidth", borderWidth), ("shadowRadius", shadowRadius)]
    for (name, value) in lengths where !(value >= 0 && value.isFinite) { return "\(name) is \(value)" }
    if !(shadowOpacity >= 0 && shadowOpacity <= 1) { return "shadowOpacity is \(shadowOpacity)" }
    if !(shadowOffset.x.isFinite && shadowOffset.y.isFinite) { return "shadowOffset is not finite" }
    return nil
  }
}

extension LayerDecoration: Interpolatable {
  /// Interpolates every property on its own, colors with premultiplied alpha.
  public func interpolated(to other: LayerDecoration, fraction: Double) -> LayerDecoration {
    if fraction == 0 { return self }
    if fraction == 1 { return other }
    func mixed<Value: Interpolatable>(_ property: KeyPath<LayerDecoration, Value>) -> Value {
      self[keyPath: property].interpolated(to: other[keyPath: property], fraction: fraction)
    }
    var result = LayerDecoration()
    (result.cornerRadius, result.borderWidth, result.borderColor) = (
      mixed(\.cornerRadius), mixed(\.borderWidth), mixed(\.borderColor)
    )
    (result.shadowOpacity, result.shadowOffset) = (mixed(\.shadowOpacity), mixed(\.shadowOffset))
    (result.shadowRadius, result.shadowColor) = (mixed(\.shadowRadius), mixed(\.shadowColor))
    return result
  }
}

/// A value behind a reference: as an optional it takes 8 bytes if absent, regardless of its size. For properties that few of
/// many owners have.
package indirect enum Boxed<Value: Hashable & Sendable>: Hashable, Sendable {
  case value(Value)

  /// The value itself.
  package var value: Value {
    switch self {
    case .value(let value): value
    }
  }
}
