import CompositorAPI

/// A text of which some characters are random ones for now.
struct ScrambledText {
  /// The text to show, with as many characters as the settled one.
  private(set) var text: TextContent
  /// Whether scrambled characters are in the places of the settled ones.
  private(set) var keepsPlaces = true
  /// The start of each character in bytes, in the settled text and in this one.
  private var settledStarts: [Int] = []
  private var starts: [Int] = []
  private var isRandom: [Bool]

  /// `nil` if all of the text has settled.
  ///
  /// - Throws: `.invalidValue` if random characters cannot be read.
  init?(_ settled: TextContent, in layout: TextLayout, at time: Double) throws(CompositorError) {
    guard settled.animators.contains(where: { $0.scramble != nil }) else { return nil }
    text = settled.withShownCharacters
    var characters = text.runs.map { Array($0.text) }
    let own = characters.joined().filter { !$0.isWhitespace }
    isRandom = characters.joined().map { _ in false }
    settledStarts = ScrambledText.starts(of: characters)
    var shown = Array(characters.joined())
    for animator in settled.animators {
      guard let scramble = animator.scramble else { continue }
      if scramble.spacing == .natural { keepsPlaces = false }
      let written = try scramble.letters()
      let letters = written.isEmpty ? own : written
      guard !letters.isEmpty else { continue }
      let units = animator.scrambled(until: scramble.duration, in: layout, at: time)
      for index in units.flatMap({ self.characters(of: layout, $0) }) {
        isRandom[index] = true
        shown[index] = letters[scramble.choice(of: index, at: time, seed: animator.seed, among: letters.count)]
      }
    }
    guard isRandom.contains(true) else { return nil }
    var next = 0
    for run in characters.indices {
      for place in characters[run].indices {
        characters[run][place] = shown[next]
        next += 1
      }
      text.runs[run].text = String(characters[run])
    }
    starts = ScrambledText.starts(of: characters)
  }

  private static func starts(of characters: [[Character]]) -> [Int] {
    var offset = 0
    return characters.joined().map { character in
      defer { offset += character.utf8.count }
      return offset
    }
  }

  /// The characters of clusters of the settled text.
  private func characters(of layout: TextLayout, _ clusters: Range<Int>) -> Range<Int> {
    guard !clusters.isEmpty else { return 0..<0 }
    let last = layout.clusters[clusters.upperBound - 1]
    let first = Self.index(of: layout.clusters[clusters.lowerBound].start, in: settledStarts)
    return first..<max(Self.index(of: max(last.end - 1, last.start), in: settledStarts) + 1, first)
  }

  /// The index of the character that contains a byte.
  private static func index(of byte: Int, in starts: [Int]) -> Int {
    var (low, high) = (0, starts.count)
    while low + 1 < high {
      let middle = (low + high) / 2
      if starts[middle] <= byte { low = middle } else { high = middle }
    }
    return low
  }

  /// Whether clusters of the settled text are scrambled.
  func isRandom(_ range: Range<Int>, of settled: TextLayout) -> Bool {
    characters(of: settled, range).contains { isRandom[$0] }
  }

  /// The layout of this text with the units of the settled one.
  func matched(_ own: TextLayout, to settled: TextLayout) -> TextLayout {
    let characters = own.clusters.map { Self.index(of: $0.start, in: starts) }
    var units: [TextAnimator.Unit: [Range<Int>]] = [:]
    for unit in TextAnimator.Unit.allCases {
      units[unit] = settled.units(by: unit).map { range in
        let chosen = self.characters(of: settled, range)
        let first = characters.firstIndex { $0 >= chosen.lowerBound } ?? characters.count
        return first..<(characters[first...].firstIndex { $0 >= chosen.upperBound } ?? characters.count)
      }
    }
    return TextLayout(extents: own.extents, clusters: own.clusters, units: units)
  }
}

/// A scrambled text and the settled one, laid out in the bounds of a layer.
struct ScrambledUnits {
  let scrambled: ScrambledText
  let settled, own: TextLayout
  let bounds: Rect
  /// Whether the settled text is the one that is drawn, without its scrambled characters, which are drawn apart.
  private(set) var isSettled = false

