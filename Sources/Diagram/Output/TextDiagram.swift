import CompositorAPI

/// Writes a diagram as text, for terminals and logs.
struct TextDiagram {
  private let recording: DiagramRecording
  private let columns: Int
  private let glyphs: TextGlyphs

  private static let labelColumns = 14
  /// User units per column, used for the layout of text diagrams.
  private static let unitsPerColumn = 8.0

  init(_ diagram: TimelineDiagram, _ settings: DiagramSettings, columns: Int, isASCII: Bool) {
    self.columns = min(max(columns, 40), 400)
    glyphs = isASCII ? .ascii : .box
    var settings = settings
    let axis = Double(self.columns - Self.labelColumns) * Self.unitsPerColumn
    settings.width = Int(axis + DiagramRecording.labelWidth + 2 * DiagramRecording.margin)
    recording = DiagramRecording(diagram, settings)
  }

  private var axisColumns: Int { columns - Self.labelColumns }

  var text: String {
    var lines = [
      DiagramText.unmarked(DiagramText.clean(recording.context.settings.title)), DiagramText.unmarked(recording.summary), "",
    ].map { TextCells.fitting($0, columns) }
    lines += ruler
    for row in recording.rows where row.identifier != "ruler" { lines += self.lines(of: row) }
    lines += legend
    return lines.map(\.withoutTrailingBlanks).joined(separator: "\n") + "\n"
  }

  // MARK: Places

  private func column(_ x: Double) -> Int {
    let share = (x - recording.scale.x0) / (recording.scale.x1 - recording.scale.x0)
    return min(max(Int((share * Double(axisColumns)).rounded(.down)), 0), axisColumns - 1)
  }

  /// The columns of an interval; at least one.
  private func columns(_ low: Double, _ high: Double) -> Range<Int> {
    let share = (high - recording.scale.x0) / (recording.scale.x1 - recording.scale.x0)
    let start = column(low)
    let end = min(max(Int((share * Double(axisColumns)).rounded()), start + 1), axisColumns)
    return start..<end
  }

  private func line(_ label: String, _ cells: TextCells) -> String {
    TextCells.fitting(label, Self.labelColumns - 1, padded: true) + " " + cells.text
  }

  // MARK: Rows

  private var ruler: [String] {
    var (labels, ticks) = (TextCells(axisColumns), TextCells(axisColumns))
    for index in 0..<axisColumns { ticks.put(glyphs.axis, at: index) }
    var free = 0
    let steps = RulerSteps(recording.scale, frameDuration: recording.context.edit.videoComposition.frameDuration)
    for tick in steps.ticks(minor: false) {
      let column = column(recording.scale.x(seconds: tick))
      ticks.put(glyphs.tick, at: column)
      let text = steps.label(tick)
      let start = min(max(column - text.count / 2, 0), axisColumns - text.count)
      guard start >= free else { continue }
      labels.put(text, at: start)
      free = start + text.count + 1
    }
    if let time = recording.shownPlayhead { ticks.put(glyphs.playhead, at: column(recording.scale.x(seconds: time))) }
    return [line("Time", labels), line("", ticks)]
  }

  private func lines(of row: DiagramRecording.Row) -> [String] {
    let boxes = row.marks.compactMap { mark -> (top: Double, mark: DiagramMark, extent: Range<Int>)? in
      guard mark.label != nil, case .rectangle(let rect, _) = mark.shape else { return nil }
      return (rect.minY, mark, columns(rect.minX, rect.maxX))
    }
    var lines: [TextCells] = Set(boxes.map(\.top)).sorted().map { top in
      var cells = TextCells(axisColumns)
      var free = 0
      for box in boxes where box.top == top {
        guard box.extent.lowerBound >= free else {
          if box.extent.upperBound > free {
            cells.box(box.mark, free..<box.extent.upperBound, glyphs)
            free = box.extent.upperBound
          } else {
            cells.put(glyphs.merged, at: max(0, box.extent.upperBound - 1))
          }
          continue
        }
        cells.box(box.mark, box.extent, glyphs)
        free = box.extent.upperBound
      }
      return cells
    }
    lines += curves(of: row)
    var ticks = TextCells(axisColumns)
    var hasTicks = false
    for mark in row.marks where mark.label == nil && mark.timeRange != nil && mark.kind != .thumbnail {
      guard !TextDiagram.curveKinds.contains(mark.kind), let x = mark.x else { continue }
      ticks.put(glyphs.tick, at: column(x))
      hasTicks = true
    }
    if hasTicks { lines.append(ticks) }
    let title = DiagramText.unmarked(row.title)
    return lines.isEmpty
      ? [line(title, TextCells(axisColumns))] : lines.enumerated().map { line($0 == 0 ? title : "", $1) }
  }

