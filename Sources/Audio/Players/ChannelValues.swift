public import CompositorAPI
public import CompositorMediaIO

/// An asset for a channel: an audio track of a source, or a part of it. Making one opens nothing.
public struct ChannelAsset: Hashable, Sendable {
  /// The source.
  public var source: MediaSource
  /// Index among the source's audio tracks, from 0.
  public var trackIndex: Int
  /// The part to play in media time, with a positive duration that may be infinite. Times that the track lacks are left out.
  /// `nil` (the default) is the whole track.
  public var timeRange: TimeRange?

  /// Creates an asset.
  public init(_ source: MediaSource, trackIndex: Int = 0, timeRange: TimeRange? = nil) {
    self.source = source
    self.trackIndex = trackIndex
    self.timeRange = timeRange
  }

  func validate() throws(CompositorError) {
    let location = ErrorLocation(file: source.description)
    guard trackIndex >= 0 else {
      throw CompositorError(
        .invalidValue, "There is no audio track \(trackIndex).", recoverySuggestion: "Count tracks from 0.", at: location)
    }
    guard let range = timeRange else { return }
    let duration = range.duration
    guard range.start.isNumeric, duration > .zero, duration.isNumeric || duration == .positiveInfinity, duration.epoch == 0
    else {
      throw CompositorError(
        .invalidValue, "\(range) is not a part of an asset.",
        recoverySuggestion: "Give a finite start and a duration above 0.", at: location)
    }
  }
}

/// An asset in a channel's queue. An asset may be in a queue several times, as different entries.
public struct ChannelEntry: Hashable, Sendable, Identifiable {
  /// An ID that is unique in the mixer and never reused.
  public let id: Int64
  /// The asset to play.
  public let asset: ChannelAsset
}

/// The time at which a command takes effect, in samples of the mixer's output.
public enum ChannelTime: Hashable, Sendable {
  /// At the first sample of the next pull.
  case now
  /// At a sample, counted from the mixer's first; at the first sample of the next pull if it was already pulled.
  case sample(Int64)
}

/// Behavior of a channel at the end of an entry and of its queue.
public enum ChannelRepeat: String, Hashable, Sendable, Codable, CaseIterable {
  /// Continues with the next entry, and waits at the end of the queue.
  case off
  /// Repeats the entry. Skipping leaves it.
  case entry
  /// Repeats the queue from its first entry.
  case queue
}

/// An event in a channel, at an exact sample.
public struct ChannelEvent: Sendable {
  /// The reason why an entry ended.
  public enum Ending: Sendable {
    /// Its last sample was played.
    case finished
    /// A command left it: a skip, a jump, or its removal from the queue.
    case skipped
    /// It could not be opened or decoded. The channel continues with the next entry.
    case failed(CompositorError)
  }

  /// The kind of event.
  public enum Kind: Sendable {
    /// The sample is the first audible one of an entry, whether it follows a jump, a repetition or a pause. A seek within a
    /// playing entry does not start it again.
    case started(ChannelEntry)
    /// A started entry has no more samples. `damage` states what its file lacked, if damage is tolerated.
    case ended(ChannelEntry, Ending, damage: [MediaDamage])
    /// The last entry ended. The channel is still playing and waits for more entries.
    case queueEnded
    /// In real time, samples were not ready in time. There is silence until they are; nothing of the entry is lost.
    case underrun(ChannelEntry)
  }

  /// The channel's ID.
  public let channel: AudioChannel.ID
  /// The sample of the mixer's output, counted from its first.
  public let sample: Int64
  /// The kind of event.
  public let kind: Kind
}

/// The state of a channel after the last pull.
public struct ChannelState: Hashable, Sendable {
  /// The queue: played, current and future entries.
  public internal(set) var queue: [ChannelEntry] = []
  /// Index in ``queue`` of the current entry, which plays if ``isPlaying`` is set; the number of entries at the end of the
  /// queue.
  public internal(set) var index = 0
  /// Position of the next sample in the entry's media; zero at the end of the queue.
  public internal(set) var position = MediaTime.zero
  /// Whether the channel plays. At the end of its queue, it plays silence. Default false.
  public internal(set) var isPlaying = false
  /// The last volume set, 0 … 16. Default 1.
  public internal(set) var volume = 1.0
  /// The last pan set, −1 … 1. Default 0.
  public internal(set) var pan = 0.0
  /// Behavior at the end of an entry. Default `.off`.
  public internal(set) var repeating = ChannelRepeat.off
  /// Number of silent samples because nothing was decoded in time; 0 offline.
  public internal(set) var underrunSampleCount: Int64 = 0

  /// The current entry; `nil` at the end of the queue.
  public var current: ChannelEntry? { index < queue.count ? queue[index] : nil }
}
