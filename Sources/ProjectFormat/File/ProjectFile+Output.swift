public import CompositorAPI
import CompositorHost
package import CompositorExport
import CompositorMediaIO
import CompositorMediaWriting
import CompositorTimeline
public import CompositorValidation

extension ProjectFile {
  /// How the frames of the project's movie are composed and encoded, as far as that doesn't depend on the file name.
  package func delivery(of composition: ValidatedComposition) -> MovieDelivery {
    MovieDelivery(of: composition, video: output.video)
  }

  /// Checks that the project's codec supports its frames, as far as that doesn't depend on the file name.
  ///
  /// - Throws: The errors of `VideoEncodingSettings.validate(for:)`, located at the key of the codec or the color.
  public func checkDelivery(of composition: ValidatedComposition) throws(CompositorError) {
    try check(delivery(of: composition))
  }

  /// The same for a delivery that is known.
  func check(_ delivery: MovieDelivery) throws(CompositorError) {
    do {
      try delivery.validate()
    } catch {
      throw error.locating(ErrorLocation(path: output.video.chosenCodec == nil ? "output.format" : "output.video.codec"))
    }
  }

  /// The reasons why a movie cannot be made with the project's size, frame rate, codecs and audio, in any container; if there
  /// are none, the reasons why many devices cannot play it. Empty if there are none either. Images can be made in any case.
  package func outputDiagnostics(
    for composition: ValidatedComposition, _ movie: MovieDelivery
  ) -> [ValidationDiagnostic] {
    // A missing encoder on this machine isn't a mistake of the project.
    guard let delivery = movie.encoded else { return [] }
    let (video, format) = (movie.video, movie.format)
    let frameDuration = composition.edit.videoComposition.frameDuration
    let audio = composition.hasAudio && !video.codec.isAnimation ? output.audio : nil
    let description = MovieDescription(
      // Use the container with the fewest restrictions, because the output's name may select another one.
      container: MovieContainer.leastRefusing(video.codec, audio?.codec),
      video: VideoTrackDescription(
        size: format.frameSize, format: delivery.pixelFormat, attributes: delivery.attributes,
        timing: .constant(frameDuration: frameDuration), encoding: video),
      audio: audio)
    do throws(CompositorError) {
      try description.validate()
      guard isForMovies(format) else { return backgroundDiagnostics }
      return backgroundDiagnostics + formatDiagnostics(video.codec, delivery.pixelFormat)
        + alphaDiagnostics(video.codec, delivery.pixelFormat) + opaqueBackgroundDiagnostics(in: delivery.pixelFormat)
        + CompositionValidator.deliveryWarnings(
          video, format: delivery.pixelFormat, size: format.frameSize, frameDuration: frameDuration
        ).map(placed)
    } catch {
      let mistake = error.location.path == nil ? error : locating(error)
      return [
        ValidationDiagnostic(
          .unwritableOutput, mistake.message, cause: mistake.cause, path: mistake.location.path
        ).advising(mistake.advice)
      ]
    }
  }

  /// The warning for a format that the codec has not, of which the nearest is written.
  private func formatDiagnostics(
    _ codec: VideoEncodingSettings.Codec, _ format: PixelFormat
  ) -> [ValidationDiagnostic] {
    guard let message = DroppedOfOutput.format(output.format, as: format, by: codec) else { return [] }
    return [
      ValidationDiagnostic(
        .unwritableOutput, severity: .warning, message,
        cause: "The codec has no such format.",
        recoverySuggestion: "Write format: \"\(format.name)\", or choose another codec.", path: "output.format")
    ]
  }

  /// The warning for alpha that the project's codec cannot store.
  private func alphaDiagnostics(
    _ codec: VideoEncodingSettings.Codec, _ format: PixelFormat
  ) -> [ValidationDiagnostic] {
    guard output.keepsAlpha, output.video.chosenCodec != nil, !format.hasAlpha else { return [] }
    let (name, cause, advice) = reasons(forNoAlphaOf: codec, in: format)
    return [
      ValidationDiagnostic(
        .alphaDropped, severity: .warning,
        "The output is to have alpha, but \(name) stores none: transparent parts become opaque.",
        cause: "\(cause) was chosen for its size or its players.", recoverySuggestion: advice, path: "output.alpha")
    ]
  }

