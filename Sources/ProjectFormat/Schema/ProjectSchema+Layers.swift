import CompositorAPI
import CompositorTimeline

/// Trees of title layers, in the same table as the rest of the format.
extension ProjectSchema {
  package static let layers: [ObjectShape] =
    [
      titleLayer, filters, shadow, motionBlur, layout, flex, flexPadding, layerTransform, timing, animation, spring, wiggle,
      audioLevel, layerTransition,
    ]
    + layerContents + paths + geometry

  static let anyNumber = ValueShape.number(-1e9...1e9)
  static let anyFactor = ValueShape.factor(-1e9...1e9)
  static let positive = ValueShape.number(0...1e9)
  static let part = ValueShape.part
  /// The same, of either sign.
  static let signedPart = ValueShape.any([.number(-1...1), .part])
  static let width = ValueShape.length(.width)
  static let height = ValueShape.length(.height)
  private static let forever = ValueShape.choice(["forever"])
  static let color = ValueShape.any([.color, .list(anyNumber, minimum: 3, maximum: 4), .map(anyNumber)])
  static let point = ValueShape.any([.tuple([width, height]), .object("point")])
  static let size = ValueShape.any([.tuple([width, height]), .object("size")])
  static let percents = ValueShape.any([.tuple([.percent, .percent]), .object("percentPoint")])
  /// A point in fractions of the layer's own bounds.
  static let fractions = ValueShape.any([.tuple([.fraction, .fraction]), .object("fractionPoint")])
  static let rect = ValueShape.any([.tuple([width, height]), .tuple([width, height, width, height]), .object("rect")])
  /// The names of the alternative forms of points, sizes and rectangles.
  static let geometryNames: [ValueShape: String] = [
    point: "point", fractions: "point", percents: "point", size: "size", rect: "rectangle", fractionRect: "rectangle",
  ]
  static let path = ValueShape.any([.text, .object("layerPath")])

  private static let titleLayer = ObjectShape(
    "titleLayer", "a layer of a title",
    [
      KeyShape("name", .text, "A name, for messages."),
      KeyShape("content", .object("layerContent"), "The content between its background and its sublayers."),
      KeyShape(
        "bounds", rect,
        "Its own coordinate space: [width, height], [x, y, width, height] or { x, y, width, height }; by default as large as its text, or empty."
      ),
      KeyShape(
        "layout", .object("layout"), "The layout in its parent's box, instead of bounds and position; by default nothing."),
      KeyShape(
        "flex", .object("flex"),
        "The layout of its sublayers in rows or columns, as in CSS; by default each is where it says."),
      KeyShape("position", point, "The position of its anchor in its parent; by default [0, 0]."),
      KeyShape("anchorPoint", fractions, "The anchor, in fractions of the bounds; by default [0.5, 0.5]."),
      KeyShape("zPosition", height, "The depth among its siblings; by default 0."),
      KeyShape("transform", .object("layerTransform"), "The scale, rotation and translation about its anchor."),
      KeyShape("sublayerTransform", .object("layerTransform"), "The same for all its sublayers together."),
      KeyShape("perspective", height, "The distance of the viewer; by default 0: none."),
      KeyShape("opacity", part, "Opacity; by default 1."),
      KeyShape("isHidden", .bool, "Whether it is hidden; by default false."),
      KeyShape(
        "backfaceVisibility", .words(BackfaceVisibility.self),
        "Whether it is shown when its back is toward the viewer; by default visible."),
      KeyShape("backgroundColor", color, "The color that fills its bounds; by default nothing."),
      KeyShape("cornerRadius", height, "The radius of the corners; by default 0."),
      KeyShape(
        "cornerRadii", .tuple([height, height, height, height]),
        "The radii of the corners, clockwise from the top left, instead of cornerRadius; by default equal."),
      KeyShape("borderWidth", height, "The width of the border; by default 0."),
      KeyShape("borderColor", color, "The color of the border; by default black."),
      KeyShape("shadowColor", color, "The color of the shadow; by default black."),
      KeyShape("shadowOpacity", part, "The opacity of the shadow; by default 0."),
      KeyShape("shadowOffset", point, "Offset of the shadow; by default [0, 3]."),
      KeyShape("shadowRadius", height, "The standard deviation of the shadow's blur; by default 3."),
      KeyShape(
        "shadows", .list(.object("layerShadow")), "Further shadows, the first in front; inner ones fall into the layer."),
      KeyShape("filters", .object("layerFilters"), "Blur, color filters and glow of everything that it shows."),
      KeyShape(
        "backdropFilters", .object("layerFilters"),
        "Filters of what lies below its bounds, for frosted glass; by default nothing."
      ),
      KeyShape("masksToBounds", .bool, "Whether it is clipped to its bounds; by default false."),
      KeyShape("maskMode", .words(MaskMode.self), "What of its mask determines where it is shown; by default alpha."),
      KeyShape("blendMode", .words(BlendMode.self), "How its colors blend with those beneath; by default normal."),
      KeyShape("motionBlur", .object("motionBlur"), "Its motion blur; by default nothing."),
      KeyShape("timing", .object("timing"), "Its timing, in its parent's time."),
      KeyShape("animations", .list(.object("animation")), "The animations of the layer."),
      KeyShape("sublayers", .list(.object("titleLayer")), "The layers above it, from back to front."),
      KeyShape("mask", .object("titleLayer"), "A layer whose coverage masks it."),
      KeyShape("transitionSource", .object("titleLayer"), "The layer that a transition starts from."),
    ])

