import CompositorAPI
import CompositorHost
import CompositorTimeline

/// What may stand at one place of a project. The reader checks keys against it and the JSON Schema is printed from it, so
/// that the two cannot differ.
package indirect enum ValueShape: Hashable, Sendable {
  /// Any text but an empty one.
  case text
  /// Any text.
  case string
  /// The absence of a value.
  case null
  /// True or false.
  case bool
  /// A time, see ``ProjectTime``.
  case time
  /// The same, possibly before zero: `"-0.5s"`.
  case signedTime
  /// Degrees, clockwise. In version 1 of the format: radians.
  case angle
  /// A length on the canvas: pixels, a part of a side such as `"50%"`, or `"6vmin"`, `"6vmax"`, `"6vw"`, `"6vh"`.
  case length(CanvasSide)
  /// The same, with percent of the side of the parent's box.
  case layoutLength(CanvasSide)
  /// A part of the layer's own bounds: a fraction such as 0.5, or `"50%"`.
  case fraction
  /// The same in percent alone.
  case percent
  /// A part of a whole: a number from 0 to 1, or percent such as `"72%"`.
  case part
  /// A number in a closed range.
  case number(ClosedRange<Double>)
  /// An integer in a closed range.
  case integer(ClosedRange<Int>)
  /// A linear gain, or a text such as `"-6dB"`.
  case gain
  /// A level with its unit: `"12dB"`.
  case decibels(ClosedRange<Double>)
  /// LUFS: a number, or a text such as `"-14LUFS"`.
  case loudness
  /// A number, or a text `N/D`.
  case ratio
  /// `1920x1080`.
  case size
  /// `#rrggbb`, `#rrggbbaa`, `#rgb` or one of a few names.
  case color
  /// An easing, as CSS writes it.
  case easing
  /// One of these words.
  case choice([String])
  /// A list of at least `minimum` and at most `maximum` values.
  case list(ValueShape, minimum: Int = 0, maximum: Int? = nil)
  /// A list of exactly these values.
  case tuple([ValueShape])
  /// An object with keys of the author's choice.
  case map(ValueShape)
  /// An object of ``ProjectSchema/shapes`` by name.
  case object(String)
  /// One of several.
  case any([ValueShape])
  /// A value of the property that stands beside it.
  case animationValue
  /// A parameter: true or false, a number, a text, or a list of those.
  case parameter
}

/// The side of the canvas that percents count.
package enum CanvasSide: Hashable, Sendable {
  case width, height

  /// Its length, in pixels.
  func length(of canvas: PixelSize) -> Int { self == .width ? canvas.width : canvas.height }
}

/// One key of an object.
package struct KeyShape: Hashable, Sendable {
  package var key: String
  package var value: ValueShape
  package var isRequired: Bool
  /// What earlier versions called it: still read, with a warning.
  package var older: [String]
  /// What it does, with its default.
  package var summary: String

  package init(_ key: String, _ value: ValueShape, required: Bool = false, older: [String] = [], _ summary: String) {
    self.key = key
    self.value = value
    self.isRequired = required
    self.older = older
    self.summary = summary
  }
}

/// The keys that an object may have.
package struct ObjectShape: Hashable, Sendable {
  package let name: String
  package let summary: String
  package let keys: [KeyShape]
  /// What other keys may hold, where there may be any.
  package let others: ValueShape?
  /// Places in ``keys``, by what a project may call the key: older names too.
  private let places: [String: Int]

  package init(_ name: String, _ summary: String, _ keys: [KeyShape], others: ValueShape? = nil) {
    self.name = name
    self.summary = summary
    self.keys = keys
    self.others = others
    var places: [String: Int] = [:]
    for (place, shape) in keys.enumerated() {
      places[shape.key] = place
      for older in shape.older where places[older] == nil { places[older] = place }
    }
    self.places = places
  }

  /// Whether a key is called so today. O(1).
  func hasKey(_ key: String) -> Bool { places[key].map { keys[$0].key == key } ?? false }

  /// The key that a project calls so, by its name of today or an older one; `nil` if there is none. O(1).
  func shape(ofKey written: String) -> KeyShape? { places[written].map { keys[$0] } }
}
