import CCompositorAudioKernels
import CompositorAPI
import CompositorMediaIO

/// Mixes one track: reads its files, then applies processors, volume, pan and ducking, in this order.
final class AudioTrackMixer {
  let trackID: TrackID
  let pieces: AudioPieceReader
  /// The pieces, or the processors applied to them.
  private let source: any AudioStage
  private let volume: GainCurve
  /// `nil` if the pan is always centered.
  private let pan: GainCurve?
  private let sides: [ChannelSide]
  private let sampleRate: Int
  /// The duckers that lower the track.
  var duckers: [AudioDucker] = []
  /// Whether the track's level lowers other tracks, which requires its samples with the volume applied.
  var isMeasured = false
  /// The samples of the last chunk, with the volume applied unless `addsVolume`.
  let samples: AudioBlock
  private var isSilent = true
  private var gains = Array(repeating: Float(1), count: AudioChunk.size)

  init(
    _ track: CompositionTrack, parameters: AudioMixInputParameters?, sources: any AudioSourceProvider,
    options: AudioReaderOptions,
    processing: AudioProcessing
  ) {
    trackID = track.trackID
    sampleRate = options.sampleRate
    let parameters = parameters ?? AudioMixInputParameters(trackID: track.trackID)
    pieces = AudioPieceReader(track, sources: sources, options: options)
    source = processing.chain(parameters.processors, after: pieces, track: track.trackID)
    volume = GainCurve(parameters.volume, sampleRate: options.sampleRate)
    let pan = GainCurve(parameters.pan, sampleRate: options.sampleRate)
    self.pan = pan.isAlways(0) ? nil : pan
    sides = ChannelSide.all(channelCount: options.channelCount)
    samples = AudioBlock(channelCount: options.channelCount, capacity: AudioChunk.size)
  }

  /// Whether the volume is applied while samples are added, because nothing else needs the samples with the volume applied.
  private var addsVolume: Bool { !isMeasured && pan == nil && duckers.isEmpty }

  /// Renders samples `position` ..< `position + count`.
  func render(_ count: Int, from position: Int64) throws(CompositorError) {
    let range = position..<position + Int64(count)
    isSilent = source === pieces && pieces.isSilent(in: range)
    if isSilent {
      if isMeasured { samples.silence(count) }
      return
    }
    try source.render(count, from: position, into: samples)
    if !addsVolume { volume.apply(to: samples.channels, over: range) }
  }

  /// Adds the most recently rendered samples to the beginning of `block`.
  func add(_ count: Int, from position: Int64, to block: AudioBlock) {
    guard !isSilent else { return }
    let range = position..<position + Int64(count)
    if addsVolume { return volume.add(samples.channels, to: block.channels, over: range) }
    pan?.balance(samples.channels, sides: sides, over: range)
    AudioDucker.lowerDeepest(duckers, samples.channels, count: count, gains: &gains)
    for (source, sum) in zip(samples.channels, block.channels) { cak_add(source, sum, Int32(count)) }
  }
}
