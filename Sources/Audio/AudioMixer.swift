public import CompositorAPI
public import CompositorMediaIO
import CompositorPlatform

/// Mixes the audio of a composition: its enabled or chosen audio tracks, as its `AudioMix` describes.
///
/// The order per track is: files, processors, volume, pan, ducking. The sum goes through the processors, the volume and the
/// gain of the mix, then the limiter. Samples are 32-bit floats that are never clipped here; integer formats clip when they are
/// written.
///
/// Blocks of any size give the same samples. Pieces start at the nearest sample; resampled pieces start at exactly their time.
/// Files are opened when their piece begins and closed when it ends. One owner at a time.
///
/// ```swift
/// let mixer = AudioMixer(edit.composition, mix: edit.audioMix, sources: catalog, destination: .integer)
/// let block = AudioBlock(channelCount: 2, capacity: 4096)
/// try mixer.mix(4096, into: block)
/// ```
public final class AudioMixer: AudioSampleSource {
  private let sum: TrackSum
  private let output: any AudioStage
  private let chunk: AudioBlock
  private let sampleRate: Int
  /// The next sample to render. During the preroll of stages with memory, it is before the first requested sample.
  private var position: Int64
  private let start: Int64
  private var meter: AudioMeter?
  private let measures: Bool

  /// Prepares mixing without opening any file.
  ///
  /// - Parameters:
  ///   - chosen: The audio tracks to mix, enabled or not; `nil` for all enabled tracks.
  ///   - sampleRate: Sample rate in Hz, 8000 … 384,000.
  ///   - channelCount: Number of channels, 1 … 8.
  ///   - start: Composition time of the first sample.
  ///   - damaged: The policy for audio that is missing from a source. Default `.fail`.
  ///   - destination: The destination of the samples, which decides whether `AudioLimiting.automatic` limits. Default floats,
  ///     which are not limited.
  ///   - gain: Gain in dB, after the volume of the mix and before the limiter. An export determines it to reach
  ///     `AudioMix.loudness`, which a mixer cannot know. Default 0.
  ///   - processors: The registry of the processors that the mix names. Default: none.
  public convenience init(
    _ composition: Composition, tracks chosen: Set<TrackID>? = nil, mix: AudioMix = AudioMix(),
    sources: some AudioSourceProvider,
    sampleRate: Int = 48_000, channelCount: Int = 2, start: MediaTime = .zero, damaged: DamagePolicy = .fail,
    destination: AudioDestination = .float, gain: Double = 0, processors: any AudioProcessorProvider = NoAudioProcessors()
  ) {
    self.init(
      composition, tracks: chosen, mix: mix, sources: sources, sampleRate: sampleRate, channelCount: channelCount, start: start,
      damaged: damaged, destination: destination, gain: gain, processors: processors, measures: false)
  }

  /// - Parameter measures: Whether loudness and true peak of the mix are measured: see ``loudness()``.
  package init(
    _ composition: Composition, tracks chosen: Set<TrackID>? = nil, mix: AudioMix = AudioMix(),
    sources: some AudioSourceProvider,
    sampleRate: Int = 48_000, channelCount: Int = 2, start: MediaTime = .zero, damaged: DamagePolicy = .fail,
    destination: AudioDestination = .float, gain: Double = 0, processors: any AudioProcessorProvider = NoAudioProcessors(),
    measures: Bool
  ) {
    let (rate, channelCount) = (max(1, sampleRate), max(1, channelCount))
    let options = AudioReaderOptions(
      sampleRate: rate, channelCount: channelCount, damaged: damaged, downmix: mix.downmix)
    let first = start.isNumeric ? start.rounded(toUnitsOf: Rational(1, rate)) : 0
    self.start = first
    // Ducked tracks have their depth from the first sample.
    position = min(first, max(0, first - mix.ducking.map { $0.memory(sampleRate: rate) }.max(or: 0)))
    let processing = AudioProcessing(
      provider: processors, sampleRate: rate, channelCount: channelCount, position: position)
    let mixed = composition.tracks(.audio).filter { chosen?.contains($0.trackID) ?? $0.isEnabled }
    sum = TrackSum(
      mixed.map { track in
        AudioTrackMixer(
          track, parameters: mix.inputParameters.first { $0.trackID == track.trackID }, sources: sources, options: options,
          processing: processing)
      }, ducking: mix.ducking, sampleRate: rate, start: position)
    let processed = processing.chain(mix.processors, after: sum)
    let raised = MixVolume(processed, mix.volume, gain: gain, sampleRate: rate)
    if let ceiling = mix.limiting.ceiling(for: destination) {
      output = AudioLimiter(
        raised, ceiling: ceiling, isPrecise: destination != .lossy, sampleRate: rate, channelCount: channelCount)
    } else {
      output = raised
    }
    chunk = AudioBlock(channelCount: channelCount, capacity: AudioChunk.size)
    self.sampleRate = rate
    self.measures = measures
  }

  /// The damage found so far.
  package var damage: MediaLosses { sum.damage }