  init(scrambled: ScrambledText, settled: TextLayout, own: TextLayout, bounds: Rect) {
    (self.scrambled, self.settled, self.own, self.bounds) = (scrambled, settled, own, bounds)
  }

  /// The same for the settled text.
  var ofSettled: ScrambledUnits {
    var copy = self
    copy.isSettled = true
    return copy
  }

  /// Whether each character that is a unit with clusters of a layout is drawn with the other text; empty if there is no other one.
  func replacements(in layout: TextLayout) -> [Bool] {
    guard scrambled.keepsPlaces else { return [] }
    return zip(settled.units(by: .character), layout.units(by: .character)).filter { !$0.1.isEmpty }
      .map { scrambled.isRandom($0.0, of: settled) == isSettled }
  }

  /// The layout of the scrambled text with the units of the settled one. If scrambled characters are in the places of settled ones, so
  /// are the boxes of its clusters, and `shifts` has the distance from the cluster to its place; otherwise it is empty.
  func layout(of text: TextContent) -> (layout: TextLayout, shifts: [Point]) {
    guard !isSettled else { return (settled, []) }
    let matched = scrambled.matched(own, to: settled)
    guard scrambled.keepsPlaces else { return (matched, []) }
    let (from, to) = (text.origin(in: bounds, own.extents), text.origin(in: bounds, settled.extents))
    let distance = Point(x: to.x - from.x, y: to.y - from.y)
    var (clusters, shifts) = (matched.clusters, matched.clusters.map { _ in Point.zero })
    for (range, mine) in zip(settled.units(by: .character), matched.units(by: .character)) where !mine.isEmpty {
      let (box, first) = (own.box(of: mine, \.box), settled.clusters[range.lowerBound])
      let place = settled.box(of: range, \.box).moved(by: distance)
      var shift = Point(
        x: place.minX - box.minX + (place.size.width - box.size.width) / 2,
        y: place.minY - box.minY + (place.size.height - box.size.height) / 2)
      // Letters of several fonts have boxes of several heights, and one baseline.
      if text.writingMode == .horizontal { shift.y = first.baseline + distance.y - own.clusters[mine.lowerBound].baseline }
      for index in mine {
        (clusters[index].box, shifts[index]) = (place, shift)
        (clusters[index].line, clusters[index].baseline) = (first.line, first.baseline + distance.y)
      }
    }
    return (TextLayout(extents: own.extents, clusters: clusters, units: units(of: matched)), shifts)
  }

  private func units(of layout: TextLayout) -> [TextAnimator.Unit: [Range<Int>]] {
    Dictionary(uniqueKeysWithValues: TextAnimator.Unit.allCases.map { ($0, layout.units(by: $0)) })
  }
}

extension TextAnimator {
  /// The units that are scrambled at a time, until so long after their start.
  fileprivate func scrambled(until duration: Double, in layout: TextLayout, at time: Double) -> [Range<Int>] {
    let all = layout.units(by: unit)
    let chosen = all[range?.clamped(to: 0..<all.count) ?? 0..<all.count]
    return zip(chosen, begins(count: chosen.count)).filter { time.isBefore($0.1 + duration) }.map(\.0)
  }
}

extension TextContent {
  /// A text of all characters that a scramble may show, in each of its styles; `nil` if they are the text's own.
  func sample(of scramble: TextScramble) throws(CompositorError) -> TextContent? {
    let letters = try scramble.letters()
    guard !letters.isEmpty else { return nil }
    var sample = self
    (sample.animators, sample.path, sample.reveal) = ([], nil, 1)
    sample.runs = runs.filter { !$0.text.isEmpty }.map { run in
      var copy = run
      copy.text = String(letters)
      return copy
    }
    return sample
  }
}

extension Rect {
  fileprivate func moved(by distance: Point) -> Rect {
    Rect(x: minX + distance.x, y: minY + distance.y, width: size.width, height: size.height)
  }
}
