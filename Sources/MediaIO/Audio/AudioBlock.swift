import CompositorAPI

/// A reusable buffer of planar 32-bit float samples, nominally −1 … 1.
///
/// Not thread-safe: one owner at a time, which may pass it on.
public final class AudioBlock {
  /// Number of channels, ≥ 1.
  public let channelCount: Int
  /// Capacity in samples per channel, ≥ 1.
  public let capacity: Int
  /// One pointer per channel to ``capacity`` samples; valid as long as the block is.
  public let channels: [UnsafeMutablePointer<Float>]

  /// Allocates a block of silence.
  public init(channelCount: Int, capacity: Int) {
    precondition(channelCount >= 1 && capacity >= 1, "a block holds at least one sample of one channel")
    self.channelCount = channelCount
    self.capacity = capacity
    self.channels = (0..<channelCount).map { _ in
      let samples = UnsafeMutablePointer<Float>.allocate(capacity: capacity)
      samples.initialize(repeating: 0, count: capacity)
      return samples
    }
  }

  deinit { channels.forEach { $0.deallocate() } }

  /// The sample at an index of a channel.
  public subscript(channel: Int, sample: Int) -> Float {
    get {
      precondition(sample >= 0 && sample < capacity, "sample \(sample) of \(capacity)")
      return channels[channel][sample]
    }
    set {
      precondition(sample >= 0 && sample < capacity, "sample \(sample) of \(capacity)")
      channels[channel][sample] = newValue
    }
  }

  /// Makes the first `count` samples of every channel silent.
  public func silence(_ count: Int) {
    for channel in channels { channel.update(repeating: 0, count: min(max(count, 0), capacity)) }
  }
}

/// A sliding window over the samples of several channels: samples are appended at its end and dropped from its beginning.
/// Memory grows to the longest window and is reused.
final class SampleWindow {
  /// Position of the first sample.
  private(set) var start: Int64 = 0
  private var first = 0
  private var count = 0
  private var block: AudioBlock

  init(channelCount: Int) { block = AudioBlock(channelCount: channelCount, capacity: 16_384) }

  /// Position after the last sample.
  var end: Int64 { start + Int64(count) }

  /// The samples of a channel from a position inside the window.
  func samples(of channel: Int, at position: Int64) -> UnsafeMutablePointer<Float> {
    block.channels[channel] + first + Int(position - start)
  }

  /// Drops everything and begins at `position`.
  func restart(at position: Int64) { (start, first, count) = (position, 0, 0) }

  /// Drops the samples before `position`. If none remain, the next samples still follow the last one.
  func drop(before position: Int64) {
    guard position > start else { return }
    let dropped = Int(min(position - start, Int64(count)))
    first += dropped
    count -= dropped
    // Positions beyond the end need no silence in between.
    start = position
  }

  /// Appends samples. `source` returns those of a channel; `nil` means silence.
  func append(_ added: Int, from source: (_ channel: Int) -> UnsafePointer<Float>?) {
    guard added > 0 else { return }
    reserve(added)
    for (index, channel) in block.channels.enumerated() {
      let target = channel + first + count
      if let samples = source(index) {
        target.update(from: samples, count: added)
      } else {
        target.update(repeating: 0, count: added)
      }
    }
    count += added
  }

  /// Adds silence.
  func appendSilence(_ added: Int) { append(added) { _ in nil } }

  /// Makes space at the end by moving the samples to the beginning or into a longer block.
  private func reserve(_ added: Int) {
    guard first + count + added > block.capacity else { return }
    let longer =
      2 * (count + added) > block.capacity
      ? AudioBlock(channelCount: block.channelCount, capacity: 2 * (count + added)) : block
    for (target, samples) in zip(longer.channels, block.channels) { target.update(from: samples + first, count: count) }
    (block, first) = (longer, 0)
  }
}
