import CCompositorPangoCairo
package import CompositorAPI

/// The smallest part of a laid-out text: inseparable glyphs of one or more characters. The hyphen of a divided word has the range of
/// the letters before it.
package struct TextCluster: Hashable, Sendable {
  /// Its byte range in the text.
  package var start, end: Int
  package var line, paint: Int
  /// From its start to the start of the next, between the font's ascent and descent; in layout pixels.
  package var box: Rect
  package var baseline: Double
  /// Bounds of its ink.
  package var ink: Rect
  package var isRightToLeft, isColor, allowsBreakBefore: Bool
}

/// The units of a laid-out text.
package struct TextLayout: Sendable {
  /// Sizes of the complete text.
  package let extents: TextExtents
  /// In text order.
  package let clusters: [TextCluster]
  /// Ranges of ``clusters``, by unit.
  private let units: [TextAnimator.Unit: [Range<Int>]]

  /// A layout whose clusters stand for others.
  package init(extents: TextExtents, clusters: [TextCluster], units: [TextAnimator.Unit: [Range<Int>]]) {
    (self.extents, self.clusters, self.units) = (extents, clusters, units)
  }

  init(_ layout: OpaquePointer, _ text: StyledText) {
    extents = TextExtents(layout)
    var count = 0
    let first = cpc_layout_get_clusters(layout, &count)
    var clusters = UnsafeBufferPointer(start: first, count: count).map { cluster in
      TextCluster(
        start: text.offset(without: Int(cluster.start)), end: text.offset(without: Int(cluster.end)), line: Int(cluster.line),
        paint: Int(cluster.paint),
        box: Rect(x: cluster.x, y: cluster.y, width: cluster.width, height: cluster.height),
        baseline: cluster.baseline,
        ink: Rect(x: cluster.ink_x, y: cluster.ink_y, width: cluster.ink_width, height: cluster.ink_height),
        isRightToLeft: cluster.is_right_to_left, isColor: cluster.is_color, allowsBreakBefore: cluster.may_break)
    }
    for index in clusters.indices.dropFirst() where clusters[index].start == clusters[index].end && !text.hyphens.isEmpty {
      (clusters[index].start, clusters[index].allowsBreakBefore) = (clusters[index - 1].start, false)
    }
    self.clusters = clusters
    units = TextLayout.units(of: clusters, in: text.string)
  }

  /// The units of a kind, in reading order: ranges of ``clusters``.
  package func units(by unit: TextAnimator.Unit) -> [Range<Int>] { units[unit] ?? [] }

  private static func units(of clusters: [TextCluster], in string: String) -> [TextAnimator.Unit: [Range<Int>]] {
    let bytes = Array(string.utf8)
    let characters = characterStarts(of: string)
    var found: [TextAnimator.Unit: [Range<Int>]] = [:]
    var open: [TextAnimator.Unit: Int] = [:]
    func close(_ unit: TextAnimator.Unit, at index: Int) {
      if let first = open.removeValue(forKey: unit) { found[unit, default: []].append(first..<index) }
    }
    for (index, cluster) in clusters.enumerated() {
      let scalars = Substring(String(decoding: bytes[cluster.start..<max(cluster.end, cluster.start)], as: UTF8.self))
        .unicodeScalars
      if index > 0, clusters[index - 1].line != cluster.line {
        close(.line, at: index)
        // An explicit line break ends a word; the break itself has no cluster.
        if clusters[index - 1].end < cluster.start { close(.word, at: index) }
      }
      if scalars.allSatisfy(\.properties.isWhitespace) {
        close(.character, at: index)
        close(.word, at: index)
        continue
      }
      let isHyphen = index > 0 && clusters[index - 1].start == cluster.start
      if characters.contains(cluster.start), !isHyphen { close(.character, at: index) }
      let before = index > 0 ? lastScalar(of: bytes[clusters[index - 1].start..<clusters[index - 1].end]) : nil
      if cluster.allowsBreakBefore, let before, let own = scalars.first,
        before.isOfScriptWithoutBlanks || own.isOfScriptWithoutBlanks
      {
        close(.word, at: index)
      }
      for unit in TextAnimator.Unit.allCases where open[unit] == nil { open[unit] = index }
    }
    for unit in TextAnimator.Unit.allCases { close(unit, at: clusters.count) }
    return found
  }

  private static func characterStarts(of string: String) -> Set<Int> {
    var (starts, offset): (Set<Int>, Int) = ([], 0)
    for character in string {
      starts.insert(offset)
      offset += character.utf8.count
    }
    return starts
  }

  private static func lastScalar(of bytes: ArraySlice<UInt8>) -> Unicode.Scalar? {
    String(decoding: bytes, as: UTF8.self).unicodeScalars.last
  }
}

extension Unicode.Scalar {
  /// Whether its script is written without spaces between words: Thai, Lao, Burmese, Khmer, Han and Kana.
  fileprivate var isOfScriptWithoutBlanks: Bool {
    switch value {
    case 0x0e00...0x0eff, 0x1000...0x109f, 0x1780...0x17ff, 0x2e80...0x9fff, 0xa000...0xa4cf, 0xf900...0xfaff, 0xff00...0xffef,
      0x20000...0x3ffff:
      true
    default: false
    }
  }
}
