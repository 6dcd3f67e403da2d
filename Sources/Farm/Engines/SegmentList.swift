/// Numbers of segments or tasks in the engines' notation: `0-2,5`.
package struct SegmentList: Hashable, Sendable {
  /// Ascending ranges that don't overlap.
  package var ranges: [ClosedRange<Int>]

  package init(_ ranges: [ClosedRange<Int>]) { self.ranges = ranges }

  package var text: String {
    ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }.joined(separator: ",")
  }

  /// The tasks that have any of these segments, if each task has `size` consecutive segments.
  package func grouped(by size: Int) -> SegmentList {
    SegmentList(ranges.map { $0.lowerBound / size...$0.upperBound / size }).closingGaps(of: 0)
  }

  /// The list, extended by as few numbers as necessary to fit a number of characters. Segments that are already done cost a
  /// task that ends at once.
  package func fitting(_ characterCount: Int) -> SegmentList {
    var (list, gap) = (self, 1)
    while list.text.utf8.count > characterCount, list.ranges.count > 1 {
      list = list.closingGaps(of: gap)
      gap *= 2
    }
    return list
  }

  /// Joins ranges with at most `size` numbers between them.
  private func closingGaps(of size: Int) -> SegmentList {
    var joined: [ClosedRange<Int>] = []
    for range in ranges {
      if let last = joined.last, range.lowerBound - last.upperBound - 1 <= size {
        joined[joined.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
      } else {
        joined.append(range)
      }
    }
    return SegmentList(joined)
  }
}