  /// Writes the next `count` samples of every channel to the beginning of `block`, with silence if nothing plays.
  ///
  /// - Throws: `.invalidValue` if the block is too small or has another number of channels; the errors of opening and decoding, with the track and its time.
  public func mix(_ count: Int, into block: AudioBlock) throws(CompositorError) {
    guard (0...block.capacity).contains(count), block.channelCount == chunk.channelCount else {
      throw CompositorError(
        .invalidValue,
        "\(count) samples of \(chunk.channelCount) channels do not fit a block of \(block.capacity) of \(block.channelCount).",
        recoverySuggestion: "Mix less at a time, into a block with the channels of the mix.")
    }
    while position < start {
      let part = Int(min(Int64(AudioChunk.size), start - position))
      try output.render(part, from: position, into: chunk)
      position += Int64(part)
    }
    var done = 0
    while done < count {
      let part = min(AudioChunk.size, count - done)
      let target = done == 0 ? block : chunk
      try output.render(part, from: position, into: target)
      try measure(target, part)
      if done > 0 {
        for (samples, made) in zip(block.channels, chunk.channels) { (samples + done).update(from: made, count: part) }
      }
      position += Int64(part)
      done += part
    }
  }

  private func measure(_ block: AudioBlock, _ count: Int) throws(CompositorError) {
    guard measures else { return }
    let meter: AudioMeter
    if let existing = self.meter {
      meter = existing
    } else {
      meter = try AudioMeter(sampleRate: sampleRate, channelCount: block.channelCount)
      self.meter = meter
    }
    try meter.add(block, count)
  }

  /// The loudness of everything mixed, after the end of the mix; `nil` if it is not measured or nothing was mixed.
  package func loudness() throws(CompositorError) -> AudioLoudness? {
    guard let meter else { return nil }
    return try meter.finish()
  }
}

extension AudioDucking {
  /// The number of earlier samples that affect the depth if levels trigger the ducking.
  fileprivate func memory(sampleRate: Int) -> Int64 {
    guard case .level = trigger else { return 0 }
    let times = attack + hold + release
    guard times.isNumeric, times.seconds < 3600 else { return 0 }
    return times.rounded(toUnitsOf: Rational(1, sampleRate)) + Int64(sampleRate / 10)
  }
}

extension [Int64] {
  fileprivate func max(or other: Int64) -> Int64 { self.max() ?? other }
}

/// The sum of the tracks, including ducked ones.
private final class TrackSum: AudioStage {
  private let tracks: [AudioTrackMixer]
  private let duckers: [AudioDucker]

  init(_ tracks: [AudioTrackMixer], ducking: [AudioDucking], sampleRate: Int, start: Int64) {
    self.tracks = tracks
    duckers = ducking.map { ducking in
      let triggers = tracks.filter { ducking.triggerTracks.contains($0.trackID) }
      let ducker = AudioDucker(ducking, triggers: triggers, sampleRate: sampleRate, start: start)
      for track in tracks where ducking.loweredTracks.contains(track.trackID) { track.duckers.append(ducker) }
      return ducker
    }
  }

  var damage: MediaLosses {
    tracks.reduce(into: MediaLosses()) { $0.add($1.pieces.damage) }
  }

  func render(_ count: Int, from position: Int64, into block: AudioBlock) throws(CompositorError) {
    for track in tracks { try track.render(count, from: position) }
    for ducker in duckers { try ducker.follow(count, from: position) }
    block.silence(count)
    for track in tracks { track.add(count, from: position, to: block) }
  }
}

/// Applies the volume of the mix, and a gain.
private final class MixVolume: AudioStage {
  private let source: any AudioStage
  private let volume: GainCurve
  private let gain: GainCurve

  /// - Parameter gain: Gain in dB.
  init(_ source: any AudioStage, _ volume: PropertyTimeline<Double>, gain: Double, sampleRate: Int) {
    self.source = source
    self.volume = GainCurve(volume, sampleRate: sampleRate)
    self.gain = GainCurve(PropertyTimeline(default: gain == 0 ? 1 : pow(10, gain / 20)), sampleRate: sampleRate)
  }

  func render(_ count: Int, from position: Int64, into block: AudioBlock) throws(CompositorError) {
    try source.render(count, from: position, into: block)
    let range = position..<position + Int64(count)
    volume.apply(to: block.channels, over: range)
    gain.apply(to: block.channels, over: range)
  }
}

/// A provider without any processors.
public struct NoAudioProcessors: AudioProcessorProvider {
  /// Creates the provider.
  public init() {}
  /// Always `nil`.
  public func audioProcessor(_ id: AudioProcessorID) -> AudioProcessorFactory? { nil }
}

/// Opens audio tracks of sources, like the host's media catalog. Tests may provide their own.
public protocol AudioSourceProvider: Sendable {
  /// Opens an audio track for one owner.
  ///
  /// - Throws: The errors of opening a file; `.trackNotFound` if there is no such track.
  func openAudio(
    _ source: MediaSource, trackIndex: Int, options: AudioReaderOptions
  ) throws(CompositorError) -> any AudioReader
}

/// Mixed audio in order, from the start of an export.
package protocol AudioSampleSource: AnyObject {
  /// Writes the next `count` samples of each channel to the beginning of `block`.
  func mix(_ count: Int, into block: AudioBlock) throws(CompositorError)
  /// The damage found so far.
  var damage: MediaLosses { get }
  /// The loudness of everything mixed, after the end of the mix; `nil` if it is not measured.
  func loudness() throws(CompositorError) -> AudioLoudness?
}
