/// The layout of a layer's sublayers in rows or columns, as CSS's flexible boxes (`display: flex`).
///
/// Sublayers that say no position of their own are placed one after another; those with a ``Layer/position`` other than zero, or
/// whose ``Layer/layout`` says a position along any axis, stay where they say. Hidden sublayers (``Layer/isHidden``) and texts without
/// a character take no space and no gap. A layer without a size of its own is as large as its sublayers and the padding.
///
/// ```swift
/// var card = Layer()
/// card.flex = FlexLayout(.column, gap: 8, padding: FlexLayout.Padding(all: 24))
/// card.sublayers = [Layer(text: "Ada Lovelace", size: 54), Layer(text: "Mathematician", size: 32)]
/// ```
///
/// Sizes follow CSS Flexible Box Layout Level 1 with `box-sizing: border-box`: each sublayer begins with its ``FlexItem/basis``,
/// with the width or height that its layout gives, or with the size of its contents; then the space that is left or missing along the
/// direction is shared by ``FlexItem/grow`` or ``FlexItem/shrink``. A text shrinks to its longest word if it wraps, not at all if it
/// doesn't, and to nothing if it is truncated or made to fit. The size of ``Layer/bounds`` is that of a layer's contents, below which
/// it doesn't shrink; a width or height of its layout is shrunk.
public struct FlexLayout: Hashable, Sendable {
  /// The direction in which sublayers follow one another.
  public enum Direction: String, Hashable, Sendable, Codable, CaseIterable {
    /// From left to right.
    case row
    /// From right to left.
    case rowReverse = "row-reverse"
    /// From top to bottom.
    case column
    /// From bottom to top.
    case columnReverse = "column-reverse"

    /// Whether sublayers are placed side by side.
    package var isRow: Bool { self == .row || self == .rowReverse }
    /// Whether the first sublayer is at the far end.
    package var isReversed: Bool { self == .rowReverse || self == .columnReverse }
  }

  /// The place of a sublayer across the direction.
  public enum Alignment: String, Hashable, Sendable, Codable, CaseIterable {
    /// As high as its row, or as wide as its column, unless it has such a size of its own.
    case stretch
    /// At the top or left.
    case start
    /// In the middle.
    case center
    /// At the bottom or right.
    case end
    /// In a row, with the first line of its text on one line with those of others. The lower edge of what has no text is on that
    /// line, too; a nested row or column is placed by its first sublayer. In a column, as ``start``.
    case baseline
  }

  /// What becomes of space that is left.
  public enum Distribution: String, Hashable, Sendable, Codable, CaseIterable {
    /// It is at the end.
    case start
    /// It is at both ends.
    case center
    /// It is at the beginning.
    case end
    /// It is between the sublayers.
    case spaceBetween = "space-between"
    /// It is around each sublayer: twice as much between two as at the ends.
    case spaceAround = "space-around"
    /// It is between the sublayers and at the ends, equally.
    case spaceEvenly = "space-evenly"
  }

  /// Space inside the four edges of a layer, in pixels, 0 or more.
  public struct Padding: Hashable, Sendable {
    /// Space inside the edge, in pixels.
    public var top, right, bottom, left: Double

    /// Creates padding, 0 where nothing is given.
    public init(top: Double = 0, right: Double = 0, bottom: Double = 0, left: Double = 0) {
      (self.top, self.right, self.bottom, self.left) = (top, right, bottom, left)
    }

    /// Creates equal padding at all edges.
    public init(all length: Double) { self.init(top: length, right: length, bottom: length, left: length) }

    package var size: Size { Size(width: left + right, height: top + bottom) }
  }

  /// The direction.
  public var direction: Direction
  /// Whether sublayers that don't fit begin another row or column.
  public var wraps = false
  /// Space between neighbors along the direction, in pixels, 0 or more.
  public var gap: Double
  /// Space between rows or columns if they ``wraps``, in pixels; `nil` for the ``gap``.
  public var lineGap: Double?
  /// Space inside the edges.
  public var padding: Padding
  /// The places of the sublayers across the direction.
  public var alignItems: Alignment
  /// The places of the sublayers along the direction.
  public var justifyContent: Distribution
  /// The places of the rows or columns if they ``wraps``; `nil`: they share the space that is left.
  public var alignContent: Distribution?