  private static let filters = ObjectShape(
    "layerFilters", "filters of everything that a layer shows, or of what lies below it",
    [
      KeyShape("blurRadius", height, "The standard deviation of a Gaussian blur; by default 0: none."),
      KeyShape("brightness", .number(0...1e6), "The factor of all colors; by default 1."),
      KeyShape("contrast", .number(0...1e6), "The contrast around middle gray; by default 1."),
      KeyShape("saturation", .number(0...1e6), "The saturation, 0 for gray; by default 1."),
      KeyShape("hueRotation", .angle, "The rotation of hues; by default 0."),
      KeyShape("glowRadius", height, "The standard deviation of a glow of its own light; by default 0: none."),
      KeyShape("glowIntensity", .number(0...1e6), "The factor of the light that the glow adds; by default 1."),
    ])

  private static let motionBlur = ObjectShape(
    "motionBlur", "the motion blur of a layer",
    [
      KeyShape(
        "exposure", .time, required: true,
        "How long the shutter is open: half the duration of a frame is a shutter angle of 180 degrees."),
      KeyShape(
        "samples", .integer(2...64), "The number of moments of which the mean is taken; by default by the movement, 16 to 64."),
    ])

  private static let shadow = ObjectShape(
    "layerShadow", "a shadow of everything that a layer shows",
    [
      KeyShape("color", color, "Its color; by default black."),
      KeyShape("opacity", part, "Its opacity; by default 1."),
      KeyShape("offset", point, "Its offset; by default [0, 0]."),
      KeyShape("radius", height, "The standard deviation of its blur; by default 0."),
      KeyShape("isInner", .bool, "Whether it falls into the layer instead of behind it; by default false."),
    ])

