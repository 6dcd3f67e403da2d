import CCompositorAudioKernels
package import CompositorAPI
import CompositorMediaIO
import CompositorPlatform

/// Loudness of audio as measured by EBU R 128.
public struct AudioLoudness: Hashable, Sendable, Codable {
  /// Integrated loudness in LUFS; `nil` for silence and for audio shorter than 400 ms.
  public var integrated: Double?
  /// Loudness range in LU (EBU Tech 3342); 0 for audio that is too short.
  public var range: Double
  /// The maximum true peak in dBTP, measured at four times the rate (ITU-R BS.1770); `nil` for digital silence.
  public var truePeak: Double?

  /// Creates a loudness from known values.
  public init(integrated: Double?, range: Double, truePeak: Double?) {
    self.integrated = integrated
    self.range = range
    self.truePeak = truePeak
  }
}

/// Measures the audio added: loudness by libavfilter's `ebur128`, and true peaks.
final class AudioMeter {
  private let graph: AudioFilterGraph
  private let scratch: AudioBlock
  private let peaks: UnsafeMutableBufferPointer<Float>
  private var truePeak: TruePeakMeter
  private var isFinished = false

  init(sampleRate: Int, channelCount: Int) throws(CompositorError) {
    graph = try AudioFilterGraph("ebur128=metadata=1:framelog=verbose", sampleRate: sampleRate, channelCount: channelCount)
    scratch = AudioBlock(channelCount: channelCount, capacity: AudioChunk.size)
    peaks = .allocate(capacity: AudioChunk.size)
    truePeak = TruePeakMeter(channelCount: channelCount, peaks: peaks)
  }

  deinit { peaks.deallocate() }

  func add(_ block: AudioBlock, _ count: Int) throws(CompositorError) {
    truePeak.add(block, count)
    try graph.send(block.channels, count: count)
    while try graph.receive(AudioChunk.size, into: scratch.channels) > 0 {}
  }

  /// The measurement. Nothing can be added afterward.
  func finish() throws(CompositorError) -> AudioLoudness {
    if !isFinished {
      isFinished = true
      truePeak.finish(scratch)
      try graph.sendEnd()
      while try graph.receive(AudioChunk.size, into: scratch.channels) > 0 {}
    }
    let integrated = number("lavfi.r128.I"), range = number("lavfi.r128.LRA")
    // Below the absolute gate of −70 LUFS there is no loudness.
    return AudioLoudness(
      integrated: integrated.flatMap { $0 > -70 ? $0 : nil }, range: max(0, range ?? 0),
      truePeak: truePeak.peak > 0 ? 20 * log10(Double(truePeak.peak)) : nil)
  }

  private func number(_ key: String) -> Double? {
    graph.metadata(key).flatMap(Double.init).flatMap { $0.isFinite ? $0 : nil }
  }
}

extension LoudnessTarget {
  /// Finds the gain at which a mix reaches this loudness. Mixes once, and again as long as a limiter changes the result by more
  /// than 0.1 LU.
  ///
  /// Audio without a loudness (silence, less than 400 ms) keeps its level.
  ///
  /// - Parameters:
  ///   - measure: Mixes everything with a gain in dB, limited or not, and measures it.
  ///   - ceiling: The limiter's ceiling in dBTP; `nil` without a limiter.
  /// - Returns: The gain in dB.
  package func gain(
    ceiling: Double?, measure: (_ gain: Double, _ isLimited: Bool) throws(CompositorError) -> AudioLoudness
  ) throws(CompositorError) -> Double {
    let whole = try measure(0, false)
    guard let loudness = whole.integrated else { return 0 }
    var gain = integrated - loudness
    guard let ceiling, let peak = whole.truePeak, peak + gain > ceiling else { return gain }
    var (before, reached) = (gain, loudness + gain)
    for attempt in 0..<LoudnessTarget.mostAttempts {
      let found = try measure(gain, true).integrated ?? integrated
      let missing = integrated - found
      guard abs(missing) > 0.1 else { break }
      // The limiter reduces each further decibel; the slope follows from the last two results.
      let slope = attempt == 0 ? 1 : (found - reached) / (gain - before)
      guard slope > 0.02 else { break }
      (before, reached) = (gain, found)
      gain += min(max(missing / slope, -12), 12)
    }
    return gain
  }

  /// Maximum number of mixes after the first.
  private static let mostAttempts = 4
}
