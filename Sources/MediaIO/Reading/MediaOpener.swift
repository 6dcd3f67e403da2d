public import CompositorAPI

/// Opens the tracks of media sources for reading.
public enum MediaOpener {
  /// Opens a video track.
  ///
  /// - Parameters:
  ///   - trackIndex: Index among the source's video tracks, from 0.
  ///   - info: What ``MediaProbe`` said about this track, which saves measuring the file again.
  /// - Throws: ``CompositorError``: what ``MediaProbe/probe(_:)`` throws, and `.trackNotFound`, `.decoderNotFound` (also for
  ///   VP8 and VP9 with alpha where the libvpx decoders are missing), `.decodeFailed`.
  public static func openVideo(
    _ source: MediaSource, trackIndex: Int = 0, options: VideoReaderOptions = VideoReaderOptions(),
    info: VideoTrackInfo? = nil
  ) throws(CompositorError) -> any VideoReader {
    switch source {
    case .file(let path):
      let (info, decoder) = try FFmpegProbe.openVideo(path: path, trackIndex: trackIndex, options: options, known: info)
      return FFmpegVideoReader(decoder, info: info, path: path, options: options)
    default:
      throw CompositorError(
        .sourceRefused, "\(source) is not a file.", remedy: "Give the path of a regular file on this machine.")
    }
  }
}
