import CompositorAPI
import CompositorMediaIO

/// The samples of one track of a composition as its files have them, silence between pieces; holds at most one open file, and for
/// a moment the next one beside it where the two continue each other.
final class AudioPieceReader: AudioStage {
  private let trackID: TrackID
  private let pieces: [AudioPiece]
  private let sources: any AudioSourceProvider
  private let options: AudioReaderOptions
  /// The piece that plays now or next.
  private var index = 0
  private var current = OpenedPiece()
  private var openedAhead: OpenedPiece?
  private var damageOfClosedPieces = MediaLosses()
  private let scratch: AudioBlock

  /// A piece's reader, nil before it is opened, and if it could not be and damage is kept: the piece is silent then.
  private struct OpenedPiece {
    var reader: (any AudioReader)?
    var isLeftOut = false
  }

  init(_ track: CompositionTrack, sources: any AudioSourceProvider, options: AudioReaderOptions) {
    trackID = track.trackID
    pieces = AudioPiece.all(of: track, sampleRate: options.sampleRate)
    self.sources = sources
    self.options = options
    scratch = AudioBlock(channelCount: options.channelCount, capacity: AudioChunk.size)
  }

  /// The damage that was met so far.
  var damage: MediaLosses {
    var damage = damageOfClosedPieces
    if let reader = current.reader, index < pieces.count { damage.add(reader.damage, in: pieces[index].track) }
    return damage
  }

  /// Where pieces play, in samples; sorted, those that touch as one.
  var playingRanges: [Range<Int64>] {
    pieces.reduce(into: []) { ranges, piece in
      if let last = ranges.last, last.upperBound == piece.range.lowerBound {
        ranges[ranges.count - 1] = last.lowerBound..<piece.range.upperBound
      } else {
        ranges.append(piece.range)
      }
    }
  }

  /// Whether nothing plays in a range that does not begin before what was read last.
  func isSilent(in range: Range<Int64>) -> Bool {
    guard index < pieces.count else { return true }
    return pieces[index].range.lowerBound >= range.upperBound
  }

  func render(_ count: Int, from position: Int64, into block: AudioBlock) throws(CompositorError) {
    let end = position + Int64(count)
    var filled = 0
    while index < pieces.count, pieces[index].range.lowerBound < end {
      let piece = pieces[index]
      let part = max(piece.range.lowerBound, position)..<max(position, min(piece.range.upperBound, end))
      if part.lowerBound < part.upperBound {
        let first = Int(part.lowerBound - position)
        silence(block, filled..<first)
        try read(piece, part, into: block, at: first)
        filled = first + part.count
      }
      guard piece.range.upperBound <= end else { break }
      closePiece()
    }
    silence(block, filled..<count)
  }

  private func silence(_ block: AudioBlock, _ range: Range<Int>) {
    guard !range.isEmpty else { return }
    for channel in block.channels { (channel + range.lowerBound).update(repeating: 0, count: range.count) }
  }

  private func closePiece() {
    damageOfClosedPieces = damage
    current = openedAhead ?? OpenedPiece()
    openedAhead = nil
    index += 1
  }

  private func read(
    _ piece: AudioPiece, _ part: Range<Int64>, into block: AudioBlock, at first: Int
  ) throws(CompositorError) {
    do throws(CompositorError) {
      try open(&current, piece)
      guard let reader = current.reader else { return silence(block, first..<first + part.count) }
      try joinNext(to: piece, before: part.upperBound)
      if first == 0 {
        return try reader.read(frameCount: part.count, at: part.lowerBound + piece.offset, into: block.channels)
      }
      try reader.read(frameCount: part.count, at: part.lowerBound + piece.offset, into: scratch.channels)
      for (target, source) in zip(block.channels, scratch.channels) { (target + first).update(from: source, count: part.count) }
    } catch {
      let time = MediaTime(value: part.lowerBound, timescale: Int32(clamping: options.sampleRate))
      throw error.locating(ErrorLocation(file: piece.source.description, track: trackID, time: time))
    }
  }

  private func open(_ opened: inout OpenedPiece, _ piece: AudioPiece) throws(CompositorError) {
    guard opened.reader == nil, !opened.isLeftOut else { return }
    do {
      opened.reader = try piece.open(from: sources, options: options)
    } catch {
      guard options.damaged == .keep, error.isDamage || error.code == .trackNotFound else { throw error }
      opened.isLeftOut = true
      damageOfClosedPieces.add([error.damage(at: nil)], in: piece.track)
    }
  }

  /// Where the next piece stands gapless after this one, gives both readers the samples beyond the seam before they need them, so that
  /// a file that goes on in another is resampled as if it were one.
  private func joinNext(to piece: AudioPiece, before end: Int64) throws(CompositorError) {
    guard openedAhead == nil, index + 1 < pieces.count, let reader = current.reader as? any JoinableAudioReader else { return }
    let next = pieces[index + 1]
    guard next.range.lowerBound == piece.range.upperBound, piece.speed == 1, next.speed == 1,
      end + Int64(reader.joiningReach) >= piece.range.upperBound, reader.joiningReach > 0
    else { return }
    var opened = OpenedPiece()
    try open(&opened, next)
    openedAhead = opened
    guard let following = opened.reader as? any JoinableAudioReader else { return }
    try reader.join(following, at: piece.mediaRange.end, from: next.mediaRange.start)
  }
}

extension AudioPiece {
  /// The source's track that it plays.
  var track: MediaLosses.Track { MediaLosses.Track(source, .audio, trackIndex) }
}
