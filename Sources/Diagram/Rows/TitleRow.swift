import CompositorAPI

/// The titles, with the time ranges of their outermost layers.
struct TitleRow: DiagramRow {
  let layers: [Layer]

  let identifier = "titles"
  let title = "Titles"
  var subtitle: String { DiagramText.count(layers.count, "layer") }

  private static let laneHeight = 20.0
  private static let mostLanes = 6

  private func lanes(_ scale: DiagramScale) -> [[DiagramSpan]] {
    let spans = layers.enumerated().map { index, layer in
      let range = layer.timing.activeRange
      var span = DiagramSpan(range, label: layer.titleText, kind: .title, fill: .titleFill, stroke: .title)
      span.index = index
      span.isDashed = layer.isHidden
      span.tooltip = "title \(index): \(layer.titleText)\(layer.isHidden ? "\nhidden" : "")"
      return span
    }
    return DiagramCanvas.lanes(spans, on: scale, limit: Self.mostLanes)
  }

  /// Titles that begin at or after the end of the visible range.
  private func late(_ scale: DiagramScale) -> [(index: Int, layer: Layer, start: MediaTime)] {
    layers.enumerated().compactMap { index, layer in
      let start = layer.timing.activeRange.start
      return start.isNumeric && start.seconds >= scale.end ? (index, layer, start) : nil
    }
  }

  func height(in context: DiagramContext) -> Double {
    let count = lanes(context.scale).count + (late(context.scale).isEmpty ? 0 : 1)
    return Double(max(1, count)) * Self.laneHeight + 6
  }

  func draw(in context: DiagramContext, on canvas: inout DiagramCanvas) {
    for (lane, spans) in lanes(canvas.scale).enumerated() {
      canvas.spans(spans, top: 4 + Double(lane) * Self.laneHeight, height: Self.laneHeight - 2, noun: "title")
    }
    drawLate(top: 4 + Double(lanes(canvas.scale).count) * Self.laneHeight, on: &canvas)
  }

  /// An arrow at the right edge that lists titles beyond it.
  private func drawLate(top: Double, on canvas: inout DiagramCanvas) {
    let late = late(canvas.scale)
    guard let first = late.first else { return }
    let (tip, middle) = (canvas.scale.x1 - 2, top + Self.laneHeight / 2 - 1)
    var arrow = DiagramMark(
      .polygon([Point(x: tip - 9, y: middle - 6), Point(x: tip, y: middle), Point(x: tip - 9, y: middle + 6)]), kind: .after,
      fill: .title)
    arrow.count = late.count
    arrow.index = first.index
    arrow.tooltip = late.prefix(16).map { "title \($0.index): \($0.layer.titleText), at \(DiagramText.exact($0.start))" }
      .joined(separator: "\n")
    canvas.add(arrow)
    let name = late.count == 1 ? first.layer.titleText : DiagramText.count(late.count, "title")
    let text = "\(name) at \(DiagramText.seconds(first.start)), after the end"
    let space = tip - 14 - canvas.scale.x0
    guard let shown = TextMetrics.fitting(text, width: space, size: 10) else { return }
    canvas.add(
      DiagramMark(.text(shown, at: Point(x: tip - 14, y: middle + 4), size: 10, anchor: .end), kind: .label, fill: .text))
  }
}

extension Layer {
  /// Its name and its first string.
  var titleText: String {
    let text = firstText(depth: 0).map { "“\(DiagramText.clean($0, limit: 80))”" }
    let name = name.isEmpty ? nil : DiagramText.clean(name, limit: 80)
    return [name, text].compactMap { $0 }.first == nil ? "title" : [name, text].compactMap { $0 }.joined(separator: " ")
  }

  private func firstText(depth: Int) -> String? {
    guard depth <= 16 else { return nil }
    if case .text(let text) = content, text.runs.contains(where: { !$0.text.isEmpty }) { return text.string }
    return sublayers.lazy.compactMap { $0.firstText(depth: depth + 1) }.first
  }
}
