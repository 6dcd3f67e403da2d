/// The layout of a layer in its parent's box by edges, center and size, so that one tree suits frames of every shape.
///
/// The box is the parent's bounds at the time. A parent without bounds uses the box that it is in itself, and the outermost box
/// is the canvas. Along each axis, two of near edge, far edge, size and center determine the layout; three contradict each
/// other. If fewer are given:
///
/// - The size follows from ``aspectRatio`` and the other axis, or is the layer's own: that of its ``Layer/bounds``, or of its
///   text, which wraps (if enabled) in the remaining space.
/// - The position is the layer's ``Layer/position``.
///
/// ```swift
/// var name = Layer(text: "Ada Lovelace", size: 54)
/// name.layout = LayerLayout(left: .fraction(0.05), bottom: .fraction(0.08))
/// ```
///
/// Sizes are limited by minima and maxima. A sublayer of a layer with a ``Layer/flex`` layout that says no position takes its place
/// there.
///
/// Animations apply on top: those of `position` and `bounds` replace the layout, and those of `transform` apply about the
/// anchor point.
public struct LayerLayout: Hashable, Sendable {
  /// Distance of the left edge from the parent's left edge.
  public var left: LayoutLength?
  /// Distance of the right edge from the parent's right edge, inward.
  public var right: LayoutLength?
  /// Distance of the top edge from the parent's top edge.
  public var top: LayoutLength?
  /// Distance of the bottom edge from the parent's bottom edge, inward.
  public var bottom: LayoutLength?
  /// Width. A fraction refers to the parent's width.
  public var width: LayoutLength?
  /// Height. A fraction refers to the parent's height.
  public var height: LayoutLength?
  /// Distance of the center from the parent's left edge. Half the parent's width centers the layer.
  public var centerX: LayoutLength?
  /// Distance of the center from the parent's top edge.
  public var centerY: LayoutLength?
  /// The limits of the width; `nil` for none. A fraction refers to the parent's width. The minimum wins over the maximum.
  public var minimumWidth, maximumWidth: LayoutLength?
  /// The limits of the height; `nil` for none.
  public var minimumHeight, maximumHeight: LayoutLength?
  /// How the layer takes part in the ``Layer/flex`` layout of its parent.
  public var flexItem = FlexItem()
  /// Width divided by height, > 0. Determines the size along the axis that is otherwise undetermined.
  public var aspectRatio: Double?
  /// The size of the coordinate space that the layer and its sublayers use, as `viewBox` in SVG. The layer is scaled about its
  /// center until a box of this size just fits in the space that the layout gives it. `nil` for pixels of the parent.
  public var viewBox: Size?

  /// A layout that fills the parent's box.
  public static let fill = LayerLayout(left: 0, right: 0, top: 0, bottom: 0)

  /// Creates a layout.
  public init(
    left: LayoutLength? = nil, right: LayoutLength? = nil, top: LayoutLength? = nil, bottom: LayoutLength? = nil,
    width: LayoutLength? = nil, height: LayoutLength? = nil, centerX: LayoutLength? = nil, centerY: LayoutLength? = nil,
    aspectRatio: Double? = nil, viewBox: Size? = nil
  ) {
    (self.left, self.right, self.top, self.bottom) = (left, right, top, bottom)
    (self.width, self.height, self.centerX, self.centerY) = (width, height, centerX, centerY)
    self.aspectRatio = aspectRatio
    self.viewBox = viewBox
  }

  /// The lengths along one axis.
  package struct Axis: Hashable, Sendable {
    package let near, far, size, center, minimum, maximum: LayoutLength?

    package init(
      near: LayoutLength?, far: LayoutLength?, size: LayoutLength?, center: LayoutLength?, minimum: LayoutLength?,
      maximum: LayoutLength?
    ) {
      (self.near, self.far, self.size, self.center) = (near, far, size, center)
      (self.minimum, self.maximum) = (minimum, maximum)
    }

    /// Whether these lengths determine the size.
    package var givesSize: Bool { size != nil || [near, far, center].count { $0 != nil } >= 2 }
    /// Whether these lengths determine the position.
    package var givesPlace: Bool { near != nil || far != nil || center != nil }
    package var count: Int { [near, far, size, center].count { $0 != nil } }
    package var isFinite: Bool { [near, far, size, center, minimum, maximum].allSatisfy { $0?.isFinite ?? true } }
  }

  package var horizontal: Axis {
    Axis(near: left, far: right, size: width, center: centerX, minimum: minimumWidth, maximum: maximumWidth)
  }
  package var vertical: Axis {
    Axis(near: top, far: bottom, size: height, center: centerY, minimum: minimumHeight, maximum: maximumHeight)
  }
}

extension LayerLayout: Codable {
  private enum CodingKeys: CodingKey, CaseIterable {
    case left, right, top, bottom, width, height, centerX, centerY, aspectRatio, viewBox
    case minimumWidth, maximumWidth, minimumHeight, maximumHeight, grow, shrink, basis, alignSelf
  }

  /// Decodes a layout. Missing keys are `nil`.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    func length(_ key: CodingKeys) throws -> LayoutLength? { try values.decodeIfPresent(LayoutLength.self, forKey: key) }
    self.init(
      left: try length(.left), right: try length(.right), top: try length(.top), bottom: try length(.bottom),
      width: try length(.width), height: try length(.height), centerX: try length(.centerX), centerY: try length(.centerY),
      aspectRatio: try values.decodeIfPresent(Double.self, forKey: .aspectRatio),
      viewBox: try values.decodeIfPresent(SizeNotation.self, forKey: .viewBox)?.size)
    (minimumWidth, maximumWidth) = (try length(.minimumWidth), try length(.maximumWidth))
    (minimumHeight, maximumHeight) = (try length(.minimumHeight), try length(.maximumHeight))
    flexItem.grow = try values.read(.grow, or: flexItem.grow)
    flexItem.shrink = try values.read(.shrink, or: flexItem.shrink)
    flexItem.basis = try length(.basis)
    flexItem.alignSelf = try values.decodeIfPresent(FlexLayout.Alignment.self, forKey: .alignSelf)
    try requireUsable()
  }

  /// Encodes the keys that have values.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    let lengths: [(CodingKeys, LayoutLength?)] = [
      (.left, left), (.right, right), (.top, top), (.bottom, bottom), (.width, width), (.height, height),
      (.centerX, centerX), (.centerY, centerY), (.minimumWidth, minimumWidth), (.maximumWidth, maximumWidth),
      (.minimumHeight, minimumHeight), (.maximumHeight, maximumHeight), (.basis, flexItem.basis),
    ]
    for (key, length) in lengths { try values.encodeIfPresent(length, forKey: key) }
    try values.encodeIfPresent(aspectRatio, forKey: .aspectRatio)
    try values.encodeIfPresent(viewBox, forKey: .viewBox)
    if flexItem.grow != 0 { try values.encode(flexItem.grow, forKey: .grow) }
    if flexItem.shrink != 1 { try values.encode(flexItem.shrink, forKey: .shrink) }
    try values.encodeIfPresent(flexItem.alignSelf, forKey: .alignSelf)
  }
}
