public import CompositorAPI
import CompositorMediaIO

/// A player of a ``ChannelMixer``: a queue of assets, and a transport of its own.
///
/// Any thread may call. Commands take effect at the sample that `at` names, those for one sample in the order in which they were called;
/// by default that is the first sample of the next pull. What is read is the state after the last pull. A handle keeps its mixer alive.
public struct AudioChannel: Sendable, Identifiable {
  /// Number of a channel in its mixer, never given again.
  public typealias ID = Int32

  /// The channel's number.
  public let id: ID
  /// The mixer that it belongs to.
  public let mixer: ChannelMixer

  /// What the channel is doing; nil once it is removed.
  public var state: ChannelState? { mixer.state(of: id) }

  /// Adds assets at the end of the queue. Nothing is opened yet.
  ///
  /// - Returns: The entries that they become.
  /// - Throws: `.invalidValue` if one of the ranges is not finite or is empty; then none is added.
  @discardableResult
  public func enqueue(_ assets: [ChannelAsset], at time: ChannelTime = .now) throws(CompositorError) -> [ChannelEntry] {
    for asset in assets { try asset.validate() }
    return mixer.enqueue(assets, to: id, at: time, isNext: false)
  }

  /// Adds assets behind the entry that plays.
  ///
  /// - Returns: The entries that they become.
  /// - Throws: As ``enqueue(_:at:)``.
  @discardableResult
  public func insertNext(_ assets: [ChannelAsset], at time: ChannelTime = .now) throws(CompositorError) -> [ChannelEntry] {
    for asset in assets { try asset.validate() }
    return mixer.enqueue(assets, to: id, at: time, isNext: true)
  }

  /// Takes an entry out of the queue; the next one plays if it was the current. One that is not there changes nothing.
  public func remove(_ entry: ChannelEntry, at time: ChannelTime = .now) {
    mixer.send(.removeEntry(entry.id), to: id, at: time)
  }

  /// Forgets what was played, up to the last `count` entries: for queues that never end.
  public func removePlayed(keeping count: Int = 0, at time: ChannelTime = .now) {
    mixer.send(.removePlayed(keeping: max(0, count)), to: id, at: time)
  }

  /// Plays from where the channel is.
  public func play(at time: ChannelTime = .now) { mixer.send(.play, to: id, at: time) }

  /// Stays where it is, silent.
  public func pause(at time: ChannelTime = .now) { mixer.send(.pause, to: id, at: time) }

  /// Goes to the start of the next entry; at the last one to the end of the queue, or to the first entry if the queue is repeated.
  public func skipForward(at time: ChannelTime = .now) { mixer.send(.skipForward, to: id, at: time) }

  /// Goes to the start of the entry before; at the first one to its own start.
  public func skipBackward(at time: ChannelTime = .now) { mixer.send(.skipBackward, to: id, at: time) }

  /// Goes to the start of an entry of the queue. One that is not there changes nothing.
  public func jump(to entry: ChannelEntry, at time: ChannelTime = .now) { mixer.send(.jump(entry.id), to: id, at: time) }

  /// Goes to a time in the media of the current entry: its start if the time is before, its end if it is after.
  ///
  /// - Throws: `.invalidValue` if the time is not finite.
  public func seek(to position: MediaTime, at time: ChannelTime = .now) throws(CompositorError) {
    guard position.isNumeric else {
      throw CompositorError(
        .invalidValue, "\(position) is not a time in an asset.", recoverySuggestion: "Give a finite media time.")
    }
    mixer.send(.seek(position), to: id, at: time)
  }

  /// Changes what happens at the end of an entry.
  public func setRepeat(_ mode: ChannelRepeat, at time: ChannelTime = .now) { mixer.send(.repeating(mode), to: id, at: time) }

  /// Changes the volume, without a click: the gain never moves by more than 1/1024 (−60.2 dB) from one sample to the next, so that a change by
  /// 1 takes 21 ms at 48 kHz. The sample at which it begins has the old gain. Paused channels change too.
  ///
  /// - Parameters:
  ///   - volume: Linear gain, 0 … 16.
  ///   - duration: How long the change takes, 0 … 3600 seconds, if that is longer. Linear. A change of the pan that is still going on ends with
  ///     it, at the later end.
  /// - Throws: `.invalidValue` for values outside these ranges.
  public func setVolume(
    _ volume: Double, over duration: MediaTime = .zero, at time: ChannelTime = .now
  ) throws(CompositorError) {
    guard (0...16).contains(volume) else {
      throw CompositorError(.invalidValue, "A volume of \(volume) is not one.", recoverySuggestion: "Use 0 to 16.")
    }
    mixer.send(.volume(volume, over: try samples(duration)), to: id, at: time)
  }

  /// Changes where the channel stands in a stereo mix, as smoothly as the volume: the loudspeaker on the other side is lowered, linearly.
  ///
  /// - Parameters:
  ///   - pan: −1 left … 1 right. Mixers of another number of channels than two ignore it.
  ///   - duration: How long the change takes, 0 … 3600 seconds.
  /// - Throws: `.invalidValue` for values outside these ranges.
  public func setPan(_ pan: Double, over duration: MediaTime = .zero, at time: ChannelTime = .now) throws(CompositorError) {
    guard (-1...1).contains(pan) else {
      throw CompositorError(.invalidValue, "A pan of \(pan) is not one.", recoverySuggestion: "Use −1 to 1.")
    }
    mixer.send(.pan(pan, over: try samples(duration)), to: id, at: time)
  }

  /// Closes the channel and takes it out of the mixer. Commands for it do nothing from then on.
  public func close(at time: ChannelTime = .now) { mixer.send(.remove, to: id, at: time) }

  private func samples(_ duration: MediaTime) throws(CompositorError) -> Int64 {
    guard duration.isNumeric, duration >= .zero, duration <= .seconds(3600) else {
      throw CompositorError(
        .invalidValue, "A change cannot take \(duration) seconds.", recoverySuggestion: "Use 0 to 3600 seconds.")
    }
    return duration.rounded(toUnitsOf: Rational(1, mixer.configuration.sampleRate))
  }
}
