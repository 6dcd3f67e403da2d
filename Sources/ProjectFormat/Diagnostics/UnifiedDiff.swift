/// The difference of two texts in the format of `diff -u`, which `patch` reads.
package enum UnifiedDiff {
  /// The number of context lines around a change.
  private static let context = 3

  /// The difference; empty for equal texts. O(n + d²) in the lines that differ.
  ///
  /// - Parameter name: The file name for both texts.
  package static func text(from old: [UInt8], to new: [UInt8], name: String) -> String {
    guard old != new else { return "" }
    let (oldLines, newLines) = (lines(old), lines(new))
    let changes = steps(newLines.difference(from: oldLines), count: oldLines.count, newLines)
    return "--- \(name)\n+++ \(name)\n" + hunks(changes).map { $0.text(oldLines, newLines) }.joined()
  }

  /// Lines with their line breaks.
  private static func lines(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    var result: [ArraySlice<UInt8>] = []
    var start = 0
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? bytes.count
      result.append(bytes[start..<end])
      start = end
    }
    return result
  }

  private enum Step {
    case kept(old: Int, new: Int), removed(old: Int), added(new: Int)
    var isChange: Bool { if case .kept = self { false } else { true } }
  }

  private static func steps(
    _ difference: CollectionDifference<ArraySlice<UInt8>>, count: Int, _ newLines: [ArraySlice<UInt8>]
  ) -> [Step] {
    var (removed, added) = (Set<Int>(), Set<Int>())
    for change in difference {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): added.insert(offset)
      }
    }
    var result: [Step] = []
    var (old, new) = (0, 0)
    while old < count || new < newLines.count {
      if removed.contains(old), old < count {
        result.append(.removed(old: old))
        old += 1
      } else if added.contains(new), new < newLines.count {
        result.append(.added(new: new))
        new += 1
      } else {
        result.append(.kept(old: old, new: new))
        (old, new) = (old + 1, new + 1)
      }
    }
    return result
  }

  private static func hunks(_ steps: [Step]) -> [Hunk] {
    var hunks: [Hunk] = []
    var lastChange: Int?
    for (index, step) in steps.enumerated() where step.isChange {
      let start = max(0, index - context)
      if let last = lastChange, start <= last + context + 1, !hunks.isEmpty {
        hunks[hunks.count - 1].steps += steps[(last + 1)...index]
      } else {
        if let last = lastChange { hunks[hunks.count - 1].steps += steps[(last + 1)..<min(steps.count, last + 1 + context)] }
        hunks.append(Hunk(steps: Array(steps[start...index])))
      }
      lastChange = index
    }
    if let last = lastChange { hunks[hunks.count - 1].steps += steps[(last + 1)..<min(steps.count, last + 1 + context)] }
    return hunks
  }

  private struct Hunk {
    var steps: [Step]

    func text(_ old: [ArraySlice<UInt8>], _ new: [ArraySlice<UInt8>]) -> String {
      var (oldLines, newLines): ([Int], [Int]) = ([], [])
      var body = ""
      for step in steps {
        switch step {
        case .kept(let place, let other):
          oldLines.append(place)
          newLines.append(other)
          body += line(" ", old[place])
        case .removed(let place):
          oldLines.append(place)
          body += line("-", old[place])
        case .added(let place):
          newLines.append(place)
          body += line("+", new[place])
        }
      }
      return "@@ -\(span(oldLines)) +\(span(newLines)) @@\n" + body
    }

    private func span(_ lines: [Int]) -> String { "\(lines.first.map { $0 + 1 } ?? 0),\(lines.count)" }

    private func line(_ mark: String, _ bytes: ArraySlice<UInt8>) -> String {
      let text = mark + String(decoding: bytes, as: UTF8.self)
      return bytes.last == UInt8(ascii: "\n") ? text : text + "\n\\ No newline at end of file\n"
    }
  }
}
