import CompositorAPI

/// Captions in one language.
struct CaptionRow: DiagramRow {
  let captions: CaptionTrack
  /// The index among the edit's caption tracks, from 0.
  let index: Int

  var identifier: String { "captions-\(index)" }
  var title: String { captions.language.map { "Captions \(DiagramText.clean($0, limit: 12))" } ?? "Captions" }
  var subtitle: String { "\(DiagramText.count(captions.cues.count, "cue")), \(captions.presentation.rawValue)" }

  private static let laneHeight = 20.0
  private static let mostLanes = 3

  private func lanes(_ context: DiagramContext) -> [[DiagramSpan]] {
    if captions.script != nil {
      let whole = TimeRange(start: .zero, end: context.edit.composition.duration)
      return [[DiagramSpan(whole, label: "script of ASS", kind: .caption, fill: .captionFill, stroke: .caption)]]
    }
    let spans = captions.timedCues.enumerated().map { index, cue in
      var span = DiagramSpan(cue.timeRange, label: DiagramText.clean(cue.text, limit: 120), kind: .caption)
      span.index = index
      return span
    }
    return DiagramCanvas.lanes(spans, on: context.scale, limit: Self.mostLanes)
  }

  func height(in context: DiagramContext) -> Double { Double(max(1, lanes(context).count)) * Self.laneHeight + 6 }

  func draw(in context: DiagramContext, on canvas: inout DiagramCanvas) {
    for (lane, spans) in lanes(context).enumerated() {
      canvas.spans(spans, top: 4 + Double(lane) * Self.laneHeight, height: Self.laneHeight - 2, noun: "caption")
    }
  }
}
