import CompositorAPI

/// Finds errors in the times of a video composition's instructions, without determining their causes.
///
/// Each error is reported once: gaps and overlaps are searched in order of time, so instructions that are out of order don't
/// count as gaps, and the hole left by an unusable instruction is attributed to that instruction.
struct InstructionFaults {
  enum Fault: Hashable {
    /// The instruction has no finite start, or no positive duration. The hole is the gap between its neighbors, if any.
    case unusable(Int, hole: TimeRange?)
    /// The instruction starts before an earlier one in the list.
    case outOfOrder(Int, after: Int)
    /// Two consecutive instructions overlap in a range.
    case overlap(TimeRange, Int, with: Int)
    /// No instruction covers a range between two instructions.
    case gap(TimeRange, after: Int?, before: Int?)

    /// The index of the instruction at which the error occurs; `nil` for a gap after the last one.
    var place: Int? {
      switch self {
      case .unusable(let index, _), .outOfOrder(let index, _), .overlap(_, _, let index): index
      case .gap(_, _, let before): before
      }
    }
  }

  private let times: [TimeRange]
  private let range: TimeRange
  private(set) var faults: [Fault] = []

  /// - Parameters:
  ///   - end: The end of the composition, which the last instruction must reach; `nil` if unknown.
  ///   - range: Instructions outside of this range are ignored, and gaps are limited to it.
  /// - Complexity: O(n log n).
  init(_ instructions: [Instruction], until end: MediaTime?, within range: TimeRange = .all) {
    // By index, which copies no instruction.
    let times = instructions.indices.map { instructions[$0].timeRange }
    self.times = times
    self.range = range
    let isUsable = times.map(\.isUsable)
    let usable = times.indices.filter { isUsable[$0] && (range == .all || times[$0].overlaps(range)) }
    noteOrder(usable)
    // Instructions that start together keep their list order.
    let sorted = faults.isEmpty ? usable : usable.sorted { (start($0), $0) < (start($1), $1) }
    noteNeighbors(sorted, until: end)
    noteUnusable(times.indices.filter { !isUsable[$0] && isInRange($0) }, sorted, until: end)
    guard faults.count > 1 else { return }
    // Sort by instruction, gaps before it first. Errors without an instruction come last.
    let order = faults.indices.sorted {
      (faults[$0].place ?? .max, $0) < (faults[$1].place ?? .max, $1)
    }
    faults = order.map { faults[$0] }
  }

  private func start(_ index: Int) -> MediaTime { times[index].start }

  /// Whether an instruction without a valid time is, or may be, inside the range.
  private func isInRange(_ index: Int) -> Bool {
    range == .all || !start(index).isNumeric || range.contains(start(index))
  }

  private mutating func noteOrder(_ usable: [Int]) {
    var latest: Int?
    for index in usable {
      if let latest, start(index) < start(latest) {
        faults.append(.outOfOrder(index, after: latest))
      } else {
        latest = index
      }
    }
  }

  private mutating func noteNeighbors(_ sorted: [Int], until end: MediaTime?) {
    // The movie begins at 0, and nothing is required before the range.
    var covered = max(.zero, range.start)
    var last: Int?
    for index in sorted {
      let own = times[index]
      if own.start == covered {
        (covered, last) = (own.end, index)
        continue
      }
      if own.start > covered {
        addGap(TimeRange(start: covered, end: own.start), after: last, before: index)
      } else if let last, own.start < times[last].end {
        let overlap = times[last].intersection(own)
        if overlap.overlaps(range) { faults.append(.overlap(overlap, last, with: index)) }
      }
      if last == nil || own.end > covered { (covered, last) = (max(covered, own.end), index) }
    }
    guard let end, end.isNumeric, min(end, range.end) > covered, !sorted.isEmpty else { return }
    addGap(TimeRange(start: covered, end: min(end, range.end)), after: last, before: nil)
  }

  private mutating func addGap(_ gap: TimeRange, after: Int?, before: Int?) {
    let gap = TimeRange(start: gap.start, end: min(gap.end, range.end))
    guard gap.duration > .zero else { return }
    faults.append(.gap(gap, after: after, before: before))
  }

  /// Records unusable instructions with the gap between their neighbors, which isn't a separate error.
  private mutating func noteUnusable(_ unusable: [Int], _ sorted: [Int], until end: MediaTime?) {
    guard !unusable.isEmpty else { return }
    var holes: [Int: TimeRange] = [:]
    faults.removeAll { fault in
      guard case .gap(let gap, let after, let before) = fault else { return false }
      let place = unusable.partitioningIndex { $0 > after ?? -1 }
      guard place < unusable.count, unusable[place] < before ?? times.count else { return false }
      holes[unusable[place]] = gap
      return true
    }
    if sorted.isEmpty, let end, end > .zero { holes[unusable[0]] = TimeRange(start: .zero, end: end) }
    faults += unusable.map { .unusable($0, hole: holes[$0]) }
  }
}

extension TimeRange {
  /// Whether an instruction may have this range: a finite start, and a duration above 0, possibly infinite.
  var isUsable: Bool {
    start.isNumeric && (duration == .positiveInfinity || (duration.isNumeric && duration > .zero && end.isNumeric))
  }
}
