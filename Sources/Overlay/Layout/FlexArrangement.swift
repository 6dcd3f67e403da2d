import CompositorAPI

/// The places of the sublayers that a flexible layout arranges, by the algorithm of CSS Flexible Box Layout Level 1, section 9.
struct FlexArrangement {
  /// The places of the items in the layer's bounds, from their origin, in the order of ``LayerSizing/items``.
  private(set) var frames: [Rect] = []
  /// For each item, whether its height doesn't follow from its contents.
  private(set) var hasDefiniteHeight: [Bool] = []
  /// The height of the layer: the given one, or that of its rows or its column.
  private(set) var height = 0.0
  /// The baseline that items of the first row share, from the top of the bounds; `nil` if none are aligned by it.
  private(set) var sharedBaseline: Double?
  /// The leftmost item of the first row, or the topmost of the first column; `nil` without items.
  private(set) var firstItem: Int?

  private let flex: FlexLayout
  private var items: [FlexItemState] = []
  /// The size within the padding, as far as it is known.
  private let innerWidth: Double
  private let innerHeight: Double?
  /// The height that parts refer to; `nil` if it follows from the items.
  private let partedHeight: Double?

  /// Arranges the items of a layer in a given width.
  ///
  /// - Parameters:
  ///   - height: The height; `nil` for that of the items.
  ///   - isDefinite: Whether the height doesn't follow from that of the items. Otherwise a part of it is none, as in CSS.
  init(
    of container: LayerSizing, width: Double, height: Double?, isDefinite: Bool = true
  ) throws(CompositorError) {
    flex = container.layer.flex ?? FlexLayout()
    let padding = flex.padding
    innerWidth = max(width - padding.size.width, 0)
    innerHeight = height.map { max($0 - padding.size.height, 0) }
    partedHeight = isDefinite ? innerHeight : nil
    for item in container.items { items.append(try state(of: item.sizing)) }
    var lines = self.lines()
    for line in lines { resolve(line.range) }
    for line in lines.indices { try measure(&lines[line]) }
    let inner = spread(&lines)
    self.height = height ?? (flex.direction.isRow ? inner.cross : inner.main) + padding.size.height
    for line in lines { place(line, in: inner) }
    guard let first = lines.first else { return }
    sharedBaseline = first.ascent.map { padding.top + first.start + $0 }
    firstItem = flex.direction.isReversed ? first.range.upperBound - 1 : first.range.lowerBound
  }

  // MARK: items

  private var isRow: Bool { flex.direction.isRow }
  private var innerMain: Double? { isRow ? innerWidth : innerHeight }
  private var innerCross: Double? { isRow ? innerHeight : innerWidth }
  private var lineGap: Double { flex.lineGap ?? flex.gap }

  private func state(of sizing: LayerSizing) throws(CompositorError) -> FlexItemState {
    let layout = sizing.layer.layout ?? LayerLayout()
    let given = sizing.givenSize(inWidth: innerWidth, height: partedHeight)
    let item = FlexItemState(
      sizing: sizing, alignment: alignment(of: layout), grow: layout.flexItem.grow, shrink: layout.flexItem.shrink,
      givenCross: layout.aspectRatio == nil ? (isRow ? given.height : given.width) : nil,
      // A part of a side that isn't known is none, but it isn't stretched either.
      saysCross: (isRow ? layout.height : layout.width) != nil, isInRow: isRow)
    return try isRow ? across(item, given, layout) : down(item, given, layout)
  }

  /// What has a ratio of its own is not stretched, and lines of text aren't side by side in a column.
  private func alignment(of layout: LayerLayout) -> FlexLayout.Alignment {
    let alignment = layout.flexItem.alignSelf ?? flex.alignItems
    if alignment == .baseline, !isRow { return .start }
    return alignment == .stretch && layout.aspectRatio != nil ? .start : alignment
  }

  /// An item of a row: its width to begin with, and its limits.
  private func across(
    _ item: FlexItemState, _ given: (width: Double?, height: Double?), _ layout: LayerLayout
  ) throws(CompositorError) -> FlexItemState {
    var item = item
    let isStretched = (layout.flexItem.alignSelf ?? flex.alignItems) == .stretch && !flex.wraps
    let own = layout.width.map { max($0.pixels(along: innerWidth), 0) } ?? given.width
    var width = layout.flexItem.basis.map { max($0.pixels(along: innerWidth), 0) } ?? own
    if width == nil, let ratio = layout.aspectRatio, isStretched, let innerHeight { width = innerHeight * ratio }
    let natural = try item.sizing.size(width: nil, height: given.height, room: LayerSizing.unlimited)
    item.base = width ?? natural.width
    let content = try item.sizing.minimum(isWidth: true, across: given.height)
    item.limit(
      layout.horizontal, along: innerWidth, contents: content, given: layout.width.map { $0.pixels(along: innerWidth) })
    (item.crossAxis, item.crossSide) = (layout.vertical, partedHeight)
    return item
  }

