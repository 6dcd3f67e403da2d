import CompositorAPI

/// All contents of a diagram as positioned shapes, from which SVG, PNG and text are written.
struct DiagramRecording {
  /// A recorded row.
  struct Row {
    let identifier, title, subtitle: String
    let top, height: Double
    var marks: [DiagramMark]
    /// Marks of diagnostics over it.
    var overlays: [DiagramMark] = []
  }

  let context: DiagramContext
  let names: DiagramNames
  let width: Double
  private(set) var height = 0.0
  private(set) var rows: [Row] = []
  /// The heading, in the diagram's own coordinates.
  private(set) var heading: [DiagramMark] = []
  /// The list of diagnostics, in the diagram's own coordinates.
  private(set) var legend: [DiagramMark] = []
  /// The top of the first row.
  let rowsTop = 62.0
  private(set) var rowsBottom = 0.0
  let summary: String

  var scale: DiagramScale { context.scale }

  static let margin = 16.0
  static let labelWidth = 132.0
  private static let tallestRow = 4096.0
  private static let mostListed = 40

  init(_ diagram: TimelineDiagram, _ settings: DiagramSettings) {
    width = settings.usedWidth
    names = diagram.names
    let time = diagram.shownTime(settings)
    let scale = DiagramScale(
      start: time.start, duration: time.duration, x0: Self.margin + Self.labelWidth, x1: width - Self.margin)
    let context = DiagramContext(
      edit: diagram.edit, media: diagram.media, diagnostics: diagram.diagnostics, thumbnails: diagram.thumbnails,
      waveforms: diagram.waveforms, scale: scale, settings: settings)
    self.context = context
    summary = Self.summary(of: diagram.edit, diagram.diagnostics)
    var top = rowsTop
    for row in diagram.rows {
      let wanted = row.height(in: context)
      guard wanted > 0 else { continue }
      let height = min(wanted, Self.tallestRow)
      var canvas = DiagramCanvas(scale: scale, height: height)
      row.draw(in: context, on: &canvas)
      let identifier = String(
        row.identifier.prefix(80).filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") })
      var drawn = Row(
        identifier: identifier, title: DiagramText.clean(row.title), subtitle: DiagramText.clean(row.subtitle), top: top,
        height: height, marks: canvas.marks.filter(\.isDrawable))
      drawn.overlays = Self.overlays(of: identifier, height: height, context)
      rows.append(drawn)
      top += height
    }
    rowsBottom = top
    addHeading(settings)
    addKey()
    addLegend()
  }

  /// Marks of diagnostics over a row.
  private static func overlays(of identifier: String, height: Double, _ context: DiagramContext) -> [DiagramMark] {
    var marks: [DiagramMark] = []
    var last: (low: Double, high: Double, severity: ValidationDiagnostic.Severity)?
    for index in context.diagnostics(ofRow: identifier) {
      guard let range = context.range(ofDiagnostic: index), let extent = context.scale.extent(of: range) else { continue }
      let diagnostic = context.diagnostics[index]
      // Marks need a minimum width to be visible, and one per position suffices.
      let low = min(extent.lowerBound, context.scale.x1 - 3)
      let high = max(extent.upperBound, low + 3)
      if let last, abs(last.low - low) < 0.5, abs(last.high - high) < 0.5, last.severity == diagnostic.severity { continue }
      last = (low, high, diagnostic.severity)
      var mark = DiagramMark(
        .rectangle(Rect(x: low, y: 1, width: high - low, height: height - 2)), kind: .fault, stroke: diagnostic.colors.stroke)
      mark.severity = diagnostic.severity
      mark.pattern = .falling
      mark.isDashed = diagnostic.severity == .warning
      mark.lineWidth = 1.5
      mark.timeRange = range
      mark.diagnostic = index
      mark.tooltip = diagnostic.summary(number: index + 1)
      marks.append(mark)
    }
    return marks
  }

  private mutating func addHeading(_ settings: DiagramSettings) {
    let space = width - 2 * Self.margin
    let title = DiagramText.clean(settings.title, limit: 300)
    if let text = TextMetrics.fitting(title, width: space, size: 16, isBold: true) {
      heading.append(
        DiagramMark(.text(text, at: Point(x: Self.margin, y: 28), size: 16, isBold: true), kind: .heading, fill: .text))
    }
    if let text = TextMetrics.fitting(summary, width: space, size: 11) {
      heading.append(DiagramMark(.text(text, at: Point(x: Self.margin, y: 47)), kind: .summary, fill: .mutedText))
    }
  }

  /// Adds a key to the patterns in use.
  private mutating func addKey() {
    let marks = rows.flatMap { $0.marks + $0.overlays }
    var x = scale.x0
    func isThere(_ severity: ValidationDiagnostic.Severity) -> Bool { marks.contains { $0.severity == severity } }
    let entries: [(String, DiagramPattern?, DiagramColor, DiagramColor, Bool)] = [
      ("gap", marks.contains { $0.kind == .gap } ? .rising : nil, .background, .gap, false),
      (
        "too narrow to tell apart, with their count", marks.contains(where: \.isMerged) ? .upright : nil, .trackFill(0),
        .track(0), false
      ),
      ("error", isThere(.error) ? .falling : nil, .errorFill, .error, false),
      ("warning", isThere(.warning) ? .falling : nil, .warningFill, .warning, true),
    ]
    for (text, pattern, fill, stroke, isDashed) in entries {
      guard let pattern else { continue }
      let width = TextMetrics.width(of: text, size: 10)
      guard x + 28 + width <= scale.x1 else { break }
      var swatch = DiagramMark(
        .rectangle(Rect(x: x, y: rowsBottom + 9, width: 22, height: 11)), kind: .key, fill: fill, stroke: stroke)
      (swatch.pattern, swatch.isDashed) = (pattern, isDashed)
      legend.append(swatch)
      legend.append(
        DiagramMark(.text(text, at: Point(x: x + 28, y: rowsBottom + 18), size: 10), kind: .key, fill: .mutedText))
      x += width + 48
    }
  }

  private mutating func addLegend() {
    var y = rowsBottom + (legend.isEmpty ? 24 : 46)
    let space = width - 2 * Self.margin - 34
    for (index, diagnostic) in context.diagnostics.enumerated().prefix(Self.mostListed) {
      y = addLegend(of: diagnostic, index, at: y, space: space)
    }
    if context.diagnostics.count > Self.mostListed {
      let text = "and \(context.diagnostics.count - Self.mostListed) more diagnostics"
      legend.append(DiagramMark(.text(text, at: Point(x: Self.margin, y: y)), kind: .rest, fill: .mutedText))
      y += 18
    }
    height = (context.diagnostics.isEmpty ? legend.isEmpty ? rowsBottom : rowsBottom + 22 : y) + 12
  }

  private mutating func addLegend(
    of diagnostic: ValidationDiagnostic, _ index: Int, at top: Double, space: Double
  ) -> Double {
    let number = "\(index + 1)"
    let width = TextMetrics.width(of: number, size: 10, isBold: true) + 8
    var badge = DiagramMark(
      .rectangle(Rect(x: Self.margin, y: top - 11, width: width, height: 15), radius: 2), kind: .badge,
      fill: diagnostic.colors.stroke)
    badge.diagnostic = index
    badge.timeRange = context.range(ofDiagnostic: index)
    legend.append(badge)
    legend.append(
      DiagramMark(
        .text(number, at: Point(x: Self.margin + 4, y: top), size: 10, isBold: true), kind: .number, fill: .background))
    var y = top
    func add(_ text: String, _ color: DiagramColor, isBold: Bool, limit: Int) -> [DiagramMark] {
      TextMetrics.lines(text, width: space / (isBold ? 1.13 : 1), size: 11, limit: limit).map { line in
        defer { y += 15 }
        return DiagramMark(
          .text(line, at: Point(x: Self.margin + 34, y: y), isBold: isBold), kind: isBold ? .message : .explanation,
          fill: color)
      }
    }
    let message = "\(diagnostic.severity.rawValue): \(DiagramText.clean(diagnostic.message, limit: 1000))"
    legend += add(message, diagnostic.colors.stroke, isBold: true, limit: 4)
    if let cause = diagnostic.cause {
      legend += add("Likely cause: \(DiagramText.clean(cause, limit: 1000))", .text, isBold: false, limit: 4)
    }
    let advice = [diagnostic.recoverySuggestion, diagnostic.fixText].compactMap { $0 }
      .joined(separator: " ")
    if !advice.isEmpty { legend += add(DiagramText.clean(advice, limit: 1000), .text, isBold: false, limit: 4) }
    return y + 8
  }

  /// `11 s, 1280x720 at 30 frames/s; 2 video tracks, 5 instructions; 1 error`.
  private static func summary(of edit: Edit, _ diagnostics: [ValidationDiagnostic]) -> String {
    let video = edit.videoComposition
    let frame = video.frameDuration.seconds
    let rate = frame.isFinite && frame > 0 ? " at \(DiagramText.short(1 / frame, 3)) frames/s" : ""
    let counts = [
      (edit.composition.tracks(.video).count, "video track"), (edit.composition.tracks(.audio).count, "audio track"),
      (video.instructions.count, "instruction"), (edit.titles.layers.count, "title"),
    ].filter { $0.0 > 0 }.map { DiagramText.count($0.0, $0.1) }.joined(separator: ", ")
    let errors = diagnostics.count { $0.severity == .error }
    let warnings = diagnostics.count - errors
    let faults = [(errors, "error"), (warnings, "warning")].filter { $0.0 > 0 }.map { DiagramText.count($0.0, $0.1) }
      .joined(separator: ", ")
    let parts = ["\(DiagramText.exact(edit.composition.duration)), \(video.renderSize)\(rate)", counts, faults]
    return parts.filter { !$0.isEmpty }.joined(separator: "; ")
  }
}
