public import CompositorAPI

/// Gives the samples of one audio track at any position, resampled to the rate and channels that were asked for.
///
/// Not thread-safe: one owner at a time. Reading in order is cheap; any other position seeks.
public protocol AudioReader: AnyObject {
  /// The track.
  var info: AudioTrackInfo { get }
  /// What the reader was opened with.
  var options: AudioReaderOptions { get }

  /// Writes `frameCount` samples per channel, silence where the track has none.
  ///
  /// - Parameters:
  ///   - frameCount: Samples per channel, ≥ 0.
  ///   - position: First sample, counted at the output rate from media time 0, divided by the speed. May be negative.
  ///   - channels: One pointer per output channel, each to at least `frameCount` floats, nominally −1 … 1.
  /// - Throws: ``CompositorError`` `.invalidValue`; with ``DamagePolicy/fail`` `.truncatedMedia`, `.decodeFailed`, `.readFailed`
  ///   and `.mediaChanged` if samples that were asked for are missing.
  func read(
    frameCount: Int, at position: Int64, into channels: [UnsafeMutablePointer<Float>]
  ) throws(CompositorError)

  /// The damage met so far, one entry for each kind; empty if all is well. Only samples that were asked for count as lost.
  var damage: [MediaDamage] { get }
}

extension AudioReader {
  /// Nothing is damaged.
  public var damage: [MediaDamage] { [] }
}

/// A reader that can resample over its ends: with the samples of a reader whose file continues its own.
package protocol JoinableAudioReader: AudioReader {
  /// Output samples before a seam at which both readers have to know each other; 0 if nothing is resampled.
  var joiningReach: Int { get }
  /// Lets each of two readers take what is beyond its end from the other, if this one's file ends at `end`, and the other's begins at
  /// `start`; does nothing otherwise, or if their rates differ.
  ///
  /// - Throws: What decoding throws.
  func join(_ next: any JoinableAudioReader, at end: MediaTime, from start: MediaTime) throws(CompositorError)
}

/// How an audio track is read.
public struct AudioReaderOptions: Sendable, Hashable {
  /// Output samples a second, 8000 … 384000.
  public var sampleRate: Int
  /// Output channels, 1 … 8.
  public var channelCount: Int
  /// Media seconds per output second, 1/32 … 32; pitch follows speed.
  public var speed: Double
  /// What happens if samples are missing. Default fail; keep leaves silence.
  public var damaged: DamagePolicy
  /// How more channels become fewer. Default standard.
  public var downmix: AudioDownmix
  /// What is added to every position, −1/2 … 1/2 output samples: a reader that resamples anyway puts sound exactly where it belongs.
  /// One that does not may ignore it. Default 0.
  public var positionFraction: Rational

  /// Makes options.
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
