import CompositorAPI
import CompositorMediaIO

/// Adds one track of a composition to a mix, its samples taken in order; holds at most one open file.
final class AudioTrackMixer {
  private let trackID: TrackID
  private let pieces: [AudioPiece]
  private let volume: PropertyTimeline<Double>
  private let sources: any AudioSourceProvider
  private let sampleRate: Int
  private let channelCount: Int
  /// The piece that plays now or next.
  private var index = 0
  private var reader: (any AudioReader)?
  private var scratch: AudioBlock?
  private let damaged: DamagePolicy
  private var damageOfClosedPieces = MediaLosses()
  /// Whether the piece that plays now could not be opened, and is left out.
  private var isLeftOut = false

  init(
    _ track: CompositionTrack, volume: PropertyTimeline<Double>, sources: any AudioSourceProvider, sampleRate: Int,
    channelCount: Int,
    damaged: DamagePolicy
  ) {
    trackID = track.trackID
    pieces = track.segments.compactMap { AudioPiece($0, sampleRate: sampleRate) }
    self.volume = volume
    self.sources = sources
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.damaged = damaged
  }

  /// The damage that was met so far.
  var damage: MediaLosses {
    var damage = damageOfClosedPieces
    if let reader, index < pieces.count { damage.add(reader.damage, in: pieces[index].track) }
    return damage
  }

  /// Adds samples `position` ..< `position + count` to the beginning of `block`.
  func add(_ count: Int, from position: Int64, to block: AudioBlock) throws(CompositorError) {
    let end = position + Int64(count)
    while index < pieces.count, pieces[index].range.lowerBound < end {
      let piece = pieces[index]
      let part = max(piece.range.lowerBound, position)..<max(position, min(piece.range.upperBound, end))
      if part.lowerBound < part.upperBound { try add(piece, part, to: block, at: Int(part.lowerBound - position)) }
      guard piece.range.upperBound <= end else { return }
      damageOfClosedPieces = damage
      reader = nil
      isLeftOut = false
      index += 1
    }
  }

  private func add(
    _ piece: AudioPiece, _ part: Range<Int64>, to block: AudioBlock, at first: Int
  ) throws(CompositorError) {
    do throws(CompositorError) {
      guard let reader = try openedReader(of: piece) else { return }
      let samples = scratch(holding: part.count, like: block)
      try reader.read(frameCount: part.count, at: part.lowerBound + piece.offset, into: samples.channels)
      for run in GainSegment.runs(of: volume, over: part, sampleRate: sampleRate) {
        let offset = Int(run.range.lowerBound - part.lowerBound)
        for (source, sum) in zip(samples.channels, block.channels) { run.add(source + offset, to: sum + first + offset) }
      }
    } catch {
      let time = MediaTime(value: part.lowerBound, timescale: Int32(clamping: sampleRate))
      throw error.locating(ErrorLocation(file: piece.source.description, track: trackID, time: time))
    }
  }

  /// Nil if the track cannot be opened and damage is kept: the piece is silent then.
  private func openedReader(of piece: AudioPiece) throws(CompositorError) -> (any AudioReader)? {
    if reader != nil || isLeftOut { return reader }
    let options = AudioReaderOptions(
      sampleRate: sampleRate, channelCount: channelCount, damaged: damaged)
    do {
      reader = try piece.open(from: sources, options: options)
    } catch {
      guard damaged == .keep, error.isDamage || error.code == .trackNotFound else { throw error }
      isLeftOut = true
      damageOfClosedPieces.add([error.damage(at: nil)], in: piece.track)
    }
    return reader
  }

  private func scratch(holding count: Int, like block: AudioBlock) -> AudioBlock {
    if let scratch, scratch.capacity >= count { return scratch }
    let made = AudioBlock(channelCount: channelCount, capacity: max(count, block.capacity))
    scratch = made
    return made
  }
}

extension AudioPiece {
  /// The source's track that it plays.
  fileprivate var track: MediaLosses.Track { MediaLosses.Track(source, .audio, trackIndex) }
}
