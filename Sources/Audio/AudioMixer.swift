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

  /// Prepares mixing; opens nothing yet.
  ///
  /// - Parameters:
  ///   - chosen: The audio tracks to mix, enabled or not; nil for all that are enabled.
  ///   - sampleRate: Samples a second, 8000 … 384,000.
  ///   - channelCount: Channels, 1 … 8.
  ///   - start: Composition time of the first sample.
  ///   - damaged: What happens if audio that plays is missing from a source. Default fail.
  public init(
    _ composition: Composition, tracks chosen: Set<TrackID>? = nil, mix: AudioMix = AudioMix(),
    sources: some AudioSourceProvider,
    sampleRate: Int = 48_000, channelCount: Int = 2, start: MediaTime = .zero, damaged: DamagePolicy = .fail
  ) {
    let rate = max(1, sampleRate)
    let mixed = composition.tracks(.audio).filter { chosen?.contains($0.trackID) ?? $0.isEnabled }
    tracks = mixed.map { track in
      let volume = mix.inputParameters.first { $0.trackID == track.trackID }?.volume ?? PropertyTimeline(default: 1)
      return AudioTrackMixer(
        track, volume: volume, sources: sources, sampleRate: rate, channelCount: channelCount, damaged: damaged)
    }
    position = start.isNumeric ? start.rounded(toUnitsOf: Rational(1, rate)) : 0
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
    block.silence(count)
    for track in tracks { try track.add(count, from: position, to: block) }
    position += Int64(count)
  }
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
