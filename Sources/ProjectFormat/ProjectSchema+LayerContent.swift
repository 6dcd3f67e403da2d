import CompositorAPI
import CompositorHost
import CompositorTimeline

/// What title layers show.
extension ProjectSchema {
  static let layerContents = [
    content, text, textAnimator, font, textRun, generator, number, duration, timecode, shape, gradient, image, movie,
    replicator,
    emitter,
  ]

  static let fractionRect = ValueShape.any([
    .tuple([.fraction, .fraction]), .tuple([.fraction, .fraction, .fraction, .fraction]), .object("fractionRect"),
  ])

  private static let content = ObjectShape(
    "layerContent", "what a layer shows",
    [
      KeyShape("text", .object("layerText"), "Text."),
      KeyShape("shape", .object("layerShape"), "A path, filled and stroked."),
      KeyShape("gradient", .object("layerGradient"), "A gradient over the bounds."),
      KeyShape("image", .object("layerImage"), "An image among the assets."),
      KeyShape("movie", .object("layerMovie"), "A video, or any other asset that moves."),
      KeyShape("replicator", .object("replicator"), "Copies of the sublayers."),
      KeyShape("emitter", .object("emitter"), "Particles made of the first sublayer."),
      KeyShape("video", .bool, "The composed video frame, fitted to the bounds."),
    ])

  private static let text = ObjectShape(
    "layerText", "text in a layer",
    [
      KeyShape("string", .string, "What it says."),
      KeyShape("runs", .list(.any([.string, .object("textRun")])), "What it says, in several looks."),
      KeyShape("generator", .object("textGenerator"), "Text that is made from the time or from a number."),
      KeyShape("value", anyNumber, "The number that a generator shows; by default 0."),
      KeyShape("reveal", part, "How much of the text shows; by default 1."),
      KeyShape("font", .object("font"), "The font."),
      KeyShape("color", color, "The color of the letters; by default white."),
      KeyShape("gradient", .object("layerGradient"), "A gradient instead of the color."),
      KeyShape("tracking", height, "Space after each character; by default 0."),
      KeyShape("lineHeight", anyNumber, "Distance of lines, in line heights of the font; by default 1."),
      KeyShape("alignment", .words(TextAlignment.self), "Where lines stand; by default natural."),
      KeyShape("verticalAlignment", .words(VerticalAlignment.self), "Where they stand vertically; by default top."),
      KeyShape("wraps", .bool, "Whether lines break at the width of the bounds; by default false."),
      KeyShape(
        "truncation", .words(TextTruncation.self), "What an ellipsis replaces if the text does not fit; by default none."),
      KeyShape("padding", height, "Space around text without bounds; by default 0."),
      KeyShape("maximumWidth", width, "The width at which text without bounds breaks; by default 0: never."),
      KeyShape(
        "fit", .words(TextFit.self), "Whether text gets smaller until it fits its box or maximumWidth; by default none."),
      KeyShape("writingMode", .words(WritingMode.self), "Whether lines are columns; by default horizontal."),
      KeyShape("direction", .words(TextDirection.self), "Which way paragraphs run; by default natural: as their first letter."),
      KeyShape("outlineWidth", height, "The width of a line around the letters; by default 0."),
      KeyShape("outlineColor", color, "The color of that line; by default black."),
      KeyShape("animators", .list(.object("textAnimator")), "What happens to its letters, words and lines one by one."),
      KeyShape("allowsFontSubstitution", .bool, "Whether a missing font may be replaced; by default false."),
    ])

  private static let textAnimator = ObjectShape(
    "textAnimator", "what happens to letters, words or lines one by one",
    [
      KeyShape("by", .words(TextAnimator.Unit.self), "The pieces; by default character."),
      KeyShape("order", .words(TextAnimator.Order.self), "Which piece begins first; by default forward."),
      KeyShape("seed", .integer(0...Int.max), "Chooses among all random orders; by default 1."),
      KeyShape("delay", .time, "From the beginning of each piece to that of the next; by default 0."),
      KeyShape("times", .list(.time), "When each piece begins, instead of order and delay: one for each."),
      KeyShape(
        "range", .tuple([.integer(0...1_000_000), .integer(1...1_000_000)]), "[first, count] of the pieces; by default all."),
      KeyShape("animations", .list(.object("animation")), "What happens to each; their fillMode is both by default."),
      KeyShape("highlightColor", color, "The color of the part that text.highlight gives."),
    ])

