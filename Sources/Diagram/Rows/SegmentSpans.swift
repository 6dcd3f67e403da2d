import CompositorAPI

extension CompositionTrack {
  /// The number of segments, and whether the track is disabled.
  var subtitle: String {
    let count = segments.count { !$0.isEmpty }
    return DiagramText.count(count, "segment") + (isEnabled ? "" : ", disabled")
  }

  /// The track's segments as boxes.
  func spans(fill: DiagramColor, stroke: DiagramColor, _ names: DiagramNames) -> [DiagramSpan] {
    segments.enumerated().map { index, segment in
      var span = DiagramSpan(segment.timeMapping.target, label: "gap", kind: .gap, fill: .background, stroke: .gap)
      span.index = index
      span.isDashed = !isEnabled
      guard let source = segment.source else {
        span.pattern = .rising
        span.tooltip = "segment \(index): nothing"
        return span
      }
      span.kind = .segment
      (span.fill, span.stroke) = (fill, stroke)
      span.label = names.source(source)
      span.detail = segment.playbackText
      span.shortDetail = segment.startText
      let track = segment.sourceTrackIndex == 0 ? "" : ", track \(segment.sourceTrackIndex)"
      span.tooltip = [
        "segment \(index): \(DiagramText.clean(source.description, limit: 300))\(track)",
        "media \(DiagramText.range(segment.timeMapping.source))", segment.speedText,
      ].filter { !$0.isEmpty }.joined(separator: "\n")
      return span
    }
  }
}

extension CompositionTrackSegment {
  /// `from 2 s · ×0.5 · reversed`.
  fileprivate var playbackText: String {
    speedText.isEmpty || isFreezeFrame ? startText : "\(startText) · \(speedText)"
  }

  /// `from 2 s`, `freeze 2 s`.
  fileprivate var startText: String {
    "\(isFreezeFrame ? "freeze" : "from") \(DiagramText.seconds(timeMapping.source.start))"
  }

  /// `×0.5 · reversed`, `×0.25…×2`, `muted`; empty at normal speed.
  fileprivate var speedText: String {
    guard !isFreezeFrame else { return "freeze frame" }
    let speeds = speeds
    let (low, high) = (DiagramText.short(speeds.lowerBound, 3), DiagramText.short(speeds.upperBound, 3))
    let speed = low == high ? (low == "1" ? nil : "×\(low)") : "×\(low)…×\(high)"
    return [speed, retiming.isReversed ? "reversed" : nil, isMuted ? "muted" : nil].compactMap { $0 }.joined(separator: " · ")
  }
}
