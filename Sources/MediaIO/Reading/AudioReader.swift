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
  /// - Throws: ``CompositorError`` `.invalidValue`, `.truncatedMedia`, `.decodeFailed` where nothing at all can be decoded,
  ///   `.readFailed` where the disk fails.
  func read(
    frameCount: Int, at position: Int64, into channels: [UnsafeMutablePointer<Float>]
  ) throws(CompositorError)

  /// What could not be decoded so far and is silence; nil where all is well.
  var damage: MediaDamage? { get }
}

extension AudioReader {
  /// Nothing is damaged.
  public var damage: MediaDamage? { nil }
}

/// How an audio track is read.
public struct AudioReaderOptions: Sendable, Hashable {
  /// Output samples a second, 8000 … 384000.
  public var sampleRate: Int
  /// Output channels, 1 … 8.
  public var channelCount: Int
  /// Media seconds per output second, 1/32 … 32; pitch follows speed.
  public var speed: Double

  /// Makes options.
  public init(sampleRate: Int = 48_000, channelCount: Int = 2, speed: Double = 1) {
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.speed = speed
  }
}
