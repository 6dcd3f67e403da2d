import CompositorAPI

/// An item of a flexible layout while it is arranged. Sizes along the direction are called main, those across it cross.
struct FlexItemState {
  let sizing: LayerSizing
  let alignment: FlexLayout.Alignment
  let grow, shrink: Double
  /// The cross size if the layer has one.
  let givenCross: Double?
  /// Whether an item of a column has a height of its own.
  var hasHeight = false
  /// Whether it takes the whole cross size of its line.
  let isStretched: Bool
  /// The main size to begin with.
  var base = 0.0
  /// The limits of the main size.
  var minimum = 0.0
  var maximum = Double.infinity
  /// The sizes found.
  var main = 0.0
  var cross = 0.0
  /// The distance of its baseline from its top, if it is aligned by that.
  private(set) var ascent = 0.0
  /// The limits of the cross size, and the side that parts refer to.
  var crossAxis = LayerLayout().horizontal
  var crossSide: Double?
  /// The size of its own padding, to which it doesn't shrink.
  private let padding: Size
  private let isInRow: Bool
  private var isFrozen = false

  init(
    sizing: LayerSizing, alignment: FlexLayout.Alignment, grow: Double, shrink: Double, givenCross: Double?, saysCross: Bool,
    isInRow: Bool
  ) {
    (self.sizing, self.alignment, self.grow, self.shrink) = (sizing, alignment, grow, shrink)
    (self.givenCross, self.isInRow) = (givenCross, isInRow)
    padding = sizing.layer.flex?.padding.size ?? .zero
    isStretched = alignment == .stretch && givenCross == nil && !saysCross
  }

  /// The main size to begin with, within its limits.
  var hypothetical: Double { clamped(base) }

  private func clamped(_ size: Double) -> Double {
    max(min(size, maximum), minimum, isInRow ? padding.width : padding.height)
  }

  /// Finds the baseline of an item of a row that has both sizes; that of what has none is its lower edge.
  mutating func findAscent() throws(CompositorError) -> Double {
    let size = Size(width: main, height: cross)
    ascent = try sizing.firstBaseline(in: size, isHeightDefinite: givenCross != nil) ?? cross
    return ascent
  }

  /// Its share of the space that is missing: in proportion to what is inside its padding.
  private var scaledShrink: Double { shrink * max(base - (isInRow ? padding.width : padding.height), 0) }

  func crossLimited(_ size: Double) -> Double {
    let axis = crossSide == nil ? crossAxis.withoutParts : crossAxis
    return max(axis.limited(size, along: crossSide ?? 0), isInRow ? padding.height : padding.width)
  }

  /// Sets the limits of the main size. Without a minimum of its own, an item doesn't shrink below its contents, or below the size
  /// that it has been given if that is smaller.
  mutating func limit(_ axis: LayerLayout.Axis, along side: Double?, contents: Double, given: Double?) {
    let axis = side == nil ? axis.withoutParts : axis
    maximum = axis.maximum?.pixels(along: side ?? 0) ?? .infinity
    minimum = axis.minimum?.pixels(along: side ?? 0) ?? min(contents, given ?? .infinity, maximum)
  }
}

extension FlexItemState {
  /// Resolves the main sizes of a line's items (section 9.7).
  ///
  /// - Parameter space: The space of all items together.
  static func share(_ space: Double, among items: inout ArraySlice<FlexItemState>) {
    let isGrowing = items.reduce(0) { $0 + $1.hypothetical } < space
    for index in items.indices {
      let (base, start) = (items[index].base, items[index].hypothetical)
      let factor = isGrowing ? items[index].grow : items[index].shrink
      items[index].isFrozen = factor == 0 || (isGrowing ? base > start : base < start)
      items[index].main = items[index].isFrozen ? start : base
    }
    let initial = free(of: space, in: items)
    // Each pass freezes at least one item.
    while items.contains(where: { !$0.isFrozen }) { freeze(&items, space: space, initial: initial, isGrowing: isGrowing) }
  }

  private static func free(of space: Double, in items: ArraySlice<FlexItemState>) -> Double {
    items.reduce(space) { $0 - ($1.isFrozen ? $1.main : $1.base) }
  }

  private static func freeze(
    _ items: inout ArraySlice<FlexItemState>, space: Double, initial: Double, isGrowing: Bool
  ) {
    let open = items.indices.filter { !items[$0].isFrozen }
    let factors = open.reduce(0) { $0 + (isGrowing ? items[$1].grow : items[$1].shrink) }
    var free = free(of: space, in: items)
    // Factors that add up to less than 1 take only that part of the space.
    if factors < 1, abs(initial * factors) < abs(free) { free = initial * factors }
    let scaled = open.reduce(0) { $0 + items[$1].scaledShrink }
    var violation = 0.0
    var wanted: [Double] = []
    for index in open {
      let item = items[index]
      let share = isGrowing ? item.grow / factors : scaled > 0 ? item.scaledShrink / scaled : 0
      let size = item.base + (free == 0 ? 0 : free * share)
      wanted.append(size)
      items[index].main = item.clamped(size)
      violation += items[index].main - size
    }
    for (index, size) in zip(open, wanted) {
      let own = items[index].main - size
      items[index].isFrozen = violation == 0 || (violation > 0 ? own > 0 : own < 0)
    }
  }
}

extension LayerLayout.Axis {
  /// The axis without limits that are parts of a side that isn't known. Such a minimum is 0, not that of the contents.
  fileprivate var withoutParts: LayerLayout.Axis {
    func kept(_ length: LayoutLength?) -> LayoutLength? { length?.fraction == 0 ? length : nil }
    return LayerLayout.Axis(
      near: near, far: far, size: size, center: center, minimum: minimum.map { kept($0) ?? 0 }, maximum: kept(maximum))
  }
}
