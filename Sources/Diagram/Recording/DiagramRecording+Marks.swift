import CompositorAPI

/// The lines of patterns.
enum DiagramPatternLines {
  static let width = 1.0

  /// The distance between two lines along the x axis.
  static func step(_ pattern: DiagramPattern) -> Double {
    switch pattern {
    case .rising: 8
    // Drawn over other patterns, which it must not hide.
    case .falling: 16
    case .upright: 4
    }
  }
}

extension DiagramRecording {
  /// All marks except the playhead, in mixed coordinates.
  var allMarks: [DiagramMark] { heading + rows.flatMap(\.drawn) + legend + playhead(at: scale.x0) }

  /// Positions of the time grid.
  var gridLines: [Double] {
    RulerSteps(scale, frameDuration: context.edit.videoComposition.frameDuration).ticks(minor: false).map {
      scale.x(seconds: $0)
    }
  }

  /// The playhead marker, relative to x = 0.
  func playhead(at x: Double) -> [DiagramMark] {
    var line = DiagramMark(
      .line([Point(x: 0, y: rowsTop + 14), Point(x: 0, y: rowsBottom)]), kind: .playheadLine, stroke: .playhead)
    line.lineWidth = 1.5
    let handle = DiagramMark(
      .polygon([Point(x: -5, y: rowsTop + 12), Point(x: 5, y: rowsTop + 12), Point(x: 0, y: rowsTop + 20)]),
      kind: .playheadHandle, fill: .playhead)
    return [line, handle]
  }
}

extension DiagramRecording.Row {
  /// All marks in drawing order: text comes last, above marks of diagnostics.
  var drawn: [DiagramMark] {
    let shapes = marks.filter { !$0.isText && $0.kind != .plate }
    return labels + shapes + overlays + marks.filter { $0.isText || $0.kind == .plate }
  }

  /// Title and subtitle, to the left of the row.
  var labels: [DiagramMark] {
    let width = DiagramRecording.labelWidth - 16
    var marks: [DiagramMark] = []
    let baseline = min(height - 3, 17)
    if let text = TextMetrics.fitting(title, width: width, size: 11, isBold: true) {
      marks.append(
        DiagramMark(
          .text(text, at: Point(x: DiagramRecording.margin, y: baseline), isBold: true), kind: .rowTitle, fill: .text))
    }
    if height >= 34, let text = TextMetrics.fitting(subtitle, width: width, size: 9) {
      marks.append(
        DiagramMark(
          .text(text, at: Point(x: DiagramRecording.margin, y: baseline + 13), size: 9), kind: .rowSubtitle, fill: .mutedText)
      )
    }
    return marks
  }
}
