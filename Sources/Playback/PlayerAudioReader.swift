import CompositorAPI
import CompositorAudio
import CompositorExport
import CompositorHost
import CompositorMediaIO
import CompositorScheduling
import CompositorValidation
import Synchronization

/// The composition and format that audio is mixed from.
struct AudioSource: Sendable {
  private let composition: ValidatedComposition
  let format: ReaderAudioFormat
  private let damaged: DamagePolicy

  init(_ composition: ValidatedComposition, _ format: ReaderAudioFormat, damaged: DamagePolicy) throws(CompositorError) {
    try format.validate()
    (self.composition, self.format, self.damaged) = (composition, format, damaged)
  }

  /// A mixer that starts at a sample, with the same result as an export to the format's destination.
  func mixer(from sample: Int64) -> AudioMixer {
    let edit = composition.edit
    return AudioMixer(
      edit.composition, mix: edit.audioMix, sources: composition.catalog, sampleRate: format.sampleRate,
      channelCount: format.channelCount, start: MediaTime(value: sample, timescale: Int32(clamping: format.sampleRate)),
      damaged: damaged, destination: format.destination, processors: composition.registry)
  }
}

/// Mixes audio on request at any position, on a thread of its own.
actor PlayerAudioReader {
  private let thread = SerialThread(name: "audio")
  private var source: AudioSource
  private var mixer: AudioMixer?
  /// The mixer's next sample.
  private var position: Int64 = 0
  private var block: AudioBlock
  /// Samples that were mixed for backward playback.
  private var stretch: (start: Int64, channels: [[Float]])?
  private var isClosed = false
  /// The new source to use for the next read. Outside the actor's state, so that it takes effect at once.
  private let replacement = Mutex<AudioSource?>(nil)

  init(_ composition: ValidatedComposition, _ format: ReaderAudioFormat, damaged: DamagePolicy) throws(CompositorError) {
    source = try AudioSource(composition, format, damaged: damaged)
    block = AudioBlock(channelCount: format.channelCount, capacity: 4096)
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  private static let mostSamples = 1_048_576
  /// Distance in seconds up to which samples are mixed and discarded instead of reopening everything.
  private static let skip = 1.0

  /// Sets the source of later reads.
  nonisolated func replace(with source: AudioSource) { replacement.withLock { $0 = source } }

  func takeReplacement() {
    let replacement = replacement.withLock { $0.take() }
    if let replacement { (source, mixer, stretch) = (replacement, nil, nil) }
  }

  func close() { (isClosed, mixer, stretch) = (true, nil, nil) }

  func read(from time: MediaTime, count: Int, isReversed: Bool) throws(CompositorError) -> RenderedAudio {
    guard !isClosed else { throw .playerClosed }
    takeReplacement()
    guard time.isNumeric, (1...Self.mostSamples).contains(count) else {
      throw CompositorError(
        .invalidValue, "\(count) samples cannot be read from \(time.readable).",
        recoverySuggestion: "Read 1 to \(Self.mostSamples) samples from a numeric time.")
    }
    let rate = source.format.sampleRate
    let sample = time.rounded(toUnitsOf: Rational(1, rate))
    let start = isReversed ? sample - Int64(count) : sample
    let channels = isReversed ? try backward(start, count).map { Array($0.reversed()) } : try forward(start, count)
    return RenderedAudio(
      time: MediaTime(value: start, timescale: Int32(clamping: rate)), position: start, sampleRate: rate, channels: channels)
  }

  /// Samples in order, with silence before 0.
  private func forward(_ start: Int64, _ count: Int) throws(CompositorError) -> [[Float]] {
    var channels = [[Float]](repeating: [Float](repeating: 0, count: count), count: source.format.channelCount)
    let silent = Int(min(Int64(count), max(0, -start)))
    guard silent < count else { return channels }
    let mixer = try mixer(at: max(0, start))
    var done = silent
    while done < count {
      let part = min(block.capacity, count - done)
      try mix(part, with: mixer)
      for channel in channels.indices {
        channels[channel].withUnsafeMutableBufferPointer { samples in
          _ = samples[done...].update(fromContentsOf: UnsafeBufferPointer(start: block.channels[channel], count: part))
        }
      }
      done += part
    }
    return channels
  }

  /// The mixer, positioned at a sample.
  private func mixer(at sample: Int64) throws(CompositorError) -> AudioMixer {
    let ahead = sample - position
    if let mixer, ahead >= 0, Double(ahead) <= Self.skip * Double(source.format.sampleRate) {
      while position < sample { try mix(Int(min(Int64(block.capacity), sample - position)), with: mixer) }
      return mixer
    }
    let made = source.mixer(from: sample)
    (mixer, position) = (made, sample)
    return made
  }

  private func mix(_ count: Int, with mixer: AudioMixer) throws(CompositorError) {
    do throws(CompositorError) {
      try mixer.mix(count, into: block)
      position += Int64(count)
    } catch {
      // A step may be incomplete, so the next block starts over.
      self.mixer = nil
      throw error
    }
  }

  /// Samples in order, from a stretch that is mixed once for many backward requests.
  private func backward(_ start: Int64, _ count: Int) throws(CompositorError) -> [[Float]] {
    let end = start + Int64(count)
    if let stretch, start >= stretch.start, end <= stretch.start + Int64(stretch.channels.first?.count ?? 0) {
      let first = Int(start - stretch.start)
      return stretch.channels.map { Array($0[first..<first + count]) }
    }
    let length = max(count, source.format.sampleRate)
    let first = end - Int64(length)
    let channels = try forward(first, length)
    stretch = (first, channels)
    return channels.map { Array($0[(length - count)...]) }
  }
}
