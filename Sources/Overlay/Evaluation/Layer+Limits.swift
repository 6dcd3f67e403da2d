package import CompositorAPI

/// The limits of all numbers that can be drawn, with their keys.
extension Layer {
  /// Checks that every number of the layer itself can be drawn.
  ///
  /// - Throws: `.invalidValue`, with the key path from the layer.
  package func requireDrawable() throws(CompositorError) {
    if case .shape(let shape) = content, shape.path.steps.count > ShapePath.maximumSteps {
      throw CompositorError(
        .invalidValue, "A path has \(shape.path.steps.count) steps, and at most \(ShapePath.maximumSteps) can be drawn.",
        recoverySuggestion: "Simplify it, or divide it among several layers.", at: ErrorLocation(path: "content.shape.path"))
    }
    if case .text(let text) = content {
      try text.requireLength()
      try text.requireTags()
      try text.requireAxes()
      try text.requireLanguages()
    }
    guard let key = unsoundKey ?? content.unsoundKey else { return }
    let subject = "The layer\(name.isEmpty ? "" : " \"\(name)\"")"
    if let skew = endlessSkew {
      throw CompositorError(
        .invalidValue, "\(subject) leans by \(skew.degrees) degrees, which makes it endlessly long.",
        recoverySuggestion: "Keep the skew between -90 and 90 degrees, such as 45.", at: ErrorLocation(path: skew.key))
    }
    throw CompositorError(
      .invalidValue, "\(subject) has a number that cannot be drawn.",
      recoverySuggestion:
        "Look for values that are not finite, sizes below 0 or above a million pixels, colors far outside 0 … 1, and font sizes outside 0 … 10,000.",
      at: ErrorLocation(path: key))
  }

  /// The key of a skew by a quarter turn, and the angle; `nil` if there is none.
  private var endlessSkew: (key: String, degrees: Int)? {
    let skews = [
      ("transform.skewX", transform.skewX), ("transform.skewY", transform.skewY),
      ("sublayerTransform.skewX", sublayerTransform.skewX), ("sublayerTransform.skewY", sublayerTransform.skewY),
    ]
    let endless = skews.first { $0.1.isFinite && abs($0.1) < 1e6 && AffineMatrix.rotation(radians: $0.1).a == 0 }
    return endless.map { ($0.0, Int(($0.1 * 180 / .pi).rounded())) }
  }

  /// The key of a number that cannot be drawn; `nil` if all can.
  private var unsoundKey: String? {
    let (x, y, width, height) = (bounds.minX, bounds.minY, bounds.size.width, bounds.size.height)
    if !(x.isFinite && y.isFinite && (0...1e6).contains(width) && (0...1e6).contains(height)) { return "bounds" }
    if !(position.x.isFinite && position.y.isFinite) { return "position" }
    if !(anchorPoint.x.isFinite && anchorPoint.y.isFinite) { return "anchorPoint" }
    if !zPosition.isFinite { return "zPosition" }
    if !perspective.isFinite { return "perspective" }
    if !opacity.isFinite { return "opacity" }
    if !cornerRadius.isFinite { return "cornerRadius" }
    if cornerRadii?.list.allSatisfy(\.isFinite) == false { return "cornerRadii" }
    if !(borderWidth >= 0 && borderWidth.isFinite) { return "borderWidth" }
    if !shadowOpacity.isFinite { return "shadowOpacity" }
    if !(shadowOffset.x.isFinite && shadowOffset.y.isFinite) { return "shadowOffset" }
    if !(shadowRadius >= 0 && shadowRadius.isFinite) { return "shadowRadius" }
    for (index, shadow) in shadows.enumerated() {
      if let key = shadow.unsoundKey { return "shadows[\(index)].\(key)" }
    }
    if let key = filters.unsoundKey { return "filters.\(key)" }
    if let key = backdropFilters?.unsoundKey { return "backdropFilters.\(key)" }
    if !transform.matrix.projection.isFinite { return "transform" }
    if !sublayerTransform.matrix.projection.isFinite { return "sublayerTransform" }
    if backgroundColor?.isSound == false { return "backgroundColor" }
    if !borderColor.isSound { return "borderColor" }
    return shadowColor.isSound ? nil : "shadowColor"
  }
}

