public import CompositorAPI
public import CompositorMediaIO

/// Media that a program provides itself: in memory, computed, from a camera. Named by `MediaSource.custom(name:)`.
///
/// The host asks for the description once and opens a reader for each use of a track, on any thread.
///
/// ```swift
/// let catalog = MediaCatalog()
/// catalog.provide(NoiseMedia(seed: 7), as: "noise")
/// let source = MediaSource.custom(name: "noise")
/// ```
public protocol MediaProvider: Sendable {
  /// What the media holds.
  func describe() throws(CompositorError) -> MediaInfo

  /// Opens a video track for one owner.
  ///
  /// - Throws: `.trackNotFound` where there is no such track.
  func openVideo(trackIndex: Int, options: VideoReaderOptions) throws(CompositorError) -> any VideoReader

  /// Opens an audio track for one owner.
  ///
  /// - Throws: `.trackNotFound` where there is no such track.
  func openAudio(trackIndex: Int, options: AudioReaderOptions) throws(CompositorError) -> any AudioReader
}

extension MediaProvider {
  /// Media without sound.
  public func openAudio(trackIndex: Int, options: AudioReaderOptions) throws(CompositorError) -> any AudioReader {
    throw CompositorError(.trackNotFound, "The media has no audio track \(trackIndex).")
  }
}