  /// Creates a layout: a row by default, whose sublayers are as high as it is.
  public init(
    _ direction: Direction = .row, gap: Double = 0, padding: Padding = Padding(), alignItems: Alignment = .stretch,
    justifyContent: Distribution = .start
  ) {
    (self.direction, self.gap, self.padding) = (direction, gap, padding)
    (self.alignItems, self.justifyContent) = (alignItems, justifyContent)
  }
}

/// How a layer takes part in the ``FlexLayout`` of its parent.
public struct FlexItem: Hashable, Sendable {
  /// Its share of the space that is left, relative to its siblings, 0 or more.
  public var grow = 0.0
  /// Its share of the space that is missing, relative to its siblings and to its own size, 0 or more.
  public var shrink = 1.0
  /// The size along the direction to begin with; `nil` for its width or height, or that of its contents.
  public var basis: LayoutLength?
  /// Its place across the direction; `nil` for that of all sublayers.
  public var alignSelf: FlexLayout.Alignment?

  /// Creates what a layer has by default: it shrinks, and doesn't grow.
  public init() {}

  /// - Throws: `.invalidValue` if a number is negative or not finite.
  package func requireUsable() throws(CompositorError) {
    guard grow >= 0, grow.isFinite, shrink >= 0, shrink.isFinite, basis?.isFinite ?? true else {
      throw CompositorError(
        .invalidValue, "A layer grows by \(grow) and shrinks by \(shrink) of the space.",
        recoverySuggestion: "Give numbers of 0 or more.")
    }
  }
}

extension FlexLayout {
  private func requireLengths() throws(CompositorError) {
    let lengths = [
      ("gap", gap), ("lineGap", lineGap ?? 0), ("padding at the top", padding.top), ("padding at the right", padding.right),
      ("padding at the bottom", padding.bottom), ("padding at the left", padding.left),
    ]
    guard let (name, length) = lengths.first(where: { !(0...1e6).contains($0.1) }) else { return }
    let pixels = length == length.rounded() && abs(length) < 1e15 ? "\(Int(length))" : "\(length)"
    throw CompositorError(
      .invalidValue, "A flexible layout has a \(name) of \(pixels) pixels.",
      recoverySuggestion: "Give a length of 0 to 1000000 pixels.")
  }

  /// - Throws: `.invalidValue` if a length is negative or not finite, or if sublayers of such contents have places of their own.
  package func requireUsable(for content: LayerContent) throws(CompositorError) {
    do throws(CompositorError) { try requireLengths() } catch { throw error.within("flex") }
    let kind: String
    switch content {
    case .text: kind = "a text, whose size is that of its letters"
    case .replicator: kind = "a replicator, which places the copies"
    case .emitter: kind = "an emitter, which places the particles"
    default: return
    }
    throw CompositorError(
      .invalidValue, "A layer with a flexible layout is \(kind).",
      recoverySuggestion: "Give the layout to a layer without such content, and put this one among its sublayers.",
      at: ErrorLocation(path: "flex"))
  }
}

extension FlexLayout: Codable {
  private enum CodingKeys: CodingKey {
    case direction, wraps, gap, lineGap, padding, alignItems, justifyContent, alignContent
  }

  /// Decodes a layout. Missing keys have their defaults.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init()
    direction = try values.read(.direction, or: direction)
    wraps = try values.read(.wraps, or: wraps)
    gap = try values.read(.gap, or: gap)
    lineGap = try values.decodeIfPresent(Double.self, forKey: .lineGap)
    padding = try values.read(.padding, or: padding)
    alignItems = try values.read(.alignItems, or: alignItems)
    justifyContent = try values.read(.justifyContent, or: justifyContent)
    alignContent = try values.decodeIfPresent(Distribution.self, forKey: .alignContent)
    try requireLengths()
  }
}

extension FlexLayout.Padding: Codable {
  private enum CodingKeys: CodingKey { case top, right, bottom, left }

  /// Decodes one length for all edges, or `{ top, right, bottom, left }`.
  public init(from decoder: any Decoder) throws {
    if let single = try? decoder.singleValueContainer().decode(Double.self) {
      self.init(all: single)
      return
    }
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      top: try values.read(.top, or: 0), right: try values.read(.right, or: 0), bottom: try values.read(.bottom, or: 0),
      left: try values.read(.left, or: 0))
  }
}
