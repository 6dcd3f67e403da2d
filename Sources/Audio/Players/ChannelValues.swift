public import CompositorAPI
public import CompositorMediaIO

/// An asset to be played by a channel: an audio track of a source, or a part of it. Naming it opens nothing.
public struct ChannelAsset: Hashable, Sendable {
  /// The source.
  public var source: MediaSource
  /// The source's track, counted from 0 among its audio tracks.
  public var trackIndex: Int
  /// The part to play, in media time, of positive duration, which may be infinite; what the track does not have is left out.
  /// `nil`, the default, is the whole track.
  public var timeRange: TimeRange?

  /// Names an asset.
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

/// An asset in a channel's queue. The same asset may be in a queue several times: each time is an entry of its own.
public struct ChannelEntry: Hashable, Sendable, Identifiable {
  /// A number that no other entry of the mixer has or had.
  public let id: Int64
  /// What it plays.
  public let asset: ChannelAsset
}

/// When a command takes effect, in samples of the mixer's output.
public enum ChannelTime: Hashable, Sendable {
  /// At the first sample of the next pull.
  case now
  /// At a sample, counted from the mixer's first; at the first sample of the next pull if that sample was pulled already.
  case sample(Int64)
}

/// What a channel does at the end of an entry and of its queue.
public enum ChannelRepeat: String, Hashable, Sendable, Codable, CaseIterable {
  /// Plays on with the next entry, and waits at the end of the queue.
  case off
  /// Plays the entry again. Skipping leaves it.
  case entry
  /// Plays the queue again from its first entry.
  case queue
}

/// Something that happened in a channel, at an exact sample.
public struct ChannelEvent: Sendable {
  /// Why an entry ended.
  public enum Ending: Sendable {
    /// Its last sample was played.
    case finished
    /// A command left it: a skip, a jump, or its removal from the queue.
    case skipped
    /// It could not be opened or decoded; the channel goes on with the next entry.
    case failed(CompositorError)
  }

  /// What happened.
  public enum Kind: Sendable {
    /// The sample is the first of an entry that is heard. A jump, a repetition and a pause before it do not matter; a seek inside an
    /// entry that plays does not start it again.
    case started(ChannelEntry)
    /// An entry that had started has no more samples from here on. `damage` says what its file was missing, if damage is kept.
    case ended(ChannelEntry, Ending, damage: [MediaDamage])
    /// There is nothing more to play: the last entry ended. The channel waits for more, still playing.
    case queueEnded
    /// Real time only: samples were not there in time. There is silence until they are; nothing of the entry is lost.
    case underrun(ChannelEntry)
  }

  /// The channel.
  public let channel: AudioChannel.ID
  /// The sample of the mixer's output, counted from its first.
  public let sample: Int64
  /// What happened.
  public let kind: Kind
}

/// What a channel is doing, as of the last sample that was pulled.
public struct ChannelState: Hashable, Sendable {
  /// The queue: what was played, what plays, and what is to be played.
  public internal(set) var queue: [ChannelEntry] = []
  /// Index in ``queue`` of the entry that plays or will when ``isPlaying`` is set; the number of entries at the end of the queue.
  public internal(set) var index = 0
  /// Where in that entry's media the next sample is; zero at the end of the queue.
  public internal(set) var position = MediaTime.zero
  /// Whether the channel plays; at the end of its queue it plays silence. Default false.
  public internal(set) var isPlaying = false
  /// The volume that was last set, 0 … 16. Default 1.
  public internal(set) var volume = 1.0
  /// The pan that was last set, −1 … 1. Default 0.
  public internal(set) var pan = 0.0
  /// What happens at the end of an entry. Default off.
  public internal(set) var repeating = ChannelRepeat.off
  /// Samples of silence because nothing was decoded in time. 0 offline.
  public internal(set) var underrunSampleCount: Int64 = 0

  /// The entry that plays, or will; nil at the end of the queue.
  public var current: ChannelEntry? { index < queue.count ? queue[index] : nil }
}
