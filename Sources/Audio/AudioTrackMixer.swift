import CCompositorAudioKernels
import CompositorAPI
import CompositorMediaIO

/// One track in a mix, its samples taken in order: files, processors, volume, pan, ducking.
final class AudioTrackMixer {
  let trackID: TrackID
  let pieces: AudioPieceReader
  /// The pieces, or what processors make of them.
  private let source: any AudioStage
  private let volume: GainCurve
  /// nil in the middle, always.
  private let pan: GainCurve?
  private let sides: [ChannelSide]
  private let sampleRate: Int
  /// What lowers it.
  var duckers: [AudioDucker] = []
  /// Whether others are lowered by its level, so that its samples are needed at their volume.
  var isMeasured = false
  /// The samples of the chunk that was rendered last, at their volume unless `addsVolume`.
  let samples: AudioBlock
  private var isSilent = true

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

  /// Whether the volume is multiplied while the samples are added: nothing else needs them.
  private var addsVolume: Bool { !isMeasured && pan == nil && duckers.isEmpty }

  /// Makes samples `position` ..< `position + count` ready.
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

  /// Adds what was rendered last to the beginning of `block`.
  func add(_ count: Int, from position: Int64, to block: AudioBlock) {
    guard !isSilent else { return }
    let range = position..<position + Int64(count)
    if addsVolume { return volume.add(samples.channels, to: block.channels, over: range) }
    pan?.balance(samples.channels, sides: sides, over: range)
    for ducker in duckers { ducker.lower(samples.channels) }
    for (source, sum) in zip(samples.channels, block.channels) { cak_add(source, sum, Int32(count)) }
  }
}
