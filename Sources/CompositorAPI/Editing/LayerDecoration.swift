/// Round corners, a border and a shadow of a layer's picture.
///
/// Lengths are in the source's display space, as ``LayerInstruction/crop`` is: they grow and turn with the layer's transform. Corners and
/// border are those of the part of the picture that the crop leaves.
public struct LayerDecoration: Hashable, Sendable, Codable {
  /// Radius of the corners, ≥ 0; at most half of the shorter side counts.
  public var cornerRadius = 0.0
  /// Width of a line inside the edge, ≥ 0.
  public var borderWidth = 0.0
  /// Color of that line.
  public var borderColor = Color.black
  /// 0 (none) … 1.
  public var shadowOpacity = 0.0
  /// Where the shadow falls.
  public var shadowOffset = Point(x: 0, y: 3)
  /// Standard deviation of the shadow's blur, ≥ 0; at most 100 pixels of the output.
  public var shadowRadius = 3.0
  /// Color of the shadow.
  public var shadowColor = Color.black

  /// Nothing: no radius, no border, no shadow.
  public init() {}

  /// Whether the layer looks as it does without.
  package var isPlain: Bool { cornerRadius <= 0 && borderWidth <= 0 && shadowOpacity <= 0 }

  /// The same in a space that is `scale` times as large and seen through a linear map.
  package func scaled(by scale: Double, offset map: AffineMatrix) -> LayerDecoration {
    var result = self
    (result.cornerRadius, result.borderWidth, result.shadowRadius) = (
      cornerRadius * scale, borderWidth * scale, shadowRadius * scale
    )
    result.shadowOffset = Point(
      x: shadowOffset.x * map.a + shadowOffset.y * map.c, y: shadowOffset.x * map.b + shadowOffset.y * map.d)
    return result
  }

  /// What cannot be drawn, in words; nil where everything can.
  package var fault: String? {
    let lengths = [("cornerRadius", cornerRadius), ("borderWidth", borderWidth), ("shadowRadius", shadowRadius)]
    for (name, value) in lengths where !(value >= 0 && value.isFinite) { return "\(name) is \(value)" }
    if !(shadowOpacity >= 0 && shadowOpacity <= 1) { return "shadowOpacity is \(shadowOpacity)" }
    if !(shadowOffset.x.isFinite && shadowOffset.y.isFinite) { return "shadowOffset is not finite" }
    return nil
  }
}

/// A value behind a reference: an optional one takes 8 bytes where there is none, whatever its size. For what few of many owners have.
package indirect enum Boxed<Value: Hashable & Sendable>: Hashable, Sendable {
  case value(Value)

  /// The value itself.
  package var value: Value {
    switch self {
    case .value(let value): value
    }
  }
}
