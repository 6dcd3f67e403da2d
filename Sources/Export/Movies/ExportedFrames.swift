import CompositorAPI
import CompositorMediaWriting
import CompositorValidation

/// How the frames of an export are composed and handed to its writer, decided once for its demand and its plan.
struct ExportedFrames: Sendable {
  /// The format in which frames are composed.
  let format: RenderFormat
  /// The format of the writer's input.
  let delivery: DeliveryFormat

  /// Decides the formats: those of a movie in the output's container, or of images.
  ///
  /// - Throws: `.encoderNotFound`.
  init(
    of composition: ValidatedComposition, to output: OutputName, _ settings: ExportSettings
  ) throws(CompositorError) {
    if case .images(_, let kind) = output {
      format = RenderFormat(composition, codec: nil)
      delivery = DeliveryFormat(format, as: kind.layout(for: format.pixelFormat.bitDepth > 8 ? .rgba16 : .rgba))
        .asImage(composition.edit.videoComposition.colorConversion)
      return
    }
    let movie = MovieDelivery(of: composition, video: settings.video, in: output.container)
    guard let encoded = movie.encoded else {
      throw CompositorError(
        .encoderNotFound, "There is no encoder for \(movie.video.codec.rawValue) on this machine.",
        recoverySuggestion: "Install FFmpeg's libraries with it, or choose another codec.")
    }
    format = movie.format
    delivery = output.container?.isAnimation == true ? encoded.asAnimation : encoded
  }
}
