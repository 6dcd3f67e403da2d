public import CompositorAPI
public import CompositorMediaIO

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
