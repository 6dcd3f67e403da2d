import CompositorAPI

/// Clips during which no frame of the output begins.
extension ShownMediaChecks {
  /// Checks for clips during which no output frame starts.
  func checkShortClips(into diagnostics: inout DiagnosticCollector) throws(ValidationStopped) {
    guard edit.videoComposition.sourceTrackIDForFrameTiming == nil, let timing = try? FrameTiming(frameDuration: frame) else {
      return
    }
    for track in edit.composition.tracks(.video) {
      for (index, segment) in track.segments.enumerated() {
        let target = segment.timeMapping.target
        guard !segment.isEmpty, frame.seconds > target.duration.seconds, target.isNumeric, target.duration > .zero else {
          continue
        }
        // Segments of one clip, such as those of speed ramps, may be short.
        let neighbors = [index - 1, index + 1].filter(track.segments.indices.contains).map { track.segments[$0] }
        guard !neighbors.contains(where: { $0.source == segment.source }),
          timing.frameCount(in: target.start) == timing.frameCount(in: target.end)
        else { continue }
        try diagnostics.add(
          ValidationDiagnostic(
            .shorterThanFrame, severity: .warning,
            "\(Named.segment(index, of: track.trackID).capitalizedName) lasts \(target.duration.readable) at \(target.start.readable), less than a frame "
              + "of \(frame.readable): no frame shows it.",
            track: track.trackID, expectedTime: frame, foundTime: target.start,
            cause: "A cut was rounded, or a time is in the wrong unit.",
            recoverySuggestion: "Remove the clip, or let it last a frame or more.", timeRange: target))
      }
    }
  }
}
