package import CompositorAPI
import CompositorMediaIO

/// Finds frames of sources that the output doesn't show, although fewer were not asked for: those of a variable rate that last
/// less than a frame of the output, and those beyond the highest rate of an output.
struct HiddenFrameChecks {
  static func run(
    _ edit: Edit, media: [MediaSource: MediaInfo], hidden: [HiddenFrames], into diagnostics: inout DiagnosticCollector
  ) throws(ValidationStopped) {
    // An output that follows a track's frame times shows each of its frames.
    guard edit.videoComposition.sourceTrackIDForFrameTiming == nil, let frame = edit.videoComposition.usableFrameDuration else {
      return
    }
    var known: Set<MediaSource> = []
    for track in edit.composition.tracks(.video) {
      for segment in track.segments {
        let mapping = segment.timeMapping
        let isPlain = segment.retiming.frames == .nearest && mapping.source.duration == mapping.target.duration
        guard isPlain, let source = segment.source, !known.contains(source),
          let info = media[source]?.videoTracks.first(where: { $0.index == segment.sourceTrackIndex }), !info.isStill,
          let cadence = info.cadence, let loss = cadence.loss(at: frame)
        else { continue }
        known.insert(source)
        try diagnostics.add(
          ValidationDiagnostic(
            .mixedFrameRates, severity: .warning, "\(Named.source(source)) has \(loss)", track: track.trackID,
            cause: "The output has one frame at a time.",
            recoverySuggestion: "Choose a higher rate of the output, such as 60, to show more of them.", source: source))
      }
    }
    let rates = steadyRates(in: edit, media: media)
    for hidden in hidden where !known.contains(hidden.source) {
      let isAlone = rates.allSatisfy { $0.key == hidden.source || PictureChecks.go($0.value, with: hidden.rate.value) }
      try diagnostics.add(diagnostic(hidden, at: frame, fitsOthers: isAlone))
    }
  }

  /// The frames per second of sources that play at their own speed and steadily.
  private static func steadyRates(in edit: Edit, media: [MediaSource: MediaInfo]) -> [MediaSource: Double] {
    var rates: [MediaSource: Double] = [:]
    for segment in edit.composition.tracks(.video).flatMap(\.segments) {
      let mapping = segment.timeMapping
      guard segment.retiming.frames == .nearest, mapping.source.duration == mapping.target.duration,
        let source = segment.source,
        let info = media[source]?.videoTracks.first(where: { $0.index == segment.sourceTrackIndex }), !info.isStill,
        let cadence = info.cadence, cadence.isRegular
      else { continue }
      rates[source] = cadence.outputRate.value
    }
    return rates
  }

  /// The advice about a source with more frames a second than the output.
  ///
  /// - Parameter fitsOthers: Whether other sources move evenly at the source's rate.
  private static func diagnostic(
    _ hidden: HiddenFrames, at frame: MediaTime, fitsOthers: Bool
  ) -> ValidationDiagnostic {
    let output = frame.frameRate.reduced
    let choice =
      "Choose \(hidden.rate.plain) as the output's frame rate to show all of them"
      + (fitsOthers
        ? ", or"
        : ", at which the motion of other sources is uneven, interpolate its frames (frames: \"blend\"), or")
    return ValidationDiagnostic(
      .mixedFrameRates, severity: .warning,
      "\(Named.source(hidden.source)) has \(hidden.rate.plain) frames a second and the output \(output.plain): "
        + "\(hidden.loss).",
      cause: hidden.isDoubled
        ? "Deinterlacing to twice the rate makes a frame of each field."
        : "The output's rate was chosen without regard to the source's, or is that of another source.",
      source: hidden.source
    ).advising(hidden.isDoubled ? "\(choice) write \(setting: .deinterlacing, value: "same")." : "\(choice) leave it.")
  }
}

extension FrameCadence {
  /// Frames per second that a default output has at most.
  private static let highestFollowedRate = 240.0

  /// What is not shown, as the end of a sentence; `nil` if everything is.
  package func loss(at frame: MediaTime) -> String? {
    let output = 1 / frame.seconds
    if isRegular, rate.value > Self.highestFollowedRate, output < rate.value {
      return
        "\(rate.plain) frames a second, more than a movie shows: those between the frames of the output are missing."
    }
    let suggested = outputRate.value
    guard hiddenFrameCount > 0, output <= suggested * (1 + 1e-6) else { return nil }
    let count = hiddenFrameCount
    let least = output < suggested * (1 - 1e-6) ? "at least " : ""
    let (are, last, have) = count == 1 ? ("is", "it lasts", "has") : ("are", "they last", "have")
    let kind = isRegular ? "frames beside its frame rate" : "a variable frame rate"
    return "\(kind): \(least)\(count) of its frames \(are) not shown, because \(last) less than a frame of the "
      + "output, or \(have) the time of another."
  }
}
