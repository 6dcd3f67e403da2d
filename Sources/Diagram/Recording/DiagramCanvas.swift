public import CompositorAPI

/// A canvas that records the marks of a row.
public struct DiagramCanvas: Sendable {
  /// The map from times to positions.
  public let scale: DiagramScale
  /// The row's height in user units.
  public let height: Double
  /// The recorded marks, in drawing order.
  public private(set) var marks: [DiagramMark] = []

  init(scale: DiagramScale, height: Double) {
    self.scale = scale
    self.height = height
  }

  /// The width below which spans are merged with their neighbors, in user units.
  static let narrowest = 3.0
  /// The maximum width of merged spans, in user units.
  static let mergedWidth = 40.0

  /// Adds a mark.
  public mutating func add(_ mark: DiagramMark) { marks.append(mark) }

  /// Draws a line of text if there is room for it.
  ///
  /// - Parameters:
  ///   - point: The start of its baseline, in user units.
  ///   - width: The available width; longer text is truncated with an ellipsis, or omitted.
  ///   - size: The font size, in user units. Default: 11.
  public mutating func text(
    _ text: String, at point: Point, width: Double, size: Double = 11, color: DiagramColor = .text, isBold: Bool = false
  ) {
    guard let fitting = TextMetrics.fitting(text, width: width, size: size, isBold: isBold) else { return }
    add(DiagramMark(.text(fitting, at: point, size: size, isBold: isBold), kind: .label, fill: color))
  }

  /// Draws labeled boxes in one lane. Boxes that are too narrow are merged into one that shows their number.
  ///
  /// - Parameters:
  ///   - spans: Spans sorted by start; they should not overlap.
  ///   - top: The upper edge of the lane, relative to the row's top.
  ///   - laneHeight: The height of the lane.
  ///   - noun: The singular name of a span, such as `segment`.
  public mutating func spans(_ spans: [DiagramSpan], top: Double, height laneHeight: Double, noun: String) {
    // Boxes that are drawn wider than they are would be covered by the next ones.
    var narrow: [(group: [DiagramSpan], extent: ClosedRange<Double>)] = []
    var group: [DiagramSpan] = []
    var groupExtent = 0.0...0.0
    func isFull(_ next: Double) -> Bool { next - groupExtent.lowerBound > Self.mergedWidth }
    for span in spans {
      guard let extent = scale.extent(of: span.timeRange) else { continue }
      let isNarrow = extent.upperBound - extent.lowerBound < Self.narrowest
      if !group.isEmpty, !isNarrow || isFull(extent.upperBound) {
        if groupExtent.upperBound - groupExtent.lowerBound < Self.narrowest {
          narrow.append((group, groupExtent))
        } else {
          draw(group, groupExtent, top, laneHeight, noun)
        }
        group = []
      }
      guard isNarrow else {
        draw([span], extent, top, laneHeight, noun)
        continue
      }
      let low = group.isEmpty ? extent.lowerBound : min(groupExtent.lowerBound, extent.lowerBound)
      groupExtent = low...max(group.isEmpty ? low : groupExtent.upperBound, extent.upperBound)
      group.append(span)
    }
    if !group.isEmpty { narrow.append((group, groupExtent)) }
    for (group, extent) in narrow { draw(group, extent, top, laneHeight, noun) }
  }

