import CompositorAPI

/// Checks the canvas, frame timing and volumes.
enum CanvasChecks {
  private static let maximumSide = PixelSize.renderableSides.upperBound
  /// Longer timelines result from wrong units: this is more than two years at 30 frames per second.
  static let maximumFrameCount = Int(Int32.max)

  static func run(_ edit: Edit, into diagnostics: inout DiagnosticCollector) throws(ValidationStopped) {
    let video = edit.videoComposition
    if !video.frameDuration.isNumeric || video.frameDuration <= .zero {
      try diagnostics.add(
        ValidationDiagnostic(
          .invalidValueForKey, "frameDuration is \(video.frameDuration.readable).", foundTime: video.frameDuration,
          cause: "A frame rate of 0, or a time made with a timescale of 0.",
          recoverySuggestion: "Set a positive duration such as 1001/30000.", subject: .frameDuration))
    } else {
      try checkLength(edit.composition.duration, frameDuration: video.frameDuration, into: &diagnostics)
    }
    try checkSize(video.renderSize, scale: video.renderScale, into: &diagnostics)
    if let size = edit.output.size, !size.isRenderable {
      try diagnostics.add(
        ValidationDiagnostic(
          .invalidValueForKey, "The output's size is \(size).",
          recoverySuggestion: "Each side must be 1 … \(maximumSide) pixels."))
    }
    try checkFrameTiming(edit, into: &diagnostics)
    let aspect = edit.output.pixelAspectRatio
    if aspect.numerator <= 0 || aspect.denominator <= 0 {
      try diagnostics.add(
        ValidationDiagnostic(
          .invalidValueForKey, "The output's pixel aspect ratio is \(aspect).", recoverySuggestion: "Use 1/1 for square pixels."
        ))
    }
  }

  private static func checkSize(
    _ size: PixelSize, scale: Double, into diagnostics: inout DiagnosticCollector
  ) throws(ValidationStopped) {
    if !size.isRenderable {
      try diagnostics.add(
        ValidationDiagnostic(
          .invalidValueForKey, "renderSize is \(size).",
          cause: "The size was taken from a composition without a video track.",
          recoverySuggestion: "Each side must be 1 … \(maximumSide) pixels."))
    }
    guard scale.isFinite, scale > 0 else {
      return try diagnostics.add(
        ValidationDiagnostic(
          .invalidValueForKey, "renderScale is \(scale).", recoverySuggestion: "Use a positive number; 1 is full size."))
    }
    if !canScale(size, by: scale) {
      try diagnostics.add(
        ValidationDiagnostic(
          .invalidValueForKey, "renderScale \(scale) makes a frame of \(size) too large or too small to render.",
          recoverySuggestion: "Each side times the scale must be 1 … \(maximumSide) pixels."))
    }
  }

  /// Whether a canvas times a scale is a valid frame size.
  static func canScale(_ size: PixelSize, by scale: Double) -> Bool {
    let (longest, shortest) = (Double(max(size.width, size.height)) * scale, Double(min(size.width, size.height)) * scale)
    return longest <= Double(maximumSide) && shortest >= 0.5
  }

  private static func checkLength(
    _ duration: MediaTime, frameDuration: MediaTime, into diagnostics: inout DiagnosticCollector
  ) throws(ValidationStopped) {
    guard duration.isNumeric, duration.seconds / frameDuration.seconds > Double(maximumFrameCount) else { return }
    try diagnostics.add(
      ValidationDiagnostic(
        .invalidValueForKey, "The timeline lasts \(duration.readable), which is more than \(maximumFrameCount) frames.",
        foundTime: duration, cause: "A duration in the wrong unit.",
        recoverySuggestion: "Shorten the timeline, or use longer frames."))
  }

  private static func checkFrameTiming(_ edit: Edit, into diagnostics: inout DiagnosticCollector) throws(ValidationStopped) {
    guard let trackID = edit.videoComposition.sourceTrackIDForFrameTiming else { return }
    guard edit.composition.track(trackID)?.mediaType == .video else {
      return try diagnostics.add(
        ValidationDiagnostic(
          .invalidValueForKey, "sourceTrackIDForFrameTiming names track \(trackID), which is not a video track.",
          track: trackID, cause: "The track was removed, or the ID of a source's track was used.",
          recoverySuggestion: "Name a video track of the composition, or none for a constant frame duration."))
    }
  }
}
