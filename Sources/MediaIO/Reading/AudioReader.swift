public import CompositorAPI

/// Reads the samples of one audio track at any position, resampled to the requested rate and channels.
///
/// Not thread-safe: one owner at a time. Reading in order is cheap; reading from another position seeks.
public protocol AudioReader: AnyObject {
  /// The track.
  var info: AudioTrackInfo { get }
  /// The options that the reader was opened with.
  var options: AudioReaderOptions { get }

  /// Writes `frameCount` samples per channel, with silence if the track has none.
  ///
  /// - Parameters:
  ///   - frameCount: Samples per channel, ≥ 0.
  ///   - position: The first sample's position, counted at the output rate from media time 0 divided by the speed. May be
  ///     negative.
  ///   - channels: One pointer per output channel, each to at least `frameCount` floats, nominally −1 … 1.
  /// - Throws: `CompositorError` `.invalidValue`; with ``DamagePolicy/fail`` `.truncatedMedia`, `.decodeFailed`, `.readFailed`
  ///   and `.mediaChanged` if requested samples are missing.
  func read(
    frameCount: Int, at position: Int64, into channels: [UnsafeMutablePointer<Float>]
  ) throws(CompositorError)

  /// The damage found so far, with one entry for each kind. Only requested samples count as lost.
  var damage: [MediaDamage] { get }
}

extension AudioReader {
  /// No damage.
  public var damage: [MediaDamage] { [] }
}

/// A reader that can resample across its ends, with the samples of a reader whose file continues its own.
package protocol JoinableAudioReader: AudioReader {
  /// Number of packets of the track read so far.
  var packetCount: Int64 { get }
  /// The number of output samples before a seam within which both readers must be joined; 0 if nothing is resampled.
  var joiningReach: Int { get }
  /// Joins two readers if this one's file ends at `end` and the other's begins at `start`: each takes the samples beyond its
  /// end from the other. Does nothing otherwise, or if their rates differ.
  ///
  /// - Throws: The errors of decoding.
  func join(_ next: any JoinableAudioReader, at end: MediaTime, from start: MediaTime) throws(CompositorError)
  /// Joins two readers of files that are parts of one recording: the other's first samples belong right after this one's last
  /// ones. Where this one has no more samples before the seam, the other's early ones are played, and vice versa; the decoder of
  /// the other file begins with the last packets of this one.
  ///
  /// - Parameters:
  ///   - next: A reader from which nothing was read.
  ///   - end: The media time at which this file ends at the seam.
  ///   - start: The media time at which the other file begins there.
  /// - Returns: Whether they are parts of one recording: one codec with the same parameters, and one file's samples begin where
  ///   the other's end, within 2 ms. Nothing is changed otherwise.
  /// - Throws: The errors of decoding.
  func continueRecording(
    in next: any JoinableAudioReader, at end: MediaTime, from start: MediaTime
  ) throws(CompositorError) -> Bool
}

/// Options for reading an audio track.
public struct AudioReaderOptions: Sendable, Hashable {
  /// Output sample rate in Hz, 8000 … 384000.
  public var sampleRate: Int
  /// Number of output channels, 1 … 8.
  public var channelCount: Int
  /// Media seconds per output second, 1/32 … 32. Pitch follows speed.
  public var speed: Double
  /// The policy for missing samples. Default `.fail`; `.keep` leaves silence.
  public var damaged: DamagePolicy
  /// How channels are downmixed. Default `.standard`.
  public var downmix: AudioDownmix
  /// The channels that are used. Default `.all`.
  public var channels = AudioChannels.all
  /// An offset added to every position, −1/2 … 1/2 output samples, which lets a reader that resamples anyway place audio
  /// exactly. Readers that don't resample may ignore it. Default 0.
  public var positionFraction: Rational

  /// Creates options.
  public init(
    sampleRate: Int = 48_000, channelCount: Int = 2, speed: Double = 1, damaged: DamagePolicy = .fail,
    downmix: AudioDownmix = .standard, positionFraction: Rational = Rational(0, 1)
  ) {
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.speed = speed
    self.damaged = damaged
    self.downmix = downmix
    self.positionFraction = positionFraction
  }
}
