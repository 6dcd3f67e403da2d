import CompositorAPI
import Foundation

/// When a track's layer moves, grows or rotates, in each instruction: its own movement, and that of pushes.
struct MovementRow: DiagramRow {
  let trackID: TrackID
  /// The index among the video tracks, from 0, which selects its color.
  let index: Int
  let names: DiagramNames
  let spans: [DiagramSpan]

  var identifier: String { "movement-\(trackID)" }
  var title: String { names.title(of: trackID, "Movement") }

  private static let spanHeight = 16.0

  /// Rows for the tracks whose position changes.
  static func rows(of edit: Edit, indexes: [TrackID: Int], _ names: DiagramNames) -> [MovementRow] {
    var spans: [TrackID: [DiagramSpan]] = [:]
    let size = edit.videoComposition.renderSize
    let center = Point(x: Double(size.width) / 2, y: Double(size.height) / 2)
    for instruction in edit.videoComposition.instructions {
      for layer in instruction.layers {
        guard let index = indexes[layer.trackID] else { continue }
        let found = self.spans(of: layer.transform, in: instruction.timeRange, center: center, index: index)
        if !found.isEmpty { spans[layer.trackID, default: []] += found }
      }
    }
    return spans.keys.sorted().map { MovementRow(trackID: $0, index: indexes[$0] ?? 0, names: names, spans: spans[$0] ?? []) }
  }

  /// The times between the first and the last of successive changes in a range. Where the value jumps, as between two clips that an
  /// instruction shows, another movement begins.
  private static func spans(
    of transform: PropertyTimeline<AffineMatrix>, in range: TimeRange, center: Point, index: Int
  ) -> [DiagramSpan] {
    let ramps = transform.ramps.filter {
      $0.start != $0.end && $0.timeRange.start.isNumeric && $0.timeRange.end.isNumeric && $0.timeRange.start < range.end
        && $0.timeRange.end > range.start
    }
    var spans: [DiagramSpan] = []
    var first = 0
    for (position, last) in ramps.enumerated() {
      let next = position + 1 < ramps.count ? ramps[position + 1] : nil
      guard next.map({ !$0.start.isNear(last.end) }) ?? true else { continue }
      let (start, end) = (max(ramps[first].timeRange.start, range.start), min(last.timeRange.end, range.end))
      first = position + 1
      guard end > start else { continue }
      let (from, to) = (transform.value(at: start), end == last.timeRange.end ? last.end : transform.value(at: end))
      var span = DiagramSpan(
        TimeRange(start: start, end: end), label: from.movementText(to: to, center: center), kind: .movement,
        fill: .trackFill(index), stroke: .track(index))
      span.tooltip = "\(span.label)\nfrom \(from.text)\nto \(to.text)"
      spans.append(span)
    }
    return spans
  }

  func height(in context: DiagramContext) -> Double { Self.spanHeight + 8 }

  func draw(in context: DiagramContext, on canvas: inout DiagramCanvas) {
    canvas.spans(spans, top: 4, height: Self.spanHeight, noun: "movement")
  }
}

extension AffineMatrix {
  /// `moves by 320, 0 · grows ×1.5 · rotates 90°`.
  fileprivate func movementText(to other: AffineMatrix, center: Point) -> String {
    guard isFinite, other.isFinite else { return "changes" }
    var parts: [String] = []
    // The point that is in the middle of the canvas at first.
    let origin = inverted.map { $0.apply(to: center) } ?? .zero
    let (from, to) = (apply(to: origin), other.apply(to: origin))
    let (x, y) = (to.x - from.x, to.y - from.y)
    if abs(x) >= 0.5 || abs(y) >= 0.5 { parts.append("moves by \(DiagramText.short(x, 0)), \(DiagramText.short(y, 0))") }
    let scale = abs(determinant) > 0 ? (abs(other.determinant) / abs(determinant)).squareRoot() : 1
    if abs(scale - 1) > 0.005 { parts.append("\(scale > 1 ? "grows" : "shrinks") ×\(DiagramText.short(scale, 2))") }
    let turn = (atan2(other.b, other.a) - atan2(b, a)) * 180 / .pi
    if abs(turn) > 0.5, scale > 0 { parts.append("rotates \(DiagramText.short(turn, 0))°") }
    return parts.isEmpty ? "changes" : parts.joined(separator: " · ")
  }

  /// Whether two transforms differ by rounding only.
  fileprivate func isNear(_ other: AffineMatrix) -> Bool {
    let differences = [a - other.a, b - other.b, c - other.c, d - other.d]
    return differences.allSatisfy { abs($0) < 1e-4 } && abs(tx - other.tx) < 0.01 && abs(ty - other.ty) < 0.01
  }

  fileprivate var text: String {
    "(" + [a, b, c, d, tx, ty].map { DiagramText.short($0, 3) }.joined(separator: ", ") + ")"
  }
}
