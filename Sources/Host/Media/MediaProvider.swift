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

/// A reader whose frames are tagged as is known better. Codes stay as they are.
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
  /// Whether the pictures are coded as those of images are, JPEG above all.
  fileprivate var isImage: Bool { isStill || codec == "mjpeg" || codec == "jpeg" }

  /// Takes over what is known better of the track's color.
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
  /// Media that reads no other source.
  public var sources: [MediaSource] { [] }

  /// Media without sound.
  public func openAudio(trackIndex: Int, options: AudioReaderOptions) throws(CompositorError) -> any AudioReader {
    throw CompositorError(.trackNotFound, "The media has no audio track \(trackIndex).")
  }
}
