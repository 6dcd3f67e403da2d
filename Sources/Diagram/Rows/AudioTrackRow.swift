import CompositorAPI

/// An audio track: its segments, its waveform if there is one, and its volume if it changes.
struct AudioTrackRow: DiagramRow {
  let track: CompositionTrack
  let mix: AudioMixInputParameters?
  let names: DiagramNames

  var identifier: String { "audio-\(track.trackID)" }
  var title: String { names.title(of: track.trackID, "Audio") }
  var subtitle: String { track.subtitle }

  private static let segmentHeight = 20.0
  static let waveHeight = 36.0
  private static let volumeHeight = 30.0

  func height(in context: DiagramContext) -> Double {
    var height = Self.segmentHeight + 8
    if context.waveforms[track.trackID] != nil { height += Self.waveHeight + 4 }
    if mix?.volume.isConstant == false { height += Self.volumeHeight + 4 }
    return height
  }

  func draw(in context: DiagramContext, on canvas: inout DiagramCanvas) {
    canvas.spans(
      track.spans(fill: .audioFill, stroke: .audio, names), top: 4, height: Self.segmentHeight, noun: "segment")
    var top = Self.segmentHeight + 8
    if let waveform = context.waveforms[track.trackID] {
      canvas.waveform(waveform, top: top, height: Self.waveHeight)
      top += Self.waveHeight + 4
    }
    if let volume = mix?.volume, !volume.isConstant {
      let box = CurveBox(top: top, height: Self.volumeHeight, maximum: max(1, CurveBox.largest(of: volume)))
      canvas.curve(
        volume, in: [TimeRange(start: .zero, end: context.edit.composition.duration)], box: box, color: .audio, kind: .volume,
        name: "volume")
      canvas.axis(box, labels: ("volume \(DiagramText.short(box.maximum, 2))", "0"))
    }
  }
}

extension DiagramCanvas {
  /// Peaks as an area about a middle line.
  fileprivate mutating func waveform(_ waveform: DiagramWaveform, top: Double, height: Double) {
    let (middle, half) = (top + height / 2, height / 2)
    add(
      DiagramMark(
        .line([Point(x: scale.x0, y: middle), Point(x: scale.x1, y: middle)]), kind: .silence, stroke: .grid))
    let peaks = waveform.peaks(on: scale)
    guard !peaks.isEmpty else { return }
    let upper = peaks.map { Point(x: $0.x, y: middle - half * min(1, max(0, $0.peak))) }
    let lower = peaks.reversed().map { Point(x: $0.x, y: middle + half * min(1, max(0, $0.peak))) }
    add(DiagramMark(.polygon(upper + lower), kind: .waveform, fill: .audio))
  }
}
