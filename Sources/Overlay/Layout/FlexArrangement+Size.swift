import CompositorAPI

/// The size of a layer by the items of its flexible layout: its intrinsic size in CSS Flexible Box Layout Level 1, section 9.9.
extension FlexArrangement {
  /// The size of a layer with a flexible layout by its items, along the sides that aren't given.
  static func size(
    of container: LayerSizing, width: Double?, height: Double?, room: Size
  ) throws(CompositorError) -> Size {
    guard let width else {
      return try size(of: container, width: fittingWidth(of: container, in: room.width), height: height, room: room)
    }
    if let height { return Size(width: width, height: height) }
    return Size(width: width, height: try FlexArrangement(of: container, width: width, height: nil).height)
  }

  /// The width at which nothing wraps or shrinks, at most the room, at least that at which everything fits.
  private static func fittingWidth(of container: LayerSizing, in room: Double) throws(CompositorError) -> Double {
    let least = try contentWidth(of: container, isMinimum: true)
    return max(min(try contentWidth(of: container, isMinimum: false), room), least)
  }

  private static func contentWidth(of container: LayerSizing, isMinimum: Bool) throws(CompositorError) -> Double {
    let flex = container.layer.flex ?? FlexLayout()
    var (sum, largest) = (0.0, 0.0)
    for (index, item) in container.items.enumerated() {
      let width = try contribution(of: item.sizing, to: flex, isMinimum: isMinimum)
      sum += width + (index > 0 ? flex.gap : 0)
      largest = max(largest, width)
    }
    let isSum = flex.direction.isRow && !(isMinimum && flex.wraps)
    return (isSum ? sum : largest) + flex.padding.size.width
  }

  /// The width that an item adds to a layer whose width isn't known yet: parts of that count for nothing.
  private static func contribution(
    of item: LayerSizing, to flex: FlexLayout, isMinimum: Bool
  ) throws(CompositorError) -> Double {
    let layout = (item.layer.layout ?? LayerLayout()).withoutParts
    let given = layout.givenSize(in: .zero, own: item.layer.bounds.size)
    let natural = try item.size(width: nil, height: given.height, room: LayerSizing.unlimited).width
    let contents = try item.minimum(isWidth: true, across: given.height)
    let (least, most) = (layout.minimumWidth?.pixels ?? 0, layout.maximumWidth?.pixels ?? .infinity)
    let width = max(min(given.width ?? (isMinimum ? min(contents, natural) : natural), most), least)
    guard flex.direction.isRow else { return width }
    // As browsers do: what can neither grow nor shrink to its contents adds the width that it begins with.
    let base = layout.flexItem.basis?.pixels ?? given.width ?? natural
    let cannotMove = width > base && layout.flexItem.grow == 0 || width < base && layout.flexItem.shrink == 0
    guard cannotMove, !(isMinimum && flex.wraps) else { return width }
    return max(min(base, most), layout.minimumWidth?.pixels ?? min(contents, given.width ?? .infinity, most))
  }
}

extension LayerLayout {
  /// The layout without parts of a side that isn't known.
  fileprivate var withoutParts: LayerLayout {
    var result = self
    func isPart(_ length: LayoutLength?) -> Bool { length.map { $0.fraction != 0 } ?? false }
    for key in [\LayerLayout.width, \.height, \.maximumWidth, \.maximumHeight] where isPart(result[keyPath: key]) {
      result[keyPath: key] = nil
    }
    for key in [\LayerLayout.minimumWidth, \.minimumHeight] where isPart(result[keyPath: key]) { result[keyPath: key] = 0 }
    if result.flexItem.basis?.fraction ?? 0 != 0 { result.flexItem.basis = nil }
    return result
  }
}
