public import CompositorAPI
import CompositorMediaWriting

/// Lines over a fill, so that it differs by more than its color.
public enum DiagramPattern: String, Hashable, Sendable, CaseIterable {
  /// Rising lines: gaps.
  case rising
  /// Falling lines: diagnostics.
  case falling
  /// Upright lines: several spans that are too narrow to be told apart.
  case upright
}

/// An image in a diagram, such as a thumbnail.
public struct DiagramPicture: Hashable, Sendable {
  /// The file, PNG or JPEG.
  public let bytes: [UInt8]
  /// Its media type: `image/png` or `image/jpeg`.
  public let mediaType: String
  /// Its pixels for diagrams that are images themselves; `nil` leaves its place empty there.
  let frame: Frame?

  /// An image from the bytes of its file, for SVG and HTML.
  public init(bytes: [UInt8], mediaType: String) {
    self.bytes = bytes
    self.mediaType = mediaType
    frame = nil
  }

  /// An image from a frame, encoded as JPEG.
  ///
  /// - Parameter frame: 8-bit RGBA in sRGB or Display P3.
  /// - Throws: `.unsupportedOutput`, `.encodeFailed` for a frame that JPEG cannot hold.
  public init(_ frame: Frame) throws(CompositorError) {
    bytes = try JPEGWriter.encode(frame, settings: ImageFileSettings(quality: 80), path: "thumbnail.jpg")
    mediaType = "image/jpeg"
    self.frame = frame
  }

  /// Whether both are the same file.
  public static func == (left: DiagramPicture, right: DiagramPicture) -> Bool {
    left.bytes == right.bytes && left.mediaType == right.mediaType
  }

  /// Hashes the file.
  public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}

/// One thing that a row has drawn: a shape or a text, and what it stands for.
///
/// Positions are in user units; x counts from the diagram's left edge, y from the row's top.
public struct DiagramMark: Hashable, Sendable {
  /// Where a text is relative to its point.
  public enum Anchor: String, Hashable, Sendable {
    /// The text begins there.
    case start
    /// Its middle is there.
    case middle
    /// The text ends there.
    case end
  }

  /// What is drawn.
  public enum Shape: Hashable, Sendable {
    /// A rectangle with round corners.
    case rectangle(Rect, radius: Double = 0)
    /// Connected lines.
    case line([Point])
    /// An area.
    case polygon([Point])
    /// One line of text; the point is on its baseline.
    case text(String, at: Point, size: Double = 11, anchor: Anchor = .start, isBold: Bool = false)
    /// An image, stretched to a rectangle.
    case picture(DiagramPicture, in: Rect)
  }

  /// What is drawn.
  public var shape: Shape
  /// What it stands for: the class of the element in SVG, such as `segment`.
  public var kind: String
  /// The color of its inside or of its text. `nil`, the default, is none.
  public var fill: DiagramColor?
  /// The color of its outline. `nil`, the default, is none.
  public var stroke: DiagramColor?
  /// The width of the outline in user units. Default 1.
  public var lineWidth = 1.0
  /// Whether the outline is broken. Default false.
  public var isDashed = false
  /// Lines over the fill in the color of the outline. `nil`, the default, is none.
  public var pattern: DiagramPattern?
  /// The composition time that it stands for: a click on it leads to the start. `nil`, the default, is none.
  public var timeRange: TimeRange?
  /// How many things it stands for. Default 1.
  public var count = 1
  /// The index of the diagnostic that it marks. `nil`, the default, is none.
  public var diagnostic: Int?
  /// The index of what it stands for among its kind: of an instruction or a segment. `nil`, the default, is none.
  public var index: Int?
  /// What is said when the pointer rests on it. `nil`, the default, is nothing.
  public var tooltip: String?
  /// What stands in it in diagrams made of text. `nil`, the default, is nothing.
  public var label: String?

  /// A shape that stands for something.
  public init(_ shape: Shape, kind: String, fill: DiagramColor? = nil, stroke: DiagramColor? = nil) {
    self.shape = shape
    self.kind = kind
    self.fill = fill
    self.stroke = stroke
  }
}

extension DiagramMark {
  /// Whether it is text.
  var isText: Bool { if case .text = shape { true } else { false } }

  /// Whether every number of it is one that can be drawn; what a row draws otherwise is left out.
  var isDrawable: Bool {
    func isSound(_ value: Double) -> Bool { abs(value) <= 1e6 }
    func isSound(_ rect: Rect) -> Bool {
      [rect.minX, rect.minY].allSatisfy(isSound) && (0...1e6).contains(rect.size.width) && (0...1e6).contains(rect.size.height)
    }
    guard (0...1000).contains(lineWidth) else { return false }
    switch shape {
    case .rectangle(let rect, let radius): return isSound(rect) && isSound(radius)
    case .line(let points), .polygon(let points):
      return points.count > 1 && points.allSatisfy { isSound($0.x) && isSound($0.y) }
    case .text(_, let point, let size, _, _): return isSound(point.x) && isSound(point.y) && size > 0 && size <= 1000
    case .picture(_, let rect): return isSound(rect)
    }
  }
}

/// A stretch of time in a row, to be drawn as a box with a label.
public struct DiagramSpan: Hashable, Sendable {
  /// When; an end that is not finite is drawn at the edge of the diagram.
  public var timeRange: TimeRange
  /// Its first line of text; left out if there is no room.
  public var label: String
  /// What takes the place of the label if that does not fit. Empty, the default, cuts the label off.
  public var shortLabel = ""
  /// Its second line of text, in boxes of at least 28 units. It is never cut off, because half a number is a wrong one: what is behind
  /// ` · ` and in parentheses is left out first, then all of it.
  public var detail = ""
  /// What is said when the pointer rests on it, beside its times.
  public var tooltip = ""
  /// What it stands for: the class of the element in SVG.
  public var kind: String
  /// The index among its kind. `nil`, the default, is none.
  public var index: Int?
  /// Inside.
  public var fill: DiagramColor
  /// Outline.
  public var stroke: DiagramColor
  /// Lines over the fill.
  public var pattern: DiagramPattern?
  /// Whether the outline is broken.
  public var isDashed = false

  /// A stretch of time.
  public init(
    _ timeRange: TimeRange, label: String, kind: String, fill: DiagramColor = .captionFill, stroke: DiagramColor = .caption
  ) {
    self.timeRange = timeRange
    self.label = label
    self.kind = kind
    self.fill = fill
    self.stroke = stroke
  }
}
