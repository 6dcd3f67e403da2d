import CompositorAPI

/// Finds the cues that are visible at a given time: an interval tree over cues ordered by start. O(log n + found).
struct CueIndex: Sendable {
  /// The cues, ordered by start.
  let cues: [CaptionCue]
  private let starts, ends: [MediaTime]
  /// The latest end in the subtree of a cue.
  private let latest: [MediaTime]

  init(_ cues: [CaptionCue]) {
    self.cues = cues
    starts = cues.map(\.timeRange.start)
    let ends = cues.map(\.timeRange.end)
    self.ends = ends
    var latest = ends
    func fill(_ range: Range<Int>) -> MediaTime {
      guard !range.isEmpty else { return .negativeInfinity }
      let middle = range.lowerBound + range.count / 2
      latest[middle] = max(ends[middle], fill(range.lowerBound..<middle), fill(middle + 1..<range.upperBound))
      return latest[middle]
    }
    _ = fill(cues.indices)
    self.latest = latest
  }

  /// Indexes of the visible cues, in increasing order.
  func active(at time: MediaTime) -> [Int] {
    var found: [Int] = []
    collect(cues.indices, time, &found)
    return found
  }

  /// Indexes of the cues that are visible at some time of a range, in increasing order.
  func active(during range: TimeRange) -> [Int] {
    var found: [Int] = []
    collect(cues.indices, from: range.start, before: range.end, &found)
    return found
  }

  private func collect(_ range: Range<Int>, from start: MediaTime, before end: MediaTime, _ found: inout [Int]) {
    guard !range.isEmpty else { return }
    let middle = range.lowerBound + range.count / 2
    guard latest[middle] > start else { return }
    collect(range.lowerBound..<middle, from: start, before: end, &found)
    guard starts[middle] < end else { return }
    if ends[middle] > start { found.append(middle) }
    collect(middle + 1..<range.upperBound, from: start, before: end, &found)
  }

  private func collect(_ range: Range<Int>, _ time: MediaTime, _ found: inout [Int]) {
    guard !range.isEmpty else { return }
    let middle = range.lowerBound + range.count / 2
    guard latest[middle] > time else { return }
    collect(range.lowerBound..<middle, time, &found)
    guard starts[middle] <= time else { return }
    if ends[middle] > time { found.append(middle) }
    collect(middle + 1..<range.upperBound, time, &found)
  }
}
