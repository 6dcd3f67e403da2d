package import CompositorAPI

extension Layer {
  /// Makes generated text, and gives a text layer without bounds the size of its text.
  mutating func resolveText(at time: Double, measure: LayerEvaluator.Measure) throws(CompositorError) {
    guard case .text(var text) = content else { return }
    if let generator = text.generator {
      text.runs.insert(TextRun(generator.text(value: text.value, at: time)), at: 0)
      text.generator = nil
      text.value = 0
    }
    do {
      try text.requireLength()
    } catch {
      throw error.locating(ErrorLocation(path: name.isEmpty ? nil : name))
    }
    if bounds.isEmpty {
      var full = text
      full.reveal = 1
      var size = try measure(full)
      if text.maximumWidth > 0, size.width > text.maximumWidth {
        (text.wraps, full.wraps) = (true, true)
        size = try measure(full)
      }
      bounds.size = Size(width: size.width + 2 * text.padding, height: size.height + 2 * text.padding)
    }
    content = .text(text)
  }

  /// Checks everything that a number could break in the layer itself.
  package func requireDrawable() throws(CompositorError) {
    let numbers = [
      bounds.minX, bounds.minY, bounds.size.width, bounds.size.height, position.x, position.y, anchorPoint.x, anchorPoint.y,
      zPosition, perspective, opacity, cornerRadius, borderWidth, shadowOpacity, shadowOffset.x, shadowOffset.y, shadowRadius,
    ]
    let size = max(bounds.size.width, bounds.size.height)
    let isSound =
      numbers.allSatisfy(\.isFinite) && transform.matrix.projection.isFinite
      && sublayerTransform.matrix.projection.isFinite && bounds.size.width >= 0
      && bounds.size.height >= 0 && size <= 1e6 && borderWidth >= 0 && shadowRadius >= 0
      && [backgroundColor, borderColor, shadowColor].allSatisfy { $0?.isSound ?? true }
    if case .shape(let shape) = content, shape.path.steps.count > ShapePath.maximumSteps {
      throw CompositorError(
        .invalidValue, "A path has \(shape.path.steps.count) steps, and at most \(ShapePath.maximumSteps) can be drawn.",
        recoverySuggestion: "Simplify it, or divide it among several layers.")
    }
    guard isSound, content.isSound else {
      throw CompositorError(
        .invalidValue, "The layer\(name.isEmpty ? "" : " \"\(name)\"") has a number that cannot be drawn.",
        recoverySuggestion:
          "Look for values that are not finite, sizes below 0 or above a million pixels, colors far outside 0 … 1, and font sizes outside 0 … 10,000."
      )
    }
  }
}

extension TextContent {
  /// The longest text of a layer, in UTF-8.
  package static let maximumBytes = 200_000

  func requireLength() throws(CompositorError) {
    guard runs.lazy.map(\.text.utf8.count).reduce(0, +) <= TextContent.maximumBytes else {
      throw CompositorError(
        .invalidValue, "A text is longer than \(TextContent.maximumBytes) bytes.",
        recoverySuggestion: "Divide it among several layers.")
    }
  }
}

extension ShapePath {
  /// The longest path of a layer, in steps. How densely it may wind, `PathCost` says.
  package static let maximumSteps = 100_000
}

extension LayerContent {
  /// Whether every number of it can be drawn.
  var isSound: Bool {
    switch self {
    case .none, .video: true
    case .text(let text):
      ([text.font] + text.runs.compactMap(\.font)).allSatisfy { (0...10_000).contains($0.size) }
        && (0...10_000).contains(text.padding) && text.maximumWidth.isFinite
        && [text.value, text.reveal, text.tracking].allSatisfy(\.isFinite) && (0...1000).contains(text.outlineWidth)
        && (0...100).contains(text.lineHeight) && abs(text.tracking) <= 10_000
        && text.runs.allSatisfy { abs($0.tracking ?? 0) <= 10_000 && $0.color?.isSound ?? true }
        && text.color.isSound && text.outlineColor.isSound && text.gradient?.isSound ?? true
    case .shape(let shape):
      shape.path.coordinates.allSatisfy { abs($0) <= 1e7 }
        && (0...1e5).contains(shape.lineWidth)
        && [shape.strokeStart, shape.strokeEnd, shape.lineDashPhase].allSatisfy(\.isFinite)
        && shape.lineDashPattern.count <= 1000 && shape.lineDashPattern.allSatisfy { $0 >= 0 && $0.isFinite }
        && (1...1e4).contains(shape.miterLimit) && shape.fillColor?.isSound ?? true && shape.strokeColor?.isSound ?? true
    case .gradient(let gradient): gradient.isSound
    case .image(let image):
      [image.contentsRect, image.contentsCenter].allSatisfy {
        $0.minX.isFinite && $0.maxX.isFinite && $0.minY.isFinite && $0.maxY.isFinite
      }
    case .replicator(let replicator):
      replicator.instanceDelay.isFinite && replicator.instanceOpacityOffset.isFinite
        && replicator.instanceTransform.matrix.projection.isFinite
    case .emitter(let emitter):
      [
        emitter.birthRate, emitter.lifetime, emitter.lifetimeRange, emitter.velocity, emitter.velocityRange,
        emitter.emissionAngle, emitter.emissionRange, emitter.acceleration.x, emitter.acceleration.y, emitter.scale,
        emitter.scaleRange, emitter.scaleSpeed, emitter.spin, emitter.spinRange, emitter.alphaSpeed,
      ].allSatisfy(\.isFinite)
    }
  }
}

