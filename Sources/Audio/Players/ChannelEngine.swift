import CompositorAPI
import CompositorMediaIO

/// All channels of a mixer, for use by the pulling thread.
struct ChannelEngine: Sendable {
  let feeder: DeckFeeder
  private let configuration: ChannelMixer.Configuration
  /// The channels, in the order in which they were added.
  private var channels: [PlayingChannel] = []
  /// Channels removed since the last publication.
  private var removed: [AudioChannel.ID] = []
  /// Position of the next sample, in samples since the mixer's start.
  private(set) var position: Int64 = 0

  init(sources: some AudioSourceProvider, configuration: ChannelMixer.Configuration) {
    self.configuration = configuration
    feeder = DeckFeeder(sources: sources, configuration: configuration)
  }

  /// Writes the next samples to `outputs`.
  mutating func pull(
    _ count: Int, into outputs: [UnsafeMutablePointer<Float>], _ commands: [ChannelCommand]
  ) -> [ChannelEvent] {
    for output in outputs { output.update(repeating: 0, count: count) }
    for command in commands { take(command) }
    var events: [ChannelEvent] = []
    var needsFeeding = false
    let end = position + Int64(count)
    for index in channels.indices {
      channels[index].pull(position..<end, into: outputs, feeder, &events)
      needsFeeding = channels[index].takeNeedsFeeding() || needsFeeding
    }
    for channel in channels where channel.isClosed { removed.append(channel.id) }
    channels.removeAll { $0.isClosed }
    if needsFeeding {
      if configuration.mode == .realTime { feeder.schedule() } else { feeder.closeFiles() }
    }
    position = end
    return channels.count > 1 ? events.stablySortedBySample() : events
  }

  private mutating func take(_ command: ChannelCommand) {
    if case .add = command.action {
      channels.append(PlayingChannel(id: command.channel, configuration: configuration))
    } else if let index = channels.firstIndex(where: { $0.id == command.channel }) {
      channels[index].take(command, notBefore: position)
    }
  }

  /// Writes the state of each channel.
  mutating func publish(to states: inout [AudioChannel.ID: ChannelState]) {
    for index in channels.indices { states[channels[index].id] = channels[index].publishedState() }
    for id in removed { states[id] = nil }
    removed.removeAll(keepingCapacity: true)
  }
}

extension [ChannelEvent] {
  /// The events sorted by sample. Events at one sample stay in the order of the channels.
  fileprivate func stablySortedBySample() -> [ChannelEvent] {
    guard count > 1 else { return self }
    return enumerated().sorted { ($0.element.sample, $0.offset) < ($1.element.sample, $1.offset) }.map(\.element)
  }
}
