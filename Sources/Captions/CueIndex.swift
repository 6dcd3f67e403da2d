import CompositorAPI

/// Finds the cues that show at a time: an interval tree over cues in the order of their starts. O(log n + found).
struct CueIndex: Sendable {
  /// In the order of their starts.
  let cues: [CaptionCue]
  private let starts, ends: [MediaTime]
  /// The latest end in the part of the tree that a cue is the root of.
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

  /// Indices of the cues that show, rising.
  func active(at time: MediaTime) -> [Int] {
    var found: [Int] = []
    collect(cues.indices, time, &found)
    return found
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
