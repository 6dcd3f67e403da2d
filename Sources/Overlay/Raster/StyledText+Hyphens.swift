// The hyphens of a text, which are no characters of it: only the engine sees them.

extension StyledText {
  /// Finds where words may be divided.
  mutating func hyphenate() {
    let hyphenation = Hyphenation(of: string, runs)
    hyphens = hyphenation.places
    hyphenationProblem = hyphenation.problem
  }

  /// The text as it is laid out, with soft hyphens.
  var withSoftHyphens: (bytes: [UInt8], runs: [Run]) {
    guard !hyphens.isEmpty else { return (Array(string.utf8), runs) }
    var (bytes, rest): ([UInt8], ArraySlice<Int>) = ([], hyphens[...])
    for (offset, byte) in string.utf8.enumerated() {
      if rest.first == offset {
        bytes += "\u{AD}".utf8
        rest.removeFirst()
      }
      bytes.append(byte)
    }
    return (bytes, runs.flatMap(parts))
  }

  /// A run of the text with soft hyphens. Each belongs to the letter before it, but has no tracking: it is seen only at the end of
  /// a line.
  private func parts(of run: Run) -> [Run] {
    var rest = run
    rest.start += 2 * hyphenCount(through: run.start)
    var parts: [Run] = []
    for index in hyphenCount(through: run.start)..<hyphenCount(through: run.end) where run.tracking != 0 {
      var (letters, hyphen) = (rest, rest)
      letters.end = hyphens[index] + 2 * index
      (hyphen.start, hyphen.end, hyphen.tracking) = (letters.end, letters.end + 2, 0)
      rest.start = hyphen.end
      parts += [letters, hyphen]
    }
    rest.end = run.end + 2 * hyphenCount(through: run.end)
    return rest.start < rest.end ? parts + [rest] : parts
  }

  /// The text in which the end of a line is sought. Pango takes a hyphen without tracking for up to half of it shorter.
  var withRoomForHyphens: StyledText {
    guard !hyphens.isEmpty, let width, let tracking = runs.map(\.tracking).max(), tracking > 0 else { return self }
    var text = self
    text.width = max(width - tracking / 2, 1)
    return text
  }

  /// The byte offset in ``string`` for one in the text with soft hyphens.
  func offset(without softHyphens: Int) -> Int {
    softHyphens - 2 * StyledText.count(hyphens.count) { hyphens[$0] + 2 * $0 < softHyphens }
  }

  /// The number of soft hyphens up to a byte offset.
  private func hyphenCount(through offset: Int) -> Int { StyledText.count(hyphens.count) { hyphens[$0] <= offset } }

  /// The number of indices that are before others because of a condition.
  private static func count(_ count: Int, where isBefore: (Int) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(middle) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Leaves only the hyphens at which a line ends.
  ///
  /// - Parameter lineStarts: Byte offsets in the text with soft hyphens.
  /// - Returns: Whether there were others.
  mutating func keepHyphens(before lineStarts: Set<Int>) -> Bool {
    let kept = hyphens.enumerated().filter { lineStarts.contains($0.element + 2 * $0.offset + 2) }.map(\.element)
    defer { hyphens = kept }
    return kept.count < hyphens.count
  }
}
