import CompositorAPI
import CompositorTimeline

/// Fit, opacity, transform, crop, corners, border, shadow, sampling and motion blur: the keys shared by clips and layers.
struct WrittenLook {
  var fit: FitMode?
  var opacity: Animated<Double>?
  var placement: Animated<ClipPlacement>?
  var crop: Animated<ClipCrop>?
  var decoration: ClipDecoration?
  var sampling: SamplingQuality?
  var motionBlur: MotionBlur?
}

extension TimelineReader {
  func look(_ object: ProjectObject) throws(CompositorError) -> WrittenLook {
    WrittenLook(
      fit: try object.choice("fit", FitMode.self),
      opacity: try object.read("opacity", opacity), placement: try object.read("transform", placement),
      crop: try object.read("crop", crop), decoration: try decoration(object),
      sampling: try object.choice("sampling", SamplingQuality.self), motionBlur: try object.read("motionBlur", motionBlur))
  }

  private func motionBlur(_ value: ProjectValue) throws(CompositorError) -> MotionBlur {
    let object = try value.object(ProjectSchema.shape("motionBlur"))
    let written = try object.required("exposure")
    // At an unknown rate, a time in frames isn't known yet.
    let known = try knownTime(written)
    let blur = MotionBlur(
      exposure: known?.seconds ?? 0.02,
      samples: try object.read("samples") { samples throws(CompositorError) in try samples.integer(2...64) })
    try written.placing { () throws(CompositorError) in try blur.requireUsable() }
    return blur
  }

  private func opacity(_ value: ProjectValue) throws(CompositorError) -> Animated<Double> {
    guard value.isList else { return .constant(try value.number()) }
    let shape = ProjectSchema.shape("opacityKeyframe")
    return try keyframes(value, shape) { object, _ throws(CompositorError) in try object.required("value").number() }
  }

  private func placement(_ value: ProjectValue) throws(CompositorError) -> Animated<ClipPlacement> {
    guard value.isList else {
      return .constant(try placement(try value.object(ProjectSchema.shape("transform")), after: nil))
    }
    return try keyframes(value, ProjectSchema.shape("transformKeyframe"), placement)
  }

  private func crop(_ value: ProjectValue) throws(CompositorError) -> Animated<ClipCrop> {
    guard value.isList else { return .constant(try crop(try value.object(ProjectSchema.shape("crop")), after: nil)) }
    return try keyframes(value, ProjectSchema.shape("cropKeyframe"), crop)
  }

  /// Keyframes at increasing times. Each receives the previous value.
  func keyframes<Value>(
    _ value: ProjectValue, _ shape: ObjectShape,
    _ read: (ProjectObject, Value?) throws(CompositorError) -> Value
  ) throws(CompositorError) -> Animated<Value> {
    var keyframes: [Keyframe<Value>] = []
    var before: MediaTime?
    for element in try value.list() {
      let object = try element.object(shape)
      let at = try object.required("at")
      let easing = try object.read("easing") { value throws(CompositorError) in try value.decoded(as: Easing.self) }
      let time = try knownTime(at)
      if let before, let time, before >= time {
        throw at.error(
          "Keyframes must be in rising order of time.", recoverySuggestion: "Write a time after \(before.readable).")
      }
      before = time ?? before
      keyframes.append(
        Keyframe(time: time ?? .zero, value: try read(object, keyframes.last?.value), easing: easing ?? .linear))
    }
    guard !keyframes.isEmpty else {
      throw value.error("A list of keyframes needs one.", recoverySuggestion: "Leave it away, or add one.")
    }
    return .keyframes(keyframes)
  }

  /// A placement. Absent values are those of the previous keyframe.
  private func placement(_ object: ProjectObject, after previous: ClipPlacement?) throws(CompositorError) -> ClipPlacement {
    let others = ["x", "y", "scale", "rotation", "anchor"]
    if let matrix = object["matrix"] {
      for key in others { try object.exclude("matrix", key) }
      return ClipPlacement(matrix: try self.matrix(matrix))
    }
    if let previous, previous.matrix != nil {
      throw object.value.error(
        "The previous keyframe has a matrix, but this one doesn't.",
        recoverySuggestion: "Write a matrix in all of them, or in none.")
    }
    var placement = previous ?? ClipPlacement()
    if let x = object["x"] { placement.x = try x.length(.width, of: canvas) }
    if let y = object["y"] { placement.y = try y.length(.height, of: canvas) }
    if let scale = object["scale"] { placement.scale = try self.scale(scale) }
    if let rotation = object["rotation"] { placement.rotationDegrees = try rotation.number() }
    if let anchor = object["anchor"] {
      let numbers = try anchor.list(ofCount: 2, "two fractions")
      placement.anchor = Point(x: try numbers[0].number(), y: try numbers[1].number())
    }
    return placement
  }

  private func scale(_ value: ProjectValue) throws(CompositorError) -> Size {
    guard value.isList else {
      let scale = try value.number()
      return Size(width: scale, height: scale)
    }
    let numbers = try value.list(ofCount: 2, "two factors")
    return Size(width: try numbers[0].number(), height: try numbers[1].number())
  }

  private func matrix(_ value: ProjectValue) throws(CompositorError) -> AffineMatrix {
    var numbers: [Double] = []
    for element in try value.list(ofCount: 6, "the six numbers of a matrix") { numbers.append(try element.number()) }
    return AffineMatrix(a: numbers[0], b: numbers[1], c: numbers[2], d: numbers[3], tx: numbers[4], ty: numbers[5])
  }

  /// A crop. Absent values are those of the previous keyframe, or else the whole frame's.
  private func crop(_ object: ProjectObject, after previous: ClipCrop?) throws(CompositorError) -> ClipCrop {
    var crop = previous ?? ClipCrop()
    if let x = object["x"] { crop.x = try x.frameLength() }
    if let y = object["y"] { crop.y = try y.frameLength() }
    if let width = object["width"] { crop.width = try width.frameLength() }
    if let height = object["height"] { crop.height = try height.frameLength() }
    return crop
  }
}

extension ProjectValue {
  /// A length along a side of a clip's frame: pixels, percent, or the sum of both that an expression gives.
  fileprivate func frameLength() throws(CompositorError) -> ClipCrop.Length {
    guard case .frameLength(_, let range)? = shape else { throw mismatch("a length") }
    if case .string(let text) = node.value, !ProjectExpression.isWritten(in: text), CanvasLength(text) == nil {
      throw error("\(quoted(text)) is not a length.", recoverySuggestion: Self.frameLengthForms)
    }
    guard let length = try canvasLength() else { return .pixels(try number(range)) }
    guard length.parts.allSatisfy({ $0.unit == .percent }) else {
      throw error("A crop is a part of the clip's frame, not of the canvas.", recoverySuggestion: Self.frameLengthForms)
    }
    let percent = length.parts.first?.factor.value ?? 0
    // Only the size of the frame decides what is negative in a sum.
    let isSum = length.pixels.numerator != 0 && percent != 0
    guard isSum || range.contains(percent) && range.contains(length.pixels.value) else {
      throw error("A crop has no negative size.", recoverySuggestion: Self.frameLengthForms)
    }
    return ClipCrop.Length(pixels: length.pixels.value, fraction: percent / 100)
  }

  private static let frameLengthForms = "Write pixels such as 320, or percent such as \"50%\"."
}
