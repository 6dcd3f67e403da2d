import CompositorAPI
import CompositorHost
import CompositorMediaIO
import CompositorMediaWriting
import CompositorValidation

// Resolves settings that depend on the output or its sources.

extension OutputName {
  /// The movie's container; `nil` for images and audio alone.
  var movieContainer: MovieContainer? {
    container.flatMap { $0.isAudioOnly ? nil : $0 }
  }

  /// The codec that encodes the frames; `nil` for images.
  func codec(_ settings: ExportSettings) -> VideoEncodingSettings.Codec? {
    if case .images = self { nil } else { settings.video.codec }
  }
}

extension ExportSettings {
  /// A note if the output cannot hold the composition's audio. Formats of video alone, such as Y4M, need none if chosen
  /// explicitly.
  func audioLeftOut(of composition: ValidatedComposition, in output: OutputName) throws(CompositorError) -> [ExportNote] {
    guard audio != nil, composition.hasAudio else { return [] }
    if case .images = output { return [ExportNote(.audioLeftOut, "images hold no audio: it is left out")] }
    guard let container = output.container, container.isAnimation else { return [] }
    return [ExportNote(.audioLeftOut, "a .\(container.rawValue) file holds no audio: it is left out")]
  }

  /// The settings minus everything this output can't carry: audio in a container of video alone, and metadata of images.
  ///
  /// - Returns: The settings, and notes on what is left out.
  /// - Throws: `.unsupportedOutput` if nothing is left.
  func settled(
    for output: OutputName, of composition: ValidatedComposition
  ) throws(CompositorError) -> (ExportSettings, notes: [ExportNote]) {
    guard let container = output.container else { return settledForImages() }
    guard container.audioCodecs.isEmpty else { return (self, []) }
    guard videoTrack == .always || (videoTrack == .whereShown && composition.edit.showsPictures) else {
      throw CompositorError(
        .unsupportedOutput, "There is no video to write.", recoverySuggestion: "Write a file that holds audio, such as wav.",
        at: ErrorLocation(file: output.path))
    }
    var settled = self
    settled.audio = nil
    return (settled, [])
  }

  private func settledForImages() -> (ExportSettings, notes: [ExportNote]) {
    let missing = [
      ("metadata", !metadata.isEmpty), ("chapters", !chapters.isEmpty), ("a cover", cover != nil),
      ("a rotation", orientation != .upright),
    ].filter(\.1).map(\.0)
    guard !missing.isEmpty else { return (self, []) }
    var settled = self
    (settled.metadata, settled.chapters, settled.cover, settled.orientation) = ([:], [], nil, .upright)
    let note = ExportNote(.metadata, "numbered images cannot hold \(missing.joined(separator: ", ")): left out")
    return (settled, [note])
  }
}

extension RenderPlan {
  /// The reason why frames, or the audio that accompanies them, cannot be made; `nil` if nothing missing is shown or heard.
  func missingMedia(in frames: Range<Int>, _ settings: ExportSettings, _ output: OutputName) -> CompositorError? {
    if let error = missingPictures(in: frames) { return error }
    if case .images = output { return nil }
    guard settings.audio != nil, let last = frames.last else { return nil }
    return composition.missingSound(from: request(forFrame: frames.lowerBound).time, through: request(forFrame: last).time)
  }
}