  private static let layout = ObjectShape(
    "layout", "the layout of a layer in its parent's box: along each axis at most two of near edge, far edge, size and center",
    [
      KeyShape("left", parentWidth, "From the parent's left edge to its left edge; by default nothing."),
      KeyShape("right", parentWidth, "From its right edge to the parent's right edge; by default nothing."),
      KeyShape("top", parentHeight, "From the parent's top edge to its top edge; by default nothing."),
      KeyShape("bottom", parentHeight, "From its bottom edge to the parent's bottom edge; by default nothing."),
      KeyShape("width", parentWidth, "Its width; by default that of its bounds or its text."),
      KeyShape("height", parentHeight, "Its height; by default that of its bounds or its text."),
      KeyShape("centerX", parentWidth, "From the parent's left edge to its center; by default nothing."),
      KeyShape("centerY", parentHeight, "From the parent's top edge to its center; by default nothing."),
      KeyShape("aspectRatio", .number(0.0001...10_000), "Its width divided by its height; by default nothing."),
      KeyShape(
        "viewBox", size,
        "The size of its own coordinate space, which is scaled to fit its layout, as in SVG; by default pixels of the parent."
      ),
      KeyShape("minimumWidth", parentWidth, "The smallest width; by default that of its contents in a flex layout, else 0."),
      KeyShape("maximumWidth", parentWidth, "The largest width; by default unlimited."),
      KeyShape("minimumHeight", parentHeight, "The smallest height; by default that of its contents in a flex layout, else 0."),
      KeyShape("maximumHeight", parentHeight, "The largest height; by default unlimited."),
    ] + flexItem)

  static let parentWidth = ValueShape.layoutLength(.width)
  static let parentHeight = ValueShape.layoutLength(.height)

  private static let layerTransform = ObjectShape(
    "layerTransform", "the scale, rotation and translation of a layer",
    [
      KeyShape("scaleX", anyFactor, "The horizontal scale; by default 1."),
      KeyShape("scaleY", anyFactor, "The vertical scale; by default 1."),
      KeyShape(
        "skewX", .angle, "The angle by which vertical lines lean, in degrees; positive moves the bottom right; by default 0."),
      KeyShape(
        "skewY", .angle, "The angle by which horizontal lines lean, in degrees; positive moves the right down; by default 0."),
      KeyShape(
        "rotationX", .angle, "The rotation about the axis to the right, in degrees; positive tilts the top away; by default 0."),
      KeyShape("rotationY", .angle, "The rotation about the axis down, in degrees; by default 0."),
      KeyShape("rotationZ", .angle, "The rotation in the plane of the frame, clockwise, in degrees; by default 0."),
      KeyShape("translationX", width, "The translation to the right; by default 0."),
      KeyShape("translationY", height, "The translation downward; by default 0."),
      KeyShape("translationZ", height, "The translation toward the viewer, visible only under a perspective; by default 0."),
    ])

  private static let timingKeys = [
    KeyShape("beginTime", .signedTime, "The start in the parent's time; by default at its start."),
    KeyShape(
      "relativeTo", .words(TimeAnchor.self),
      "What beginTime counts from: the parent's start, or its end, with a negative beginTime; by default start."),
    KeyShape(
      "duration", .any([forever, .time]),
      "The duration of one pass; by default 0.25s of an animation, \"forever\" of a layer."),
    KeyShape("speed", anyNumber, "The speed relative to the parent's time; by default 1."),
    KeyShape("timeOffset", .signedTime, "An offset added to its own time; by default 0."),
    KeyShape("repeatCount", .any([forever, positive]), "The number of passes; by default 1."),
    KeyShape("repeatDuration", .any([forever, .time]), "The duration of all passes, instead of their number."),
    KeyShape("autoreverses", .bool, "Whether each pass is also played backward; by default false."),
    KeyShape("fillMode", .words(FillMode.self), "What is shown outside its time; by default removed."),
  ]

  private static let timing = ObjectShape("timing", "the timing of a layer", timingKeys)

