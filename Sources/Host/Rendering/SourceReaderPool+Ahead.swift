import CompositorAPI
import CompositorMediaIO
import Foundation

/// How many decoders may be open for pieces of the timeline that have not begun.
package struct AheadLimit: Sendable {
  /// Decoders.
  package let maximumCount: Int
  /// Bytes that more than one of them may take.
  static let byteCount = 128 << 20
  /// Pictures that a decoder holds: those that others refer to, those that wait for their turn, the two at hand.
  static let picturesPerDecoder = 12

  /// - Parameter maximumCount: As the settings say. More than there are processors are not ready any sooner.
  package init(maximumCount: Int) {
    self.maximumCount = min(maximumCount, max(2, ProcessInfo.processInfo.activeProcessorCount))
  }

  /// Whether one more decoder may be opened.
  ///
  /// - Parameters:
  ///   - picture: Bytes of its pictures, each.
  ///   - others: The same of those that are open already.
  ///   - more: How many more than ``maximumCount`` there may be.
  package func admits(_ picture: Int, beside others: [Int], more: Int = 0) -> Bool {
    guard !others.isEmpty else { return maximumCount > 0 }
    return others.count < maximumCount + more && others.reduce(picture, +) * Self.picturesPerDecoder <= Self.byteCount
  }
}

/// Decoders ahead of time. What plays next is opened, and decoded up to its first frame, while another piece plays: one piece after
/// another in the order of time, a few at once. A decoder whose piece is over goes on with a later piece of the same media, so that a timeline
/// of thousands of short clips opens a handful.
extension SourceReaderPool {
  /// What is looked at ahead of time.
  struct Outlook {
    /// The last frame whose sources are all open.
    var lastOpened = -1
    /// The last frame that is looked at.
    var end = -1
  }

  /// Opens the decoders of what begins up to a later order, as far as the bounds allow.
  func prefetch(from order: FrameRequest, to lookahead: FrameRequest?) {
    guard let lookahead, lookahead.index > order.index else {
      outlook = Outlook()
      for source in lookahead?.sources ?? [] { _ = openAhead(source, besides: lookahead?.sources.count ?? 1) }
      return
    }
    if !(order.index - 1...lookahead.index).contains(outlook.lastOpened) {
      // Somebody jumped: what was opened for another place is spare.
      for key in entries.keys { entries[key]?.isAhead = false }
      outlook.lastOpened = order.index
    }
    outlook.lastOpened = max(outlook.lastOpened, order.index)
    outlook.end = lookahead.index
    while outlook.lastOpened < outlook.end {
      let index = outlook.lastOpened + 1
      let sources = index == lookahead.index ? lookahead.sources : plan.order(forFrame: index).sources
      for source in sources {
        // Where there is no room, it is looked at again with the next frame.
        guard openAhead(source, besides: sources.count) else { return }
      }
      outlook.lastOpened = index
    }
  }

  /// - Returns: Whether it is open.
  private func openAhead(_ source: SourceOrder, besides count: Int) -> Bool {
    let key = source.key()
    guard entries[key] == nil else { return true }
    let reader: SourceReader
    let wanted = decoderThreadCount ?? threadCount(for: source, besides: count)
    if let free = takeOver(key, of: source.track, threadCount: wanted) {
      reader = free
    } else {
      let others = entries.values.filter(\.isAhead).map(\.pictureByteCount)
      let picture = pictureByteCount(of: source.track)
      guard spareCount < maximumSpare, aheadLimit.admits(picture, beside: others) else { return false }
      reader = self.reader(for: source, besides: count)
    }
    entries[key]?.isAhead = true
    // Not on the shared pool, all of whose threads a program may block.
    entries[key]?.preparation = Task(executorPreference: threads) {
      await reader.prepare(at: source.mediaTime, isBackward: source.isBackward)
    }
    return true
  }

  /// A decoder of a track whose piece is over, for another piece of it.
  ///
  /// Decoders of instructions that ask for other times stay with their pieces, and so do those of somebody who may go back.
  func takeOver(_ key: Key, of track: MediaLosses.Track, threadCount: Int) -> SourceReader? {
    guard lingering == 0, !keepsPassed, key.lane == 0, key.movie == nil else { return nil }
    let free = entries.first { other, entry in
      entry.track == track && entry.threadCount == threadCount && other.lane == 0 && other.movie == nil
        && entry.userCount == 0 && !entry.isAhead && !entry.hasFailed && entry.lastRequest < requestCount
        && isOver(other, entry, at: now)
    }
    guard let free, var entry = entries.removeValue(forKey: free.key) else { return nil }
    (entry.preparation, entry.lastRequest) = (nil, requestCount)
    entries[key] = entry
    return entry.reader
  }

  /// Of decoders whose piece is over, those that nothing which begins soon can go on with.
  func leavingParked(_ over: [Key]) -> [Key] {
    guard lingering == 0, !keepsPassed, outlook.end > outlook.lastOpened else { return over }
    var wanted: [MediaLosses.Track: Set<Key>] = [:]
    for index in outlook.lastOpened + 1...outlook.end {
      for source in plan.order(forFrame: index).sources where entries[source.key()] == nil {
        wanted[source.track, default: []].insert(source.key())
      }
    }
    var open = entries.values.filter(\.isAhead).map(\.pictureByteCount)
    return over.filter { key in
      guard let entry = entries[key], !entry.hasFailed, key.lane == 0, key.movie == nil, wanted[entry.track]?.popFirst() != nil,
        aheadLimit.admits(entry.pictureByteCount, beside: open, more: 1)
      else { return true }
      open.append(entry.pictureByteCount)
      return false
    }
  }

  /// Decoders beside those that the current frame needs.
  var spareCount: Int { entries.values.count { $0.lastRequest < requestCount || $0.isAhead } }

  /// Bytes of one picture of a track; 0 if it is not known.
  func pictureByteCount(of track: MediaLosses.Track) -> Int {
    plan.composition.videoTrack(track.index, of: track.source).map { $0.format.byteCount(of: $0.size) } ?? 0
  }
}
