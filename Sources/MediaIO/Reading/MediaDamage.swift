public import CompositorAPI

/// Damage of one kind that a reader found in its track.
public struct MediaDamage: Sendable, Hashable {
  /// The kind of damage. All kinds but ``concealed`` are losses: frames or samples are missing.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    /// Damaged packets that still produced a frame or samples.
    case concealed
    /// Packets that produced no frame or no samples.
    case undecodable
    /// Frames or samples after the end of a truncated file.
    case cutShort
    /// The operating system could not read the file.
    case unreadable
    /// The file was modified or replaced while it was in use.
    case changed
    /// The track as a whole cannot be decoded.
    case noDecoder
  }

  /// The kind of damage.
  public var kind: Kind
  /// Number of packets, ≥ 1. For ``Kind/cutShort`` video, the number of requests without a frame of their own; 1 for damage
  /// that is counted once.
  public var count: Int
  /// Media time of the first damage; `nil` if unknown.
  public var firstTime: MediaTime?
  /// The decoder's reason, without a full stop.
  public var reason: String

  /// Describes damage.
  public init(_ kind: Kind, count: Int = 1, firstTime: MediaTime? = nil, reason: String) {
    self.kind = kind
    self.count = count
    self.firstTime = firstTime
    self.reason = reason
  }
}

/// Damage of one track, summed by kind.
package struct DamageTally: Sendable {
  private var found: [MediaDamage.Kind: MediaDamage] = [:]

  package init() {}

  /// One entry for each kind found, in the order of ``MediaDamage/Kind``.
  package var all: [MediaDamage] { MediaDamage.Kind.allCases.compactMap { found[$0] } }

  package mutating func add(_ damage: MediaDamage) {
    guard var known = found[damage.kind] else {
      found[damage.kind] = damage
      return
    }
    known.count += damage.count
    known.reason = damage.reason
    if let time = damage.firstTime { known.firstTime = min(known.firstTime ?? time, time) }
    found[damage.kind] = known
  }
}

extension CompositorError {
  /// The damage that a failure to read counts as if it is tolerated.
  package func damage(at time: MediaTime?) -> MediaDamage {
    let kind: MediaDamage.Kind =
      switch code {
      case .readFailed: .unreadable
      case .mediaChanged: .changed
      case .truncatedMedia: .cutShort
      case .decoderNotFound: .noDecoder
      default: .undecodable
      }
    return MediaDamage(kind, firstTime: time, reason: cause ?? message)
  }

  /// Whether the error means a damaged source rather than a fault of the caller or the machine.
  package var isDamage: Bool {
    switch code {
    case .readFailed, .mediaChanged, .truncatedMedia, .decoderNotFound, .decodeFailed, .unreadableMedia, .noFrame: true
    default: false
    }
  }
}

/// Frames of a track that were promised but not decoded, by their times in ticks.
struct FrameLosses {
  struct Loss {
    var time: Int64
    /// The reason, without a full stop.
    var reason: String
  }

  /// Losses in rising time order, each time once.
  private var losses: [Loss] = []
  /// Times of the losses counted so far.
  private var counted: Set<Int64> = []

  var first: Loss? { losses.first }

  /// Adds a loss. A known loss is found again if its packets are decoded again.
  mutating func add(_ loss: Loss) {
    let index = losses.partitioningIndex { $0.time >= loss.time }
    if index < losses.count, losses[index].time == loss.time { return }
    losses.insert(loss, at: index)
  }

  /// The lost frame that should be shown at a given time; `nil` if the shown frame is the right one.
  ///
  /// - Parameter shown: Time of the shown frame; `nil` if there is none.
  func loss(at tick: Int64, showing shown: Int64?) -> Loss? {
    let index = losses.partitioningIndex { $0.time > tick }
    guard index > 0, losses[index - 1].time > shown ?? .min else { return nil }
    return losses[index - 1]
  }

