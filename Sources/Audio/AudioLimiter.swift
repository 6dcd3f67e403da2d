import CCompositorAudioKernels
public import CompositorAPI
import CompositorMediaIO
import CompositorPlatform

/// The format in which samples are written, which decides what happens above full scale.
public enum AudioDestination: Hashable, Sendable {
  /// Floating point: nothing is lost above full scale.
  case float
  /// Integers: samples above full scale are clipped.
  case integer
  /// A lossy codec: decoded peaks exceed the encoded ones.
  case lossy
}

extension AudioLimiting {
  /// The maximum true peak in dBTP; `nil` for no limiter. `.automatic` is −1 for lossy codecs, because decoders exceed the
  /// encoded peaks, −0.1 for integers, and none for floats.
  public func ceiling(for destination: AudioDestination) -> Double? {
    switch (self, destination) {
    case (.off, _), (.automatic, .float): nil
    case (.automatic, .integer): -0.1
    case (.automatic, .lossy): -1
    case (.on(let ceiling), _): ceiling
    }
  }
}

/// Keeps true peaks at or below a ceiling, with the same gain for all channels. They are measured as in ITU-R BS.1770; for samples
/// that are written as they are, those near the ceiling at eight times the rate and up to 22 kHz of 48. Before a lossy codec that
/// would be in vain: what its decoder adds is more than lies between the points, and has its own margin.
///
/// The gain decreases within 5 ms before a peak and recovers by 63 % in 100 ms. The stage reads ahead instead of delaying its
/// output. Samples farther than that from any peak above the ceiling stay bit-exact.
final class AudioLimiter: AudioStage {
  private let source: any AudioStage
  private let ceiling: Float
  /// Whether what lies between the points at four times the rate is measured, too.
  private let isPrecise: Bool
  private let sampleRate: Int
  private let channelCount: Int
  private var handle: OpaquePointer?
  private var delay = 0
  /// The samples of every channel from `start`, `count` of them: those that the interpolation needs before the next peak, and
  /// those that wait for their gain.
  private var window: AudioBlock
  private var start: Int64 = 0
  private var count = 0
  /// Index in the window of the first sample whose peak is unknown.
  private var measured = 0
  private let chunk: AudioBlock
  private let peaks: UnsafeMutablePointer<Float>
  private let gains: UnsafeMutablePointer<Float>
  /// Number of known gains beyond those already applied.
  private var gainCount = 0
  private var skippedGains = 0

  /// Number of samples before the next peak that stay in the window.
  private let reach: Int
  /// The share of the ceiling from which a peak at four times the rate is measured more precisely: what lies between its points, or
  /// near half the sampling rate, is at most 3 dB higher.
  fileprivate static let candidate: Float = 0.7
  /// Capacity for the gains of chunks of any size, and the delay.
  private let room: Int

  /// - Parameters:
  ///   - ceiling: The maximum true peak in dBTP.
  ///   - isPrecise: Whether what lies between the points at four times the rate is measured, too.
  init(_ source: any AudioStage, ceiling: Double, isPrecise: Bool, sampleRate: Int, channelCount: Int) {
    (self.source, self.isPrecise) = (source, isPrecise)
    reach = Int(isPrecise ? cak_peak_reach : cak_short_peak_reach)
    self.ceiling = Float(pow(10, min(ceiling, 0) / 20))
    (self.sampleRate, self.channelCount) = (sampleRate, channelCount)
    let attack = max(1, sampleRate / 200)
    room = attack + 4 * reach + 2 * AudioChunk.size
    window = AudioBlock(channelCount: channelCount, capacity: room + AudioChunk.size)
    chunk = AudioBlock(channelCount: channelCount, capacity: AudioChunk.size)
    peaks = .allocate(capacity: room + AudioChunk.size)
    gains = .allocate(capacity: room + AudioChunk.size)
  }

  deinit {
    cak_limiter_destroy(handle)
    peaks.deallocate()
    gains.deallocate()
  }

  func render(_ count: Int, from position: Int64, into block: AudioBlock) throws(CompositorError) {
    try begin(at: position)
    while gainCount < count { try goOn() }
    let first = Int(position - start)
    for (target, samples) in zip(block.channels, window.channels) {
      target.update(from: samples + first, count: count)
      cak_apply_gains(target, gains, Int32(count))
    }
    gainCount -= count
    gains.update(from: gains + count, count: gainCount)
    drop(before: first + count)
  }

