import CompositorAPI
import CompositorCaptions

/// Checks for captions that are larger than the canvas, which cuts them off.
enum CaptionSizeChecks {
  /// - Parameter captions: The captions that are burned in, in order of the tracks.
  static func run(
    _ edit: Edit, captions: [ResolvedCaptions], into diagnostics: inout DiagnosticCollector
  ) throws(ValidationStopped) {
    let tracks = edit.captions.indices.filter { edit.captions[$0].presentation.isBurnedIn }
    guard tracks.count == captions.count, edit.composition.duration.isNumeric else { return }
    let whole = TimeRange(start: .zero, end: edit.composition.duration)
    for (index, drawn) in zip(tracks, captions) {
      guard case .cues(let layout) = drawn, let place = try? layout.longest(during: whole) else { continue }
      let (size, canvas) = (place.box.size, layout.canvas)
      guard size.width > Double(canvas.width) || size.height > Double(canvas.height) else { continue }
      try diagnostics.add(diagnostic(of: place, edit.captions[index], index, on: canvas))
    }
  }

  private static func diagnostic(
    of place: CaptionLayout.Place, _ track: CaptionTrack, _ index: Int, on canvas: PixelSize
  ) -> ValidationDiagnostic {
    let size = PixelSize(width: Int(place.box.size.width.rounded()), height: Int(place.box.size.height.rounded()))
    return ValidationDiagnostic(
      .captionNotSeen, severity: .warning,
      "The caption “\(place.cue.beginning)” takes \(size) pixels, and the canvas has \(canvas): it is cut off.",
      foundTime: place.cue.timeRange.start, cause: "The size of the font is that of a title, or was meant for another canvas.",
      recoverySuggestion: "Give the style a smaller size, such as size: \"5%\", or divide the caption.",
      path: "captions[\(index)]" + (track.style == CaptionStyle() ? "" : ".style"), timeRange: place.cue.timeRange)
  }
}
