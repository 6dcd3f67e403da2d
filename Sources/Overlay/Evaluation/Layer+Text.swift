import CompositorAPI

extension Layer {
  /// Generates text, sizes a text layer without bounds to its text, and fits text that shrinks.
  mutating func resolveText(at time: Double, _ measurer: TextMeasurer) throws(CompositorError) {
    guard case .text(var text) = content else { return }
    try text.generate(at: time)
    try text.requireLength()
    try text.shrinkToPath(measure: measurer.size)
    if bounds.isEmpty, let box = try text.boxOnPath(measurer) {
      bounds = box
    } else if bounds.isEmpty {
      bounds.size = try text.settle(measure: measurer.size)
    } else if text.fit == .shrink, text.linePath == nil {
      try text.shrink(into: bounds.size, measure: measurer.size)
    }
    content = .text(text)
  }

  /// Whether pieces of its text are animated.
  var hasAnimators: Bool { if case .text(let text) = content { !text.animators.isEmpty } else { false } }
}

extension TextContent {
  /// Sets the string made by the generator.
  mutating func generate(at time: Double) throws(CompositorError) {
    guard let generator else { return }
    try generator.requireLocale()
    runs.insert(TextRun(generator.text(value: value, at: time)), at: 0)
    self.generator = nil
    value = 0
  }

  /// The longest text of a layer, in bytes of UTF-8.
  package static let maximumBytes = 200_000
  /// The largest number of lines in a text's string.
  package static let maximumLines = 20_000

  func requireLength() throws(CompositorError) {
    let byteCount = runs.lazy.map(\.text.utf8.count).reduce(0, +)
    guard byteCount <= TextContent.maximumBytes else {
      throw CompositorError(
        .invalidValue, "A text is longer than \(TextContent.maximumBytes) bytes.",
        recoverySuggestion: "Divide it among several layers.", at: ErrorLocation(path: "content.text"))
    }
    guard byteCount >= TextContent.maximumLines else { return }
    let lineCount = runs.reduce(1) { $0 + $1.text.lineBreakCount }
    guard lineCount <= TextContent.maximumLines else {
      throw CompositorError(
        .invalidValue, "A text has \(lineCount) lines, and at most \(TextContent.maximumLines) can be drawn.",
        recoverySuggestion: "Divide it among several layers.", at: ErrorLocation(path: "content.text"))
    }
  }
}

extension String {
  /// Number of line feeds, carriage returns, and line and paragraph separators (E2 80 A8, E2 80 A9 in UTF-8).
  fileprivate var lineBreakCount: Int {
    var (count, last, beforeLast): (Int, UInt8, UInt8) = (0, 0, 0)
    for byte in utf8 {
      let isSeparator = beforeLast == 0xe2 && last == 0x80 && (byte == 0xa8 || byte == 0xa9)
      if byte == 10 && last != 13 || byte == 13 || isSeparator { count += 1 }
      (beforeLast, last) = (last, byte)
    }
    return count
  }
}
