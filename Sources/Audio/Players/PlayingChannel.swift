import CompositorAPI
import CompositorMediaIO

/// One channel of a mixer, for use by the pulling thread: its queue, its pending commands, and its current deck.
struct PlayingChannel: Sendable {
  let id: AudioChannel.ID
  let configuration: ChannelMixer.Configuration
  var state = ChannelState()
  var gain: ChannelGain
  /// Pending commands with their samples, in reverse order.
  private var pending: [(sample: Int64, action: ChannelCommand.Action)] = []
  var deck: Deck?
  /// The deck of the next entry, if it is decoded ahead.
  var nextDeck: Deck?
  private var chunk: Deck.Chunk?
  private var chunkPosition = 0
  /// The deck's extent, once its file is open.
  private var extent: Deck.Extent?
  /// Number of samples played from the deck.
  private var played: Int64 = 0
  /// Whether a sample of the current entry was audible.
  var hasStarted = false
  private var isStalled = false
  /// Number of entries in a row that ended without a sample and without a command, because all entries of a repeated queue may
  /// be unreadable.
  var silentEndings = 0
  var isClosed = false
  var needsFeeding = false

  init(id: AudioChannel.ID, configuration: ChannelMixer.Configuration) {
    self.id = id
    self.configuration = configuration
    gain = ChannelGain(outputCount: configuration.outputChannelCount)
  }

  /// Stores a command until its sample.
  mutating func take(_ command: ChannelCommand, notBefore position: Int64) {
    var sample = position
    if case .sample(let wanted) = command.time { sample = max(position, wanted) }
    var (low, high) = (0, pending.count)
    while low < high {
      let middle = (low + high) / 2
      if pending[middle].sample <= sample { high = middle } else { low = middle + 1 }
    }
    pending.insert((sample, command.action), at: low)
  }

  /// Adds the samples of a range to the beginning of `outputs`, and executes the commands that are due.
  mutating func pull(
    _ range: Range<Int64>, into outputs: [UnsafeMutablePointer<Float>], _ feeder: DeckFeeder, _ events: inout [ChannelEvent]
  ) {
    var position = range.lowerBound
    repeat {
      while let command = pending.last, command.sample <= position {
        pending.removeLast()
        carryOut(command.action, at: position, feeder, &events)
      }
      guard !isClosed else { return }
      let end = min(range.upperBound, pending.last?.sample ?? .max)
      play(position..<end, into: outputs, offset: Int(position - range.lowerBound), feeder, &events)
      position = end
    } while position < range.upperBound
    if configuration.mode == .realTime { openAhead(feeder) }
  }

  private mutating func play(
    _ range: Range<Int64>, into outputs: [UnsafeMutablePointer<Float>], offset: Int, _ feeder: DeckFeeder,
    _ events: inout [ChannelEvent]
  ) {
    var position = range.lowerBound
    while position < range.upperBound, state.isPlaying, let entry = state.current {
      switch supply(entry, feeder) {
      case .chunk:
        let done = offset + Int(position - range.lowerBound)
        position += Int64(add(Int(range.upperBound - position), at: position, to: outputs, offset: done, &events))
        if let extent, extent.first + played == extent.length { finish(.finished, at: position, feeder, &events) }
      case .none:
        if !isStalled { events.append(event(.underrun(entry), at: position)) }
        isStalled = true
        state.underrunSampleCount += range.upperBound - position
        return
      case .end(let failure):
        let ending = failure.map { ChannelEvent.Ending.failed($0) } ?? .finished
        finish(ending, at: position, feeder, &events)
      }
    }
  }

  /// Makes sure that the chunk has samples.
  private mutating func supply(_ entry: ChannelEntry, _ feeder: DeckFeeder) -> Deck.Supply {
    if let chunk, chunkPosition < chunk.count { return .chunk }
    let deck = openDeck(for: entry, feeder)
    var supply = deck.exchange(&chunk)
    if case .none = supply, configuration.mode == .offline {
      feeder.feed(deck)
      supply = deck.exchange(&chunk)
    }
    chunkPosition = 0
    needsFeeding = needsFeeding || configuration.mode == .realTime
    if extent == nil { extent = deck.extent }
    return supply
  }

