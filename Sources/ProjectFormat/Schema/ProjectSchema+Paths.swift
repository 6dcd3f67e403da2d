import CompositorAPI

/// Paths in the notation of shapes.
extension ProjectSchema {
  static let paths = [
    ObjectShape(
      "layerPath", "a path as one shape",
      [
        KeyShape("circle", .object("circlePath"), "A circle, clockwise from its topmost point."),
        KeyShape("ellipse", .object("ellipsePath"), "An ellipse, clockwise from its topmost point."),
        KeyShape("rect", .object("rectPath"), "A rectangle, clockwise from its top left corner."),
        KeyShape("polygon", .object("polygonPath"), "A polygon: its points, or a regular one."),
        KeyShape("arc", .object("arcPath"), "An arc of a circle."),
        KeyShape("union", combined, "The outline of what is inside any of these paths."),
        KeyShape("intersection", combined, "The outline of what is inside all of these paths."),
        KeyShape("difference", combined, "The outline of what is inside the first of these paths, and in none of the others."),
        KeyShape("exclusion", combined, "The outline of what is inside an odd number of these paths."),
      ]),
    ObjectShape("circlePath", "a circle", [center, radius]),
    ObjectShape(
      "ellipsePath", "an ellipse",
      [
        center, KeyShape("radiusX", width, required: true, "Half its width."),
        KeyShape("radiusY", height, required: true, "Half its height."),
      ]),
    ObjectShape(
      "rectPath", "a rectangle",
      [
        KeyShape("x", width, "Its left edge; by default 0."),
        KeyShape("y", height, "Its top edge; by default 0."),
        KeyShape("width", width, required: true, "Its width."),
        KeyShape("height", height, required: true, "Its height."),
        KeyShape("cornerRadius", height, "The radius of its corners; by default 0."),
      ]),
    ObjectShape(
      "polygonPath", "a polygon",
      [
        KeyShape("points", .list(point, minimum: 2), "Its corners."),
        KeyShape("center", point, "The center of a regular one."),
        KeyShape("radius", height, "The distance of its corners from the center."),
        KeyShape("sides", .integer(3...1000), "The number of its sides; one corner is straight up."),
      ]),
    ObjectShape(
      "arcPath", "a part of a circle",
      [
        center, radius,
        KeyShape("start", .angle, required: true, "The start angle, in degrees clockwise; 0 is to the right."),
        KeyShape("end", .angle, required: true, "The end angle; clockwise if it is greater than start."),
      ]),
  ]

  private static let combined = ValueShape.list(path, minimum: 1)
  private static let center = KeyShape("center", point, required: true, "Its center.")
  private static let radius = KeyShape("radius", height, required: true, "Its radius.")
}
