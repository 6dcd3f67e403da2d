import CompositorAPI

/// The numbered diagnostics at their times.
struct DiagnosticRow: DiagramRow {
  let identifier = "diagnostics"
  let title = "Diagnostics"

  private static let laneHeight = 18.0
  private static let mostLanes = 6

  func height(in context: DiagramContext) -> Double {
    guard !context.diagnostics.isEmpty else { return 0 }
    return Double(max(1, lanes(context).lanes.count)) * Self.laneHeight + 6
  }

  var subtitle: String { "numbers as listed below" }

  private struct Badge {
    let index: Int
    let mark, span: ClosedRange<Double>
  }

  /// Badges in lanes, and the number that do not fit.
  private func lanes(_ context: DiagramContext) -> (lanes: [[Badge]], rest: Int) {
    var (lanes, ends, rest): ([[Badge]], [Double], Int) = ([], [], 0)
    let placed = context.diagnostics.indices.compactMap { index -> Badge? in
      guard let extent = context.extent(ofDiagnostic: index) else { return nil }
      let width = max(extent.upperBound - extent.lowerBound, TextMetrics.width(of: "\(index + 1)", size: 10, isBold: true) + 8)
      let low = min(extent.lowerBound, context.scale.x1 - width)
      return Badge(index: index, mark: extent, span: low...(low + width))
    }.sorted { ($0.span.lowerBound, $0.index) < ($1.span.lowerBound, $1.index) }
    for badge in placed {
      if let free = ends.firstIndex(where: { $0 + 2 <= badge.span.lowerBound }) {
        lanes[free].append(badge)
        ends[free] = badge.span.upperBound
      } else if lanes.count < Self.mostLanes {
        lanes.append([badge])
        ends.append(badge.span.upperBound)
      } else {
        rest += 1
      }
    }
    return (lanes, rest)
  }

  func draw(in context: DiagramContext, on canvas: inout DiagramCanvas) {
    let (lanes, rest) = lanes(context)
    for (lane, badges) in lanes.enumerated() {
      for badge in badges { draw(badge, top: 4 + Double(lane) * Self.laneHeight, context, on: &canvas) }
    }
    guard rest > 0 else { return }
    let place = Point(x: canvas.scale.x0 - 4, y: canvas.height - 6)
    canvas.add(DiagramMark(.text("+\(rest)", at: place, size: 10, anchor: .end), kind: .rest, fill: .mutedText))
  }

  private func draw(_ badge: Badge, top: Double, _ context: DiagramContext, on canvas: inout DiagramCanvas) {
    let diagnostic = context.diagnostics[badge.index]
    let (stroke, fill) = diagnostic.colors
    let box = Rect(x: badge.span.lowerBound, y: top, width: badge.span.upperBound - badge.span.lowerBound, height: 15)
    var mark = DiagramMark(.rectangle(box, radius: 2), kind: .diagnostic, fill: fill, stroke: stroke)
    mark.severity = diagnostic.severity
    mark.diagnostic = badge.index
    mark.timeRange = context.range(ofDiagnostic: badge.index)
    mark.label = "\(badge.index + 1)"
    mark.tooltip = diagnostic.summary(number: badge.index + 1)
    if box.size.width > 40 { mark.pattern = .falling }
    canvas.add(mark)
    let number = "\(badge.index + 1)"
    let numberWidth = TextMetrics.width(of: number, size: 10, isBold: true) + 8
    canvas.add(
      DiagramMark(
        .rectangle(Rect(x: box.minX, y: top, width: numberWidth, height: 15), radius: 2), kind: .badge, fill: stroke))
    canvas.add(
      DiagramMark(
        .text(number, at: Point(x: box.minX + 4, y: top + 11), size: 10, isBold: true), kind: .number, fill: .background))
  }
}

extension ValidationDiagnostic {
  /// The outline and fill colors of its mark.
  var colors: (stroke: DiagramColor, fill: DiagramColor) {
    severity == .error ? (.error, .errorFill) : (.warning, .warningFill)
  }

  /// The fix's title as a sentence; `nil` if it repeats the recovery suggestion.
  var fixText: String? {
    guard let fix, recoverySuggestion?.contains(fix.title) != true else { return nil }
    return "Fix: \(DiagramText.clean(fix.title, limit: 300))."
  }

  /// Number, severity, message, cause and recovery suggestion.
  func summary(number: Int) -> String {
    [
      "\(number) \(severity.rawValue): \(DiagramText.clean(message, limit: 600))",
      cause.map { "Likely cause: \(DiagramText.clean($0, limit: 600))" },
      recoverySuggestion.map { DiagramText.clean($0, limit: 600) },
    ].compactMap { $0 }.joined(separator: "\n")
  }
}

extension DiagramContext {
  /// The time range of a diagnostic; `nil` if it has none.
  func range(ofDiagnostic index: Int) -> TimeRange? {
    diagnostics[index].movieRange(in: edit)
  }

  /// The extent of a diagnostic. What lies outside of the movie is marked at its edge, unless only a part is drawn.
  func extent(ofDiagnostic index: Int) -> ClosedRange<Double>? {
    guard let range = range(ofDiagnostic: index) else { return nil }
    if let extent = scale.extent(of: range) { return extent }
    guard settings.range == nil, range.start.isNumeric else { return nil }
    let edge = range.start.seconds >= scale.end ? scale.x1 : scale.x0
    return edge...edge
  }

  /// The diagnostics of a row, by its identifier.
  func diagnostics(ofRow identifier: String) -> [Int] {
    diagnostics.indices.filter { index in
      let diagnostic = diagnostics[index]
      if identifier == "instructions" {
        return diagnostic.instruction != nil || diagnostic.code == .emptyTimeRange
      }
      if identifier == "titles" { return diagnostic.path?.hasPrefix("titles") == true }
      guard let track = diagnostic.track else { return false }
      return identifier == "video-\(track)" || identifier == "audio-\(track)"
    }
  }
}
