import CompositorAPI

/// Samples of several channels, planar 32-bit float, nominally −1 … 1. Allocated once and used again and again.
///
/// Not thread-safe: one owner, who may hand it on.
public final class AudioBlock {
  /// Channels, ≥ 1.
  public let channelCount: Int
  /// The most samples a channel can hold, ≥ 1.
  public let capacity: Int
  /// One pointer per channel to ``capacity`` samples; valid as long as the block is.
  public let channels: [UnsafeMutablePointer<Float>]

  /// Allocates silence.
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

  /// One sample.
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
