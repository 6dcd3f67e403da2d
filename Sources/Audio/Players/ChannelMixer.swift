public import CompositorAPI
public import CompositorMediaIO
import Synchronization

/// Plays any number of channels at the same time, each with a queue of assets of its own, and mixes them.
///
/// The caller pulls samples in blocks of any size, at any pace: as a sound card asks for them, or as fast as they are made. Commands
/// may come from any thread meanwhile; each takes effect at a defined sample. Samples depend on commands and their samples only, not on
/// the size of blocks.
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
/// At most two files are open for each channel: the one that plays and, shortly before its end, the next. Memory depends on the number of
/// channels and entries, not on their length.
public final class ChannelMixer: Sendable {
  /// Who decodes.
  public enum Mode: Hashable, Sendable {
    /// The pulling thread: a pull waits for decoders, and no sample is ever late. For files and tests.
    case offline
    /// A thread of the mixer's own, ahead of time: a pull never waits for a decoder. What is not there in time is silence, and an event
    /// says so. For loudspeakers.
    case realTime
  }

  /// How a mixer works.
  public struct Configuration: Hashable, Sendable {
    /// Samples a second, 8000 … 384,000. Default 48,000.
    public var sampleRate = 48_000
    /// Channels of the output, 1 … 8. Default 2.
    public var outputChannelCount = 2
    /// Who decodes. Default offline.
    public var mode = Mode.offline
    /// How much is decoded ahead for each open file in real time, 0.1 … 30 seconds. Default 1.
    public var bufferDuration = MediaTime.seconds(1)
    /// How long before the end of an entry the next one is opened, 0 … 60 seconds. Default 5. It counts in real time only.
    public var openingLead = MediaTime.seconds(5)
    /// What happens if samples are missing from a file. Default keep: they are silent, and the event at the entry's end tells. With `.fail` the
    /// entry ends there.
    public var damaged = DamagePolicy.keep

    /// The defaults.
    public init() {}

    func validate() throws(CompositorError) {
      guard (8_000...384_000).contains(sampleRate), (1...8).contains(outputChannelCount) else {
        throw CompositorError(
          .invalidValue, "A mixer cannot have \(outputChannelCount) channels of \(sampleRate) Hz.",
          recoverySuggestion: "Use 8000 to 384000 Hz and 1 to 8 channels.")
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

  /// How the mixer works.
  public let configuration: Configuration
  private let engine: Mutex<ChannelEngine>
  /// What was told from any thread and not yet taken by a pull. The lock is held for an append or a swap, never during work.
  private let inbox = Mutex(Inbox())
  /// What may be read from any thread; written at the end of each pull.
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

  /// Makes a mixer without channels; opens nothing.
  ///
  /// - Parameter sources: Where assets are opened: a `MediaCatalog`, or what a test puts in its place.
  /// - Throws: `.invalidValue` if the configuration is out of range.
  public init(sources: some AudioSourceProvider, configuration: Configuration = Configuration()) throws(CompositorError) {
    try configuration.validate()
    self.configuration = configuration
    engine = Mutex(ChannelEngine(sources: sources, configuration: configuration))
  }

  deinit {
    for listener in listeners.withLock({ Array($0.values) }) { listener.finish() }
  }

  /// Adds a channel that is paused and has nothing to play. Any thread.
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

  /// Samples that were pulled so far: the number of the next one. Any thread.
  public var position: Int64 { published.withLock { $0.position } }

  /// What happens in all channels, from now on, in order. Any thread.
  ///
  /// A listener that is slow loses the oldest of more than 4096 events; ``pull(_:into:)`` returns every one. The stream ends with the
  /// mixer.
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

  /// Writes the next `count` samples of the mix to the beginning of `block`, and says what happened in them.
  ///
  /// Samples are summed as 32-bit float and never clipped here. One pull at a time: another thread's waits. Offline a pull waits for decoders; in real time it takes locks
  /// for the length of a few copies only. A file that fails ends its entry with an event; the others play on.
  ///
  /// - Parameters:
  ///   - count: Samples per channel, 0 … the block's capacity. 0 carries out the commands that are due.
  ///   - block: It has as many channels as the mixer's output.
  /// - Returns: Events in the order of their samples, those of one sample by channel.
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
    if !events.isEmpty { tell(events) }
    return events
  }

  /// Carries out the commands that are due and decodes what the next pulls need, on the calling thread: real time starts without a gap.
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

  private func tell(_ events: [ChannelEvent]) {
    let listeners = listeners.withLock { Array($0.values) }
    for event in events {
      for listener in listeners { listener.yield(event) }
    }
  }

  func send(_ action: ChannelCommand.Action, to channel: AudioChannel.ID, at time: ChannelTime) {
    inbox.withLock { $0.commands.append(ChannelCommand(channel: channel, time: time, action: action)) }
  }

  /// Gives assets their numbers and sends them on at once, so that numbers rise in the order of the queue.
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

/// Something that a channel was told to do.
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
