public import CompositorAPI
public import CompositorMediaIO
import Synchronization

/// Plays any number of channels at the same time, each with its own queue of assets, and mixes them.
///
/// The caller pulls samples in blocks of any size at any pace, for example as an audio device requests them or as fast as
/// possible. Meanwhile, commands may come from any thread, and each takes effect at a defined sample. The result depends only
/// on the commands and their samples, not on the size of the blocks.
///
/// ```swift
/// let mixer = try ChannelMixer(sources: MediaCatalog())
/// let music = mixer.addChannel(), speech = mixer.addChannel()
/// try music.enqueue([ChannelAsset("one.flac"), ChannelAsset("two.mp3")])
/// music.play()
/// try music.setVolume(0.2, over: .seconds(0.5), at: .sample(480_000))
/// try speech.enqueue([ChannelAsset("intro.wav")])
/// speech.play(at: .sample(480_000))
/// let block = AudioBlock(channelCount: 2, capacity: 1024)
/// while isRunning {
///   for event in try mixer.pull(1024, into: block) { print(event.sample, event.kind) }
///   play(block)
/// }
/// ```
///
/// At most two files are open per channel: the current one and, shortly before its end, the next. Memory depends on the number
/// of channels and entries, not on their length.
public final class ChannelMixer: Sendable {
  /// The thread that decodes.
  public enum Mode: Hashable, Sendable {
    /// The pulling thread. A pull waits for decoders, and no sample is ever late. For files and tests.
    case offline
    /// A thread of the mixer's own, ahead of time. A pull never waits for a decoder. Samples that are not decoded in time are
    /// silent and reported by an event. For loudspeakers.
    case realTime
  }

  /// The configuration of a mixer.
  public struct Configuration: Hashable, Sendable {
    /// Sample rate in Hz, 8000 … 384,000. Default 48,000.
    public var sampleRate = 48_000
    /// Number of output channels, 1 … 8. Default 2.
    public var outputChannelCount = 2
    /// The thread that decodes. Default `.offline`.
    public var mode = Mode.offline
    /// Duration decoded ahead for each open file in real time, 0.1 … 30 seconds. Default 1.
    public var bufferDuration = MediaTime.seconds(1)
    /// How long before the end of an entry the next one is opened in real time, 0 … 60 seconds. Default 5.
    public var openingLead = MediaTime.seconds(5)
    /// The policy for samples that are missing from a file. Default `.keep`: they are silent, and the event at the entry's end
    /// reports them. With `.fail`, the entry ends there.
    public var damaged = DamagePolicy.keep

    /// Creates the default configuration.
    public init() {}

    func validate() throws(CompositorError) {
      let (rates, counts) = (AudioReaderOptions.sampleRates, AudioReaderOptions.channelCounts)
      guard rates.contains(sampleRate), counts.contains(outputChannelCount) else {
        throw CompositorError(
          .invalidValue, "A mixer cannot have \(outputChannelCount) channels of \(sampleRate) Hz.",
          recoverySuggestion: "Use \(rates.readable) Hz and \(counts.readable) channels.")
      }
      guard bufferDuration.isNumeric, (0.1...30).contains(bufferDuration.seconds),
        openingLead.isNumeric, (0...60).contains(openingLead.seconds)
      else {
        throw CompositorError(
          .invalidValue, "A mixer cannot decode \(bufferDuration) s ahead and open files \(openingLead) s before they are due.",
          recoverySuggestion: "Buffer 0.1 to 30 seconds, and open 0 to 60 seconds before.")
      }
    }
  }

  /// The mixer's configuration.
  public let configuration: Configuration
  private let engine: Mutex<ChannelEngine>
  /// Commands from any thread that no pull has taken yet. The lock is held for an append or a swap, never during work.
  private let inbox = Mutex(Inbox())
  /// State for readers on any thread, written at the end of each pull.
  private let published = Mutex(Published())
  private let listeners = Mutex<[Int: AsyncStream<ChannelEvent>.Continuation]>([:])

  private struct Inbox {
    var commands: [ChannelCommand] = []
    var nextChannel: AudioChannel.ID = 1
    var nextEntry: Int64 = 1
    var nextListener = 0
  }

  private struct Published {
    var states: [AudioChannel.ID: ChannelState] = [:]
    var position: Int64 = 0
  }

  /// Creates a mixer without channels. Nothing is opened.
  ///
  /// - Parameter sources: Opens the assets: a `MediaCatalog`, or a replacement for tests.
  /// - Throws: `.invalidValue` if the configuration is out of range.
  public init(sources: some AudioSourceProvider, configuration: Configuration = Configuration()) throws(CompositorError) {
    try configuration.validate()
    self.configuration = configuration
    engine = Mutex(ChannelEngine(sources: sources, configuration: configuration))
  }

  deinit {
    for listener in listeners.withLock({ Array($0.values) }) { listener.finish() }
  }

