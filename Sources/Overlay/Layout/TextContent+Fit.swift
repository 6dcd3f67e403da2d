import CompositorAPI

extension TextContent {
  /// Tolerance in pixels when fitting a measured text: text layout rounds sizes.
  private static let tolerance = 0.05

  /// The box of a text without bounds: as large as the text, limited by ``maximumWidth``. The text then wraps or shrinks.
  mutating func settle(measure: LayerEvaluator.Measure) throws(CompositorError) -> Size {
    var size = try measure(whole)
    if maximumWidth > 0, lineLength(size) > maximumWidth {
      if fit == .shrink, !wraps {
        try shrink(toLine: maximumWidth, depth: nil, measure: measure)
      } else {
        wraps = true
      }
      size = try measure(whole)
    }
    return padded(size)
  }

  /// The size of its box along the sides that a layout leaves open. A line that is longer than ``maximumWidth`` or the room
  /// then wraps.
  ///
  /// - Parameters:
  ///   - width: The width if it is given, including padding.
  ///   - height: The height if it is given.
  ///   - room: The given or maximum sides.
  mutating func boxSize(
    width: Double?, height: Double?, room: Size, measure: LayerEvaluator.Measure
  ) throws(CompositorError) -> Size {
    var text = self
    let inner = Size(width: max(room.width - 2 * padding, 1), height: max(room.height - 2 * padding, 1))
    let isGiven = (isVertical ? height : width) != nil
    // A line has at most the given side or the available room.
    let limit = isGiven || maximumWidth <= 0 ? lineLength(inner) : min(lineLength(inner), maximumWidth)
    if fit == .shrink, !wraps {
      try text.shrink(toLine: limit, depth: (isVertical ? width : height).map { _ in depth(inner) }, measure: measure)
    } else if wraps {
      text.maximumWidth = limit
    } else if !isGiven, maximumWidth > 0, lineLength(try measure(whole)) > limit {
      (text.wraps, text.maximumWidth) = (true, limit)
      wraps = true
    }
    return padded(try measure(text.whole))
  }

  /// Shrinks the text to fit a box, including padding.
  mutating func shrink(into box: Size, measure: LayerEvaluator.Measure) throws(CompositorError) {
    let inner = Size(width: max(box.width - 2 * padding, 1), height: max(box.height - 2 * padding, 1))
    if wraps { maximumWidth = lineLength(inner) }
    try shrink(toLine: lineLength(inner), depth: depth(inner), measure: measure)
    truncation = .none
  }

  /// Shrinks a text on a path, if it shrinks to fit, so that its lines are no longer than the path.
  mutating func shrinkToPath(measure: LayerEvaluator.Measure) throws(CompositorError) {
    guard fit == .shrink, !wraps, let path = linePath else { return }
    let length = MeasuredPath(path).length
    guard length > 0 else { return }
    try shrink(toLine: length, depth: nil, measure: measure)
  }

  /// Shrinks the text to fit a line length and a total depth of lines.
  private mutating func shrink(
    toLine length: Double, depth: Double?, measure: LayerEvaluator.Measure
  ) throws(CompositorError) {
    let text = self
    func fits(_ scale: Double) throws(CompositorError) -> Bool {
      let size = try measure(text.scaled(by: scale).whole)
      return lineLength(size) <= length + TextContent.tolerance
        && depth.map { self.depth(size) <= $0 + TextContent.tolerance } ?? true
    }
    guard try !fits(1) else { return }
    if !wraps {
      // Without wrapping, both sides are proportional to the scale.
      let size = try measure(whole)
      var scale = length / max(lineLength(size), length)
      if let depth { scale = min(scale, depth / max(self.depth(size), depth)) }
      if try fits(scale) {
        self = scaled(by: scale)
        return
      }
    }
    var (small, large) = (0.0, 1.0)
    for _ in 0..<12 {
      let middle = (small + large) / 2
      if try fits(middle) { small = middle } else { large = middle }
    }
    self = scaled(by: small)
  }

  /// The text with all lengths that belong to its letters scaled.
  private func scaled(by scale: Double) -> TextContent {
    var text = self
    text.font.size *= scale
    text.tracking *= scale
    text.outlineWidth *= scale
    text.underline = underline?.scaled(by: scale)
    text.strikethrough = strikethrough?.scaled(by: scale)
    text.baselineShift = baselineShift?.scaled(by: scale)
    text.background?.padding *= scale
    text.background?.cornerRadius *= scale
    for index in text.runs.indices {
      text.runs[index].font?.size *= scale
      text.runs[index].underline = runs[index].underline?.scaled(by: scale)
      text.runs[index].strikethrough = runs[index].strikethrough?.scaled(by: scale)
      text.runs[index].baselineShift = runs[index].baselineShift?.scaled(by: scale)
      if let tracking = text.runs[index].tracking { text.runs[index].tracking = tracking * scale }
    }
    return text
  }

  /// The complete text, as it is measured.
  var whole: TextContent {
    var text = self
    text.reveal = 1
    return text
  }

  private func padded(_ size: Size) -> Size { Size(width: size.width + 2 * padding, height: size.height + 2 * padding) }

  /// The side of a size along which lines run.
  private func lineLength(_ size: Size) -> Double { isVertical ? size.height : size.width }
  /// The side along which lines follow one another.
  private func depth(_ size: Size) -> Double { isVertical ? size.width : size.height }

  /// Whether lines are columns.
  var isVertical: Bool { writingMode != .horizontal }
}

extension TextDecoration {
  fileprivate func scaled(by scale: Double) -> TextDecoration {
    TextDecoration(style, color: color, thickness: thickness.map { $0 * scale })
  }
}

extension BaselineShift {
  fileprivate func scaled(by scale: Double) -> BaselineShift {
    if case .pixels(let pixels) = self { .pixels(pixels * scale) } else { self }
  }
}