  /// Adds samples of the chunk.
  ///
  /// - Returns: The number of samples added.
  private mutating func add(
    _ most: Int, at position: Int64, to outputs: [UnsafeMutablePointer<Float>], offset: Int, _ events: inout [ChannelEvent]
  ) -> Int {
    guard let chunk, let entry = state.current else { return 0 }
    if !hasStarted { events.append(event(.started(entry), at: position)) }
    (hasStarted, isStalled, silentEndings) = (true, false, 0)
    let count = min(most, chunk.count - chunkPosition)
    chunk.samples.withUnsafeBufferPointer { samples in
      guard let base = samples.baseAddress else { return }
      for (index, output) in outputs.enumerated() {
        gain.add(
          base + index * Deck.Chunk.size + chunkPosition, count: count, at: position, output: index, to: output + offset)
      }
    }
    chunkPosition += count
    played += Int64(count)
    return count
  }

  /// Ends the current entry, which has no more samples, and goes on to the next.
  private mutating func finish(
    _ ending: ChannelEvent.Ending, at position: Int64, _ feeder: DeckFeeder, _ events: inout [ChannelEvent]
  ) {
    silentEndings += 1
    var again = state.repeating == .entry
    if case .failed = ending { again = false }
    leave(ending, at: position, &events)
    if silentEndings > state.queue.count {
      go(to: state.queue.count, at: position, &events)
    } else if again {
      takeNextDeck()
    } else {
      go(to: following(state.index), at: position, &events)
      takeNextDeck()
    }
  }

  /// The index that follows in the order of the queue.
  func following(_ index: Int) -> Int {
    state.repeating == .queue && index + 1 >= state.queue.count ? 0 : min(index + 1, state.queue.count)
  }

  /// Makes an entry the current one, without a deck.
  mutating func go(to index: Int, at position: Int64, _ events: inout [ChannelEvent]) {
    let hadEntry = state.current != nil
    state.index = index
    if index >= state.queue.count, hadEntry { events.append(event(.queueEnded, at: position)) }
  }

  /// Ends the current entry, if it has started, and returns its deck.
  mutating func leave(_ ending: ChannelEvent.Ending, at position: Int64, _ events: inout [ChannelEvent]) {
    if let entry = state.current {
      var isTold = hasStarted
      if case .failed = ending { isTold = true }
      if isTold { events.append(event(.ended(entry, ending, damage: deck?.damage ?? []), at: position)) }
    }
    deck?.close()
    if deck != nil { needsFeeding = true }
    setDeck(nil)
    (hasStarted, isStalled) = (false, false)
  }

  mutating func setDeck(_ deck: Deck?) {
    self.deck = deck
    (chunk, chunkPosition, extent, played) = (nil, 0, nil, 0)
  }

  func event(_ kind: ChannelEvent.Kind, at sample: Int64) -> ChannelEvent {
    ChannelEvent(channel: id, sample: sample, kind: kind)
  }

  mutating func takeNeedsFeeding() -> Bool {
    defer { needsFeeding = false }
    return needsFeeding
  }

  /// Number of samples of the current entry that remain to be played, once its file is open.
  var remainingCount: Int64? {
    if extent == nil, let opened = deck?.extent { return opened.length - opened.first - played }
    return extent.map { $0.length - $0.first - played }
  }

  /// The channel's current state.
  mutating func publishedState() -> ChannelState {
    if extent == nil { extent = deck?.extent }
    if let extent {
      let sample = extent.mediaStart + extent.first + played
      state.position = MediaTime(value: sample, timescale: Int32(clamping: configuration.sampleRate))
    } else if let entry = state.current {
      state.position = deck?.start ?? entry.asset.timeRange?.start ?? .zero
    } else {
      state.position = .zero
    }
    (state.volume, state.pan) = (gain.volume, gain.pan)
    return state
  }
}
