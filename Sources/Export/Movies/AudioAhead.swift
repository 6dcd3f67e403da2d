import CompositorAPI
import CompositorAudio
import CompositorMediaIO
import CompositorScheduling
import Synchronization

/// Mixes audio ahead of its consumer on the decoding threads, so that encoding frames and mixing audio run in parallel.
///
/// The samples are those of the source, however far ahead they were mixed. An error is thrown where its samples are consumed.
/// One owner at a time.
final class AudioAhead: AudioSampleSource {
  private let chunks: MixedChunks
  /// The current chunk, and how much of it was consumed.
  private var current: MixedChunks.Chunk?
  private var offset = 0

  /// - Parameters:
  ///   - sampleCount: Number of samples that will be consumed. No more are mixed ahead, because everything mixed is also
  ///     measured.
  ///   - pool: The threads that mix.
  ///   - source: Makes the source to mix.
  init(sampleCount: Int64, channelCount: Int, on pool: ThreadPool, source: () -> sending any AudioSampleSource) {
    chunks = MixedChunks(source(), sampleCount: sampleCount, channelCount: channelCount, on: pool)
  }

  func mix(_ count: Int, into block: AudioBlock) throws(CompositorError) {
    var done = 0
    while done < count {
      guard let chunk = current, offset < chunk.count else {
        try chunks.exchange(&current, needed: count - done)
        offset = 0
        continue
      }
      let taken = min(count - done, chunk.count - offset)
      chunk.samples.withUnsafeBufferPointer { samples in
        guard let base = samples.baseAddress else { return }
        for (index, channel) in block.channels.enumerated() {
          (channel + done).update(from: base + index * MixedChunks.Chunk.size + offset, count: taken)
        }
      }
      (done, offset) = (done + taken, offset + taken)
    }
    chunks.schedule()
  }

  var damage: MediaLosses { chunks.damage }

  func loudness() throws(CompositorError) -> AudioLoudness? { try chunks.loudness() }
}

/// Chunks of a mix on their way to the consumer.
private final class MixedChunks: Sendable {
  /// The samples of each channel, one channel after another, each with a capacity of ``size``.
  struct Chunk: Sendable {
    static let size = 4096
    var samples: [Float]
    var count = 0
  }
  private struct Mixing {
    let source: any AudioSampleSource
    let block: AudioBlock
    /// Number of samples that may still be mixed before they are requested.
    var left: Int64
  }
  private struct State: Sendable {
    var ready: [Chunk] = []
    var spare: [Chunk] = []
    var failure: CompositorError?
    /// Whether a mixing job is scheduled.
    var isScheduled = false
  }
  private static let mostReady = 4

  private let channelCount: Int
  private let lane: ThreadLane
  private let mixing: Mutex<Mixing>
  private let state = Mutex(State())

  init(_ source: sending any AudioSampleSource, sampleCount: Int64, channelCount: Int, on pool: ThreadPool) {
    let mixing = Mixing(source: source, block: AudioBlock(channelCount: channelCount, capacity: Chunk.size), left: sampleCount)
    self.mixing = Mutex(mixing)
    self.channelCount = channelCount
    lane = pool.lane(width: 1)
  }

  var damage: MediaLosses { mixing.withLock { $0.source.damage } }

  func loudness() throws(CompositorError) -> AudioLoudness? {
    try mixing.withLock { mixing throws(CompositorError) in try mixing.source.loudness() }
  }

  /// Replaces a consumed chunk by the next one. If there is none, the consumer mixes it or waits for the job that does.
  func exchange(_ taken: inout Chunk?, needed: Int) throws(CompositorError) {
    let spare = taken
    taken = nil
    if let spare { state.withLock { $0.spare.append(spare) } }
    while true {
      let (next, failure) = state.withLock { state -> (Chunk?, CompositorError?) in
        state.ready.isEmpty ? (nil, state.failure) : (state.ready.removeFirst(), nil)
      }
      if let next { return taken = next }
      if let failure { throw failure }
      mixNext(needed: min(needed, Chunk.size))
    }
  }

  /// Schedules mixing of further chunks, unless enough are ready.
  func schedule() {
    let isNeeded = state.withLock { state in
      guard !state.isScheduled, state.failure == nil, state.ready.count < Self.mostReady else { return false }
      state.isScheduled = true
      return true
    }
    guard isNeeded else { return }
    lane.submit { [weak self] in
      guard let self else { return }
      let goesOn = mixNext(needed: 0)
      state.withLock { $0.isScheduled = false }
      if goesOn { schedule() }
    }
  }

  /// Mixes a chunk.
  ///
  /// - Parameter needed: Number of samples requested now, whatever is left; 0 if none are.
  /// - Returns: Whether there is more to mix.
  @discardableResult private func mixNext(needed: Int) -> Bool {
    mixing.withLock { mixing in
      let ready = state.withLock { $0.ready.count }
      // Another thread may have mixed meanwhile.
      guard needed > 0 ? ready == 0 : ready < Self.mostReady else { return true }
      let count = max(Int(min(Int64(Chunk.size), max(0, mixing.left))), needed)
      guard count > 0 else { return false }
      let spare = state.withLock { $0.spare.popLast() }
      var chunk = spare ?? Chunk(samples: Array(repeating: 0, count: Chunk.size * channelCount))
      do throws(CompositorError) {
        try mixing.source.mix(count, into: mixing.block)
      } catch {
        state.withLock { $0.failure = error }
        return false
      }
      mixing.left -= Int64(count)
      for (index, channel) in mixing.block.channels.enumerated() {
        chunk.samples.replaceSubrange(
          index * Chunk.size..<index * Chunk.size + count, with: UnsafeBufferPointer(start: channel, count: count))
      }
      chunk.count = count
      state.withLock { [chunk] in $0.ready.append(chunk) }
      return mixing.left > 0
    }
  }
}