  /// Counts a loss. Returns whether it is counted for the first time.
  mutating func count(_ time: Int64) -> Bool { counted.insert(time).inserted }
}

extension [FrameLosses.Loss] {
  /// The first index at which a predicate holds; it holds for all elements after it.
  fileprivate func partitioningIndex(where isAfter: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isAfter(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

/// Missing frames or audio of one track that a render tolerated; see ``DamagePolicy/keep``.
public struct MediaLoss: Sendable, Hashable {
  /// The source.
  public var source: MediaSource
  /// The type of the track: video or audio.
  public var mediaType: MediaType
  /// Index among the source's video or audio tracks, from 0.
  public var trackIndex: Int
  /// The damage: its kind, reason, count and first time.
  public var damage: MediaDamage
}

/// Damage of several tracks.
package struct MediaLosses: Sendable {
  /// A track of a source.
  package struct Track: Sendable, Hashable {
    package var source: MediaSource
    package var mediaType: MediaType
    package var index: Int

    package init(_ source: MediaSource, _ mediaType: MediaType, _ index: Int) {
      (self.source, self.mediaType, self.index) = (source, mediaType, index)
    }
  }

  private var tallies: [Track: DamageTally] = [:]

  /// No damage.
  package init() {}

  /// Adds the damage found by one reader.
  package mutating func add(_ found: [MediaDamage], in track: Track) {
    for damage in found { tallies[track, default: DamageTally()].add(damage) }
  }

  /// Adds the damage of other losses.
  package mutating func add(_ other: MediaLosses) {
    for (track, tally) in other.tallies { add(tally.all, in: track) }
  }

  /// All damage, including concealed damage, by source, video before audio, track and kind.
  package var all: [MediaLoss] {
    let order: (Track) -> (String, String, Int) = { ($0.source.description, $0.mediaType == .video ? "" : "audio", $0.index) }
    return tallies.sorted { order($0.key) < order($1.key) }.flatMap { track, tally in
      tally.all.map { MediaLoss(source: track.source, mediaType: track.mediaType, trackIndex: track.index, damage: $0) }
    }
  }

  /// The losses, without concealed damage.
  package var losses: [MediaLoss] { all.filter { $0.damage.kind != .concealed } }

  /// A warning for each kind of damage of each track.
  package var warnings: [MediaWarning] { all.map(\.warning) }
}

extension MediaLoss {
  /// A sentence for people.
  fileprivate var warning: MediaWarning {
    let isAudio = mediaType == .audio
    let name = "\(source), \(mediaType.rawValue) track \(trackIndex)"
    let from = damage.firstTime.map { " from \($0.readable) on" } ?? ""
    let reason = damage.reason.isEmpty ? "" : " (\(damage.reason))"
    let instead = isAudio ? "silence is used instead" : "the frame before is held"
    let packets = damage.count == 1 ? "1 packet" : "\(damage.count) packets"
    let what =
      switch damage.kind {
      case .concealed:
        "\(packets) damaged\(from): \(isAudio ? "audio" : "frames") decoded from \(damage.count == 1 ? "it" : "them") may be wrong\(reason)."
      case .undecodable: "\(packets) could not be decoded\(from)\(reason); \(instead)."
      case .cutShort where isAudio: "the file has no audio\(from)\(reason); \(instead)."
      case .cutShort: "\(damage.count) \(damage.count == 1 ? "frame is" : "frames are") missing\(from)\(reason); \(instead)."
      case .unreadable: "the file could not be read\(from)\(reason); \(instead)."
      case .changed: "the file changed while it was in use\(reason)."
      case .noDecoder: "the track could not be decoded and was left out\(reason)."
      }
    let kind: MediaWarning.Kind =
      switch damage.kind {
      case .cutShort: .truncated
      case .noDecoder: .undecodableTrack
      case .changed: .changedMedia
      default: isAudio ? .damagedAudio : .damagedVideo
      }
    return MediaWarning(kind, "\(name): \(what)")
  }
}