  private static let curveKinds: Set<DiagramMark.Kind> = [.opacity, .volume, .waveform]

  /// Curves, each as a line of levels.
  private func curves(of row: DiagramRecording.Row) -> [TextCells] {
    [DiagramMark.Kind.waveform, .opacity, .volume].compactMap { kind in
      var cells = TextCells(axisColumns)
      var found = false
      for mark in row.marks where mark.kind == kind {
        let points: [Point]
        switch mark.shape {
        case .line(let line): points = line
        // The upper half of a waveform.
        case .polygon(let area): points = Array(area.prefix(area.count / 2))
        default: continue
        }
        guard let box = row.curveBox(kind) else { continue }
        for (column, y) in levels(points) {
          let share = (box.bottom - y) / (box.bottom - box.top)
          cells.put(glyphs.level(share), at: column)
          found = true
        }
      }
      return found ? cells : nil
    }
  }

  /// The highest position of a line in each column that it crosses.
  private func levels(_ points: [Point]) -> [(column: Int, y: Double)] {
    guard let first = points.first, let last = points.last, first.x < last.x else { return [] }
    var index = 0
    return columns(first.x, last.x).compactMap { column in
      let unit = (recording.scale.x1 - recording.scale.x0) / Double(axisColumns)
      let x = recording.scale.x0 + (Double(column) + 0.5) * unit
      while index + 2 < points.count, points[index + 1].x < x { index += 1 }
      let (from, to) = (points[index], points[index + 1])
      let share = to.x > from.x ? min(max((x - from.x) / (to.x - from.x), 0), 1) : 1
      return (column, from.y + (to.y - from.y) * share)
    }
  }

  // MARK: Legend

  private var legend: [String] {
    let diagnostics = recording.context.diagnostics
    guard !diagnostics.isEmpty else { return [] }
    var lines = [""]
    for (index, diagnostic) in diagnostics.enumerated().prefix(Self.mostListed) {
      let parts = diagnostic.summary(number: index + 1).split(separator: "\n").map { DiagramText.unmarked(String($0)) }
      for (position, part) in parts.enumerated() {
        lines += TextCells.wrapped(part, columns - 4).enumerated().map { position == 0 && $0 == 0 ? $1 : "    " + $1 }
      }
      if let fix = diagnostic.fixText { lines += TextCells.wrapped(DiagramText.unmarked(fix), columns - 4).map { "    " + $0 } }
    }
    let rest = diagnostics.count - Self.mostListed
    return rest > 0 ? lines + ["and \(rest) more diagnostics"] : lines
  }

  private static let mostListed = 100
}

extension DiagramMark {
  /// The leftmost position.
  fileprivate var x: Double? {
    switch shape {
    case .rectangle(let rect, _), .picture(_, let rect): rect.minX
    case .line(let points), .polygon(let points): points.first?.x
    case .text: nil
    }
  }
}

extension DiagramRecording.Row {
  /// The positions of the largest value and of 0 for curves of a kind.
  fileprivate func curveBox(_ kind: DiagramMark.Kind) -> (top: Double, bottom: Double)? {
    let wanted: DiagramMark.Kind = kind == .waveform ? .silence : .axis
    let levels = marks.compactMap { mark -> Double? in
      guard mark.kind == wanted, case .line(let points) = mark.shape else { return nil }
      return points.first?.y
    }
    guard let top = levels.min(), let bottom = levels.max() else { return nil }
    return kind == .waveform ? (bottom - AudioTrackRow.waveHeight / 2, bottom) : top < bottom ? (top, bottom) : nil
  }
}

extension String {
  fileprivate var withoutTrailingBlanks: String {
    var text = Substring(self)
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}

extension DiagramText {
  /// The string without directional formatting characters, which terminals do not support.
  static func unmarked(_ text: String) -> String {
    String(text.unicodeScalars.filter { $0.value != 0x2068 && $0.value != 0x2069 }.map(Character.init))
  }
}

extension TimelineDiagram {
  /// The diagram as text, for terminals and logs; each line ends with a line feed.
  ///
  /// - Parameters:
  ///   - columns: The width, clamped to 40 … 400. Default: 80.
  ///   - isASCII: Whether lines and levels are drawn with ASCII instead of box-drawing characters. Names are unchanged.
  public func text(_ settings: DiagramSettings = .init(), columns: Int = 80, isASCII: Bool = false) -> String {
    TextDiagram(self, settings, columns: columns, isASCII: isASCII).text
  }
}
