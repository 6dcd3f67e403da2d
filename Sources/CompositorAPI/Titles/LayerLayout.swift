/// A length in a parent's box: pixels, a fraction of the box's side, or the sum of both.
///
/// ```swift
/// let margin: LayoutLength = 40
/// let share = LayoutLength.fraction(0.05)
/// ```
public struct LayoutLength: Hashable, Sendable, ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
  /// Length in pixels.
  public var points: Double
  /// Fraction of the parent's side along the same axis; 1 is the whole side.
  public var fraction: Double

  /// Creates a length, 0 by default.
  public init(points: Double = 0, fraction: Double = 0) {
    self.points = points
    self.fraction = fraction
  }

  /// Creates a length in pixels.
  public init(floatLiteral value: Double) { self.init(points: value) }
  /// Creates a length in pixels.
  public init(integerLiteral value: Int) { self.init(points: Double(value)) }
  /// Creates a length in pixels.
  public static func points(_ points: Double) -> LayoutLength { LayoutLength(points: points) }
  /// Creates a length that is a fraction of the parent's side.
  public static func fraction(_ fraction: Double) -> LayoutLength { LayoutLength(fraction: fraction) }

  /// The length along a side, in pixels.
  package func pixels(along side: Double) -> Double { points + fraction * side }

  fileprivate var isFinite: Bool { points.isFinite && fraction.isFinite }
}

extension LayoutLength: Codable {
  private enum CodingKeys: CodingKey { case points, fraction }

  /// Decodes a number of pixels, a percentage such as `"5%"`, or `{ points, fraction }`.
  public init(from decoder: any Decoder) throws {
    if let single = try? decoder.singleValueContainer() {
      if let points = try? single.decode(Double.self) {
        self.init(points: points)
        return
      }
      if let text = try? single.decode(String.self) {
        guard text.hasSuffix("%"), let percent = Double(text.dropLast()) else {
          throw DecodingError.dataCorruptedError(
            in: single, debugDescription: "\"\(text)\" is not a length: write pixels, or a part such as \"5%\"")
        }
        self.init(fraction: percent / 100)
        return
      }
    }
    guard let values = try? decoder.container(keyedBy: CodingKeys.self) else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath, debugDescription: "a length is a number of pixels, or a part such as \"5%\""))
    }
    self.init(points: try values.read(.points, or: 0), fraction: try values.read(.fraction, or: 0))
  }

  /// Encodes a number of pixels, or `{ points, fraction }`.
  public func encode(to encoder: any Encoder) throws {
    if fraction == 0 {
      var single = encoder.singleValueContainer()
      try single.encode(points)
      return
    }
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(points, forKey: .points)
    try values.encode(fraction, forKey: .fraction)
  }
}

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
    package let near, far, size, center: LayoutLength?

    /// Whether these lengths determine the size.
    package var givesSize: Bool { size != nil || [near, far, center].count { $0 != nil } >= 2 }
    /// Whether these lengths determine the position.
    package var givesPlace: Bool { near != nil || far != nil || center != nil }
    fileprivate var count: Int { [near, far, size, center].count { $0 != nil } }
    fileprivate var isFinite: Bool { [near, far, size, center].allSatisfy { $0?.isFinite ?? true } }
  }

  package var horizontal: Axis { Axis(near: left, far: right, size: width, center: centerX) }
  package var vertical: Axis { Axis(near: top, far: bottom, size: height, center: centerY) }
}

extension LayerLayout: Codable {
  private enum CodingKeys: CodingKey, CaseIterable {
    case left, right, top, bottom, width, height, centerX, centerY, aspectRatio, viewBox
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
    try requireUsable()
  }

  /// Checks that the layout is consistent.
  ///
  /// - Throws: `.invalidValue` if there are more than two lengths along an axis, if an aspect ratio isn't positive or isn't
  ///   needed, or if a number isn't finite.
  package func requireUsable() throws(CompositorError) {
    for (axis, names) in [
      (horizontal, "left, right, width and centerX"), (vertical, "top, bottom, height and centerY"),
    ] {
      guard axis.count <= 2 else {
        throw CompositorError(
          .invalidValue, "The layout contradicts itself: it has \(axis.count) of \(names).",
          recoverySuggestion: "Keep two of them.")
      }
      guard axis.isFinite else {
        throw CompositorError(.invalidValue, "The layout has a length that is not finite.", recoverySuggestion: "Give numbers.")
      }
    }
    if let viewBox {
      guard viewBox.width > 0, viewBox.height > 0, viewBox.width.isFinite, viewBox.height.isFinite else {
        throw CompositorError(
          .invalidValue, "The viewBox of a layout is \(viewBox.width) × \(viewBox.height).",
          recoverySuggestion: "Give it a width and a height above 0.")
      }
    }
    guard let aspectRatio else { return }
    guard aspectRatio > 0, aspectRatio.isFinite else {
      throw CompositorError(
        .invalidValue, "The aspect ratio \(aspectRatio) is not above 0.",
        recoverySuggestion: "Give the width divided by the height, such as 1.7778.")
    }
    guard !horizontal.givesSize || !vertical.givesSize else {
      throw CompositorError(
        .invalidValue, "The layout contradicts itself: it gives width, height and aspectRatio.",
        recoverySuggestion: "Keep two of them.")
    }
  }
}

extension Layer {
  /// Throws if the layer's position or size is specified twice.
  ///
  /// - Throws: `.invalidValue`, and the errors of ``LayerLayout/requireUsable()``.
  package func requireUsableLayout() throws(CompositorError) {
    guard let layout else { return }
    try layout.requireUsable()
    for (axis, name, place, size) in [
      (layout.horizontal, ("x", "width"), position.x, bounds.size.width),
      (layout.vertical, ("y", "height"), position.y, bounds.size.height),
    ] {
      guard place == 0 || !axis.givesPlace else { throw Layer.contradiction("position.\(name.0)") }
      guard size == 0 || !axis.givesSize else { throw Layer.contradiction("the \(name.1) of its bounds") }
    }
    if layout.viewBox != nil, bounds.size != .zero { throw Layer.contradiction("bounds beside a viewBox") }
    if layout.aspectRatio != nil, layout.horizontal.givesSize || layout.vertical.givesSize,
      bounds.size.width != 0 || bounds.size.height != 0
    {
      throw Layer.contradiction("bounds beside an aspectRatio")
    }
  }

  private static func contradiction(_ what: String) -> CompositorError {
    CompositorError(
      .invalidValue, "The layout contradicts \(what).",
      recoverySuggestion: "Say it in one place: what the layout gives, the layer does not.")
  }
}
