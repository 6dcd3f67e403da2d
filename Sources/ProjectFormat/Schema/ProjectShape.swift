import CompositorAPI
import CompositorTimeline

/// The shape of a value in a project. The reader checks values against it and the JSON Schema is generated from it, so that the
/// two are always consistent.
package indirect enum ValueShape: Hashable, Sendable {
  /// A string that isn't empty.
  case text
  /// Any string.
  case string
  /// `null`.
  case null
  /// A Boolean.
  case bool
  /// A time; see ``ProjectTime``.
  case time
  /// A time that may be negative: `"-0.5s"`.
  case signedTime
  /// Degrees, clockwise.
  case angle
  /// A length on the canvas: pixels, a percentage of a side such as `"50%"`, or `"6vmin"`, `"6vmax"`, `"6vw"`, `"6vh"`.
  case length(CanvasSide)
  /// The same, with percentages of the side of the parent's box.
  case layoutLength(CanvasSide)
  /// A length along a side of a clip's upright frame: pixels, or a percentage of the side such as `"50%"`, each in a closed range.
  case frameLength(CanvasSide, ClosedRange<Double>)
  /// A fraction of the layer's own bounds such as 0.5, or `"50%"`.
  case fraction
  /// The same, only as a percentage.
  case percent
  /// A fraction: a number from 0 to 1, or a percentage such as `"72%"`.
  case part
  /// A number in a closed range.
  case number(ClosedRange<Double>)
  /// A number in a closed range of which 1 is 100 %, such as a scale.
  case factor(ClosedRange<Double>)
  /// An integer in a closed range.
  case integer(ClosedRange<Int>)
  /// A linear gain, or a string such as `"-6dB"`.
  case gain
  /// A level with its unit: `"12dB"`.
  case decibels(ClosedRange<Double>)
  /// LUFS: a number, or a string such as `"-14LUFS"`.
  case loudness
  /// A number, or a string `N/D`.
  case ratio
  /// Frames per second: a number above 0, or a string `N/D`.
  case frameRate
  /// `1920x1080`.
  case size
  /// `#rrggbb`, `#rrggbbaa`, `#rgb` or one of a few names.
  case color
  /// An easing in CSS syntax.
  case easing
  /// One of several enumerated values.
  case choice([String])
  /// A list of at least `minimum` and at most `maximum` values.
  case list(ValueShape, minimum: Int = 0, maximum: Int? = nil)
  /// A list of exactly these values.
  case tuple([ValueShape])
  /// An object with arbitrary keys.
  case map(ValueShape)
  /// An object in ``ProjectSchema/shapes``, by name.
  case object(String)
  /// One of several shapes.
  case any([ValueShape])
  /// A value of the property that the same object specifies.
  case animationValue
  /// A parameter: a Boolean, a number, a string, or a list of these.
  case parameter
}

/// The side of the canvas that percentages refer to.
package enum CanvasSide: Hashable, Sendable {
  case width, height

  /// The length of the side, in pixels.
  func length(of canvas: PixelSize) -> Int { self == .width ? canvas.width : canvas.height }
}

/// One key of an object.
package struct KeyShape: Hashable, Sendable {
  package var key: String
  package var value: ValueShape
  package var isRequired: Bool
  /// A description of the key, with its default.
  package var summary: String

  package init(_ key: String, _ value: ValueShape, required: Bool = false, _ summary: String) {
    self.key = key
    self.value = value
    self.isRequired = required
    self.summary = summary
  }
}

/// The keys that an object may have.
package struct ObjectShape: Hashable, Sendable {
  package let name: String
  package let summary: String
  package let keys: [KeyShape]
  /// The shape of values with other keys, if any keys are allowed.
  package let others: ValueShape?
  /// The shapes of the values of ``keys``, by key.
  let values: [String: ValueShape]

  package init(_ name: String, _ summary: String, _ keys: [KeyShape], others: ValueShape? = nil) {
    self.name = name
    self.summary = summary
    self.keys = keys
    self.others = others
    values = Dictionary(keys.map { ($0.key, $0.value) }) { first, _ in first }
  }

  /// Whether the object has a key of this name. O(1).
  func hasKey(_ key: String) -> Bool { values[key] != nil }
}
