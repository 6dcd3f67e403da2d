import CompositorTimeline

/// What may stand at one place of a project. The reader checks keys against it and the JSON Schema is printed from it, so
/// that the two cannot differ.
package indirect enum ValueShape: Hashable, Sendable {
  /// Any text.
  case text
  /// True or false.
  case bool
  /// A time, see ``ProjectTime``.
  case time
  /// A number in a closed range.
  case number(ClosedRange<Double>)
  /// A whole number in a closed range.
  case integer(ClosedRange<Int>)
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
  /// An object with keys of the author's choice.
  case map(ValueShape)
  /// An object of ``ProjectSchema/shapes`` by name.
  case object(String)
  /// One of several.
  case any([ValueShape])
  /// A tree of title layers, which the titles' own reader checks.
  case tree
  /// A parameter: true or false, a number, a text, or a list of those.
  case parameter
}

/// One key of an object.
package struct KeyShape: Hashable, Sendable {
  package var key: String
  package var value: ValueShape
  package var isRequired: Bool
  /// What it does, with its default.
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
  package var name: String
  package var summary: String
  package var keys: [KeyShape]
  /// What other keys may hold, where there may be any.
  package var others: ValueShape?

  package init(_ name: String, _ summary: String, _ keys: [KeyShape], others: ValueShape? = nil) {
    self.name = name
    self.summary = summary
    self.keys = keys
    self.others = others
  }
}
