import CompositorAPI
import CompositorTimeline

/// Corners, border and shadow of clips and layers: each key is a value or keyframes.
extension TimelineReader {
  /// `nil` if none of the keys is present.
  func decoration(_ object: ProjectObject) throws(CompositorError) -> ClipDecoration? {
    var result = ClipDecoration()
    func length(_ value: ProjectValue) throws(CompositorError) -> Double {
      try value.number(ProjectSchema.decorationLength)
    }
    func color(_ value: ProjectValue) throws(CompositorError) -> Color { try value.color() }
    func read<Value>(
      _ key: String, _ keyframe: String, into property: WritableKeyPath<ClipDecoration, Animated<Value>>,
      _ body: (ProjectValue) throws(CompositorError) -> Value
    ) throws(CompositorError) {
      guard let value = object[key] else { return }
      result[keyPath: property] = try animated(value, ProjectSchema.shape(keyframe), body)
    }
    try read("cornerRadius", "lengthKeyframe", into: \.cornerRadius, length)
    try read("borderWidth", "lengthKeyframe", into: \.borderWidth, length)
    try read("borderColor", "colorKeyframe", into: \.borderColor, color)
    try read("shadowOpacity", "opacityKeyframe", into: \.shadowOpacity) { value throws(CompositorError) in
      try value.number(0...1)
    }
    try read("shadowOffset", "offsetKeyframe", into: \.shadowOffset, offset)
    try read("shadowRadius", "lengthKeyframe", into: \.shadowRadius, length)
    try read("shadowColor", "colorKeyframe", into: \.shadowColor, color)
    return ProjectSchema.decorationKeys.contains { object[$0.key] != nil } ? result : nil
  }

  private func offset(_ value: ProjectValue) throws(CompositorError) -> Point {
    let numbers = try value.list(ofCount: 2, "two numbers of pixels")
    let range = ProjectSchema.decorationOffset
    return Point(x: try numbers[0].number(range), y: try numbers[1].number(range))
  }

  /// A value, or keyframes that have one each.
  private func animated<Value>(
    _ value: ProjectValue, _ shape: ObjectShape, _ read: (ProjectValue) throws(CompositorError) -> Value
  ) throws(CompositorError) -> Animated<Value> {
    guard value.isKeyframes else { return .constant(try read(value)) }
    return try keyframes(value, shape) { object, _ throws(CompositorError) in try read(try object.required("value")) }
  }
}