extension GradientContent {
  fileprivate var isSound: Bool {
    locations.allSatisfy(\.isFinite) && colors.count <= 1000 && colors.allSatisfy(\.isSound)
      && [startPoint, endPoint].allSatisfy { abs($0.x) <= 1e6 && abs($0.y) <= 1e6 }
  }
}

extension Color {
  /// Whether every component is a number that a signal can be made of.
  fileprivate var isSound: Bool { [red, green, blue].allSatisfy { abs($0) <= 1e4 } && alpha.isFinite }
}

extension TextGenerator {
  /// The text at a time of the layer.
  package func text(value: Double, at time: Double) -> String {
    switch self {
    case .number(let fractionDigits, let minimumIntegerDigits, let grouping):
      TextGenerator.number(
        value, fractionDigits: min(max(fractionDigits, 0), 9), minimum: min(max(minimumIntegerDigits, 1), 18), grouping)
    case .timecode(let rate, let start, let dropFrame):
      TextGenerator.timecode(rate, start, dropFrame, at: time)
    }
  }

  private static func number(_ value: Double, fractionDigits: Int, minimum: Int, _ grouping: String) -> String {
    var unit = 1
    for _ in 0..<fractionDigits { unit *= 10 }
    let size = abs(value) < 9e18 ? abs(value) : 9e18
    // Whole number and fraction apart: together they would not fit.
    var whole = Int(size)
    var fraction = Int(((size - Double(whole)) * Double(unit)).rounded())
    if fraction == unit { (whole, fraction) = (whole + 1, 0) }
    let sign = value < 0 && (whole > 0 || fraction > 0) ? "-" : ""
    var digits = String(whole)
    while digits.count < minimum { digits = "0" + digits }
    if !grouping.isEmpty {
      var grouped = ""
      for (index, digit) in digits.enumerated() {
        if index > 0, (digits.count - index) % 3 == 0 { grouped += grouping }
        grouped.append(digit)
      }
      digits = grouped
    }
    guard fractionDigits > 0 else { return sign + digits }
    return sign + digits + "." + String(fraction + unit).dropFirst()
  }

  private static func timecode(_ rate: Rational, _ start: Int, _ dropFrame: Bool, at time: Double) -> String {
    guard rate.denominator > 0, rate.numerator > 0, time.isFinite, abs(time) < 1e7, rate.value <= 1000 else {
      return "--:--:--:--"
    }
    let perSecond = max(Int(rate.value.rounded()), 1)
    // A time that lies on a frame's edge must not fall into the frame before it.
    var frame = max(Int((time * rate.value + 1e-6).rounded(.down)) + min(max(start, 0), 10_000_000), 0)
    if dropFrame, perSecond % 30 == 0 {
      let dropped = perSecond / 15
      let (perTen, perMinute) = (perSecond * 600 - dropped * 9, perSecond * 60 - dropped)
      let (tens, rest) = (frame / perTen, frame % perTen)
      frame += dropped * 9 * tens + (rest > dropped ? dropped * ((rest - dropped) / perMinute) : 0)
    }
    func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    let seconds = frame / perSecond
    let separator = dropFrame ? ";" : ":"
    return "\(two(seconds / 3600 % 24)):\(two(seconds / 60 % 60)):\(two(seconds % 60))\(separator)\(two(frame % perSecond))"
  }
}
