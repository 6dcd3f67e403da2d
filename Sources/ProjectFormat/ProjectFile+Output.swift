import CompositorAPI
package import CompositorHost
import CompositorExport
import CompositorMediaIO
import CompositorMediaWriting
import CompositorTimeline

extension ProjectFile {
  /// What keeps a movie from being made with the project's size, frame rate, codecs and sound, whatever its container; else
  /// what keeps many devices from playing it. Empty where nothing does. Images can be made all the same.
  package func outputDiagnostics(for composition: ValidatedComposition) -> [ValidationDiagnostic] {
    var video = output.video
    if !output.choosesVideoCodec { video.codec = VideoEncodingSettings.usualCodec(for: composition) }
    let format = RenderFormat(composition, codec: video.codec)
    // An encoder that this machine lacks is no mistake of the project's.
    guard let accepted = video.acceptedFormat(nearest: format.pixelFormat) else { return [] }
    let delivery = DeliveryFormat(format, as: accepted)
    let frameDuration = composition.edit.videoComposition.frameDuration
    let description = MovieDescription(
      // The container that refuses least: another may be chosen by the output's name.
      container: MovieContainer.leastRefusing(video.codec),
      video: VideoTrackDescription(
        size: format.frameSize, format: delivery.pixelFormat, attributes: delivery.attributes,
        timing: .constant(frameDuration: frameDuration), encoding: video),
      audio: composition.hasAudio && !video.codec.isAnimation ? output.audio : nil)
    do throws(CompositorError) {
      try description.validate()
      guard isForMovies(format) else { return [] }
      return CompositionValidator.deliveryWarnings(
        video, format: delivery.pixelFormat, size: format.frameSize, frameDuration: frameDuration
      ).map(placed)
    } catch {
      let mistake = error.location.path == nil ? error : locating(error)
      return [
        ValidationDiagnostic(
          .unwritableOutput, mistake.message, cause: mistake.cause, recoverySuggestion: mistake.recoverySuggestion,
          path: mistake.location.path)
      ]
    }
  }

  /// Whether what the project says is of movies: without a codec, a preset of audio alone and frames of RGB are for other files.
  private func isForMovies(_ format: RenderFormat) -> Bool {
    guard !output.choosesVideoCodec else { return true }
    return output.preset == nil && !format.pixelFormat.isRGB
  }

  /// A warning at the key that chooses what it is about: the format, else the codec, else the preset.
  private func placed(_ warning: ValidationDiagnostic) -> ValidationDiagnostic {
    let paths = [warning.path, "output.video.codec", "output.preset", "output.format", "output"].compactMap { $0 }
    var result = warning
    result.path = paths.first { document.existing(path: $0) == $0 } ?? "output"
    return result
  }
}

extension MovieContainer {
  /// The container of a codec that refuses least.
  fileprivate static func leastRefusing(_ codec: VideoEncodingSettings.Codec) -> MovieContainer {
    ([.mkv] + allCases).first { $0.videoCodecs.contains(codec) } ?? .mkv
  }
}
