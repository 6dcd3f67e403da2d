public import CompositorAPI
import CompositorMediaWriting

/// A pattern of lines over a fill, so that fills differ by more than color.
public enum DiagramPattern: String, Hashable, Sendable, CaseIterable {
  /// Rising lines, for gaps.
  case rising
  /// Falling lines, for diagnostics.
  case falling
  /// Upright lines, for several merged spans.
  case upright
}

/// An image in a diagram, such as a thumbnail.
public struct DiagramImage: Hashable, Sendable {
  /// The file, PNG or JPEG.
  public let bytes: [UInt8]
  /// Its media type: `image/png` or `image/jpeg`.
  public let mediaType: String
  /// Its pixels, for raster output; `nil` leaves its place empty there.
  let frame: Frame?

  /// Creates an image from a file's contents, for SVG and HTML only.
  public init(bytes: [UInt8], mediaType: String) {
    self.bytes = bytes
    self.mediaType = mediaType
    frame = nil
  }

  /// Creates an image from a frame, encoded as JPEG.
  ///
  /// - Parameter frame: 8-bit RGBA in sRGB or Display P3.
  /// - Throws: `.unsupportedOutput` or `.encodeFailed` if the frame cannot be encoded as JPEG.
  public init(_ frame: Frame) throws(CompositorError) {
    bytes = try JPEGWriter.encode(frame, settings: ImageFileSettings(quality: 80), path: "thumbnail.jpg")
    mediaType = "image/jpeg"
    self.frame = frame
  }

  /// Whether both have the same file contents.
  public static func == (left: DiagramImage, right: DiagramImage) -> Bool {
    left.bytes == right.bytes && left.mediaType == right.mediaType
  }

  /// Hashes the file contents.
  public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}

/// A shape or text drawn by a row, and its meaning.
///
/// Positions are in user units; x counts from the diagram's left edge, y from the row's top.
public struct DiagramMark: Hashable, Sendable {
  /// The alignment of text relative to its point.
  public enum Anchor: String, Hashable, Sendable {
    /// The text starts at the point.
    case start
    /// The text is centered on the point.
    case middle
    /// The text ends at the point.
    case end
  }

  /// The kinds of shapes.
  public enum Shape: Hashable, Sendable {
    /// A rectangle with rounded corners.
    case rectangle(Rect, radius: Double = 0)
    /// Connected lines.
    case line([Point])
    /// A filled area.
    case polygon([Point])
    /// One line of text; the point is on its baseline.
    case text(String, at: Point, size: Double = 11, anchor: Anchor = .start, isBold: Bool = false)
    /// An image, stretched to a rectangle.
    case picture(DiagramImage, in: Rect)
  }

  /// The shape.
  public var shape: Shape
  /// What the mark is, such as ``Kind/segment``.
  public var kind: Kind
  /// The color of the interior, or of text. `nil`, the default, is none.
  public var fill: DiagramColor?
  /// The color of its outline. `nil`, the default, is none.
  public var stroke: DiagramColor?
  /// The width of the outline in user units. Default 1.
  public var lineWidth = 1.0
  /// Whether the outline is dashed. Default: false.
  public var isDashed = false
  /// A pattern over the fill in the outline's color. `nil`, the default, is none.
  public var pattern: DiagramPattern?
  /// The composition time that it represents: clicking on it seeks to the start. `nil`, the default, is none.
  public var timeRange: TimeRange?
  /// The number of things that it represents. Default: 1.
  public var count = 1
  /// Whether it represents several spans that are too narrow to tell apart. Default: false.
  public var isMerged = false
  /// The index of its diagnostic. `nil`, the default, is none.
  public var diagnostic: Int?
  /// The severity of its diagnostic. `nil`, the default, is none.
  public var severity: ValidationDiagnostic.Severity?
  /// The index of what it represents among its kind, such as an instruction or a segment. `nil`, the default, is none.
  public var index: Int?
  /// The tooltip. `nil`, the default, is none.
  public var tooltip: String?
  /// The label in text diagrams. `nil`, the default, is none.
  public var label: String?

  /// Creates a mark.
  public init(_ shape: Shape, kind: Kind, fill: DiagramColor? = nil, stroke: DiagramColor? = nil) {
    self.shape = shape
    self.kind = kind
    self.fill = fill
    self.stroke = stroke
  }
}

extension DiagramMark {
  /// Whether the shape is text.
  var isText: Bool { if case .text = shape { true } else { false } }

  /// Whether all of its numbers are finite and in range; other marks are omitted.
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

/// A time range in a row, drawn as a labeled box.
public struct DiagramSpan: Hashable, Sendable {
  /// The time range; infinite ends are drawn at the edge of the diagram.
  public var timeRange: TimeRange
  /// The first line of text; omitted if it does not fit.
  public var label: String
  /// Replaces the label if that does not fit. If empty, the default, the label is truncated.
  public var shortLabel = ""
  /// The second line of text, in boxes of at least 28 units. It is never truncated, because part of a number would be
  /// misleading, but omitted if it does not fit.
  public var detail = ""
  /// Replaces the detail if that does not fit. If empty, the default, nothing does.
  public var shortDetail = ""
  /// The tooltip, in addition to the times.
  public var tooltip = ""
  /// What the span is, such as ``DiagramMark/Kind/segment``.
  public var kind: DiagramMark.Kind
  /// The index among its kind. `nil`, the default, is none.
  public var index: Int?
  /// The color of the interior.
  public var fill: DiagramColor
  /// The color of the outline.
  public var stroke: DiagramColor
  /// A pattern over the fill.
  public var pattern: DiagramPattern?
  /// Whether the outline is dashed.
  public var isDashed = false

  /// Creates a span.
  public init(
    _ timeRange: TimeRange, label: String, kind: DiagramMark.Kind, fill: DiagramColor = .captionFill,
    stroke: DiagramColor = .caption
  ) {
    self.timeRange = timeRange
    self.label = label
    self.kind = kind
    self.fill = fill
    self.stroke = stroke
  }
}
