/// Corners, border and shadow of clips and of layers of instructions.
extension ProjectSchema {
  /// The valid lengths of corners, borders and shadows, in pixels.
  static let decorationLength = 0.0...4000
  /// The valid coordinates of a shadow's offset, in pixels.
  static let decorationOffset = -4000.0...4000

  /// Keys for corners, border and shadow of a clip, the same as those of title layers. Each is a value or keyframes.
  static let decorationKeys = [
    KeyShape("cornerRadius", animatedLength, "Radius of the corners, in pixels at a scale of 1; by default 0."),
    KeyShape("borderWidth", animatedLength, "Width of the border inside the edge; by default 0."),
    KeyShape("borderColor", animatedColor, "Color of the border; by default black."),
    KeyShape("shadowOpacity", animated(.number(0...1), "opacityKeyframe"), "Opacity of the shadow; by default 0, no shadow."),
    KeyShape("shadowOffset", animated(offset, "offsetKeyframe"), "Offset of the shadow; by default [0, 3]."),
    KeyShape("shadowRadius", animatedLength, "Standard deviation of the shadow's blur; by default 3."),
    KeyShape("shadowColor", animatedColor, "Color of the shadow; by default black."),
  ]

  /// The keyframes of these keys, apart from those of opacity.
  static let decorationKeyframes = [
    keyframe("lengthKeyframe", "a length at a time", .number(decorationLength), "Length, in pixels at a scale of 1."),
    keyframe("colorKeyframe", "a color at a time", .color, "Color."),
    keyframe("offsetKeyframe", "an offset at a time", offset, "[x, y], in pixels at a scale of 1."),
  ]

  private static let animatedLength = animated(.number(decorationLength), "lengthKeyframe")
  private static let animatedColor = animated(.color, "colorKeyframe")
  private static let offset = ValueShape.list(.number(decorationOffset), minimum: 2, maximum: 2)

  private static func animated(_ value: ValueShape, _ keyframe: String) -> ValueShape {
    .any([value, .list(.object(keyframe), minimum: 1)])
  }

  private static func keyframe(_ name: String, _ summary: String, _ value: ValueShape, _ meaning: String) -> ObjectShape {
    ObjectShape(name, summary, [keyframeTime, KeyShape("value", value, required: true, meaning), keyframeEasing])
  }
}
