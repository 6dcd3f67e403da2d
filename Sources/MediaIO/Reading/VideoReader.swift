public import CompositorAPI

/// A decoded frame with its presentation time.
public struct DecodedVideoFrame: Sendable {
  /// The frame, in the decoder's own memory.
  public var frame: Frame
  /// Start of its presentation in media time.
  public var presentationTime: MediaTime
  /// Duration, up to the next frame's presentation time; `.positiveInfinity` for stills.
  public var duration: MediaTime

  /// Creates a frame with its time.
  public init(frame: Frame, presentationTime: MediaTime, duration: MediaTime) {
    self.frame = frame
    self.presentationTime = presentationTime
    self.duration = duration
  }
}

/// Reads the frames of one video track at any time. Random access returns exactly the frames that reading from the start would
/// return.
///
/// Not thread-safe: one owner at a time. Returned frames are immutable, can be used on any thread, and outlive the reader.
///
/// ```swift
/// let reader = try MediaOpener.openVideo(.file(path: "clip.mp4"))
/// let shown = try reader.frame(at: MediaTime(value: 3, timescale: 2))
/// ```
public protocol VideoReader: AnyObject {
  /// The track.
  var info: VideoTrackInfo { get }

  /// The frame shown at `time`: the last one whose presentation time is not after it; `nil` before the first frame. At any time
  /// after its start, the last frame is returned; ``VideoTrackInfo/timeRange`` tells where the track ends.
  ///
  /// In order, a request costs one decoded frame. A step back or a jump costs up to one group of pictures, unless the frame is
  /// cached.
  ///
  /// - Parameter time: Media time, numeric.
  /// - Throws: `CompositorError`: `.invalidValue` for a time that is not numeric, `.resourceExhausted`; with
  ///   ``DamagePolicy/fail`` `.truncatedMedia` past the real end of a truncated file, `.decodeFailed` if the frame cannot be
  ///   decoded, `.readFailed` if the disk fails, `.mediaChanged` if the file was modified meanwhile. If nothing at all can be
  ///   decoded, `.decodeFailed` whatever the policy.
  func frame(at time: MediaTime) throws(CompositorError) -> DecodedVideoFrame?

  /// The frame shown at `time` when time runs backward: the last one that starts earlier; `nil` at and before the first frame.
  ///
  /// Requests in descending order decode each group of pictures as often as ``VideoReaderOptions/backwardByteCount`` makes
  /// necessary: once if its frames fit.
  ///
  /// - Parameter time: Media time, numeric.
  /// - Throws: As ``frame(at:)``.
  func frame(before time: MediaTime) throws(CompositorError) -> DecodedVideoFrame?

  /// The first frame that starts after `time`; `nil` if there is none. After ``frame(at:)`` it costs one decoded frame, or none.
  ///
  /// The durations of frames needn't be right for this: every frame of the track has its turn.
  ///
  /// - Parameter time: Media time, numeric.
  /// - Throws: As ``frame(at:)``. With ``DamagePolicy/fail``, also if the frame at `time` is followed by one that was lost.
  func frame(after time: MediaTime) throws(CompositorError) -> DecodedVideoFrame?

  /// A time within `earliest` … `latest` at which ``frame(at:)`` costs a single frame, because the frame decodes independently
  /// of others: that of the last such frame not after `time`, or if that is too early, of one soon after it. `nil` if there is
  /// none or it is unknown.
  ///
  /// - Parameters:
  ///   - time: Media time, numeric.
  ///   - earliest: Numeric or −∞.
  ///   - latest: Numeric or +∞.
  /// - Throws: As ``frame(at:)``.
  func keyFrameTime(
    near time: MediaTime, from earliest: MediaTime, through latest: MediaTime
  ) throws(CompositorError) -> MediaTime?

  /// Keeps passed frames of at least this duration for steps backward, whatever their size. The duration grows with calls and
  /// never shrinks. Readers that step back at no cost ignore it.
  func keepPassed(_ duration: MediaTime)

  /// Number of frames decoded so far, including those decoded on the way from key frames; 0 for readers that don't count.
  var decodedCount: Int { get }

  /// The damage found so far, with one entry for each kind. Only requested frames count as lost.
  var damage: [MediaDamage] { get }
}

extension VideoReader {
  /// A default for readers whose frames have exact times and last more than a microsecond.
  public func frame(before time: MediaTime) throws(CompositorError) -> DecodedVideoFrame? {
    try frame(at: time - MediaTime(value: 1, timescale: 1_000_000))
  }
  /// A default for readers whose frames have exact times and durations.
  public func frame(after time: MediaTime) throws(CompositorError) -> DecodedVideoFrame? {
    let range = info.timeRange
    guard let shown = try frame(at: time) else {
      return range.start.isNumeric && range.start > time ? try frame(at: range.start) : nil
    }
    guard shown.presentationTime <= time else { return shown }
    let end = shown.presentationTime + shown.duration
    guard end.isNumeric, end > time, end < range.end else { return nil }
    return try frame(at: end).flatMap { $0.presentationTime > time ? $0 : nil }
  }
  /// Unknown.
  public func keyFrameTime(
    near time: MediaTime, from earliest: MediaTime, through latest: MediaTime
  ) throws(CompositorError) -> MediaTime? { nil }
  /// Does nothing, because steps back cost nothing.
  public func keepPassed(_ duration: MediaTime) {}
  /// Not counted.
  public var decodedCount: Int { 0 }
  /// No damage.
  public var damage: [MediaDamage] { [] }
}

/// Options for reading a video track.
public struct VideoReaderOptions: Sendable, Hashable {
  /// Number of decoder threads, 1 … 64. It affects memory but not the frames. Default 1.
  public var threadCount: Int
  /// Bytes of decoded frames cached for steps backward, ≥ 0. Default 64 MiB. The current and the next frame are always kept.
  public var cacheByteCount: Int
  /// Bytes of decoded frames cached while frames are requested backward, ≥ 0. Default 256 MiB: 86 frames of 1080p in 8 bits.
  public var backwardByteCount = 256 << 20
  /// How interlaced frames are deinterlaced. Default off.
  public var deinterlacing: Deinterlacing
  /// The policy for missing frames. Default `.fail`; `.keep` holds the last good frame.
  public var damaged: DamagePolicy
  /// The view to read: one of the track's (``VideoTrackInfo/views``). Default mono.
  public var view = StereoView.mono
  /// The output that generated frames are made for; `nil` for 8-bit BT.709.
  package var generated: GeneratedOutput?

  /// Creates options.
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

/// The policy for frames or audio that a timeline shows but a source lacks.
///
/// A source promises frames and samples by its index, its packets and the length in its header. Anything promised that doesn't
/// come out of the decoder is a loss. A damaged packet that still gives a frame is not a loss; it is counted in a warning.
public enum DamagePolicy: String, Sendable, Hashable, Codable, CaseIterable {
  /// A loss is an error that states the file, the track, the time and the reason.
  case fail
  /// Rendering continues: the last good frame is held or audio becomes silent, and each loss is named and counted.
  case keep
}
