package import CompositorAPI
import CompositorHost
import CompositorMediaIO
package import CompositorMediaWriting
package import CompositorValidation

/// How the frames of a movie are composed and encoded, decided once for validation, explanation, benchmarks and, with the file's
/// container, exports: ``ExportedFrames``.
package struct MovieDelivery: Sendable {
  /// The encoding settings.
  package let video: VideoEncodingSettings
  /// The format in which frames are composed.
  package let format: RenderFormat
  /// The format in which frames are encoded; `nil` if this machine has no encoder for the container.
  package let encoded: DeliveryFormat?

  /// Decides codec and formats.
  ///
  /// - Parameter container: The container of the movie; `nil` for any.
  package init(
    of composition: ValidatedComposition, video: VideoEncodingSettings, in container: MovieContainer? = nil
  ) {
    let video = video.settled(for: composition, in: container)
    (self.video, format) = (video, RenderFormat(composition, codec: video.codec))
    let accepted = video.acceptedFormat(nearest: format.pixelFormat, in: container)
    encoded = accepted.map { [format] in DeliveryFormat(format, as: $0) }
  }

  /// Checks that the codec supports the frames. Whether this machine has the encoder isn't checked.
  ///
  /// - Throws: `.unsupportedOutput` for HDR in 8 bits or in H.264.
  package func validate() throws(CompositorError) {
    guard let encoded else { return }
    try video.validate(for: encoded)
  }
}
