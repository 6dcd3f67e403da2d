public import CompositorAPI
public import CompositorMediaIO

/// Mixes audio of a composition: the sum of its enabled audio tracks, or of chosen ones, each at its volume.
///
/// Samples are summed as 32-bit float and never clipped here; formats of integers clip when they are written. Pieces
/// stand at the nearest sample, at most half a sample from their time. A piece at another speed keeps its pitch
/// unless its segment says otherwise (``SegmentRetiming/pitch``).
/// Files are opened when their piece begins and closed when it ends. One owner at a time.
public final class AudioMixer: AudioSampleSource {
  private let tracks: [AudioTrackMixer]
  private var position: Int64
  /// What is done to the mix as a whole.
  private let chain: AudioProcessorChain?

  /// Prepares mixing; opens nothing yet.
  ///
  /// - Parameters:
  ///   - chosen: The audio tracks to mix, enabled or not; nil for all that are enabled.
  ///   - sampleRate: Samples a second, 8000 … 384,000.
  ///   - channelCount: Channels, 1 … 8.
  ///   - start: Composition time of the first sample.
  ///   - damaged: What happens if audio that plays is missing from a source. Default fail.
  ///   - processors: Where the processors that the mix names are looked up: a registry. Default: there are none.
  public init(
    _ composition: Composition, tracks chosen: Set<TrackID>? = nil, mix: AudioMix = AudioMix(),
    sources: some AudioSourceProvider,
    sampleRate: Int = 48_000, channelCount: Int = 2, start: MediaTime = .zero, damaged: DamagePolicy = .fail,
    processors: any AudioProcessorProvider = NoAudioProcessors()
  ) {
    let rate = max(1, sampleRate)
    let first = start.isNumeric ? start.rounded(toUnitsOf: Rational(1, rate)) : 0
    let mixed = composition.tracks(.audio).filter { chosen?.contains($0.trackID) ?? $0.isEnabled }
    tracks = mixed.map { track in
      let parameters = mix.inputParameters.first { $0.trackID == track.trackID }
      let volume = parameters?.volume ?? PropertyTimeline(default: 1)
      return AudioTrackMixer(
        track, volume: volume, sources: sources, sampleRate: rate, channelCount: channelCount, damaged: damaged,
        processors: AudioTrackMixer.Processors(uses: parameters?.processors ?? [], provider: processors, position: first))
    }
    position = first
    let sum = AudioSum(tracks: tracks, position: first)
    chain = AudioProcessorChain(
      mix.processors, provider: processors, sampleRate: rate, channelCount: channelCount, position: first
    ) { count, channels throws(CompositorError) in try sum.read(count, into: channels) }
  }

  /// The damage that was met so far.
  package var damage: MediaLosses {
    tracks.reduce(into: MediaLosses()) { $0.add($1.damage) }
  }

  /// Writes the next `count` samples of every channel to the beginning of `block`; silence where nothing plays.
  ///
  /// - Throws: `.invalidValue` where the block is too small or a piece's speed is outside 1/32 … 32, and what opening and
  ///   decoding throw, with the track and its time.
  public func mix(_ count: Int, into block: AudioBlock) throws(CompositorError) {
    guard (0...block.capacity).contains(count) else {
      throw CompositorError(
        .invalidValue, "\(count) samples do not fit a block of \(block.capacity).", recoverySuggestion: "Mix less at a time.")
    }
    if let chain {
      try chain.read(count, into: block.channels)
    } else {
      block.silence(count)
      for track in tracks { try track.add(count, from: position, to: block.channels) }
    }
    position += Int64(count)
  }
}

/// The sum of tracks, read in order.
private final class AudioSum {
  private let tracks: [AudioTrackMixer]
  private var position: Int64

  init(tracks: [AudioTrackMixer], position: Int64) { (self.tracks, self.position) = (tracks, position) }

  func read(_ count: Int, into channels: [UnsafeMutablePointer<Float>]) throws(CompositorError) {
    for channel in channels { channel.update(repeating: 0, count: count) }
    for track in tracks { try track.add(count, from: position, to: channels) }
    position += Int64(count)
  }
}

/// A provider without processors.
public struct NoAudioProcessors: AudioProcessorProvider {
  /// Makes it.
  public init() {}
  /// Nil for any name.
  public func audioProcessor(_ id: AudioProcessorID) -> AudioProcessorFactory? { nil }
}

/// Opens audio tracks of sources: a media catalog of the host, or what a test puts in its place.
public protocol AudioSourceProvider: Sendable {
  /// Opens an audio track for one owner.
  ///
  /// - Throws: What opening a file throws; `.trackNotFound` where there is no such track.
  func openAudio(
    _ source: MediaSource, trackIndex: Int, options: AudioReaderOptions
  ) throws(CompositorError) -> any AudioReader
}

/// Mixed audio, in order from the start of an export.
package protocol AudioSampleSource: AnyObject {
  /// Writes the next `count` samples of each channel to the beginning of `block`.
  func mix(_ count: Int, into block: AudioBlock) throws(CompositorError)
  /// The damage that was met so far.
  var damage: MediaLosses { get }
}