extension LayerFilters {
  /// The key of a number that no filter has; `nil` if all are usable.
  fileprivate var unsoundKey: String? {
    if !(0...1e6).contains(blurRadius) { return "blurRadius" }
    if !(0...1e6).contains(brightness) { return "brightness" }
    if !(0...1e6).contains(contrast) { return "contrast" }
    if !(0...1e6).contains(saturation) { return "saturation" }
    if !(0...1e6).contains(glowRadius) { return "glowRadius" }
    if !(0...1e6).contains(glowIntensity) { return "glowIntensity" }
    return hueRotation.isFinite ? nil : "hueRotation"
  }
}

extension LayerShadow {
  /// The key of a number that cannot be drawn; `nil` if all can.
  fileprivate var unsoundKey: String? {
    if !color.isSound { return "color" }
    if !opacity.isFinite { return "opacity" }
    if !(offset.x.isFinite && offset.y.isFinite) { return "offset" }
    return radius >= 0 && radius.isFinite ? nil : "radius"
  }
}

extension ShapePath {
  /// The longest path of a layer, in elements. ``PathCost`` limits how densely it may wind.
  package static let maximumSteps = 100_000
}

extension LayerContent {
  /// Whether every number of it can be drawn.
  var isSound: Bool { unsoundKey == nil }

  /// The key of a number that cannot be drawn; `nil` if all can.
  fileprivate var unsoundKey: String? {
    switch self {
    case .none, .video: nil
    case .text(let text): text.unsoundKey.map { "content.text.\($0)" }
    case .shape(let shape): shape.unsoundKey.map { "content.shape.\($0)" }
    case .gradient(let gradient): gradient.unsoundKey.map { "content.gradient.\($0)" }
    case .image(let image):
      !image.contentsRect.isFinite
        ? "content.image.contentsRect" : !image.contentsCenter.isFinite ? "content.image.contentsCenter" : nil
    case .movie(let movie): movie.isSound ? nil : "content.movie"
    case .replicator(let replicator): replicator.unsoundKey.map { "content.replicator.\($0)" }
    case .emitter(let emitter): emitter.unsoundKey.map { "content.emitter.\($0)" }
    }
  }
}

extension TextContent {
  /// Checks that the names of OpenType features have the form that fonts use.
  fileprivate func requireTags() throws(CompositorError) {
    do throws(CompositorError) {
      try features.requireTags()
      for run in runs { try run.features?.requireTags() }
    } catch {
      throw error.within("content.text.features")
    }
  }

  /// Checks that languages are tags.
  fileprivate func requireLanguages() throws(CompositorError) {
    try TextContent.requireLanguage(language)
    for run in runs { if let language = run.language { try TextContent.requireLanguage(language) } }
  }

  private static func requireLanguage(_ tag: String) throws(CompositorError) {
    guard tag.utf8.count <= 35, tag.utf8.allSatisfy({ TextFeatures.isOfTag($0) || $0 == UInt8(ascii: "-") }) else {
      throw CompositorError(
        .invalidValue, "\"\(tag.prefix(40))\" isn't a language.",
        recoverySuggestion: "Write its tag, such as \"tr\", \"de\" or \"sr-Cyrl\".",
        at: ErrorLocation(path: "content.text.language"))
    }
  }

  /// Checks that positions on the axes of fonts have the names and values that fonts use.
  fileprivate func requireAxes() throws(CompositorError) {
    do throws(CompositorError) {
      try font.requireAxes()
      for run in runs { try run.font?.requireAxes() }
    } catch {
      throw error.within("content.text.font.variations")
    }
  }

