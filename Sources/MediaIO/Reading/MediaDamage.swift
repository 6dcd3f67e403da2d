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