  /// The warning for an opaque background of an output that keeps alpha, unless an instruction has another one.
  private func opaqueBackgroundDiagnostics(in format: PixelFormat) -> [ValidationDiagnostic] {
    let others = (draft.instructions ?? []).compactMap(\.background)
    guard output.keepsAlpha, format.hasAlpha, let background = output.background,
      (others + [background]).allSatisfy({ $0.alpha >= 1 })
    else { return [] }
    return [
      ValidationDiagnostic(
        .alphaDropped, severity: .warning, DroppedOfOutput.alpha,
        cause: "A background lies behind all layers. Without one, an output with alpha is transparent where nothing is shown.",
        recoverySuggestion: "Remove the background, or alpha.", path: "output.background")
    ]
  }

  /// The warnings for transparent backgrounds of an output that keeps no alpha: its own, and those of instructions.
  private var backgroundDiagnostics: [ValidationDiagnostic] {
    guard !output.keepsAlpha else { return [] }
    let instructions = (draft.instructions ?? []).enumerated()
    let chosen =
      [(output.background, "output.background")]
      + instructions.map { ($0.element.background, "instructions[\($0.offset)].background") }
    return chosen.compactMap { background, path in
      guard let background, background.alpha < 1 else { return nil }
      return ValidationDiagnostic(
        .alphaDropped, severity: .warning, DroppedOfOutput.background,
        cause: "Alpha takes space, so that it is kept only where it is asked for.",
        recoverySuggestion: "Set output.alpha to true, with a codec that has alpha, or choose an opaque background.", path: path
      )
    }
  }

  /// What stores no alpha, what was chosen, and what to choose instead: the codec, or the profile or the format of one that could.
  private func reasons(
    forNoAlphaOf codec: VideoEncodingSettings.Codec, in format: PixelFormat
  ) -> (name: String, cause: String, advice: String) {
    if codec == .proRes, let profile = output.video.proResProfile, profile != .p4444, profile != .p4444XQ {
      return (
        "the profile \(profile.rawValue) of prores", "The profile",
        "Write profile: \"4444\"\(output.format == nil ? "" : " and a format with alpha, such as yuva444p12"), or remove alpha."
      )
    }
    if [.proRes, .ffv1, .vp9].contains(codec), output.format != nil {
      return ("the format \(format.name)", "The format", "Choose a format with alpha or leave it out, or remove alpha.")
    }
    return (codec.rawValue, "The codec", "Choose a codec with alpha, such as prores, ffv1 or vp9, or remove alpha.")
  }

  /// Whether the output settings are those of a movie. Without a codec, an audio-only preset and RGB frames are for other
  /// files.
  private func isForMovies(_ format: RenderFormat) -> Bool {
    guard output.video.chosenCodec == nil else { return true }
    return output.preset == nil && !format.pixelFormat.isRGB
  }

  /// Locates a warning at the key that it refers to: the format, otherwise the codec, otherwise the preset.
  private func placed(_ warning: ValidationDiagnostic) -> ValidationDiagnostic {
    let paths = [warning.path, "output.video.codec", "output.preset", "output.format", "output"].compactMap { $0 }
    var result = warning
    result.path = paths.first { document.existing(path: $0) == $0 } ?? "output"
    return result
  }
}

extension MovieContainer {
  /// The container of both codecs with the fewest restrictions, otherwise that of the video's.
  fileprivate static func leastRefusing(
    _ codec: VideoEncodingSettings.Codec, _ audio: AudioEncodingSettings.Codec?
  ) -> MovieContainer {
    let possible = ([.mkv] + allCases).filter { $0.videoCodecs.contains(codec) }
    return possible.first { container in audio.map { container.audioCodecs.contains($0) } ?? true } ?? possible.first ?? .mkv
  }
}
