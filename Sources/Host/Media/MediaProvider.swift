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
  /// The sources that it reads itself. They are checked for changes as an edit's own, and never overwritten. None by default.
  var sources: [MediaSource] { get }

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
  /// Media that reads no other source.
  public var sources: [MediaSource] { [] }

  /// Media without sound.
  public func openAudio(trackIndex: Int, options: AudioReaderOptions) throws(CompositorError) -> any AudioReader {
    throw CompositorError(.trackNotFound, "The media has no audio track \(trackIndex).")
  }
}