  /// Draws one span, or several merged ones.
  private mutating func draw(
    _ group: [DiagramSpan], _ extent: ClosedRange<Double>, _ top: Double, _ laneHeight: Double, _ noun: String
  ) {
    guard let first = group.first, let last = group.last else { return }
    let own = extent.upperBound - extent.lowerBound
    // A short clip of a long movie is still to be seen.
    let width = max(own, Self.narrowest)
    let box = Rect(x: min(extent.lowerBound, scale.x1 - width), y: top, width: width, height: laneHeight)
    // In a group of clips and gaps, the clips determine the appearance.
    let look = group.first { $0.kind != .gap } ?? first
    var mark = DiagramMark(
      .rectangle(box, radius: width > 8 ? 2 : 0), kind: look.kind, fill: look.fill,
      // An outline would hide a box that is hardly wider than the line.
      stroke: own < Self.narrowest ? nil : look.stroke)
    if own < Self.narrowest { mark.fill = look.stroke }
    mark.isDashed = first.isDashed
    (mark.count, mark.isMerged) = (group.count, group.count > 1)
    mark.index = first.index
    if group.count == 1 {
      mark.pattern = first.pattern
      mark.timeRange = first.timeRange
      mark.label = [first.label, first.detail].filter { !$0.isEmpty }.joined(separator: " · ")
      mark.tooltip = [first.tooltip.isEmpty ? first.label : first.tooltip, DiagramText.range(first.timeRange)]
        .filter { !$0.isEmpty }.joined(separator: "\n")
      add(mark)
      label(first, in: box)
    } else {
      let range = TimeRange(start: first.timeRange.start, end: last.timeRange.end)
      mark.pattern = .upright
      mark.timeRange = range
      mark.label = "×\(group.count)"
      let gaps = group.count { $0.kind == .gap }
      let counts = [(group.count - gaps, noun), (gaps, "gap")].filter { $0.0 > 0 }.map { DiagramText.count($0.0, $0.1) }
      mark.tooltip = "\(counts.joined(separator: ", ")), \(DiagramText.range(range))"
      add(mark)
      label("×\(group.count)", in: box, fill: look.fill)
    }
  }

  /// The label of a span, and its detail if the box is high enough.
  private mutating func label(_ span: DiagramSpan, in box: Rect) {
    let (top, width, height) = (box.minY, box.size.width, box.size.height)
    if span.pattern != nil {
      label(span.label, in: box, fill: span.fill)
    } else {
      let isShort = !span.shortLabel.isEmpty && TextMetrics.width(of: span.label, size: 11) > width - 8
      text(
        isShort ? span.shortLabel : span.label,
        at: Point(x: box.minX + 4, y: top + (height < 18 ? height - 4 : 13)), width: width - 8)
    }
    guard height >= 28 else { return }
    if let detail = [span.detail, span.shortDetail].first(where: { TextMetrics.width(of: $0, size: 10) <= width - 8 }) {
      text(detail, at: Point(x: box.minX + 4, y: top + 26), width: width - 8, size: 10)
    }
  }

  /// A label on a plate, because the pattern's lines would cross its letters.
  private mutating func label(_ text: String, in box: Rect, fill: DiagramColor) {
    guard let label = TextMetrics.fitting(text, width: box.size.width - 6, size: 10) else { return }
    let baseline = box.minY + min(box.size.height - 4, 13)
    let plate = Rect(
      x: box.minX + 2, y: baseline - 10, width: min(box.size.width - 4, TextMetrics.width(of: label, size: 10) + 4), height: 13)
    add(DiagramMark(.rectangle(plate), kind: .plate, fill: fill))
    self.text(label, at: Point(x: box.minX + 4, y: baseline), width: box.size.width - 6, size: 10)
  }

  /// Distributes spans to as few lanes as possible without overlaps; spans that do not fit are added to the last lane.
  ///
  /// - Parameter limit: The maximum number of lanes, > 0.
  static func lanes(_ spans: [DiagramSpan], on scale: DiagramScale, limit: Int) -> [[DiagramSpan]] {
    let placed = spans.enumerated().compactMap { index, span in
      scale.extent(of: span.timeRange).map { (index: index, span: span, extent: $0) }
    }.sorted { ($0.extent.lowerBound, $0.index) < ($1.extent.lowerBound, $1.index) }
    var (lanes, ends): ([[DiagramSpan]], [Double]) = ([], [])
    for (_, span, extent) in placed {
      // Half of a hundredth, so that rounding never requires another lane.
      if let free = ends.firstIndex(where: { $0 <= extent.lowerBound + 0.005 }) {
        lanes[free].append(span)
        ends[free] = extent.upperBound
      } else if lanes.count < limit {
        lanes.append([span])
        ends.append(extent.upperBound)
      } else {
        lanes[limit - 1].append(span)
        ends[limit - 1] = max(ends[limit - 1], extent.upperBound)
      }
    }
    return lanes
  }
}
