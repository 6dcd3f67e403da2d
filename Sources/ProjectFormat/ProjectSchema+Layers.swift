import CompositorAPI
import CompositorHost
import CompositorTimeline

/// The trees of title layers, in the same table as the rest of the format.
extension ProjectSchema {
  static let layers: [ObjectShape] =
    [titleLayer, layerTransform, timing, animation, spring, layerTransition] + layerContents + paths + geometry

  static let anyNumber = ValueShape.number(-1e9...1e9)
  static let positive = ValueShape.number(0...1e9)
  static let part = ValueShape.number(0...1)
  static let width = ValueShape.length(.width)
  static let height = ValueShape.length(.height)
  private static let forever = ValueShape.choice(["forever"])
  static let color = ValueShape.any([.color, .list(anyNumber, minimum: 3, maximum: 4), .map(anyNumber)])
  static let point = ValueShape.any([.tuple([width, height]), .object("point")])
  /// A point in fractions, of the bounds for instance.
  static let fractions = ValueShape.any([.tuple([anyNumber, anyNumber]), .map(anyNumber)])
  static let path = ValueShape.any([.text, .object("layerPath")])

  private static let titleLayer = ObjectShape(
    "titleLayer", "a layer of a title",
    [
      KeyShape("name", .text, "A name, for messages."),
      KeyShape("content", .object("layerContent"), "What it shows between its background and its sublayers."),
      KeyShape(
        "bounds", .any([.tuple([width, height]), .tuple([width, height, width, height]), .object("rect")]),
        "Its own coordinates: [width, height], or [x, y, width, height]."),
      KeyShape("position", point, "Where its anchor stands in its parent."),
      KeyShape("anchorPoint", fractions, "The anchor, in fractions of the bounds; by default [0.5, 0.5]."),
      KeyShape("zPosition", anyNumber, "Its height over its siblings, in pixels; by default 0."),
      KeyShape("transform", .object("layerTransform"), "How it is scaled, rotated and moved about its anchor."),
      KeyShape("sublayerTransform", .object("layerTransform"), "The same for all its sublayers together."),
      KeyShape("perspective", anyNumber, "The distance of the eye, in pixels; by default 0: none."),
      KeyShape("opacity", part, "Opacity; by default 1."),
      KeyShape("isHidden", .bool, "Whether it is hidden; by default false."),
      KeyShape("backgroundColor", color, "What fills its bounds; by default nothing."),
      KeyShape("cornerRadius", height, "The radius of the corners; by default 0."),
      KeyShape("borderWidth", height, "The width of a line along the bounds; by default 0."),
      KeyShape("borderColor", color, "The color of that line; by default black."),
      KeyShape("shadowColor", color, "The color of the shadow; by default black."),
      KeyShape("shadowOpacity", part, "How strong the shadow is; by default 0."),
      KeyShape("shadowOffset", point, "Where the shadow falls; by default [0, 3]."),
      KeyShape("shadowRadius", height, "How soft the shadow is; by default 3."),
      KeyShape("masksToBounds", .bool, "Whether it is cut at its bounds; by default false."),
      KeyShape("blendMode", .words(BlendMode.self), "How its colors mix with those beneath; by default normal."),
      KeyShape("timing", .object("timing"), "When it is shown, in its parent's time."),
      KeyShape("animations", .list(.object("animation")), "What changes over time."),
      KeyShape("sublayers", .list(.object("titleLayer")), "Layers in it, from back to front."),
      KeyShape("mask", .object("titleLayer"), "A layer whose coverage cuts it."),
      KeyShape("transitionSource", .object("titleLayer"), "What a transition comes from."),
    ])

  private static let layerTransform = ObjectShape(
    "layerTransform", "how a layer is scaled, rotated and moved",
    [
      KeyShape("scaleX", anyNumber, "A factor to the right; by default 1."),
      KeyShape("scaleY", anyNumber, "A factor downwards; by default 1."),
      KeyShape("rotationX", .angle, "About the axis to the right, in degrees; positive tips the top away."),
      KeyShape("rotationY", .angle, "About the axis downwards, in degrees."),
      KeyShape("rotationZ", .angle, "In the picture, clockwise, in degrees."),
      KeyShape("translationX", width, "To the right."),
      KeyShape("translationY", height, "Downwards."),
      KeyShape("translationZ", anyNumber, "Towards the viewer, in pixels; seen only under a perspective."),
    ])

