import CompositorAPI
public import CompositorHost
public import CompositorMediaWriting
import CompositorValidation

extension FrameSequence {
  /// Describes a movie of these frames for `MovieWriter`.
  ///
  /// - Parameter audio: The encoding settings of audio; `nil` for a movie without audio.
  public func movie(
    _ container: MovieContainer, video: VideoEncodingSettings = VideoEncodingSettings(), audio: AudioEncodingSettings? = nil
  ) -> MovieDescription {
    movie(container, video: video, audioTracks: audio.map { [AudioTrackDescription(encoding: $0)] } ?? [])
  }

  /// Describes a movie of these frames with any number of audio tracks for `MovieWriter`.
  public func movie(
    _ container: MovieContainer, video: VideoEncodingSettings = VideoEncodingSettings(), audioTracks: [AudioTrackDescription]
  ) -> MovieDescription {
    let frameDuration = plan.composition.edit.videoComposition.frameDuration
    return MovieDescription(
      container: container,
      video: VideoTrackDescription(
        size: size, format: format, attributes: attributes, timing: .constant(frameDuration: frameDuration), encoding: video),
      audioTracks: audioTracks)
  }
}
