public import CompositorAPI
import CompositorMediaIO

/// A channel of a ``ChannelMixer``: a queue of assets with its own transport.
///
/// Methods can be called from any thread. A command takes effect at the sample given by `at`; by default, that is the first
/// sample of the next pull. Commands for the same sample take effect in the order of the calls. Properties describe the state
/// after the last pull. A channel keeps its mixer alive.
public struct AudioChannel: Sendable, Identifiable {
  /// Identifies a channel in its mixer. IDs are never reused.
  public typealias ID = Int32

  /// The channel's ID.
  public let id: ID
  /// The mixer that the channel belongs to.
  public let mixer: ChannelMixer

  /// The channel's state; `nil` after it was removed.
  public var state: ChannelState? { mixer.state(of: id) }

  /// Appends assets to the queue. Nothing is opened yet.
  ///
  /// - Returns: The new entries.
  /// - Throws: `.invalidValue` if a range is not finite or is empty; none is added then.
  @discardableResult
  public func enqueue(_ assets: [ChannelAsset], at time: ChannelTime = .now) throws(CompositorError) -> [ChannelEntry] {
    for asset in assets { try asset.validate() }
    return mixer.enqueue(assets, to: id, at: time, isNext: false)
  }

  /// Inserts assets after the current entry.
  ///
  /// - Returns: The new entries.
  /// - Throws: As ``enqueue(_:at:)``.
  @discardableResult
  public func insertNext(_ assets: [ChannelAsset], at time: ChannelTime = .now) throws(CompositorError) -> [ChannelEntry] {
    for asset in assets { try asset.validate() }
    return mixer.enqueue(assets, to: id, at: time, isNext: true)
  }

  /// Removes an entry from the queue. If it was the current one, the next one plays. Unknown entries are ignored.
  public func remove(_ entry: ChannelEntry, at time: ChannelTime = .now) {
    mixer.send(.removeEntry(entry.id), to: id, at: time)
  }

  /// Forgets played entries except for the last `count`, for queues that never end.
  public func removePlayed(keeping count: Int = 0, at time: ChannelTime = .now) {
    mixer.send(.removePlayed(keeping: max(0, count)), to: id, at: time)
  }

  /// Plays from the current position.
  public func play(at time: ChannelTime = .now) { mixer.send(.play, to: id, at: time) }

  /// Pauses at the current position.
  public func pause(at time: ChannelTime = .now) { mixer.send(.pause, to: id, at: time) }

  /// Jumps to the start of the next entry. At the last one, jumps to the end of the queue, or to the first entry if the queue
  /// repeats.
  public func skipForward(at time: ChannelTime = .now) { mixer.send(.skipForward, to: id, at: time) }

  /// Jumps to the start of the previous entry. At the first one, jumps to its own start.
  public func skipBackward(at time: ChannelTime = .now) { mixer.send(.skipBackward, to: id, at: time) }

  /// Jumps to the start of an entry of the queue. Unknown entries are ignored.
  public func jump(to entry: ChannelEntry, at time: ChannelTime = .now) { mixer.send(.jump(entry.id), to: id, at: time) }

  /// Seeks to a time in the media of the current entry, limited to its start and end.
  ///
  /// - Throws: `.invalidValue` if the time is not finite.
  public func seek(to position: MediaTime, at time: ChannelTime = .now) throws(CompositorError) {
    guard position.isNumeric else {
      throw CompositorError(
        .invalidValue, "\(position) is not a time in an asset.", recoverySuggestion: "Give a finite media time.")
    }
    mixer.send(.seek(position), to: id, at: time)
  }

  /// Sets what happens at the end of an entry.
  public func setRepeat(_ mode: ChannelRepeat, at time: ChannelTime = .now) { mixer.send(.repeating(mode), to: id, at: time) }

  /// Changes the volume without a click: the gain never changes by more than 1/1024 (−60.2 dB) per sample, so that a change by
  /// 1 takes 21 ms at 48 kHz. The first sample of the change has the old gain. The volume of paused channels changes too.
  ///
  /// - Parameters:
  ///   - volume: Linear gain, 0 … 16.
  ///   - duration: Duration of the linear change, 0 … 3600 seconds, if it is longer than that minimum. A pan change in progress
  ///     ends together with it, at the later end.
  /// - Throws: `.invalidValue` for values outside these ranges.
  public func setVolume(
    _ volume: Double, over duration: MediaTime = .zero, at time: ChannelTime = .now
  ) throws(CompositorError) {
    guard (0...16).contains(volume) else {
      throw CompositorError(.invalidValue, "The volume cannot be \(volume).", recoverySuggestion: "Use 0 to 16.")
    }
    mixer.send(.volume(volume, over: try samples(duration)), to: id, at: time)
  }

  /// Changes the position in a stereo mix, as smoothly as the volume: the loudspeaker on the other side is attenuated linearly.
  ///
  /// - Parameters:
  ///   - pan: −1 left … 1 right. Mixers with other than two channels ignore it.
  ///   - duration: Duration of the change, 0 … 3600 seconds.
  /// - Throws: `.invalidValue` for values outside these ranges.
  public func setPan(_ pan: Double, over duration: MediaTime = .zero, at time: ChannelTime = .now) throws(CompositorError) {
    guard (-1...1).contains(pan) else {
      throw CompositorError(.invalidValue, "The pan cannot be \(pan).", recoverySuggestion: "Use −1 to 1.")
    }
    mixer.send(.pan(pan, over: try samples(duration)), to: id, at: time)
  }

  /// Closes the channel and removes it from the mixer. Later commands for it do nothing.
  public func close(at time: ChannelTime = .now) { mixer.send(.remove, to: id, at: time) }

  private func samples(_ duration: MediaTime) throws(CompositorError) -> Int64 {
    guard duration.isNumeric, duration >= .zero, duration <= .seconds(3600) else {
      throw CompositorError(
        .invalidValue, "A change cannot take \(duration) seconds.", recoverySuggestion: "Use 0 to 3600 seconds.")
    }
    return duration.rounded(toUnitsOf: Rational(1, mixer.configuration.sampleRate))
  }
}