  private static let timingKeys = [
    KeyShape("beginTime", .signedTime, "When it begins, in the parent's time; by default at its start."),
    KeyShape(
      "duration", .any([forever, .time]),
      "How long one pass takes; by default 0.25s of an animation, \"forever\" of a layer."),
    KeyShape("speed", anyNumber, "Its time per its parent's time; by default 1."),
    KeyShape("timeOffset", .signedTime, "Added to its own time; by default 0."),
    KeyShape("repeatCount", .any([forever, positive]), "The number of passes; by default 1."),
    KeyShape("repeatDuration", .any([forever, .time]), "How long all passes take, instead of their number."),
    KeyShape("autoreverses", .bool, "Whether each pass is played back again; by default false."),
    KeyShape("fillMode", .words(FillMode.self), "What is seen outside its time; by default removed."),
  ]

  private static let timing = ObjectShape("timing", "when a layer is shown", timingKeys)

  private static let animation = ObjectShape(
    "animation", "a change over time",
    [
      KeyShape("property", .words(LayerProperty.self), "The property that changes."),
      KeyShape("from", .animationValue, "The value at the beginning."),
      KeyShape("to", .animationValue, "The value at the end."),
      KeyShape("by", .animationValue, "How much the value changes."),
      KeyShape("values", .list(.animationValue), "The values that the property goes through."),
      KeyShape("path", path, "A way for a point, instead of values: as in SVG, or a shape."),
      KeyShape("keyTimes", .list(part), "When the values are reached, in fractions of the duration."),
      KeyShape("easings", .list(.easing), older: ["curves"], "How each value becomes the next; by default linear."),
      KeyShape("mode", .words(CalculationMode.self), "How values between are found; by default linear."),
      KeyShape("rotation", .words(PathRotation.self), "Whether the layer turns with the path; by default none."),
      KeyShape("spring", .object("spring"), "A spring that leads from one value to the other."),
      KeyShape("group", .list(.object("animation")), "Several animations, in the time of this one."),
      KeyShape("transition", .object("layerTransition"), "How the layer takes the place of its transitionSource."),
      KeyShape("easing", .easing, older: ["curve"], "How the whole of each pass is eased; by default linear."),
      KeyShape("additive", .bool, "Whether the value is added to the property's; by default false."),
      KeyShape("cumulative", .bool, "Whether each pass goes on from where the last one ended; by default false."),
    ] + timingKeys)

  private static let spring = ObjectShape(
    "spring", "a mass on a damped spring",
    [
      KeyShape("mass", positive, "Mass; by default 1."),
      KeyShape("stiffness", positive, "Force per displacement; by default 100."),
      KeyShape("damping", positive, "Force per velocity; by default 10."),
      KeyShape("initialVelocity", anyNumber, "Displacements per second at the start; by default 0."),
    ])

  private static let layerTransition = ObjectShape(
    "layerTransition", "how a layer takes the place of another",
    [
      KeyShape("kind", .words(LayerTransition.Kind.self), "What moves; by default fade."),
      KeyShape("side", .words(LayerTransition.Side.self), "Where the new layer comes from; by default left."),
    ])

  private static let geometry = [
    ObjectShape(
      "point", "a point",
      [KeyShape("x", width, required: true, "To the right."), KeyShape("y", height, required: true, "Downwards.")]),
    ObjectShape(
      "size", "a size",
      [KeyShape("width", width, required: true, "Width."), KeyShape("height", height, required: true, "Height.")]),
    ObjectShape(
      "rect", "a rectangle",
      [
        KeyShape("origin", .object("point"), required: true, "Its top left corner."),
        KeyShape("size", .object("size"), required: true, "Its size."),
      ]),
  ]
}

extension ValueShape {
  /// One of an enumeration's words.
  static func words<Word: CaseIterable & RawRepresentable>(_ type: Word.Type) -> ValueShape where Word.RawValue == String {
    .choice(type.allCases.map(\.rawValue))
  }
}