  /// An item of a column: its height to begin with, and its limits.
  private func down(
    _ item: FlexItemState, _ given: (width: Double?, height: Double?), _ layout: LayerLayout
  ) throws(CompositorError) -> FlexItemState {
    var item = item
    let width: Double
    if let own = given.width {
      width = own
    } else if item.alignment == .stretch, !flex.wraps {
      width = layout.horizontal.limited(innerWidth, along: innerWidth)
    } else {
      let room = Size(width: layout.horizontal.limited(innerWidth, along: innerWidth), height: LayerSizing.unlimited.height)
      let natural = try item.sizing.size(width: nil, height: given.height, room: room).width
      width = layout.horizontal.limited(natural, along: innerWidth)
    }
    item.cross = max(width, item.sizing.layer.flex?.padding.size.width ?? 0)
    let own = layout.height.flatMap { partedHeight != nil || $0.fraction == 0 ? $0.pixels(along: partedHeight ?? 0) : nil }
    var height = own.map { max($0, 0) } ?? given.height
    if let basis = layout.flexItem.basis, partedHeight != nil || basis.fraction == 0 {
      height = max(basis.pixels(along: partedHeight ?? 0), 0)
    }
    item.hasHeight = height != nil
    let natural = try item.sizing.size(width: width, height: nil, room: LayerSizing.unlimited)
    item.base = height ?? natural.height
    let content = try item.sizing.minimum(isWidth: false, across: width)
    item.limit(layout.vertical, along: partedHeight, contents: content, given: own)
    (item.crossAxis, item.crossSide) = (layout.horizontal, innerWidth)
    return item
  }

  // MARK: lines

  /// A row, or a column.
  private struct Line {
    var range: Range<Int>
    /// Its size and its start across the direction.
    var cross = 0.0, start = 0.0
    /// The distance of the baseline of its items from its start; `nil` if none are aligned by it.
    var ascent: Double?
  }

  private func lines() -> [Line] {
    guard flex.wraps, let innerMain else { return items.isEmpty ? [] : [Line(range: items.indices)] }
    var lines: [Line] = []
    var (first, length) = (0, 0.0)
    for (index, item) in items.enumerated() {
      let next = length + (index > first ? flex.gap : 0) + item.hypothetical
      // Sums of measured sizes are rounded.
      if index > first, next > innerMain + 1e-6 {
        lines.append(Line(range: first..<index))
        (first, length) = (index, item.hypothetical)
      } else {
        length = next
      }
    }
    if !items.isEmpty { lines.append(Line(range: first..<items.count)) }
    return lines
  }

  /// Shares the space that is left or missing along the direction among the items of a line.
  private mutating func resolve(_ range: Range<Int>) {
    guard let innerMain else {
      for index in range { items[index].main = items[index].hypothetical }
      return
    }
    FlexItemState.share(innerMain - flex.gap * Double(range.count - 1), among: &items[range])
  }

  /// Finds the size of a line across the direction, and of its items that aren't stretched.
  private mutating func measure(_ line: inout Line) throws(CompositorError) {
    var (largest, descent) = (0.0, -Double.infinity)
    for index in line.range {
      if isRow {
        let item = items[index]
        let natural = try item.sizing.size(width: item.main, height: nil, room: LayerSizing.unlimited)
        items[index].cross = item.crossLimited(item.givenCross ?? natural.height)
      }
      if items[index].alignment == .baseline {
        let ascent = try items[index].findAscent()
        line.ascent = max(line.ascent ?? ascent, ascent)
        descent = max(descent, items[index].cross - ascent)
      } else {
        largest = max(largest, items[index].cross)
      }
    }
    if let ascent = line.ascent { largest = max(largest, ascent + descent) }
    line.cross = flex.wraps ? largest : innerCross ?? largest
  }

  /// Places the lines across the direction.
  ///
  /// - Returns: The size within the padding along the direction and across it.
  private func spread(_ lines: inout [Line]) -> (main: Double, cross: Double) {
    let content = lines.reduce(0) { $0 + $1.cross } + lineGap * Double(max(lines.count - 1, 0))
    let cross = innerCross ?? content
    let main =
      innerMain ?? items.reduce(0) { $0 + $1.main } + flex.gap * Double(max(items.count - 1, 0))
    var (start, between) = (0.0, lineGap)
    if flex.wraps, !lines.isEmpty {
      if let distribution = flex.alignContent {
        (start, between) = distribution.offsets(free: cross - content, count: lines.count, gap: lineGap, isReversed: false)
      } else if cross > content {
        for index in lines.indices { lines[index].cross += (cross - content) / Double(lines.count) }
      }
    }
    for index in lines.indices {
      lines[index].start = start
      start += lines[index].cross + between
    }
    return (main, cross)
  }

  /// Places the items of a line.
  private mutating func place(_ line: Line, in inner: (main: Double, cross: Double)) {
    let used = items[line.range].reduce(0) { $0 + $1.main } + flex.gap * Double(line.range.count - 1)
    let (first, between) = flex.justifyContent.offsets(
      free: inner.main - used, count: line.range.count, gap: flex.gap, isReversed: flex.direction.isReversed)
    var start = first
    for item in items[line.range] {
      let cross = item.isStretched ? item.crossLimited(line.cross) : item.cross
      let free = line.cross - cross
      let offset =
        switch item.alignment {
        case .stretch, .start: 0.0
        case .center: free / 2
        case .end: free
        case .baseline: (line.ascent ?? 0) - item.ascent
        }
      let along = flex.direction.isReversed ? inner.main - start - item.main : start
      // The height of an item of a column follows from its contents unless the column has one to share.
      let isDefinite = isRow ? item.givenCross != nil || item.isStretched : item.hasHeight || partedHeight != nil
      hasDefiniteHeight.append(isDefinite)
      frames.append(frame(along: along, across: line.start + offset, main: item.main, cross: cross))
      start += item.main + between
    }
  }

  private func frame(along: Double, across: Double, main: Double, cross: Double) -> Rect {
    let padding = flex.padding
    return isRow
      ? Rect(x: padding.left + along, y: padding.top + across, width: main, height: cross)
      : Rect(x: padding.left + across, y: padding.top + along, width: cross, height: main)
  }
}
