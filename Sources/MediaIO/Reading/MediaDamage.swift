public import CompositorAPI

/// One kind of damage that a reader met in its track.
public struct MediaDamage: Sendable, Hashable {
  /// What is wrong. Everything but ``concealed`` is a loss: frames or samples are missing.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    /// Damaged packets that gave a frame or samples all the same.
    case concealed
    /// Packets that gave no frame or no samples.
    case undecodable
    /// Frames or samples after the end of a file that is cut short.
    case cutShort
    /// The operating system could not read the file.
    case unreadable
    /// The file was written to or replaced while it was in use.
    case changed
    /// The track as a whole cannot be decoded.
    case noDecoder
  }

  /// What is wrong.
  public var kind: Kind
  /// Packets, ≥ 1; requests without a frame of their own for ``Kind/cutShort`` video; 1 for what is counted once.
  public var count: Int
  /// Media time of the first of them; nil if it isn't known.
  public var firstTime: MediaTime?
  /// Why, in the decoder's words, without a full stop.
  public var reason: String

  /// Describes damage.
  public init(_ kind: Kind, count: Int = 1, firstTime: MediaTime? = nil, reason: String) {
    self.kind = kind
    self.count = count
    self.firstTime = firstTime
    self.reason = reason
  }
}

/// Damage of one track, added up by kind.
package struct DamageTally: Sendable {
  private var found: [MediaDamage.Kind: MediaDamage] = [:]

  package init() {}

  /// One entry for each kind that was met, in the order of ``MediaDamage/Kind``.
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
  /// What this failure to read is if it is kept.
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

  /// Whether this says that a source is damaged, rather than that the caller or the machine is at fault.
  package var isDamage: Bool {
    switch code {
    case .readFailed, .mediaChanged, .truncatedMedia, .decoderNotFound, .decodeFailed, .unreadableMedia, .noFrame: true
    default: false
    }
  }
}

/// Frames of a track that were promised and not decoded, by their times in ticks.
struct FrameLosses {
  struct Loss {
    var time: Int64
    /// Why, without a full stop.
    var reason: String
  }

  /// Rising in time, each time once.
  private var losses: [Loss] = []
  /// Times of losses that were counted.
  private var counted: Set<Int64> = []

  var first: Loss? { losses.first }

  /// Adds a loss; one that is known already is found again if its packets are decoded again.
  mutating func add(_ loss: Loss) {
    let index = losses.partitioningIndex { $0.time >= loss.time }
    if index < losses.count, losses[index].time == loss.time { return }
    losses.insert(loss, at: index)
  }

  /// The lost frame that should be shown at a time; nil if the frame that is shown is the right one.
  ///
  /// - Parameter shown: Time of the frame that is shown; nil if there is none.
  func loss(at tick: Int64, showing shown: Int64?) -> Loss? {
    let index = losses.partitioningIndex { $0.time > tick }
    guard index > 0, losses[index - 1].time > shown ?? .min else { return nil }
    return losses[index - 1]
  }

  /// Whether a loss is counted for the first time.
  mutating func count(_ time: Int64) -> Bool { counted.insert(time).inserted }
}

extension [FrameLosses.Loss] {
  /// The index of the first element that a predicate holds for; it holds for all after it.
  fileprivate func partitioningIndex(where isAfter: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isAfter(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

/// Frames or audio of one track that a render went on without; see ``DamagePolicy/keep``.
public struct MediaLoss: Sendable, Hashable {
  /// The source.
  public var source: MediaSource
  /// Whether frames or samples are missing.
  public var mediaType: MediaType
  /// Index among the source's video or audio tracks, from 0.
  public var trackIndex: Int
  /// What is missing, why, how much and from when on.
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

  /// All is well.
  package init() {}

  /// Adds what one reader met.
  package mutating func add(_ found: [MediaDamage], in track: Track) {
    for damage in found { tallies[track, default: DamageTally()].add(damage) }
  }

  /// Adds what others found.
  package mutating func add(_ other: MediaLosses) {
    for (track, tally) in other.tallies { add(tally.all, in: track) }
  }

  /// Everything, damaged packets that gave frames too, by source, video before audio, track and kind.
  private var all: [MediaLoss] {
    let order: (Track) -> (String, String, Int) = { ($0.source.description, $0.mediaType == .video ? "" : "audio", $0.index) }
    return tallies.sorted { order($0.key) < order($1.key) }.flatMap { track, tally in
      tally.all.map { MediaLoss(source: track.source, mediaType: track.mediaType, trackIndex: track.index, damage: $0) }
    }
  }

  /// What is missing.
  package var losses: [MediaLoss] { all.filter { $0.damage.kind != .concealed } }

  /// A sentence for each kind of damage of each track.
  package var warnings: [MediaWarning] { all.map(\.warning) }
}

extension MediaLoss {
  /// One sentence for a person.
  fileprivate var warning: MediaWarning {
    let isAudio = mediaType == .audio
    let name = "\(source), \(mediaType.rawValue) track \(trackIndex)"
    let from = damage.firstTime.map { " from \($0.readable) on" } ?? ""
    let reason = damage.reason.isEmpty ? "" : " (\(damage.reason))"
    let instead = isAudio ? "silence stands in" : "the frame before is held"
    let packets = damage.count == 1 ? "1 packet" : "\(damage.count) packets"
    let what =
      switch damage.kind {
      case .concealed: "\(packets) damaged\(from), but \(isAudio ? "no audio" : "no frame") is missing\(reason)."
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
      default: isAudio ? .damagedSound : .damagedPictures
      }
    return MediaWarning(kind, "\(name): \(what)")
  }
}
