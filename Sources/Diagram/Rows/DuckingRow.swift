import CompositorAPI

/// When tracks may be lowered by others: while a segment of those plays, with the time to lower and to restore the volume.
struct DuckingRow: DiagramRow {
  let ducking: AudioDucking
  let index: Int
  let composition: Composition
  let names: DiagramNames

  var identifier: String { "ducking-\(index)" }
  var title: String { "Ducking" }
  var subtitle: String { "by \(DiagramText.short(ducking.reduction, 1)) dB" }

  private static let spanHeight = 18.0

  func height(in context: DiagramContext) -> Double { Self.spanHeight + 8 }

  func draw(in context: DiagramContext, on canvas: inout DiagramCanvas) {
    canvas.spans(spans, top: 4, height: Self.spanHeight, noun: "range")
  }

  private var spans: [DiagramSpan] {
    func list(_ tracks: Set<TrackID>) -> String { tracks.sorted().map { names.track($0) }.joined(separator: ", ") }
    let condition =
      switch ducking.trigger {
      case .segments: "while \(list(ducking.triggerTracks)) plays"
      case .level(let level): "while \(list(ducking.triggerTracks)) is above \(DiagramText.short(level, 1)) dBFS"
      }
    return ranges.map { range in
      var span = DiagramSpan(
        range, label: "\(list(ducking.loweredTracks)) lowered \(condition)", kind: .ducking, fill: .audioFill, stroke: .audio)
      span.shortLabel = "−\(DiagramText.short(ducking.reduction, 1)) dB"
      span.tooltip =
        "\(span.label)\nattack \(DiagramText.exact(ducking.attack)), hold \(DiagramText.exact(ducking.hold)), "
        + "release \(DiagramText.exact(ducking.release))"
      return span
    }
  }

  /// The ranges of the trigger tracks' segments until the volume is restored, merged where they overlap.
  private var ranges: [TimeRange] {
    let after = ducking.hold + ducking.release
    let played = ducking.triggerTracks.compactMap { composition.track($0) }.flatMap(\.segments).filter { !$0.isSilent }
      .map(\.timeMapping.target).filter { $0.start.isNumeric && $0.end.isNumeric }.sorted { $0.start < $1.start }
    var ranges: [TimeRange] = []
    for range in played {
      let end = after.isNumeric ? min(range.end + after, max(range.end, composition.duration)) : range.end
      if let last = ranges.last, last.end >= range.start {
        ranges[ranges.count - 1] = TimeRange(start: last.start, end: max(last.end, end))
      } else {
        ranges.append(TimeRange(start: range.start, end: end))
      }
    }
    return ranges
  }
}
