import CompositorAPI
import CompositorMediaIO
import CompositorValidation
import Foundation

/// The limits on decoders that are opened ahead of time.
package struct AheadLimit: Sendable {
  /// The maximum number of decoders.
  package let maximumCount: Int
  /// The maximum number of bytes used by more than one of them.
  static let byteCount = 128 << 20
  /// The number of frames that a decoder keeps: reference frames, frames in its queue, and the current two.
  static let picturesPerDecoder = 12

  /// - Parameter maximumCount: The number in the settings. More than the number of processors would not be ready sooner.
  package init(maximumCount: Int) {
    self.maximumCount = min(maximumCount, max(2, ProcessInfo.processInfo.activeProcessorCount))
  }

  /// Whether one more decoder may be opened.
  ///
  /// - Parameters:
  ///   - picture: Bytes of each of its frames.
  ///   - others: The same for decoders that are open already.
  ///   - more: The number by which ``maximumCount`` may be exceeded.
  package func admits(_ picture: Int, beside others: [Int], more: Int = 0) -> Bool {
    guard !others.isEmpty else { return maximumCount > 0 }
    return others.count < maximumCount + more && others.reduce(picture, +) * Self.picturesPerDecoder <= Self.byteCount
  }
}

/// Opening decoders ahead of time: the next segments are opened, and decoded up to their first frame, while the current ones
/// play; in order of time, a few at once. A decoder whose segment is over continues with a later segment of the same media, so
/// a timeline of thousands of short clips opens only a handful.
extension SourceReaderPool {
  /// The range of frames whose sources were considered.
  struct Outlook {
    /// The last frame whose sources are all open.
    var lastOpened = -1
    /// The last frame to consider.
    var end = -1
  }

  /// Opens the decoders that are needed up to a later order, within the limits.
  func prefetch(from order: FrameRequest, to lookahead: FrameRequest?) {
    guard let lookahead, lookahead.index > order.index else {
      outlook = Outlook()
      let wanted = groups(in: plan.ordersForAllViews(lookahead?.sources ?? [])).map { $0[0] }
      for source in wanted { _ = openAhead(source, besides: wanted.count) }
      return
    }
    if !(order.index - 1...lookahead.index).contains(outlook.lastOpened) {
      // The time jumped, so the decoders opened for another position are spare.
      for key in entries.keys { entries[key]?.isAhead = false }
      outlook.lastOpened = order.index
    }
    outlook.lastOpened = max(outlook.lastOpened, order.index)
    outlook.end = lookahead.index
    // A clip that shows another one's frames now goes on with its decoder.
    let shown = Set(plan.ordersForAllViews(order.sources).map { $0.key() })
    while outlook.lastOpened < outlook.end {
      let index = outlook.lastOpened + 1
      let sources = index == lookahead.index ? lookahead.sources : plan.request(forFrame: index).sources
      let wanted = groups(in: plan.ordersForAllViews(sources)).map { $0[0] }
      for source in wanted where !shown.contains(source.key()) {
        // If the limit is reached, try again with the next frame.
        guard openAhead(source, besides: wanted.count) else { return }
      }
      outlook.lastOpened = index
    }
  }

  /// - Returns: Whether it is open.
  private func openAhead(_ source: SourceOrder, besides count: Int) -> Bool {
    let key = source.key()
    guard entries[key] == nil else { return true }
    let reader: SourceReader
    let wanted = opener.threadCount(for: source, besides: count)
    if let free = takeOver(key, of: source.track, threadCount: wanted) {
      reader = free
    } else {
      let others = entries.values.filter(\.isAhead).map(\.pictureByteCount)
      let picture = opener.pictureByteCount(of: source.track)
      guard spareCount < retention.maximumSpare, retention.aheadLimit.admits(picture, beside: others) else { return false }
      reader = self.reader(for: source, besides: count)
    }
    entries[key]?.isAhead = true
    // Don't use the shared pool, all of whose threads a program may block.
    entries[key]?.preparation = Task(executorPreference: threads) {
      await reader.prepare(at: source.mediaTime, isBackward: source.isBackward)
    }
    return true
  }

  /// Returns the decoder of a track whose segment is over, for another segment of it.
  func takeOver(_ key: Key, of track: MediaLosses.Track, threadCount: Int) -> SourceReader? {
    guard retention.reusesDecoders, key.lane == 0, key.movie == nil else { return nil }
    let free = entries.first { other, entry in
      entry.track == track && entry.threadCount == threadCount && other.lane == 0 && other.movie == nil
        && other.view == key.view && entry.userCount == 0 && !entry.isAhead && !entry.hasFailed
        && entry.lastRequest < requestCount
        && isOver(other, entry, at: now)
    }
    guard let free, var entry = entries.removeValue(forKey: free.key) else { return nil }
    (entry.preparation, entry.lastRequest) = (nil, requestCount)
    entries[key] = entry
    return entry.reader
  }

  /// Of the decoders whose segment is over, those that no segment in the near future can reuse.
  func leavingParked(_ over: [Key]) -> [Key] {
    guard retention.reusesDecoders, outlook.end > outlook.lastOpened else { return over }
    var wanted: [StereoView: [MediaLosses.Track: Set<Key>]] = [:]
    for index in outlook.lastOpened + 1...outlook.end {
      let sources = plan.ordersForAllViews(plan.request(forFrame: index).sources)
      for source in sources where entries[source.key()] == nil {
        wanted[source.view, default: [:]][source.track, default: []].insert(source.key())
      }
    }
    var open = entries.values.filter(\.isAhead).map(\.pictureByteCount)
    return over.filter { key in
      guard let entry = entries[key], !entry.hasFailed, key.lane == 0, key.movie == nil,
        wanted[key.view]?[entry.track]?.popFirst() != nil,
        retention.aheadLimit.admits(entry.pictureByteCount, beside: open, more: 1)
      else { return true }
      open.append(entry.pictureByteCount)
      return false
    }
  }

  /// The number of decoders in addition to those for the current frame.
  var spareCount: Int { entries.values.count { retention.isSpare($0, now: requestCount) || $0.isAhead } }
}
