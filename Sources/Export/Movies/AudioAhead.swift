import CompositorAPI
import CompositorAudio
import CompositorMediaIO
import CompositorScheduling
import Synchronization

/// Mixes ahead of who takes the samples, on the threads that decode, so that encoding pictures and mixing audio go on side by side.
///
/// Samples are those of the source, whatever was mixed ahead. An error comes where its samples are taken. One owner at a time.
final class AudioAhead: AudioSampleSource {
  private let chunks: MixedChunks
  /// The chunk that is being taken, and how much of it was.
  private var current: MixedChunks.Chunk?
  private var offset = 0

  /// - Parameters:
  ///   - sampleCount: The samples that will be taken: no more are mixed ahead, since what is mixed is measured too.
  ///   - pool: The threads that mix.
  ///   - source: Makes what is mixed.
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

/// Chunks of a mix on their way to who takes them.
private final class MixedChunks: Sendable {
  /// Samples of each channel, one channel after another, each with room for ``size``.
  struct Chunk: Sendable {
    static let size = 4096
    var samples: [Float]
    var count = 0
  }
  private struct Mixing {
    let source: any AudioSampleSource
    let block: AudioBlock
    /// Samples that may be mixed before they are asked for.
    var left: Int64
  }
  private struct State: Sendable {
    var ready: [Chunk] = []
    var spare: [Chunk] = []
    var failure: CompositorError?
    /// Whether a job is on its way to mix.
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

  /// Replaces a chunk that was taken by the next one. Where none is there, whoever takes mixes it, or waits for the job that does.
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

  /// Lets the next chunks be mixed, unless enough are ready.
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
  /// - Parameter needed: Samples that are asked for now, whatever is left; 0 if none are.
  /// - Returns: Whether there is more to mix.
  @discardableResult private func mixNext(needed: Int) -> Bool {
    mixing.withLock { mixing in
      let ready = state.withLock { $0.ready.count }
      // Somebody else may have mixed meanwhile.
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
