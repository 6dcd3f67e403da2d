public import CompositorAPI

/// A picture with its place in media time.
public struct DecodedVideoFrame: Sendable {
  /// The picture: decoder's own memory, wrapped.
  public var frame: Frame
  /// When it is first shown, in media time.
  public var presentationTime: MediaTime
  /// How long it is shown: up to the next frame's presentation time. `.positiveInfinity` for stills.
  public var duration: MediaTime

  /// Makes a frame with its time.
  public init(frame: Frame, presentationTime: MediaTime, duration: MediaTime) {
    self.frame = frame
    self.presentationTime = presentationTime
    self.duration = duration
  }
}

/// Gives the pictures of one video track at any time, exactly the ones that reading from the start would give.
///
/// Not thread-safe: one owner at a time. Frames that came out are immutable and may go anywhere, and outlive the reader.
///
/// ```swift
/// let reader = try MediaOpener.openVideo(.file(path: "clip.mp4"))
/// let shown = try reader.frame(at: MediaTime(value: 3, timescale: 2))
/// ```
public protocol VideoReader: AnyObject {
  /// The track.
  var info: VideoTrackInfo { get }

  /// The frame shown at `time`: the last one whose presentation time is not after it. nil before the first frame. After the
  /// last frame's time the last frame is returned, for ever; the track's ``VideoTrackInfo/timeRange`` says where it ends.
  ///
  /// Asking in order costs one decoded picture a frame. A step back or aside costs up to one group of pictures, unless the
  /// picture is still in the cache.
  ///
  /// - Parameter time: Media time, numeric.
  /// - Throws: ``CompositorError``: `.invalidValue` for a time that is not numeric, `.resourceExhausted`; with
  ///   ``DamagePolicy/fail`` `.truncatedMedia` past the real end of a file that is cut short, `.decodeFailed` if the frame could
  ///   not be decoded, `.readFailed` if the disk fails, `.mediaChanged` if the file was written to meanwhile. If nothing at all
  ///   can be decoded, `.decodeFailed` whatever the policy.
  func frame(at time: MediaTime) throws(CompositorError) -> DecodedVideoFrame?

  /// The frame shown at `time` when time runs backward: the last one that starts before it. nil at and before the first frame.
  ///
  /// Asking in falling order decodes each group of pictures forward as often as ``VideoReaderOptions/backwardByteCount`` makes
  /// necessary: once if its frames fit.
  ///
  /// - Parameter time: Media time, numeric.
  /// - Throws: As ``frame(at:)``.
  func frame(before time: MediaTime) throws(CompositorError) -> DecodedVideoFrame?

  /// A time inside `earliest` … `latest` whose frame is decoded without any other, so that ``frame(at:)`` costs one picture there: of the last
  /// one that is not after `time`, or if that is too early, of one soon after it. nil if there is none, or it is not known.
  ///
  /// - Parameters:
  ///   - time: Media time, numeric.
  ///   - earliest: Numeric or −∞.
  ///   - latest: Numeric or +∞.
  /// - Throws: As ``frame(at:)``.
  func keyFrameTime(
    near time: MediaTime, from earliest: MediaTime, through latest: MediaTime
  ) throws(CompositorError) -> MediaTime?

  /// Keeps the pictures of at least so much media time that were passed, whatever their bytes, for steps backwards. Grows with calls,
  /// never shrinks. Readers to which a step back costs nothing ignore it.
  func keepPassed(_ duration: MediaTime)

  /// Pictures decoded so far, the ones on the way from key pictures included; 0 for readers that do not count.
  var decodedCount: Int { get }

  /// The damage met so far, one entry for each kind; empty if all is well. Only frames that were asked for count as lost.
  var damage: [MediaDamage] { get }
}

extension VideoReader {
  /// For readers whose frames have exact times and last more than a microsecond.
  public func frame(before time: MediaTime) throws(CompositorError) -> DecodedVideoFrame? {
    try frame(at: time - MediaTime(value: 1, timescale: 1_000_000))
  }
  /// Not known.
  public func keyFrameTime(
    near time: MediaTime, from earliest: MediaTime, through latest: MediaTime
  ) throws(CompositorError) -> MediaTime? { nil }
  /// Steps back cost nothing.
  public func keepPassed(_ duration: MediaTime) {}
  /// Nothing is counted.
  public var decodedCount: Int { 0 }
  /// Nothing is damaged.
  public var damage: [MediaDamage] { [] }
}

/// How a video track is read.
public struct VideoReaderOptions: Sendable, Hashable {
  /// Decoder threads, 1 … 64. Pictures do not depend on it; memory grows with it. Default 1.
  public var threadCount: Int
  /// Bytes of decoded pictures kept for steps backwards, ≥ 0. Default 64 MiB; the two pictures at hand are always kept.
  public var cacheByteCount: Int
  /// Bytes of decoded pictures kept while frames are asked for backward, ≥ 0. Default 256 MiB: 86 frames of 1080p in 8 bits.
  public var backwardByteCount = 256 << 20
  /// Default off.
  public var deinterlacing: Deinterlacing
  /// What happens at a time whose frame is missing. Default fail; keep holds the last good frame.
  public var damaged: DamagePolicy
  /// The output that generated pictures are made for; nil for 8-bit BT.709.
  package var generated: GeneratedOutput?

  /// Makes options.
  public init(
    threadCount: Int = 1, cacheByteCount: Int = 64 << 20, deinterlacing: Deinterlacing = .off,
    damaged: DamagePolicy = .fail
  ) {
    self.threadCount = threadCount
    self.cacheByteCount = cacheByteCount
    self.deinterlacing = deinterlacing
    self.damaged = damaged
  }
}

/// What happens if frames or audio that a timeline shows are missing from a source.
///
/// A source promises frames and samples: by its index, by its packets, by the length in its header. What was promised and does
/// not come out of the decoder is a loss. A damaged packet that still gives a frame is not; it is counted in a warning.
public enum DamagePolicy: String, Sendable, Hashable, Codable, CaseIterable {
  /// A loss is an error that names the file, the track, the time and the reason.
  case fail
  /// Rendering goes on: the last good frame is held, audio falls silent, and each loss is named and counted.
  case keep
}
