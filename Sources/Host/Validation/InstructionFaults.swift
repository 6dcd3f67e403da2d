import CompositorAPI

/// What is wrong with the times of a video composition's instructions, without a word about causes.
///
/// Each fault is there once: gaps and overlaps are looked for in the order of time, so instructions that are out of order are no gaps too,
/// and the hole that an unusable instruction leaves is that instruction's.
struct InstructionFaults {
  enum Fault: Hashable {
    /// The instruction has no finite start, or no positive duration. The hole is what its neighbors leave open, if they do.
    case unusable(Int, hole: TimeRange?)
    /// The instruction starts before one that comes earlier in the list.
    case outOfOrder(Int, after: Int)
    /// Two instructions that follow one another in time are both in force in a range.
    case overlap(TimeRange, Int, with: Int)
    /// No instruction covers a range between two.
    case gap(TimeRange, after: Int?, before: Int?)

    /// The instruction in the list at which the fault comes up; `nil` for what is missing after the last one.
    var place: Int? {
      switch self {
      case .unusable(let index, _), .outOfOrder(let index, _), .overlap(_, _, let index): index
      case .gap(_, _, let before): before
      }
    }
  }

  private let instructions: [Instruction]
  private let range: TimeRange
  private(set) var faults: [Fault] = []

  /// - Parameters:
  ///   - end: The end of the composition, which the last instruction has to reach; `nil` if it is not known.
  ///   - range: Instructions outside of this are not looked at, and gaps are cut to it.
  /// - Complexity: O(n log n).
  init(_ instructions: [Instruction], until end: MediaTime?, within range: TimeRange = .all) {
    self.instructions = instructions
    self.range = range
    let isUsable = instructions.map(\.timeRange.isUsable)
    let usable = instructions.indices.filter { isUsable[$0] && (range == .all || instructions[$0].timeRange.overlaps(range)) }
    noteOrder(usable)
    // Of instructions that start together the first in the list comes first.
    let sorted = faults.isEmpty ? usable : usable.sorted { (start($0), $0) < (start($1), $1) }
    noteNeighbors(sorted, until: end)
    noteUnusable(instructions.indices.filter { !isUsable[$0] && isInRange($0) }, sorted, until: end)
    guard faults.count > 1 else { return }
    // Of one instruction, what comes before it first; what no instruction is told of is at the end.
    let order = faults.indices.sorted {
      (faults[$0].place ?? .max, $0) < (faults[$1].place ?? .max, $1)
    }
    faults = order.map { faults[$0] }
  }

  private func start(_ index: Int) -> MediaTime { instructions[index].timeRange.start }

  /// Whether an instruction without a usable time is, or may be, inside the range.
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
    // The movie begins at 0, and before the range nothing is asked for.
    var covered = max(.zero, range.start)
    var last: Int?
    for index in sorted {
      let own = instructions[index].timeRange
      if own.start == covered {
        (covered, last) = (own.end, index)
        continue
      }
      if own.start > covered {
        addGap(TimeRange(start: covered, end: own.start), after: last, before: index)
      } else if let last, own.start < instructions[last].timeRange.end {
        let overlap = instructions[last].timeRange.intersection(own)
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

  /// Unusable instructions, and the gap between their neighbors, which is no fault of its own.
  private mutating func noteUnusable(_ unusable: [Int], _ sorted: [Int], until end: MediaTime?) {
    guard !unusable.isEmpty else { return }
    var holes: [Int: TimeRange] = [:]
    faults.removeAll { fault in
      guard case .gap(let gap, let after, let before) = fault else { return false }
      let place = unusable.partitioningIndex { $0 > after ?? -1 }
      guard place < unusable.count, unusable[place] < before ?? instructions.count else { return false }
      holes[unusable[place]] = gap
      return true
    }
    if sorted.isEmpty, let end, end > .zero { holes[unusable[0]] = TimeRange(start: .zero, end: end) }
    faults += unusable.map { .unusable($0, hole: holes[$0]) }
  }
}

extension TimeRange {
  /// Whether an instruction may have it: a finite start, and a duration above 0, which may be without end.
  var isUsable: Bool {
    start.isNumeric && (duration == .positiveInfinity || (duration.isNumeric && duration > .zero && end.isNumeric))
  }
}
