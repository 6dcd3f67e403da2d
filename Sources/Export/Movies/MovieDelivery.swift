package import CompositorAPI
import CompositorHost
import CompositorMediaIO
package import CompositorMediaWriting
package import CompositorValidation

/// How the frames of a movie are composed and encoded, decided once for all who ask: validation, explanation and benchmarks.
///
/// An export, which knows the file's name, decides the same with ``ExportedFrames``.
package struct MovieDelivery: Sendable {
  /// The encoding settings.
  package let video: VideoEncodingSettings
  /// The format in which frames are composed.
  package let format: RenderFormat
  /// The format in which frames are encoded; `nil` if this machine has no encoder.
  package let encoded: DeliveryFormat?

  /// Decides codec and formats of a movie in any container.
  package init(of composition: ValidatedComposition, video: VideoEncodingSettings) {
    let video = video.settled(for: composition)
    (self.video, format) = (video, RenderFormat(composition, codec: video.codec))
    encoded = video.acceptedFormat(nearest: format.pixelFormat).map { [format] in DeliveryFormat(format, as: $0) }
  }

  /// Checks that the codec supports the frames. Whether this machine has the encoder isn't checked.
  ///
  /// - Throws: `.unsupportedOutput` for HDR in 8 bits or in H.264.
  package func validate() throws(CompositorError) {
    guard let encoded else { return }
    try video.validate(for: encoded)
  }
}

/// How the frames of an export are composed and handed to its writer, decided once for its demand and its plan.
struct ExportedFrames: Sendable {
  /// The format in which frames are composed.
  let format: RenderFormat
  /// The format of the writer's input.
  let delivery: DeliveryFormat

  /// - Throws: `.encoderNotFound`.
  init(
    of composition: ValidatedComposition, to output: OutputName, _ settings: ExportSettings
  ) throws(CompositorError) {
    format = RenderFormat(composition, codec: output.codec(settings))
    let whole = DeliveryFormat(format, as: try output.pixelFormat(for: format, settings: settings))
    if output.container?.isAnimation == true {
      delivery = whole.asAnimation
    } else if case .images = output {
      delivery = whole.asImage(composition.edit.videoComposition.colorConversion)
    } else {
      delivery = whole
    }
  }
}
