import CompositorAPI
import CompositorTimeline

/// The contents of title layers.
extension ProjectSchema {
  static let layerContents = [
    content, text, textDecoration, textBackground, textAnimator, rangeSelector, textScramble, font, runFont, textRun, generator,
    number,
    date, duration, timecode,
    shape,
    gradient, image,
    movie,
    replicator,
    emitter,
  ]

  static let fractionRect = ValueShape.any([
    .tuple([.fraction, .fraction]), .tuple([.fraction, .fraction, .fraction, .fraction]), .object("fractionRect"),
  ])

  private static let features = ValueShape.any([.text, .map(.any([.integer(0...65_535), .bool]))])

  private static let decoration = ValueShape.any([.bool, .words(TextDecoration.Style.self), .object("textDecoration")])
  private static let shift = ValueShape.any([.choice(["superscript", "subscript"]), height])

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
      KeyShape("string", .string, "The text."),
      KeyShape("runs", .list(.any([.string, .object("textRun")])), "The text, in several styles."),
      KeyShape("generator", .object("textGenerator"), "Text that is generated from the time, a number or a date."),
      KeyShape("value", anyNumber, "The number that a generator shows; by default 0."),
      KeyShape("reveal", part, "The fraction of the text that is shown; by default 1."),
      KeyShape("font", .object("font"), "The font."),
      KeyShape("color", color, "The color of the text; by default white."),
      KeyShape("gradient", .object("layerGradient"), "A gradient instead of the color."),
      KeyShape("tracking", height, "Space after each character, except joined letters of cursive scripts; by default 0."),
      KeyShape("features", features, "OpenType features: { tnum: 1, kern: 0 } or \"tnum, ss01 2, kern 0\"."),
      KeyShape("figures", .words(TextFigures.self), "The form of digits; by default normal: that of the font."),
      KeyShape("underline", decoration, "A line under the letters: true, double, or more; by default false."),
      KeyShape("strikethrough", decoration, "A line through the letters: true, double, or more; by default false."),
      KeyShape("baselineShift", shift, "The height of the letters above their baseline; by default 0."),
      KeyShape("transform", .words(TextTransform.self), "Whether letters become uppercase or lowercase; by default none."),
      KeyShape("language", .string, "The language, such as tr: for transform, hyphenates, and forms of letters in some fonts."),
      KeyShape("background", .object("textBackground"), "A background behind each line or word."),
      KeyShape("lineHeight", anyNumber, "Distance of lines, in line heights of the font; by default 1."),
      KeyShape("alignment", .words(TextAlignment.self), "The horizontal alignment of lines; by default natural."),
      KeyShape("verticalAlignment", .words(VerticalAlignment.self), "The vertical alignment of lines; by default top."),
      KeyShape("wraps", .bool, "Whether lines wrap at the width of the bounds; by default false."),
      KeyShape("hyphenates", .bool, "Whether words are divided at line ends, by the rules of language; by default false."),
      KeyShape(
        "truncation", .words(TextTruncation.self),
        "The part that an ellipsis replaces if the text doesn't fit; by default none."),
      KeyShape("padding", height, "Space around text without bounds; by default 0."),
      KeyShape("maximumWidth", width, "The width at which text without bounds wraps; by default 0: never."),
      KeyShape(
        "fit", .words(TextFit.self), "Whether text shrinks until it fits its box or maximumWidth; by default none."),
      KeyShape("writingMode", .words(WritingMode.self), "Whether lines are horizontal or vertical; by default horizontal."),
      KeyShape(
        "direction", .words(TextDirection.self), "The direction of paragraphs; by default natural: as their first letter."),
      KeyShape("outlineWidth", height, "The width of the outline around the letters; by default 0."),
      KeyShape("outlineColor", color, "The color of the outline; by default black."),
      KeyShape("path", path, "A path on which the text lies: SVG path data, in pixels, or a shape; by default none."),
      KeyShape("pathOffset", height, "How far the text is moved along its path; by default 0."),
      KeyShape("animators", .list(.object("textAnimator")), "Animations of individual letters, words and lines."),
      KeyShape("allowsFontSubstitution", .bool, "Whether a missing font may be substituted; by default false."),
    ])

  private static let textDecoration = ObjectShape(
    "textDecoration", "a line under or through letters",
    [
      KeyShape("style", .words(TextDecoration.Style.self), "One line or two; by default single."),
      KeyShape("color", color, "Its color; by default that of the letters."),
      KeyShape("thickness", height, "Its thickness; by default that of the font."),
    ])

  private static let textBackground = ObjectShape(
    "textBackground", "a background behind each line or word",
    [
      KeyShape("color", color, required: true, "Its color."),
      KeyShape("per", .words(TextBackground.Part.self), "The parts that have a background each; by default line."),
      KeyShape("padding", height, "How far it extends beyond the letters; by default 0."),
      KeyShape("cornerRadius", height, "The radius of its corners; by default 0."),
    ])

  private static let textAnimator = ObjectShape(
    "textAnimator", "animations of individual letters, words or lines",
    [
      KeyShape("by", .words(TextAnimator.Unit.self), "The units that are animated; by default character."),
      KeyShape("order", .words(TextAnimator.Order.self), "The order in which units begin; by default forward."),
      KeyShape("seed", .integer(0...Int.max), "The seed of the random order; by default 1."),
      KeyShape("delay", .time, "The delay from the beginning of each unit to that of the next; by default 0."),
      KeyShape("times", .list(.time), "The time at which each unit begins, instead of order and delay: one for each."),
      KeyShape(
        "range", .tuple([.integer(0...1_000_000), .integer(1...1_000_000)]),
        "[first, count] of the animated units; by default all."),
      KeyShape(
        "anchorPoint", fractions,
        "The point about which a unit scales and turns, in fractions of its box; by default [0.5, 0.5]."),
      KeyShape(
        "backfaceVisibility", .words(BackfaceVisibility.self),
        "Whether a unit is shown when its back is toward the viewer; by default visible."),
      KeyShape("animations", .list(.object("animation")), "The animations of each unit; their fillMode is both by default."),
      KeyShape("highlightColor", color, "The color of the part that text.highlight specifies."),
      KeyShape("selector", .object("rangeSelector"), "How much of the animations each unit has; by default all of them."),
      KeyShape("scramble", .object("textScramble"), "Random characters that units show until they settle; by default none."),
    ])

  private static let textScramble = ObjectShape(
    "textScramble", "random characters that units show until they settle",
    [
      KeyShape(
        "characters", .string, "The random characters and ranges of them, such as \"A-Z0-9\"; by default the text's own."),
      KeyShape("duration", .time, "How long a unit is scrambled after it begins; by default 0.5s."),
      KeyShape("rate", .number(0...1000), "How often each character changes in a second; by default 20."),
      KeyShape("spacing", .words(TextScramble.Spacing.self), "Where scrambled characters are; by default fixed."),
    ])

  private static let rangeSelector = ObjectShape(
    "rangeSelector", "a range of the units, which weighs the values of their animations",
    [
      KeyShape("start", part, "One end of the range, as a fraction of all units; by default 0."),
      KeyShape("end", part, "The other end of the range; by default 1."),
      KeyShape("offset", signedPart, "The distance by which the range is moved, as a fraction of all units; by default 0."),
      KeyShape(
        "shape", .words(TextRangeSelector.Shape.self), "How the weight changes along the range; by default square."),
      KeyShape(
        "smoothness", part, "The part of a unit over which the weight of a square changes, 0 for jumps; by default 1."),
      KeyShape("easeHigh", signedPart, "How gently weights approach 1: -1 at once, 1 slowly; by default 0."),
      KeyShape("easeLow", signedPart, "How gently weights leave 0: -1 at once, 1 slowly; by default 0."),
      KeyShape("amount", signedPart, "The weight of what lies in the range, from -1 to 1; by default 1."),
      KeyShape("by", .words(TextRangeSelector.Basis.self), "What the range counts; by default the animator's units."),
      KeyShape(
        "animations", .list(.object("animation")),
        "Animations of selector.start, selector.end, selector.offset and selector.amount in the layer's time; their fillMode is both by default."
      ),
    ])

  private static let font = ObjectShape(
    "font", "a font",
    [
      KeyShape("family", .string, "The font family."),
      KeyShape("size", height, "The height of the em; by default 36."),
      KeyShape("weight", .integer(1...1000), "The font weight: 400, the default, is regular, 700 bold."),
      KeyShape("isItalic", .bool, "Whether it is italic; by default false."),
      KeyShape(
        "variations", .map(.number(-32_767...32_767)), "Positions on the axes of a variable font: { wght: 650, wdth: 80 }."),
    ])

  private static let runFont = ObjectShape(
    "runFont", "the font of a run",
    [
      KeyShape("family", .string, "The font family; by default that of the layer."),
      KeyShape("size", height, "The height of the em; by default that of the layer."),
      KeyShape("weight", .integer(1...1000), "The font weight: 400 is regular, 700 bold; by default that of the layer."),
      KeyShape("isItalic", .bool, "Whether it is italic; by default that of the layer."),
      KeyShape(
        "variations", .map(.number(-32_767...32_767)),
        "Positions on the axes of a variable font: { wght: 650, wdth: 80 }; by default those of the layer."),
    ])

  private static let textRun = ObjectShape(
    "textRun", "a run of text in one style",
    [
      KeyShape("text", .string, "The text."),
      KeyShape("font", .object("runFont"), "The font; by default that of the layer."),
      KeyShape("color", color, "The color; by default that of the layer."),
      KeyShape("tracking", height, "Space after each character; by default that of the layer."),
      KeyShape("features", features, "OpenType features, in addition to those of the layer."),
      KeyShape("figures", .words(TextFigures.self), "The form of digits; by default that of the layer."),
      KeyShape("underline", decoration, "A line under the letters; by default that of the layer."),
      KeyShape("strikethrough", decoration, "A line through the letters; by default that of the layer."),
      KeyShape("baselineShift", shift, "The height of the letters above their baseline; by default that of the layer."),
      KeyShape("transform", .words(TextTransform.self), "Uppercase or lowercase; by default that of the layer."),
      KeyShape("language", .string, "The language; by default that of the layer."),
    ])

  private static let generator = ObjectShape(
    "textGenerator", "text that is generated for each frame",
    [
      KeyShape("number", .object("numberGenerator"), "The number in value."),
      KeyShape("date", .object("dateGenerator"), "A date, as a locale writes it."),
      KeyShape("duration", .object("durationGenerator"), "The number in value as a duration in seconds."),
      KeyShape("timecode", .object("timecodeGenerator"), "The layer's time."),
    ])

  private static let number = ObjectShape(
    "numberGenerator", "the format of a number",
    [
      KeyShape("locale", .text, "The locale whose conventions it follows, such as de-DE; by default none."),
      KeyShape("style", .words(NumberFormat.Style.self), "What the number is, with a locale; by default decimal."),
      KeyShape("currency", .text, "The currency for the style currency, such as EUR."),
      KeyShape("fractionDigits", .integer(0...100), "The number of decimals; by default 0, or that of the style."),
      KeyShape(
        "maximumFractionDigits", .integer(0...18),
        "The number of decimals up to which they are shown if they aren't 0, with a locale; by default fractionDigits."),
      KeyShape(
        "minimumIntegerDigits", .integer(0...100), "The minimum number of digits before the decimal point; by default 1."),
      KeyShape("grouping", .string, "The separator between groups of three digits; by default nothing, or that of the locale."),
      KeyShape("rounding", .words(NumberRounding.self), "How it is rounded; by default nearest."),
    ])

  private static let date = ObjectShape(
    "dateGenerator", "a date as a locale writes it",
    [
      KeyShape("date", .text, required: true, "The date, such as \"2026-11-29\", or with a time, \"2026-11-29T18:30\"."),
      KeyShape("locale", .text, required: true, "The locale, such as de-DE or fa-IR-u-ca-gregory."),
      KeyShape("dateStyle", .words(DateFormat.Style.self), "How the date is shown; by default long, or not beside timeStyle."),
      KeyShape("timeStyle", .words(DateFormat.Style.self), "How the time is shown; by default not at all."),
      KeyShape("skeleton", .text, "The fields that are shown, instead of styles, such as yMMMMd or EEEEd."),
    ])

  private static let duration = ObjectShape(
    "durationGenerator", "the format of a duration",
    [
      KeyShape("format", .text, required: true, "h, m, s and f for digits, such as \"m:ss\", \"h:mm:ss\" or \"s.f\"."),
      KeyShape("rounding", .words(NumberRounding.self), "How it is rounded, by ceiling for a countdown; by default floor."),
    ])

  private static let timecode = ObjectShape(
    "timecodeGenerator", "the format of a timecode",
    [
      KeyShape("framesPerSecond", .ratio, required: true, "Frames per second, such as 25 or \"30000/1001\"."),
      KeyShape("startFrame", .integer(-1_000_000_000...1_000_000_000), "The number of the first frame; by default 0."),
      KeyShape("dropFrame", .bool, "Whether it is drop-frame timecode; by default false."),
    ])

  private static let shape = ObjectShape(
    "layerShape", "a path, filled and stroked",
    [
      KeyShape("path", path, "The path: SVG path data (M L H V C S Q T A Z), in pixels, or a shape."),
      KeyShape("fillColor", .any([.null, color]), "The fill color; by default black, null for nothing."),
      KeyShape("fillRule", .words(FillRule.self), "The rule that determines the inside; by default non-zero."),
      KeyShape("strokeColor", .any([.null, color]), "The stroke color; by default none."),
      KeyShape("lineWidth", height, "The stroke width; by default 1."),
      KeyShape("miterLimit", anyNumber, "The maximum length of mitered corners, in stroke widths; by default 10."),
      KeyShape("lineCap", .words(LineCap.self), "The shape of line ends; by default butt."),
      KeyShape("lineJoin", .words(LineJoin.self), "The shape of line joins; by default miter."),
      KeyShape("lineDashPattern", .list(height), "Lengths of dashes and gaps; by default a full line."),
      KeyShape("lineDashPhase", height, "The offset into the dash pattern at which the line starts; by default 0."),
      KeyShape("strokeStart", part, "The start of the stroke, as a fraction of the path's length; by default 0."),
      KeyShape("strokeEnd", part, "The end of the stroke, as a fraction of the path's length; by default 1."),
    ])

  private static let gradient = ObjectShape(
    "layerGradient", "a color gradient",
    [
      KeyShape("kind", .words(GradientContent.Kind.self), "The geometry of the gradient; by default axial."),
      KeyShape("colors", .list(color, minimum: 1), required: true, "The colors."),
      KeyShape("locations", .list(part), "The positions of the colors, in increasing order; by default evenly spread."),
      KeyShape("startPoint", fractions, "The start point, in fractions of the bounds; by default [0.5, 0]."),
      KeyShape("endPoint", fractions, "The end point, in fractions of the bounds; by default [0.5, 1]."),
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
      KeyShape("from", .time, "The media time to start at; by default the first frame's."),
      KeyShape("duration", .time, "The length of media to play; by default all that it has from there."),
      KeyShape("loop", .bool, "Whether it loops; by default false: the last frame is held."),
      KeyShape("videoTrack", .integer(0...255), "The index of the media's video track; by default 0."),
      KeyShape("gravity", .words(ContentGravity.self), "How it fills the bounds; by default resize."),
      KeyShape("contentsRect", fractionRect, "The part that is shown, in fractions."),
    ])

  private static let replicator = ObjectShape(
    "replicator", "copies of the sublayers",
    [
      KeyShape("instanceCount", .integer(0...10_000), "The number of copies; by default 1."),
      KeyShape("instanceDelay", .signedTime, "The delay of each copy relative to the previous one; by default 0."),
      KeyShape("instanceTransform", .object("layerTransform"), "The transform from each copy to the next."),
      KeyShape("instanceOpacityOffset", anyNumber, "The change of opacity from each copy to the next; by default 0."),
    ])

  private static let emitter = ObjectShape(
    "emitter", "particles",
    [
      KeyShape("seed", .integer(0...Int.max), "The seed of the random variations; by default 1."),
      KeyShape("birthRate", positive, "Particles per second; by default 0."),
      KeyShape("lifetime", .time, "The lifetime of a particle; by default 1s."),
      KeyShape("lifetimeRange", .time, "How much the preceding value varies to both sides; by default 0."),
      KeyShape("velocity", height, "The speed at birth, in pixels per second; by default 0."),
      KeyShape("velocityRange", height, "How much the preceding value varies to both sides; by default 0."),
      KeyShape("emissionAngle", .angle, "The direction of emission, clockwise in degrees; by default 0: to the right."),
      KeyShape("emissionRange", .angle, "How much the preceding value varies to both sides, in degrees; by default 0."),
      KeyShape("acceleration", point, "The change of velocity per second; by default [0, 0]."),
      KeyShape("scale", anyFactor, "The scale at birth; by default 1."),
      KeyShape("scaleRange", anyFactor, "How much the preceding value varies to both sides; by default 0."),
      KeyShape("scaleSpeed", anyFactor, "The change of scale per second; by default 0."),
      KeyShape("spin", .angle, "The rotation speed in degrees per second, clockwise; by default 0."),
      KeyShape("spinRange", .angle, "How much the preceding value varies to both sides; by default 0."),
      KeyShape("alphaSpeed", anyNumber, "The change of opacity per second; by default 0."),
      KeyShape(
        "emitterPosition", percents,
        "The position of the emitter, in percent of the bounds; by default [\"50%\", \"50%\"]."),
      KeyShape("emitterSize", size, "The size of the area in which particles are born; by default [0, 0]: a point."),
    ])
}