  private static let animation = ObjectShape(
    "animation", "a change over time",
    [
      KeyShape("property", .words(LayerProperty.self), "The property that changes."),
      KeyShape("from", .animationValue, "The value at the beginning."),
      KeyShape("to", .animationValue, "The value at the end."),
      KeyShape("by", .animationValue, "The change of the value."),
      KeyShape("values", .list(.animationValue), "The values that the property goes through."),
      KeyShape("path", path, "A path for a point, instead of values: SVG path data, or a shape."),
      KeyShape("keyTimes", .list(part), "The times of the values, in fractions of the duration."),
      KeyShape("easings", .list(.easing), "The easing from each value to the next; by default linear."),
      KeyShape("mode", .words(CalculationMode.self), "How values are interpolated; by default linear."),
      KeyShape("rotation", .words(PathRotation.self), "Whether the layer rotates with the path; by default none."),
      KeyShape("spring", .object("spring"), "A spring that moves from one value to the other."),
      KeyShape("wiggle", .object("wiggle"), "A random swing about the property's value, of at most \"by\"."),
      KeyShape(
        "audio", .object("audioLevel"), "The level of the movie's audio that moves the property from one value to the other."),
      KeyShape("group", .list(.object("animation")), "A group of animations, in the time of this one."),
      KeyShape("transition", .object("layerTransition"), "The transition from its transitionSource to the layer."),
      KeyShape("easing", .easing, "The easing of each whole pass; by default linear."),
      KeyShape("additive", .bool, "Whether the value is added to the property's; by default false."),
      KeyShape("cumulative", .bool, "Whether each pass continues from the end of the previous one; by default false."),
    ] + timingKeys)

  private static let spring = ObjectShape(
    "spring", "a damped spring",
    [
      KeyShape("mass", positive, "Mass; by default 1."),
      KeyShape("stiffness", positive, "Force per displacement; by default 100."),
      KeyShape("damping", positive, "Force per velocity; by default 10."),
      KeyShape("initialVelocity", anyNumber, "Displacements per second at the start; by default 0."),
    ])

  private static let wiggle = ObjectShape(
    "wiggle", "a random swing",
    [
      KeyShape("frequency", .number(0...1000), "Swings per second on average; by default 2."),
      KeyShape("seed", .integer(0...Int.max), "The seed of the swings; by default 1."),
    ])

  private static let layerTransition = ObjectShape(
    "layerTransition", "a transition between layers",
    [
      KeyShape("kind", .words(LayerTransition.Kind.self), "The kind of transition; by default fade."),
      KeyShape("side", .words(LayerTransition.Side.self), "The side that the new layer comes from; by default left."),
    ])

  static let geometry = [
    ObjectShape(
      "point", "a point",
      [
        KeyShape("x", width, required: true, "The distance to the right."),
        KeyShape("y", height, required: true, "The distance down."),
      ]),
    ObjectShape(
      "size", "a size",
      [KeyShape("width", width, required: true, "Width."), KeyShape("height", height, required: true, "Height.")]),
    ObjectShape(
      "rect", "a rectangle",
      [
        KeyShape("x", width, "Its left edge; by default 0."), KeyShape("y", height, "Its top edge; by default 0."),
        KeyShape("width", width, required: true, "Its width."), KeyShape("height", height, required: true, "Its height."),
      ]),
    ObjectShape(
      "fractionPoint", "a point in fractions of the layer's own bounds",
      [
        KeyShape("x", .fraction, required: true, "The distance to the right."),
        KeyShape("y", .fraction, required: true, "The distance down."),
      ]),
    ObjectShape(
      "percentPoint", "a point in percent of the layer's own bounds",
      [
        KeyShape("x", .percent, required: true, "The distance to the right."),
        KeyShape("y", .percent, required: true, "The distance down."),
      ]),
    ObjectShape(
      "fractionRect", "a part of an image",
      [
        KeyShape("x", .fraction, "Its left edge; by default 0."), KeyShape("y", .fraction, "Its top edge; by default 0."),
        KeyShape("width", .fraction, required: true, "Its width."),
        KeyShape("height", .fraction, required: true, "Its height."),
      ]),
  ]
}

extension ValueShape {
  /// One of the values of an enumeration.
  static func words<Word: CaseIterable & RawRepresentable>(_ type: Word.Type) -> ValueShape where Word.RawValue == String {
    .choice(type.allCases.map(\.rawValue))
  }
}
