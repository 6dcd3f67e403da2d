public import CompositorAPI
public import CompositorMediaIO

/// Media that a program provides itself, such as from memory or a camera. Edits refer to it as `MediaSource.custom(name:)`.
///
/// The host requests the description once and opens a reader for each use of a track, on any thread.
///
/// ```swift
/// let catalog = MediaCatalog()
/// catalog.provide(NoiseMedia(seed: 7), as: "noise")
/// let source = MediaSource.custom(name: "noise")
/// ```
public protocol MediaProvider: Sendable {
  /// The sources that this media reads itself. Like those of an edit, they are checked for changes and never overwritten.
  /// Default: none.
  var sources: [MediaSource] { get }

  /// The description of the media.
  func describe() throws(CompositorError) -> MediaInfo

  /// Opens a video track for one owner.
  ///
  /// - Throws: `.trackNotFound` if there is no such track.
  func openVideo(trackIndex: Int, options: VideoReaderOptions) throws(CompositorError) -> any VideoReader

  /// Opens an audio track for one owner.
  ///
  /// - Throws: `.trackNotFound` if there is no such track.
  func openAudio(trackIndex: Int, options: AudioReaderOptions) throws(CompositorError) -> any AudioReader
}

/// A reader that replaces the color tags of its frames. Code values don't change.
final class RecoloredVideoReader: VideoReader {
  let info: VideoTrackInfo
  private let reader: any VideoReader
  private let color: SourceColor
  private let isImage: Bool

  init(_ reader: any VideoReader, _ color: SourceColor) {
    var info = reader.info
    info.apply(color)
    (self.info, self.reader, self.color, isImage) = (info, reader, color, info.isImage)
  }

  func frame(at time: MediaTime) throws(CompositorError) -> DecodedVideoFrame? {
    recolored(try reader.frame(at: time))
  }

  func frame(before time: MediaTime) throws(CompositorError) -> DecodedVideoFrame? {
    recolored(try reader.frame(before: time))
  }

  func frame(after time: MediaTime) throws(CompositorError) -> DecodedVideoFrame? {
    recolored(try reader.frame(after: time))
  }

  private func recolored(_ frame: DecodedVideoFrame?) -> DecodedVideoFrame? {
    guard var decoded = frame else { return nil }
    decoded.frame.attributes = color.applied(
      to: decoded.frame.attributes, in: decoded.frame.format, isImage: isImage)
    return decoded
  }

  func keyFrameTime(
    near time: MediaTime, from earliest: MediaTime, through latest: MediaTime
  ) throws(CompositorError) -> MediaTime? {
    try reader.keyFrameTime(near: time, from: earliest, through: latest)
  }

  var damage: [MediaDamage] { reader.damage }
  var decodedCount: Int { reader.decodedCount }
  func keepPassed(_ duration: MediaTime) { reader.keepPassed(duration) }
}

extension VideoTrackInfo {
  /// Whether the frames are encoded like images, such as JPEG.
  fileprivate var isImage: Bool { isStill || codec == "mjpeg" || codec == "jpeg" }

  /// Applies corrections of the track's color.
  mutating func apply(_ color: SourceColor) {
    let matrix = attributes.color.matrix
    attributes = color.applied(to: attributes, in: format, isImage: isImage)
    if color.primaries != nil { colorProvenance?.primaries = .given }
    if color.transfer != nil { colorProvenance?.transfer = .given }
    if color.matrix != nil || attributes.color.matrix != matrix { colorProvenance?.matrix = .given }
    if color.range != nil { colorProvenance?.range = .given }
    if color.chromaLocation != nil { colorProvenance?.chromaLocation = .given }
  }
}

extension MediaProvider {
  /// No other sources.
  public var sources: [MediaSource] { [] }

  /// No audio.
  public func openAudio(trackIndex: Int, options: AudioReaderOptions) throws(CompositorError) -> any AudioReader {
    throw CompositorError(.trackNotFound, "The media has no audio track \(trackIndex).")
  }
}
