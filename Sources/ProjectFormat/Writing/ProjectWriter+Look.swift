import CompositorAPI
import CompositorTimeline

/// The keys shared by clips and layers of explicit instructions.
extension ProjectWriter {
  /// Adds the keys of a look that aren't `nil`.
  func setLook(_ look: WrittenLook, in object: inout WrittenObject) {
    object.set("fit", look.fit)
    object.set("opacity", look.opacity.map { opacity in animated(opacity, "opacityKeyframe") { .number($0) } })
    object.set("transform", look.placement.map(placement))
    object.set("crop", look.crop.map(crop))
    object.set("sampling", look.sampling)
    object.set("motionBlur", look.motionBlur.map(motionBlur))
    if let decoration = look.decoration { setDecoration(decoration, in: &object) }
  }

  private func motionBlur(_ blur: MotionBlur) -> JSON5Node {
    var object = WrittenObject("motionBlur")
    object.set("exposure", .time(seconds: blur.exposure))
    object.set("samples", blur.samples.map { .integer($0) })
    return object.node
  }

  /// A keyframe has the values of the one before it where it has none of its own, so it has all that differ from the default, and
  /// those that one before has.
  private func placement(_ placement: Animated<ClipPlacement>) -> JSON5Node {
    var keys: Set<String> = []
    return animated(
      placement, "transformKeyframe",
      constant: { value in
        var object = WrittenObject("transform")
        set(value, in: &object, &keys)
        return object.node
      },
      { set($0, in: &$1, &keys) })
  }

  private func set(_ placement: ClipPlacement, in object: inout WrittenObject, _ keys: inout Set<String>) {
    if let matrix = placement.matrix {
      object.set("matrix", .numbers([matrix.a, matrix.b, matrix.c, matrix.d, matrix.tx, matrix.ty]))
      return
    }
    let standard = ClipPlacement()
    func set(_ key: String, _ isDefault: Bool, _ node: JSON5Node) {
      guard !isDefault || keys.contains(key) else { return }
      keys.insert(key)
      object.set(key, node)
    }
    if let x = placement.x { set("x", false, .number(x)) }
    if let y = placement.y { set("y", false, .number(y)) }
    let scale = placement.scale
    set(
      "scale", scale == standard.scale,
      scale.width == scale.height ? .number(scale.width) : .numbers([scale.width, scale.height]))
    set("rotation", placement.rotationDegrees == 0, .number(placement.rotationDegrees))
    set("anchor", placement.anchor == standard.anchor, .numbers([placement.anchor.x, placement.anchor.y]))
  }

  private func crop(_ crop: Animated<ClipCrop>) -> JSON5Node {
    animated(
      crop, "cropKeyframe",
      constant: { crop in
        var object = WrittenObject("crop")
        set(crop, in: &object)
        return object.node
      },
      { set($0, in: &$1) })
  }

  private func set(_ crop: ClipCrop, in object: inout WrittenObject) {
    object.set("x", frameLength(crop.x))
    object.set("y", frameLength(crop.y))
    object.set("width", crop.width.map(frameLength))
    object.set("height", crop.height.map(frameLength))
  }

  /// Pixels, percent of a side, or their sum.
  private func frameLength(_ length: ClipCrop.Length) -> JSON5Node {
    guard length.fraction != 0 else { return .number(length.pixels) }
    let percent = JSON5Node.percent(length.fraction)
    guard length.pixels != 0, case .string(let text) = percent.value else { return percent }
    return .text("\(text) \(length.pixels < 0 ? "-" : "+") \(abs(length.pixels))")
  }

  private func setDecoration(_ decoration: ClipDecoration, in object: inout WrittenObject) {
    let standard = ClipDecoration()
    let number: (Double) -> JSON5Node = { .number($0) }
    func length(_ animation: Animated<Double>) -> JSON5Node { animated(animation, "lengthKeyframe", number) }
    func color(_ animation: Animated<Color>) -> JSON5Node { animated(animation, "colorKeyframe") { .color($0) } }
    // A decoration that changes nothing is one, too: that of a layer replaces the clip's.
    let isPlain = decoration == standard
    object.set(
      "cornerRadius", decoration.cornerRadius == standard.cornerRadius && !isPlain ? nil : length(decoration.cornerRadius))
    object.set("borderWidth", decoration.borderWidth, default: standard.borderWidth, length)
    object.set("borderColor", decoration.borderColor, default: standard.borderColor, color)
    object.set("shadowOpacity", decoration.shadowOpacity, default: standard.shadowOpacity) {
      animated($0, "opacityKeyframe", number)
    }
    object.set("shadowOffset", decoration.shadowOffset, default: standard.shadowOffset) {
      animated($0, "offsetKeyframe") { .numbers([$0.x, $0.y]) }
    }
    object.set("shadowRadius", decoration.shadowRadius, default: standard.shadowRadius, length)
    object.set("shadowColor", decoration.shadowColor, default: standard.shadowColor, color)
  }
}