  fileprivate var unsoundKey: String? {
    if !(0...10_000).contains(font.size) { return "font.size" }
    for (index, run) in runs.enumerated() {
      if let font = run.font, !(0...10_000).contains(font.size) { return "runs[\(index)].font.size" }
      if !(abs(run.tracking ?? 0) <= 10_000) { return "runs[\(index)].tracking" }
      if run.color?.isSound == false { return "runs[\(index)].color" }
      if run.underline?.isSound == false { return "runs[\(index)].underline" }
      if run.strikethrough?.isSound == false { return "runs[\(index)].strikethrough" }
      if run.baselineShift?.isSound == false { return "runs[\(index)].baselineShift" }
    }
    if underline?.isSound == false { return "underline" }
    if strikethrough?.isSound == false { return "strikethrough" }
    if baselineShift?.isSound == false { return "baselineShift" }
    if background?.isSound == false { return "background" }
    if !(0...10_000).contains(padding) { return "padding" }
    if !maximumWidth.isFinite { return "maximumWidth" }
    if !value.isFinite { return "value" }
    if !reveal.isFinite { return "reveal" }
    if !(abs(tracking) <= 10_000) { return "tracking" }
    if !(abs(pathOffset) <= 1e6) { return "pathOffset" }
    if path?.coordinates.allSatisfy({ abs($0) <= 1e6 }) == false { return "path" }
    if !(0...1000).contains(outlineWidth) { return "outlineWidth" }
    if !(0...100).contains(lineHeight) { return "lineHeight" }
    if !color.isSound { return "color" }
    if !outlineColor.isSound { return "outlineColor" }
    return gradient?.unsoundKey.map { "gradient.\($0)" }
  }
}

extension TextBackground {
  fileprivate var isSound: Bool {
    color.isSound && (0...10_000).contains(padding) && (0...10_000).contains(cornerRadius)
  }
}

extension TextDecoration {
  fileprivate var isSound: Bool { (0...1000).contains(thickness ?? 0) && color?.isSound != false }
}

extension BaselineShift {
  fileprivate var isSound: Bool { if case .pixels(let pixels) = self { abs(pixels) <= 10_000 } else { true } }
}

extension ShapeContent {
  fileprivate var unsoundKey: String? {
    if !path.coordinates.allSatisfy({ abs($0) <= 1e7 }) { return "path" }
    if !(0...1e5).contains(lineWidth) { return "lineWidth" }
    if !strokeStart.isFinite { return "strokeStart" }
    if !strokeEnd.isFinite { return "strokeEnd" }
    if !lineDashPhase.isFinite { return "lineDashPhase" }
    if lineDashPattern.count > 1000 || !lineDashPattern.allSatisfy({ $0 >= 0 && $0.isFinite }) { return "lineDashPattern" }
    if !(1...1e4).contains(miterLimit) { return "miterLimit" }
    if fillColor?.isSound == false { return "fillColor" }
    return strokeColor?.isSound == false ? "strokeColor" : nil
  }
}

extension GradientContent {
  fileprivate var unsoundKey: String? {
    if !locations.allSatisfy(\.isFinite) { return "locations" }
    if colors.count > 1000 || !colors.allSatisfy(\.isSound) { return "colors" }
    if !(abs(startPoint.x) <= 1e6 && abs(startPoint.y) <= 1e6) { return "startPoint" }
    return abs(endPoint.x) <= 1e6 && abs(endPoint.y) <= 1e6 ? nil : "endPoint"
  }
}

extension ReplicatorContent {
  fileprivate var unsoundKey: String? {
    if !instanceDelay.isFinite { return "instanceDelay" }
    if !instanceOpacityOffset.isFinite { return "instanceOpacityOffset" }
    return instanceTransform.matrix.projection.isFinite ? nil : "instanceTransform"
  }
}

extension EmitterContent {
  fileprivate var unsoundKey: String? {
    let numbers: [(String, Double)] = [
      ("birthRate", birthRate), ("lifetime", lifetime), ("lifetimeRange", lifetimeRange), ("velocity", velocity),
      ("velocityRange", velocityRange), ("emissionAngle", emissionAngle), ("emissionRange", emissionRange),
      ("acceleration", acceleration.x + acceleration.y), ("scale", scale), ("scaleRange", scaleRange),
      ("scaleSpeed", scaleSpeed),
      ("spin", spin), ("spinRange", spinRange), ("alphaSpeed", alphaSpeed),
    ]
    return numbers.first { !$0.1.isFinite }?.0
  }
}

extension Rect {
  fileprivate var isFinite: Bool { minX.isFinite && maxX.isFinite && minY.isFinite && maxY.isFinite }
}

extension Color {
  /// Whether every component is within the range of a signal.
  fileprivate var isSound: Bool { abs(red) <= 1e4 && abs(green) <= 1e4 && abs(blue) <= 1e4 && alpha.isFinite }
}
