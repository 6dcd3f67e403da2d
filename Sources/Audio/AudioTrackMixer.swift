import CompositorAPI
import CompositorMediaIO

/// Adds one track of a composition to a mix, its samples taken in order; holds at most one open file.
final class AudioTrackMixer {
  /// What is done to a track's samples, from which sample on.
  struct Processors {
    let uses: [AudioProcessorUse]
    let provider: any AudioProcessorProvider
    let position: Int64
  }

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
  /// What is done to the track's samples, and what came out of it.
  private var chain: AudioProcessorChain?
  private var processedSamples: AudioBlock?
  /// The next sample that the chain is given.
  private var unprocessed: Int64
  private let damaged: DamagePolicy
  private var damageOfClosedPieces = MediaLosses()
  /// Whether the piece that plays now could not be opened, and is left out.
  private var isLeftOut = false

  init(
    _ track: CompositionTrack, volume: PropertyTimeline<Double>, sources: any AudioSourceProvider, sampleRate: Int,
    channelCount: Int,
    damaged: DamagePolicy, processors: Processors
  ) {
    unprocessed = processors.position
    trackID = track.trackID
    pieces = track.segments.compactMap { AudioPiece($0, sampleRate: sampleRate) }
    self.volume = volume
    self.sources = sources
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.damaged = damaged
    chain = AudioProcessorChain(
      processors.uses, provider: processors.provider, sampleRate: sampleRate, channelCount: channelCount,
      position: processors.position
    ) { [unowned self] count, channels throws(CompositorError) in try readPieces(count, into: channels) }
  }

  /// The damage that was met so far.
  var damage: MediaLosses {
    var damage = damageOfClosedPieces
    if let reader, index < pieces.count { damage.add(reader.damage, in: pieces[index].track) }
    return damage
  }

  /// Adds samples `position` ..< `position + count` to the beginning of `sums`.
  func add(_ count: Int, from position: Int64, to sums: [UnsafeMutablePointer<Float>]) throws(CompositorError) {
    guard let chain else { return try addPieces(count, from: position, to: sums) }
    let samples = processed(holding: count)
    do throws(CompositorError) {
      try chain.read(count, into: samples.channels)
    } catch {
      throw error.locating(ErrorLocation(track: trackID))
    }
    apply(position..<position + Int64(count), of: samples, to: sums)
  }

  /// Adds the pieces that play, each at the track's volume; without processors.
  private func addPieces(
    _ count: Int, from position: Int64, to sums: [UnsafeMutablePointer<Float>]
  ) throws(CompositorError) {
    try eachPiece(count, from: position) { samples, part throws(CompositorError) in
      apply(part, of: samples, to: sums.map { $0 + Int(part.lowerBound - position) })
    }
  }

  /// The pieces alone, for the processors, which come before volume and pan.
  private func readPieces(_ count: Int, into channels: [UnsafeMutablePointer<Float>]) throws(CompositorError) {
    for channel in channels { channel.update(repeating: 0, count: count) }
    let position = unprocessed
    try eachPiece(count, from: position) { samples, part throws(CompositorError) in
      for (source, channel) in zip(samples.channels, channels) {
        (channel + Int(part.lowerBound - position)).update(from: source, count: part.count)
      }
    }
    unprocessed += Int64(count)
  }

  private func apply(_ part: Range<Int64>, of samples: AudioBlock, to sums: [UnsafeMutablePointer<Float>]) {
    for run in GainSegment.runs(of: volume, over: part, sampleRate: sampleRate) {
      let offset = Int(run.range.lowerBound - part.lowerBound)
      for (source, sum) in zip(samples.channels, sums) { run.add(source + offset, to: sum + offset) }
    }
  }

  private func eachPiece(
    _ count: Int, from position: Int64, _ body: (AudioBlock, Range<Int64>) throws(CompositorError) -> Void
  ) throws(CompositorError) {
    let end = position + Int64(count)
    while index < pieces.count, pieces[index].range.lowerBound < end {
      let piece = pieces[index]
      let part = max(piece.range.lowerBound, position)..<max(position, min(piece.range.upperBound, end))
      if part.lowerBound < part.upperBound, let samples = try samples(of: piece, part) { try body(samples, part) }
      guard piece.range.upperBound <= end else { return }
      damageOfClosedPieces = damage
      reader = nil
      isLeftOut = false
      index += 1
    }
  }

  /// Nil for a piece that is left out.
  private func samples(of piece: AudioPiece, _ part: Range<Int64>) throws(CompositorError) -> AudioBlock? {
    do throws(CompositorError) {
      guard let reader = try openedReader(of: piece) else { return nil }
      let samples = scratch(holding: part.count)
      try reader.read(frameCount: part.count, at: part.lowerBound + piece.offset, into: samples.channels)
      return samples
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

  private func scratch(holding count: Int) -> AudioBlock {
    if let scratch, scratch.capacity >= count { return scratch }
    let made = AudioBlock(channelCount: channelCount, capacity: max(count, 4096))
    scratch = made
    return made
  }

  private func processed(holding count: Int) -> AudioBlock {
    if let processedSamples, processedSamples.capacity >= count { return processedSamples }
    let made = AudioBlock(channelCount: channelCount, capacity: max(count, 4096))
    processedSamples = made
    return made
  }
}

extension AudioPiece {
  /// The source's track that it plays.
  fileprivate var track: MediaLosses.Track { MediaLosses.Track(source, .audio, trackIndex) }
}
