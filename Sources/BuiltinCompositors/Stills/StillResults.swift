import CompositorAPI
import Synchronization

/// Results of work on stills that later frames repeat, such as a logo that keeps its place over a movie.
///
/// A result is kept from the second request on, so that nothing is kept of stills that move. Results are kept as long as their
/// stills, within a limit on their bytes. They never change a frame: a result is used exactly as it was made. Thread-safe.
final class StillResults<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// What is known of a result.
  enum Answer {
    /// It was not needed before, or another thread is making it: the caller should do its work as usual.
    case unknown
    /// It was needed before: the caller should make it in a form that can be kept, and pass it to ``keep(_:byteCount:for:)``.
    case repeated
    case known(Value)
  }

  fileprivate struct Still {
    weak var lease: FrameLease?
  }

  fileprivate struct Entry {
    let stills: [Still]
    var lastRequest: Int
    var isBeingMade = false
    var value: Value?
    var byteCount = 0

    var isAlive: Bool { stills.allSatisfy { $0.lease != nil } }

    func isOf(_ frames: [Frame]) -> Bool {
      stills.count == frames.count && zip(stills, frames).allSatisfy { $0.lease === $1.lease }
    }
  }

  fileprivate struct State {
    var entries: [Key: Entry] = [:]
    var requestCount = 0
    var byteCount = 0
  }

  private let capacity, byteLimit: Int
  private let state = Mutex(State())

  /// - Parameters:
  ///   - capacity: The maximum number of keys to remember.
  ///   - byteLimit: The maximum sum of the results' bytes.
  init(capacity: Int = 64, byteLimit: Int = 64 << 20) { (self.capacity, self.byteLimit) = (capacity, byteLimit) }

  /// The number of kept results, and their bytes.
  var kept: (count: Int, byteCount: Int) {
    state.withLock { state in (state.entries.values.count { $0.value != nil }, state.byteCount) }
  }

  /// - Parameter stills: The frames that the result is made of, which the key identifies during their lifetime.
  func request(_ key: Key, of stills: [Frame]) -> Answer {
    state.withLock { state in
      state.requestCount += 1
      // An address may be reused after its frame is released.
      guard var entry = state.entries[key], entry.isOf(stills) else {
        state.remove { $0 == key || !$1.isAlive }
        while state.entries.count >= capacity { state.removeOldest { _ in true } }
        state.entries[key] = Entry(stills: stills.map { Still(lease: $0.lease) }, lastRequest: state.requestCount)
        return .unknown
      }
      entry.lastRequest = state.requestCount
      defer { state.entries[key] = entry }
      if let value = entry.value { return .known(value) }
      if entry.isBeingMade { return .unknown }
      entry.isBeingMade = true
      return .repeated
    }
  }

  /// Keeps a result, unless it is larger than the limit.
  func keep(_ value: Value, byteCount: Int, for key: Key) {
    // Values are freed after the lock is released.
    let gone = state.withLock { state -> [Entry] in
      guard byteCount <= byteLimit, state.entries[key]?.value == nil, var entry = state.entries[key] else { return [] }
      var gone: [Entry] = []
      while state.byteCount + byteCount > byteLimit { gone += state.removeOldest { $0.value != nil } }
      (entry.value, entry.byteCount) = (value, byteCount)
      state.entries[key] = entry
      state.byteCount += byteCount
      return gone
    }
    withExtendedLifetime(gone) {}
  }
}

extension StillResults.State {
  fileprivate mutating func remove(where isRemoved: (Key, StillResults.Entry) -> Bool) {
    for (key, entry) in entries where isRemoved(key, entry) {
      entries[key] = nil
      byteCount -= entry.byteCount
    }
  }

  /// Removes the least recently requested of some entries, and returns it.
  @discardableResult
  fileprivate mutating func removeOldest(where isCandidate: (StillResults.Entry) -> Bool) -> [StillResults.Entry] {
    let oldest = entries.filter { isCandidate($0.value) }.min { $0.value.lastRequest < $1.value.lastRequest }
    guard let oldest else { return [] }
    entries[oldest.key] = nil
    byteCount -= oldest.value.byteCount
    return [oldest.value]
  }
}

/// A still and its placement: everything that one layer's result depends on, apart from the output.
struct StillLayerKey: Hashable, Sendable {
  private let lease: ObjectIdentifier
  private let format: PixelFormat
  private let size: PixelSize
  private let attributes: FrameAttributes
  private let opacity: Double
  private let sourceToOutput: AffineMatrix
  private let crop: Rect
  private let decoration: ResolvedDecoration?
  private let reduction: PictureReduction?
  private let filter: LayerFilter?

  /// Returns `nil` for layers that aren't stills, or move.
  init?(_ layer: ResolvedLayer) {
    guard layer.isStill, layer.moments.isEmpty else { return nil }
    lease = layer.frame.leaseID
    (format, size, attributes) = (layer.frame.format, layer.frame.size, layer.frame.attributes)
    (opacity, sourceToOutput, crop) = (layer.opacity, layer.sourceToOutput, layer.crop)
    (decoration, reduction, filter) = (layer.decoration, layer.reduction, layer.filter)
  }
}
