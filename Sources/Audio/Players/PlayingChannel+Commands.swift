import CompositorAPI
import CompositorMediaIO

/// The effects of commands, and the decks that they need.
extension PlayingChannel {
  mutating func carryOut(
    _ action: ChannelCommand.Action, at position: Int64, _ feeder: DeckFeeder, _ events: inout [ChannelEvent]
  ) {
    silentEndings = 0
    switch action {
    case .add: break
    case .remove: close(at: position, &events)
    case .enqueue(let entries): state.queue += entries
    case .insertNext(let entries): state.queue.insert(contentsOf: entries, at: min(state.index + 1, state.queue.count))
    case .removeEntry(let id): remove(id, at: position, &events)
    case .removePlayed(let count):
      let forgotten = max(0, state.index - count)
      state.queue.removeFirst(forgotten)
      state.index -= forgotten
    case .repeating(let mode): state.repeating = mode
    case .play: state.isPlaying = true
    case .pause: state.isPlaying = false
    case .skipForward: skip(to: following(state.index), at: position, &events)
    case .skipBackward: skip(to: max(0, state.index - 1), at: position, &events)
    case .jump(let id):
      if let index = state.queue.firstIndex(where: { $0.id == id }) { skip(to: index, at: position, &events) }
    case .seek(let time): seek(to: time, feeder)
    case .volume(let volume, let count): gain.setVolume(volume, at: position, over: count)
    case .pan(let pan, let count): gain.setPan(pan, at: position, over: count)
    }
  }

  private mutating func skip(to index: Int, at position: Int64, _ events: inout [ChannelEvent]) {
    leave(.skipped, at: position, &events)
    go(to: index, at: position, &events)
    takeNextDeck()
  }

  private mutating func seek(to time: MediaTime, _ feeder: DeckFeeder) {
    guard let entry = state.current else { return }
    let (old, made) = (deck, Deck(entry, start: time))
    feeder.add(made, replacing: old)
    old?.close()
    setDeck(made)
    needsFeeding = true
  }

  private mutating func remove(_ id: Int64, at position: Int64, _ events: inout [ChannelEvent]) {
    guard let index = state.queue.firstIndex(where: { $0.id == id }) else { return }
    if index == state.index { leave(.skipped, at: position, &events) }
    state.queue.remove(at: index)
    if index < state.index { state.index -= 1 }
    if deck == nil { takeNextDeck() }
    if index == state.index, state.index >= state.queue.count { events.append(event(.queueEnded, at: position)) }
  }

  private mutating func close(at position: Int64, _ events: inout [ChannelEvent]) {
    leave(.skipped, at: position, &events)
    nextDeck?.close()
    (nextDeck, isClosed, needsFeeding) = (nil, true, true)
  }

  /// The deck of the current entry.
  mutating func openDeck(for entry: ChannelEntry, _ feeder: DeckFeeder) -> Deck {
    if let deck { return deck }
    let made = Deck(entry)
    feeder.add(made, replacing: nil)
    setDeck(made)
    needsFeeding = true
    return made
  }

  /// Plays from the deck that was decoded ahead, if it is the current entry's.
  mutating func takeNextDeck() {
    guard let next = nextDeck else { return }
    if deck == nil, next.entry.id == state.current?.id { setDeck(next) } else { next.close() }
    (nextDeck, needsFeeding) = (nil, true)
  }

  /// Opens the files that are needed soon: in real time the current one's, even if the channel is paused, and the next one's
  /// shortly before it is due.
  mutating func openAhead(_ feeder: DeckFeeder) {
    guard let entry = state.current else { return }
    _ = openDeck(for: entry, feeder)
    let lead = configuration.openingLead.rounded(toUnitsOf: Rational(1, configuration.sampleRate))
    guard let remaining = remainingCount, remaining <= lead else { return }
    let index = state.repeating == .entry ? state.index : following(state.index)
    guard index < state.queue.count, nextDeck?.entry.id != state.queue[index].id else { return }
    nextDeck?.close()
    let made = Deck(state.queue[index])
    feeder.add(made, replacing: nil)
    (nextDeck, needsFeeding) = (made, true)
  }
}
