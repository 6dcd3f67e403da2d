import CompositorAPI

/// The titles: when each is active, by the timing of its outermost layer.
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
      var span = DiagramSpan(range, label: layer.titleText, kind: "title", fill: .titleFill, stroke: .title)
      span.index = index
      span.isDashed = layer.isHidden
      span.tooltip = "title \(index): \(layer.titleText)\(layer.isHidden ? "\nhidden" : "")"
      return span
    }
    return DiagramCanvas.lanes(spans, on: scale, limit: Self.mostLanes)
  }

  func height(in context: DiagramContext) -> Double { Double(max(1, lanes(context.scale).count)) * Self.laneHeight + 6 }

  func draw(in context: DiagramContext, on canvas: inout DiagramCanvas) {
    for (lane, spans) in lanes(canvas.scale).enumerated() {
      canvas.spans(spans, top: 4 + Double(lane) * Self.laneHeight, height: Self.laneHeight - 2, noun: "title")
    }
  }
}

extension LayerTiming {
  /// When the layer is active, in its parent's time; from the beginning and to the end where it is shown outside of its time too.
  var activeRange: TimeRange {
    let pass = duration > 0 ? duration : .infinity
    let cycle = autoreverses ? 2 * pass : pass
    let passes = repeatDuration > 0 ? repeatDuration : repeatCount > 0 ? repeatCount * cycle : cycle
    let length = passes / abs(speed)
    let begin = speed == 0 || fillMode == .backwards || fillMode == .both ? min(0, beginTime) : beginTime
    let start = MediaTime.seconds(begin)
    let isEndless = speed == 0 || !length.isFinite || fillMode == .forwards || fillMode == .both
    guard !isEndless else { return TimeRange(start: start, duration: .positiveInfinity) }
    return TimeRange(start: start, end: .seconds(beginTime + length))
  }
}

extension Layer {
  /// Its name and its first text.
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
