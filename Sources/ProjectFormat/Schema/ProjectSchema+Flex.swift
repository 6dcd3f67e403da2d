import CompositorAPI

/// Rows and columns of layers.
extension ProjectSchema {
  static let flex = ObjectShape(
    "flex", "a layout in rows or columns",
    [
      KeyShape(
        "direction", .words(FlexLayout.Direction.self),
        "The direction in which sublayers follow one another; by default row."),
      KeyShape("wraps", .bool, "Whether sublayers that don't fit begin another row or column; by default false."),
      KeyShape("gap", height, "Space between neighbors along the direction; by default 0."),
      KeyShape("lineGap", height, "Space between rows or columns if they wrap; by default the gap."),
      KeyShape(
        "padding", .any([height, .object("flexPadding")]),
        "Space inside the edges: one length, or { top, right, bottom, left }; by default 0."),
      KeyShape("alignItems", .words(FlexLayout.Alignment.self), "The places across the direction; by default stretch."),
      KeyShape("justifyContent", .words(FlexLayout.Distribution.self), "The places along the direction; by default start."),
      KeyShape(
        "alignContent", .words(FlexLayout.Distribution.self),
        "The places of rows or columns if they wrap; by default they share the space that is left."),
    ])

  static let flexPadding = ObjectShape(
    "flexPadding", "space inside the edges of a layer",
    [
      KeyShape("top", height, "At the top; by default 0."), KeyShape("right", height, "At the right; by default 0."),
      KeyShape("bottom", height, "At the bottom; by default 0."), KeyShape("left", height, "At the left; by default 0."),
    ])

  /// Keys of a layout for the flexible layout of the parent.
  static let flexItem = [
    KeyShape("grow", positive, "In a flex layout, its share of the space that is left; by default 0."),
    KeyShape("shrink", positive, "In a flex layout, its share of the space that is missing; by default 1."),
    KeyShape(
      "basis", parentWidth, "In a flex layout, its size along the direction to begin with; by default its width or height."),
    KeyShape(
      "alignSelf", .words(FlexLayout.Alignment.self),
      "In a flex layout, its place across the direction; by default that of all."),
  ]
}