  /// Before the first sample there is silence.
  private func begin(at position: Int64) throws(CompositorError) {
    guard handle == nil else { return }
    // A margin of less than a tenth of a decibel for peaks between the points that are measured, and for the moving gain.
    let target = ceiling * (isPrecise ? 0.99 : 0.992)
    handle = cak_limiter_create(
      Int32(max(1, sampleRate / 200)), Int32(max(1, sampleRate / 10)), Int32(reach), ceiling, target)
    guard let handle else { throw CompositorError(.resourceExhausted, "There is no memory for the limiter.") }
    delay = Int(cak_limiter_delay(handle))
    start = position - Int64(reach)
    count = reach
    measured = count
    skippedGains = delay
    window.silence(count)
  }

  /// Reads one more chunk and computes the gains that it determines.
  private func goOn() throws(CompositorError) {
    try source.render(AudioChunk.size, from: start + Int64(count), into: chunk)
    for (target, samples) in zip(window.channels, chunk.channels) {
      (target + count).update(from: samples, count: AudioChunk.size)
    }
    count += AudioChunk.size
    let known = count - reach - measured
    guard known > 0, let handle else { return }
    findPeaks(known)
    let fresh = gains + gainCount
    cak_limiter_run(handle, peaks, Int32(known), fresh)
    let skipped = min(skippedGains, known)
    skippedGains -= skipped
    if skipped > 0 { fresh.update(from: fresh + skipped, count: known - skipped) }
    gainCount += known - skipped
    measured += known
  }

  /// Finds the peaks of `known` samples. Peaks that stay below the ceiling even with the worst interpolation have no effect and
  /// are skipped.
  private func findPeaks(_ known: Int) {
    peaks.update(repeating: 0, count: known)
    let reach = reach
    for channel in window.channels {
      let samples = channel + measured
      let magnitude = cak_magnitude(samples - (reach - 1), Int32(known + 2 * reach - 1))
      if magnitude * cak_peak_bound() > ceiling {
        cak_true_peaks(samples, Int32(known), isPrecise ? ceiling * AudioLimiter.candidate : .infinity, peaks)
      }
    }
  }

  private func drop(before index: Int) {
    let unneeded = min(index, measured - reach)
    guard unneeded > 0 else { return }
    count -= unneeded
    measured -= unneeded
    start += Int64(unneeded)
    for channel in window.channels { channel.update(from: channel + unneeded, count: count) }
  }
}

/// Tracks the greatest true peak of the audio added.
struct TruePeakMeter {
  /// The greatest true peak so far, linear; infinite if a sample was not a number.
  private(set) var peak: Float = 0
  private let window: AudioBlock
  private let peaks: UnsafeMutableBufferPointer<Float>
  private static let reach = Int(cak_peak_reach)

  init(channelCount: Int, peaks: UnsafeMutableBufferPointer<Float>) {
    window = AudioBlock(channelCount: channelCount, capacity: 2 * TruePeakMeter.reach + AudioChunk.size)
    self.peaks = peaks
  }

  /// The window keeps as many earlier samples as the interpolation needs on both sides.
  mutating func add(_ block: AudioBlock, _ count: Int) {
    let kept = 2 * TruePeakMeter.reach
    for (samples, new) in zip(window.channels, block.channels) {
      (samples + kept).update(from: new, count: count)
      let magnitude = cak_magnitude(samples, Int32(kept + count))
      if magnitude.isInfinite { peak = .infinity }
      if magnitude * cak_peak_bound() > peak, let base = peaks.baseAddress {
        base.update(repeating: 0, count: count)
        cak_true_peaks(samples + TruePeakMeter.reach, Int32(count), peak * AudioLimiter.candidate, base)
        peak = max(peak, cak_magnitude(base, Int32(count)))
      }
      samples.update(from: samples + count, count: kept)
    }
  }

  /// Adds the peaks of the last samples together with the silence after them.
  mutating func finish(_ silence: AudioBlock) {
    silence.silence(TruePeakMeter.reach)
    add(silence, TruePeakMeter.reach)
  }
}