  /// Adds a paused channel with an empty queue. Can be called from any thread.
  public func addChannel() -> AudioChannel {
    let id = inbox.withLock { inbox in
      let id = inbox.nextChannel
      inbox.nextChannel += 1
      inbox.commands.append(ChannelCommand(channel: id, time: .now, action: .add))
      return id
    }
    published.withLock { $0.states[id] = ChannelState() }
    return AudioChannel(id: id, mixer: self)
  }

  /// Number of samples pulled so far, which is the position of the next one. Can be read from any thread.
  public var position: Int64 { published.withLock { $0.position } }

  /// The events of all channels from now on, in order. Can be called from any thread.
  ///
  /// A slow listener loses the oldest events when more than 4096 wait; ``pull(_:into:)`` returns every event. The stream ends
  /// with the mixer.
  public func events() -> AsyncStream<ChannelEvent> {
    let (stream, continuation) = AsyncStream<ChannelEvent>.makeStream(bufferingPolicy: .bufferingNewest(4096))
    let key = inbox.withLock { inbox in
      inbox.nextListener += 1
      return inbox.nextListener
    }
    listeners.withLock { $0[key] = continuation }
    continuation.onTermination = { [weak self] _ in _ = self?.listeners.withLock { $0.removeValue(forKey: key) } }
    return stream
  }

  /// Writes the next `count` samples of the mix to the beginning of `block`, and returns the events in them.
  ///
  /// Samples are summed as 32-bit floats and never clipped here. Concurrent pulls wait for each other. An offline pull waits
  /// for decoders; in real time, a pull only takes locks for the duration of a few copies. A file that fails ends its entry
  /// with an event, and the other channels continue.
  ///
  /// - Parameters:
  ///   - count: Number of samples per channel, 0 … the block's capacity. 0 executes the commands that are due.
  ///   - block: A block with the mixer's number of output channels.
  /// - Returns: Events ordered by sample, then by channel.
  /// - Throws: `.invalidValue` if the block does not fit.
  @discardableResult
  public func pull(_ count: Int, into block: AudioBlock) throws(CompositorError) -> [ChannelEvent] {
    guard (0...block.capacity).contains(count), block.channelCount == configuration.outputChannelCount else {
      throw CompositorError(
        .invalidValue,
        "\(count) samples of \(configuration.outputChannelCount) channels do not fit \(block.capacity) of \(block.channelCount).",
        recoverySuggestion: "Pull into a block of the mixer's channels, and no more than it holds.")
    }
    let events = engine.withLock { engine in
      let commands = inbox.withLock { inbox in
        let commands = inbox.commands
        if !commands.isEmpty { inbox.commands = [] }
        return commands
      }
      let events = engine.pull(count, into: block.channels, commands)
      published.withLock { published in
        published.position = engine.position
        engine.publish(to: &published.states)
      }
      return events
    }
    if !events.isEmpty { notify(events) }
    return events
  }

  /// Executes the commands that are due and decodes what the next pulls need on the calling thread, so that real time starts
  /// without a gap.
  public func prepare() {
    let block = AudioBlock(channelCount: configuration.outputChannelCount, capacity: 1)
    do throws(CompositorError) {
      try pull(0, into: block)
    } catch {
      // The block is made to fit.
      assertionFailure(error.message)
    }
    engine.withLock { $0.feeder }.feedAll()
  }

  private func notify(_ events: [ChannelEvent]) {
    let listeners = listeners.withLock { Array($0.values) }
    for event in events {
      for listener in listeners { listener.yield(event) }
    }
  }

  func send(_ action: ChannelCommand.Action, to channel: AudioChannel.ID, at time: ChannelTime) {
    inbox.withLock { $0.commands.append(ChannelCommand(channel: channel, time: time, action: action)) }
  }

  /// Assigns IDs to assets and sends them at once, so that IDs rise in the order of the queue.
  func enqueue(
    _ assets: [ChannelAsset], to channel: AudioChannel.ID, at time: ChannelTime, isNext: Bool
  ) -> [ChannelEntry] {
    inbox.withLock { inbox in
      let entries = assets.enumerated().map { ChannelEntry(id: inbox.nextEntry + Int64($0.offset), asset: $0.element) }
      inbox.nextEntry += Int64(assets.count)
      let action: ChannelCommand.Action = isNext ? .insertNext(entries) : .enqueue(entries)
      inbox.commands.append(ChannelCommand(channel: channel, time: time, action: action))
      return entries
    }
  }

  func state(of channel: AudioChannel.ID) -> ChannelState? { published.withLock { $0.states[channel] } }
}

/// A command for a channel.
struct ChannelCommand: Sendable {
  enum Action: Sendable {
    case add, remove
    case enqueue([ChannelEntry])
    case insertNext([ChannelEntry])
    case removeEntry(Int64)
    case removePlayed(keeping: Int)
    case repeating(ChannelRepeat)
    case play, pause, skipForward, skipBackward
    case jump(Int64)
    case seek(MediaTime)
    case volume(Double, over: Int64)
    case pan(Double, over: Int64)
  }

  let channel: AudioChannel.ID
  let time: ChannelTime
  let action: Action
}
