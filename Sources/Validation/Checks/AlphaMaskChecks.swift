import BuiltinCompositors
import CompositorAPI
import CompositorMediaIO

/// Checks for masks that are the alpha of media without alpha, which is 1 everywhere: usually black and white images.
struct AlphaMaskChecks {
  let edit: Edit
  let tracks: [TrackID: CompositionTrack]
  let media: [MediaSource: MediaInfo]
  let covering: CoveringLayers

  func run(into diagnostics: inout DiagnosticCollector) throws(ValidationStopped) {
    var reported = ReportedEffects()
    let movie = TimeRange(start: .zero, end: edit.composition.duration)
    for (index, instruction) in edit.videoComposition.instructions.enumerated() where instruction.timeRange.isUsable {
      let range = instruction.timeRange.intersection(movie)
      guard range.duration > .zero else { continue }
      for use in PlacedEffect.all(in: instruction, index) {
        guard let mask = use.effect.mask, mask.channel == .alpha, let source = opaqueSource(of: mask.trackID, in: range),
          reported.insert(use, ofInstruction: index)
        else { continue }
        let place = mask.isInverted ? "nowhere" : "everywhere"
        try diagnostics.add(
          ValidationDiagnostic(
            .effectUnchanging, severity: .warning,
            "The effect \(use.name) is shown \(place): its mask is the alpha of \(Named.source(source)), which has none.",
            instruction: index, track: use.place.track,
            recoverySuggestion: "Write channel: \"luma\" for the mask if it is black and white.",
            path: use.path, timeRange: instruction.timeRange))
      }
      try checkMatte(of: instruction, index, in: range, into: &diagnostics)
    }
  }

  /// A matte that doesn't cover the canvas cuts out a rectangle, which may be meant.
  private func checkMatte(
    of instruction: Instruction, _ index: Int, in range: TimeRange, into diagnostics: inout DiagnosticCollector
  ) throws(ValidationStopped) {
    guard instruction.compositor == MaskCompositor.descriptor.id, let matteID = instruction.additionalTrackIDs.first,
      instruction.parameters["channel"] == .string(EffectMask.Channel.alpha.rawValue),
      let layer = instruction.layers.first(where: { $0.trackID == matteID }),
      let source = opaqueSource(of: matteID, in: range), covering.hidesEverything(layer, during: range)
    else { return }
    let isInverted = instruction.parameters["inverted"] == .bool(true)
    try diagnostics.add(
      ValidationDiagnostic(
        .effectUnchanging, severity: .warning,
        "The mask of \(Named.instruction(index)) shows \(isInverted ? "nothing" : "all") of the first layer: it is the alpha of \(Named.source(source)), "
          + "which has none.",
        instruction: index, recoverySuggestion: "Write channel: \"luma\" if the matte is black and white.",
        path: "videoComposition.instructions[\(index)].parameters.channel", timeRange: instruction.timeRange))
  }

  /// The first source of a track in a time range, if all that it shows then is without alpha; `nil` otherwise.
  private func opaqueSource(of trackID: TrackID, in range: TimeRange) -> MediaSource? {
    guard let track = tracks[trackID], track.emptyRange(in: range) == nil else { return nil }
    let segments = track.segments(in: range)
    let isOpaque = segments.allSatisfy { segment in
      let info = segment.source.flatMap { media[$0] }
      let video = info?.videoTracks.first { $0.index == segment.sourceTrackIndex }
      return video.map { !$0.format.hasAlpha || $0.attributes.alphaMode == .opaque } ?? false
    }
    return isOpaque ? segments.first?.source : nil
  }
}
