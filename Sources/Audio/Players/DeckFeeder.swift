import CompositorAPI
import CompositorMediaIO
import Dispatch
import Synchronization

/// Opens files and decodes for the decks of a mixer, on a thread of its own in real time and otherwise on the pulling thread.
final class DeckFeeder: Sendable {
  /// An open file, or one to be opened.
  private struct Producer {
    let deck: Deck
    var reader: (any AudioReader)?
    var extent: Deck.Extent?
    /// The entry's next sample.
    var next: Int64 = 0
    /// A deck of the same asset whose reader is reused, so that a seek opens no file.
    var predecessor: Deck?
  }

  private let sources: any AudioSourceProvider
  private let configuration: ChannelMixer.Configuration
  /// Number of chunks decoded ahead for each deck.
  private let limit: Int
  /// Locked while decoding; a pull in real time never takes it.
  private let producers: Mutex<[Producer]>
  private let requests = Mutex<[(deck: Deck, predecessor: Deck?)]>([])
  private let queue = DispatchQueue(label: "compositor.channels", qos: .userInteractive)
  private let isScheduled = Atomic<Bool>(false)

  init(sources: some AudioSourceProvider, configuration: ChannelMixer.Configuration) {
    self.sources = sources
    self.configuration = configuration
    let samples = configuration.bufferDuration.rounded(toUnitsOf: Rational(1, configuration.sampleRate))
    limit = max(2, Int(samples) / Deck.Chunk.size)
    producers = Mutex([])
  }

  /// Adds a deck. Nothing is opened yet.
  func add(_ deck: Deck, replacing predecessor: Deck?) { requests.withLock { $0.append((deck, predecessor)) } }

  /// Decodes the next chunk of a deck on this thread.
  func feed(_ deck: Deck) {
    producers.withLock { producers in
      takeRequests(&producers)
      guard let index = producers.firstIndex(where: { $0.deck === deck }) else { return deck.complete() }
      produce(&producers, at: index)
    }
  }

  /// Decodes what all decks need on this thread.
  func feedAll() {
    producers.withLock { producers in
      while true {
        takeRequests(&producers)
        let hungriest = producers.indices
          .compactMap { index in producers[index].deck.backlog(limit: limit).map { (index, $0) } }
          .min { $0.1 < $1.1 }
        guard let (index, _) = hungriest else { return }
        produce(&producers, at: index)
      }
    }
  }

  /// Makes the feeder's own thread decode what all decks need.
  func schedule() {
    guard !isScheduled.exchange(true, ordering: .acquiringAndReleasing) else { return }
    queue.async { [self] in
      isScheduled.store(false, ordering: .sequentiallyConsistent)
      feedAll()
    }
  }

  /// Closes the files of decks that are no longer played.
  func closeFiles() { producers.withLock { takeRequests(&$0) } }

  private func takeRequests(_ producers: inout [Producer]) {
    let added = requests.withLock { requests in
      let added = requests
      if !added.isEmpty { requests = [] }
      return added
    }
    for (deck, predecessor) in added { producers.append(Producer(deck: deck, predecessor: predecessor)) }
    for index in producers.indices where producers[index].predecessor != nil {
      let heir = producers[index].predecessor.flatMap { old in producers.firstIndex { $0.deck === old } }
      if let heir { producers[index].reader = producers[heir].reader }
      producers[index].predecessor = nil
    }
    producers.removeAll { $0.deck.isClosed }
  }

  private func produce(_ producers: inout [Producer], at index: Int) {
    do throws(CompositorError) {
      if try produce(&producers[index]) { return }
      producers[index].deck.complete()
    } catch {
      let file = ErrorLocation(file: producers[index].deck.entry.asset.source.description)
      producers[index].deck.complete(error.locating(file))
    }
    // A completely decoded file is closed, although it may play for a while.
    producers.remove(at: index)
  }

  /// Decodes a chunk.
  ///
  /// - Returns: Whether more chunks follow.
  private func produce(_ producer: inout Producer) throws(CompositorError) -> Bool {
    let reader = try opened(&producer)
    guard let extent = producer.extent else { return false }
    let count = Int(min(Int64(Deck.Chunk.size), extent.length - producer.next))
    guard count > 0 else { return false }
    var chunk = producer.deck.spare(channelCount: configuration.outputChannelCount)
    chunk.count = count
    var failure: CompositorError?
    let (position, channelCount) = (extent.mediaStart + producer.next, configuration.outputChannelCount)
    chunk.samples.withUnsafeMutableBufferPointer { samples in
      guard let base = samples.baseAddress else { return }
      do throws(CompositorError) {
        try reader.read(
          frameCount: count, at: position, into: (0..<channelCount).map { base + $0 * Deck.Chunk.size })
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    producer.deck.deliver(chunk, damage: reader.damage)
    producer.next += Int64(count)
    return producer.next < extent.length
  }

  private func opened(_ producer: inout Producer) throws(CompositorError) -> any AudioReader {
    if let reader = producer.reader, producer.extent != nil { return reader }
    let asset = producer.deck.entry.asset
    let options = AudioReaderOptions(
      sampleRate: configuration.sampleRate, channelCount: configuration.outputChannelCount, damaged: configuration.damaged)
    let reader: any AudioReader
    if let inherited = producer.reader {
      reader = inherited
    } else {
      reader = try sources.openAudio(asset.source, trackIndex: asset.trackIndex, options: options)
    }
    let extent = try extent(of: producer.deck, in: reader.info.timeRange)
    producer.reader = reader
    producer.extent = extent
    producer.next = extent.first
    producer.deck.open(extent)
    return reader
  }

  private func extent(of deck: Deck, in track: TimeRange) throws(CompositorError) -> Deck.Extent {
    let unit = Rational(1, configuration.sampleRate)
    var range = track
    if let chosen = deck.entry.asset.timeRange {
      range = TimeRange(start: max(track.start, chosen.start), end: min(track.end, chosen.end))
    }
    guard range.start.isNumeric, range.duration > .zero else {
      throw CompositorError(
        .invalidValue, "The track lasts \(track) and has nothing of the range that is to be played.",
        recoverySuggestion: "Choose a range inside the track.")
    }
    let mediaStart = range.start.rounded(toUnitsOf: unit)
    let length = range.end.isNumeric ? max(0, range.end.rounded(toUnitsOf: unit) - mediaStart) : .max
    guard let start = deck.start else { return Deck.Extent(mediaStart: mediaStart, length: length, first: 0) }
    let offset = start.rounded(toUnitsOf: unit).subtractingReportingOverflow(mediaStart)
    let first = offset.overflow ? (start > range.start ? .max : 0) : offset.partialValue
    return Deck.Extent(mediaStart: mediaStart, length: length, first: min(max(0, first), length))
  }
}
