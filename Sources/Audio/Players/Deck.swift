import CompositorAPI
import CompositorMediaIO
import Synchronization

/// Passes decoded samples of an entry from the decoding to the playing thread, which may differ. The lock is held for the
/// exchange of a chunk, never for decoding.
final class Deck: Sendable {
  /// The samples of each output channel, one after another, each with a capacity of ``size``.
  struct Chunk: Sendable {
    static let size = 4096
    var samples: [Float]
    var count = 0
  }

  /// Facts that are known once the file is open.
  struct Extent: Sendable {
    /// The entry's first sample, counted at the output's rate from media time 0.
    let mediaStart: Int64
    /// Number of samples of the entry; the largest number for an endless one.
    let length: Int64
    /// The sample of the entry at which the deck begins, 0 … ``length``.
    let first: Int64
  }

  /// The deck's supply for the player.
  enum Supply {
    /// A chunk was provided.
    case chunk
    /// The next one is not decoded yet.
    case none
    /// There are no more chunks, because the entry ended or failed.
    case end(CompositorError?)
  }

  private struct State {
    var extent: Extent?
    var ready: [Chunk] = []
    var spare: [Chunk] = []
    var isComplete = false
    var isClosed = false
    var failure: CompositorError?
    var damage: [MediaDamage] = []
  }

  let entry: ChannelEntry
  /// The media time to begin with; `nil` for the entry's start.
  let start: MediaTime?
  private let state = Mutex(State())

  init(_ entry: ChannelEntry, start: MediaTime? = nil) {
    self.entry = entry
    self.start = start
  }

  var extent: Extent? { state.withLock { $0.extent } }
  var damage: [MediaDamage] { state.withLock { $0.damage } }
  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Replaces a played chunk by the next one.
  func exchange(_ played: inout Chunk?) -> Supply {
    state.withLock { state in
      if let chunk = played { state.spare.append(chunk) }
      played = nil
      guard !state.ready.isEmpty else { return state.isComplete ? .end(state.failure) : .none }
      played = state.ready.removeFirst()
      return .chunk
    }
  }

  /// Signals that the deck is no longer played.
  func close() { state.withLock { $0.isClosed = true } }

  // For the decoding thread.

  /// Number of decoded chunks that were not played; `nil` if no more are needed.
  func backlog(limit: Int) -> Int? {
    state.withLock { state in
      guard !state.isComplete, !state.isClosed, state.ready.count < limit else { return nil }
      return state.ready.count
    }
  }

  func open(_ extent: Extent) { state.withLock { $0.extent = extent } }

  func spare(channelCount: Int) -> Chunk {
    let used = state.withLock { $0.spare.popLast() }
    if let used { return used }
    return Chunk(samples: Array(repeating: 0, count: Chunk.size * channelCount))
  }

  func deliver(_ chunk: consuming Chunk, damage: [MediaDamage]) {
    let chunk = chunk
    state.withLock { state in
      state.ready.append(chunk)
      state.damage = damage
    }
  }

  func complete(_ failure: CompositorError? = nil) {
    state.withLock { state in
      state.failure = failure
      state.isComplete = true
    }
  }
}