  private static let font = ObjectShape(
    "font", "a font",
    [
      KeyShape("family", .string, "Its family."),
      KeyShape("size", height, "The height of the em; by default 36."),
      KeyShape("weight", .integer(1...1000), "400, the default, is regular, 700 bold."),
      KeyShape("isItalic", .bool, "Whether it is italic; by default false."),
    ])

  private static let textRun = ObjectShape(
    "textRun", "a stretch of text in one look",
    [
      KeyShape("text", .string, "What it says."),
      KeyShape("font", .object("font"), "The font; by default that of the layer."),
      KeyShape("color", color, "The color; by default that of the layer."),
      KeyShape("tracking", height, "Space after each character; by default that of the layer."),
    ])

  private static let generator = ObjectShape(
    "textGenerator", "text that is made anew for each frame",
    [
      KeyShape("number", .object("numberGenerator"), "The number in value."),
      KeyShape("duration", .object("durationGenerator"), "The number in value as a duration in seconds."),
      KeyShape("timecode", .object("timecodeGenerator"), "The layer's time."),
    ])

  private static let number = ObjectShape(
    "numberGenerator", "how a number is written",
    [
      KeyShape("fractionDigits", .integer(0...100), "Digits after the point; by default 0."),
      KeyShape("minimumIntegerDigits", .integer(0...100), "At least as many digits before it; by default 1."),
      KeyShape("grouping", .string, "What stands between groups of three digits; by default nothing."),
      KeyShape("rounding", .words(NumberRounding.self), "How it is rounded; by default nearest."),
    ])

  private static let duration = ObjectShape(
    "durationGenerator", "how a duration is written",
    [
      KeyShape("format", .text, required: true, "h, m, s and f for digits, such as \"m:ss\", \"h:mm:ss\" or \"s.f\"."),
      KeyShape("rounding", .words(NumberRounding.self), "How it is rounded, by ceiling for a countdown; by default floor."),
    ])

  private static let timecode = ObjectShape(
    "timecodeGenerator", "how a time is counted",
    [
      KeyShape("framesPerSecond", .ratio, required: true, "Frames a second, such as 25 or \"30000/1001\"."),
      KeyShape("startFrame", .integer(-1_000_000_000...1_000_000_000), "The number of the first frame; by default 0."),
      KeyShape("dropFrame", .bool, "Whether it is drop-frame timecode; by default false."),
    ])

  private static let shape = ObjectShape(
    "layerShape", "a path, filled and stroked",
    [
      KeyShape("path", path, "The path, as in SVG: M L H V C S Q T A Z, in pixels; or a shape."),
      KeyShape("fillColor", .any([.null, color]), "What fills it; by default black, null for nothing."),
      KeyShape("fillRule", .words(FillRule.self), "What is inside; by default non-zero."),
      KeyShape("strokeColor", .any([.null, color]), "The color of a line along it; by default none."),
      KeyShape("lineWidth", height, "The width of that line; by default 1."),
      KeyShape("miterLimit", anyNumber, "How long pointed corners may be, in widths; by default 10."),
      KeyShape("lineCap", .words(LineCap.self), "The ends of lines; by default butt."),
      KeyShape("lineJoin", .words(LineJoin.self), "The corners of lines; by default miter."),
      KeyShape("lineDashPattern", .list(height), "Lengths of dashes and gaps; by default a full line."),
      KeyShape("lineDashPhase", height, "Where in the pattern the line starts; by default 0."),
      KeyShape("strokeStart", part, "Where the line starts, in fractions of the path; by default 0."),
      KeyShape("strokeEnd", part, "Where the line ends; by default 1."),
    ])

