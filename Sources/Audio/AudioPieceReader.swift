import CompositorAPI
import CompositorMediaIO

/// Reads the samples of one track of a composition from its files, with silence between pieces. Holds at most one open file,
/// and briefly the next or the previous one if one continues the other.
final class AudioPieceReader: AudioStage {
  private let trackID: TrackID
  private let pieces: [AudioPiece]
  private let sources: any AudioSourceProvider
  private let options: AudioReaderOptions
  /// Index of the current or next piece.
  private var index = 0
  private var current = OpenedPiece()
  private var openedAhead: OpenedPiece?
  /// The previous piece, while it fades into the current one.
  private var fading: OpenedPiece?
  private var damageOfClosedPieces = MediaLosses()
  private let scratch: AudioBlock

  /// A piece and its reader, which is `nil` until the piece is opened. If the piece cannot be opened and damage is tolerated,
  /// it is left out: the reader stays `nil`, and the piece is silent.
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

  /// The damage found so far.
  var damage: MediaLosses {
    var damage = damageOfClosedPieces
    if let reader = current.reader, index < pieces.count { damage.add(reader.damage, in: pieces[index].track) }
    return damage
  }

  /// The ranges of all pieces in samples, sorted; ranges that touch are merged.
  var playingRanges: [Range<Int64>] {
    pieces.reduce(into: []) { ranges, piece in
      if let last = ranges.last, last.upperBound == piece.range.lowerBound {
        ranges[ranges.count - 1] = last.lowerBound..<piece.range.upperBound
      } else {
        ranges.append(piece.range)
      }
    }
  }

  /// Whether nothing plays in a range, which must not begin before the last range that was read.
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
        try crossFade(at: index, part, in: block, at: first)
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
    fading = fade(after: index) == nil ? nil : current
    current = openedAhead ?? OpenedPiece()
    openedAhead = nil
    index += 1
  }

  private func read(
    _ piece: AudioPiece, _ part: Range<Int64>, into block: AudioBlock, at first: Int
  ) throws(CompositorError) {
    do throws(CompositorError) {
      try openCurrent(piece)
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

  /// Opens the current piece. If reading begins in it, a file that it continues is opened for a moment.
  private func openCurrent(_ piece: AudioPiece) throws(CompositorError) {
    guard current.reader == nil, !current.isLeftOut else { return }
    try open(&current, piece)
    guard index > 0, let reader = current.reader as? any JoinableAudioReader, pieces[index - 1].mayContinue(in: piece) else {
      return
    }
    var opened = OpenedPiece()
    try open(&opened, pieces[index - 1])
    guard let previous = opened.reader as? any JoinableAudioReader else { return }
    _ = try previous.continueRecording(in: reader, at: pieces[index - 1].mediaRange.end, from: piece.mediaRange.start)
  }

  /// If the next piece follows this one without a gap, gives both readers the samples beyond the seam before they need them, so
  /// that consecutive files are resampled like a single file, and parts of one recording are decoded like one.
  private func joinNext(to piece: AudioPiece, before end: Int64) throws(CompositorError) {
    guard openedAhead == nil, index + 1 < pieces.count, let reader = current.reader as? any JoinableAudioReader else { return }
    let next = pieces[index + 1]
    let mayContinue = piece.mayContinue(in: next)
    let reach = max(reader.joiningReach, mayContinue ? options.sampleRate / 2 : 0)
    guard next.range.lowerBound == piece.range.upperBound, piece.speed == 1, next.speed == 1,
      end + Int64(reach) >= piece.range.upperBound, reach > 0
    else { return }
    var opened = OpenedPiece()
    try open(&opened, next)
    openedAhead = opened
    guard let following = opened.reader as? any JoinableAudioReader else { return }
    let (end, start) = (piece.mediaRange.end, next.mediaRange.start)
    if mayContinue, try reader.continueRecording(in: following, at: end, from: start) { return }
    try reader.join(following, at: end, from: start)
  }
}

/// Pieces that continue each other at other speeds.
extension AudioPieceReader {
  /// The range in which a piece fades into the next one; `nil` if that one doesn't continue its media at another speed.
  private func fade(after index: Int) -> Range<Int64>? {
    guard index >= 0, index + 1 < pieces.count else { return nil }
    return pieces[index].fade(into: pieces[index + 1], sampleRate: options.sampleRate)
  }

  /// Mixes the neighbors of a piece into a part of it that was read into a block from `first` on.
  private func crossFade(
    at index: Int, _ part: Range<Int64>, in block: AudioBlock, at first: Int
  ) throws(CompositorError) {
    if let range = fade(after: index - 1), fading != nil {
      if range.overlaps(part), let reader = fading?.reader {
        try mix(reader, pieces[index - 1].offset, over: range, part, in: block, at: first, isRising: false)
      }
      if part.upperBound >= range.upperBound { fading = nil }
    }
    guard let range = fade(after: index), range.overlaps(part) else { return }
    var next = openedAhead ?? OpenedPiece()
    try open(&next, pieces[index + 1])
    openedAhead = next
    guard let reader = next.reader else { return }
    try mix(reader, pieces[index + 1].offset, over: range, part, in: block, at: first, isRising: true)
  }

  /// Fades from or to the samples of another reader.
  private func mix(
    _ reader: any AudioReader, _ offset: Int64, over range: Range<Int64>, _ part: Range<Int64>, in block: AudioBlock,
    at first: Int, isRising: Bool
  ) throws(CompositorError) {
    let common = range.clamped(to: part)
    try reader.read(frameCount: common.count, at: common.lowerBound + offset, into: scratch.channels)
    let start = first + Int(common.lowerBound - part.lowerBound)
    for (target, other) in zip(block.channels, scratch.channels) {
      for index in 0..<common.count {
        let progress = (Float(common.lowerBound + Int64(index) - range.lowerBound) + 0.5) / Float(range.count)
        let smooth = progress * progress * (3 - 2 * progress)
        let weight = isRising ? smooth : 1 - smooth
        target[start + index] += (other[index] - target[start + index]) * weight
      }
    }
  }
}

extension AudioPiece {
  /// The track of the source that the piece plays.
  var track: MediaLosses.Track { MediaLosses.Track(source, .audio, trackIndex) }
}