  private static let gradient = ObjectShape(
    "layerGradient", "colors that run into each other",
    [
      KeyShape("kind", .words(GradientContent.Kind.self), "How they run; by default axial."),
      KeyShape("colors", .list(color, minimum: 1), required: true, "The colors."),
      KeyShape("locations", .list(part), "Where they are, rising; by default evenly spread."),
      KeyShape("startPoint", fractions, "Where they start, in fractions of the bounds; by default [0.5, 0]."),
      KeyShape("endPoint", fractions, "Where they end; by default [0.5, 1]."),
    ])

  private static let image = ObjectShape(
    "layerImage", "an image",
    [
      KeyShape("image", .string, "The name of an asset."),
      KeyShape("gravity", .words(ContentGravity.self), "How it fills the bounds; by default resize."),
      KeyShape("contentsRect", fractionRect, "The part that is shown; by default [0, 0, 1, 1]."),
      KeyShape("contentsCenter", fractionRect, "The part that stretches; by default [0, 0, 1, 1]."),
    ])

  private static let movie = ObjectShape(
    "layerMovie", "a video in a layer; its time is the layer's own",
    [
      KeyShape("asset", .string, required: true, "The name of an asset."),
      KeyShape("from", .time, "The media time it starts with; by default the first frame's."),
      KeyShape("duration", .time, "How much of the media plays; by default all that it has from there."),
      KeyShape("loop", .bool, "Whether it starts again at its end; by default false: the last frame is held."),
      KeyShape("videoTrack", .integer(0...255), "Which of the media's video tracks; by default 0."),
      KeyShape("gravity", .words(ContentGravity.self), "How it fills the bounds; by default resize."),
      KeyShape("contentsRect", fractionRect, "The part that is shown, in fractions."),
    ])

  private static let replicator = ObjectShape(
    "replicator", "copies of the sublayers",
    [
      KeyShape("instanceCount", .integer(0...10_000), "Their number; by default 1."),
      KeyShape("instanceDelay", .signedTime, "How much later each is than the one before; by default 0."),
      KeyShape("instanceTransform", .object("layerTransform"), "From each to the next."),
      KeyShape("instanceOpacityOffset", anyNumber, "Change of opacity from each to the next; by default 0."),
    ])

  private static let emitter = ObjectShape(
    "emitter", "particles",
    [
      KeyShape("seed", .integer(0...Int.max), "Chooses among all possible flights; by default 1."),
      KeyShape("birthRate", positive, "Particles a second; by default 0."),
      KeyShape("lifetime", .time, "How long each lives; by default 1s."),
      KeyShape("lifetimeRange", .time, "By how much that varies to both sides; by default 0."),
      KeyShape("velocity", height, "The way in a second, at birth; by default 0."),
      KeyShape("velocityRange", height, "By how much that varies; by default 0."),
      KeyShape("emissionAngle", .angle, "The direction of flight, clockwise in degrees; by default 0: to the right."),
      KeyShape("emissionRange", .angle, "By how much that varies, in degrees; by default 0."),
      KeyShape("acceleration", point, "Change of velocity a second; by default [0, 0]."),
      KeyShape("scale", anyNumber, "Size at birth; by default 1."),
      KeyShape("scaleRange", anyNumber, "By how much that varies; by default 0."),
      KeyShape("scaleSpeed", anyNumber, "Change of size a second; by default 0."),
      KeyShape("spin", .angle, "Degrees a second, clockwise; by default 0."),
      KeyShape("spinRange", .angle, "By how much that varies; by default 0."),
      KeyShape("alphaSpeed", anyNumber, "Change of opacity a second; by default 0."),
      KeyShape(
        "emitterPosition", percents,
        "Where they are born, in percent of the bounds; by default [\"50%\", \"50%\"]."),
      KeyShape("emitterSize", size, "The box in which they are born; by default [0, 0]: a point."),
    ])
}
