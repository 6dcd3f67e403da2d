internal import Compositor
internal import Foundation

/// What layers show between their background and their sublayers.
extension LayerTranslation {
  /// The content of a layer.
  ///
  /// - Throws: What cannot be drawn.
  func content(of source: CALayer, _ own: LayerSpace) throws(AVError) -> LayerContent {
    if isVideo(source) { return .video }
    switch source {
    case let text as CATextLayer: return text.bounds.isEmpty ? .none : .text(self.text(of: text))
    case let shape as CAShapeLayer: return .shape(self.shape(of: shape, own))
    case let gradient as CAGradientLayer:
      let content = self.gradient(of: gradient, own)
      return content.colors.isEmpty ? .none : .gradient(content)
    default: return try image(of: source, own)
    }
  }

  private func image(of source: CALayer, _ own: LayerSpace) throws(AVError) -> LayerContent {
    var content = ImageContent()
    if let contents = source.contents {
      guard let image = contents as? CGImage else {
        throw AVError(
          .invalidVideoComposition, "The contents of \(Self.description(of: source)) are a \(type(of: contents)).",
          suggestion: "Set them to a CGImage.")
      }
      content.image = try name(of: image)
    } else if source.allAnimations.contains(where: \.changesContents) {
      content.image = try nameOfNothing()
    } else {
      return .none
    }
    content.gravity = Self.gravities[source.contentsGravity] ?? .resize
    guard source.contentsScale == 1 || [.resize, .resizeAspect, .resizeAspectFill].contains(source.contentsGravity) else {
      throw AVError(
        .invalidVideoComposition,
        "The contents of \(Self.description(of: source)) have a scale of \(source.contentsScale) and keep their size.",
        suggestion: "Set contentsScale to 1, or contentsGravity to resize, resizeAspect or resizeAspectFill.")
    }
    content.contentsRect = own.fraction(source.contentsRect)
    content.contentsCenter = own.fraction(source.contentsCenter)
    return .image(content)
  }

  private static let gravities: [CALayerContentsGravity: ContentGravity] = [
    .center: .center, .top: .top, .bottom: .bottom, .left: .left, .right: .right, .topLeft: .topLeft, .topRight: .topRight,
    .bottomLeft: .bottomLeft, .bottomRight: .bottomRight, .resize: .resize, .resizeAspect: .resizeAspect,
    .resizeAspectFill: .resizeAspectFill,
  ]

  private func text(of layer: CATextLayer) -> TextContent {
    var content = TextContent(
      Self.string(layer.string), font: TextFont(name: layer.font as? String, size: Double(layer.fontSize)),
      color: layer.foregroundColor?.color ?? .clear)
    content.alignment = TextAlignment(rawValue: layer.alignmentMode.rawValue) ?? .natural
    content.wraps = layer.isWrapped
    content.truncation = TextTruncation(rawValue: layer.truncationMode.rawValue) ?? .none
    content.allowsFontSubstitution = true
    return content
  }

  /// The text of a string with or without attributes.
  static func string(_ value: Any?) -> String { (value as? NSAttributedString)?.string ?? value as? String ?? "" }

  private func shape(of layer: CAShapeLayer, _ own: LayerSpace) -> ShapeContent {
    var content = ShapeContent(layer.path?.shapePath(own) ?? ShapePath(), fill: layer.fillColor?.color)
    content.fillRule = layer.fillRule == .evenOdd ? .evenOdd : .nonZero
    content.strokeColor = layer.strokeColor?.color
    content.lineWidth = Double(layer.lineWidth)
    content.miterLimit = Double(layer.miterLimit)
    content.lineCap = LineCap(rawValue: layer.lineCap.rawValue) ?? .butt
    content.lineJoin = LineJoin(rawValue: layer.lineJoin.rawValue) ?? .miter
    content.lineDashPattern = layer.lineDashPattern?.map(\.doubleValue) ?? []
    content.lineDashPhase = Double(layer.lineDashPhase)
    (content.strokeStart, content.strokeEnd) = (Double(layer.strokeStart), Double(layer.strokeEnd))
    return content
  }

  private func gradient(of layer: CAGradientLayer, _ own: LayerSpace) -> GradientContent {
    let colors = (layer.colors ?? []).compactMap { ($0 as? CGColor)?.color }
    var content = GradientContent(colors, kind: GradientContent.Kind(rawValue: layer.type.rawValue) ?? .axial)
    content.locations = layer.locations?.map(\.doubleValue) ?? []
    if content.locations.count != colors.count { content.locations = [] }
    (content.startPoint, content.endPoint) = (own.fraction(layer.startPoint), own.fraction(layer.endPoint))
    // Mirrored, colors go around the other way.
    if layer.type == .conic, own.pointsUp {
      content.colors.reverse()
      content.locations = content.locations.reversed().map { 1 - $0 }
    }
    return content
  }
}

extension CGPath {
  /// The path as the compositor takes it, where y points down.
  func shapePath(_ space: LayerSpace) -> ShapePath {
    var path = ShapePath()
    var last = CGPoint.zero
    for step in steps {
      switch step.type {
      case .moveToPoint: path.move(to: space.point(step.points[0]))
      case .addLineToPoint: path.line(to: space.point(step.points[0]))
      case .addQuadCurveToPoint:
        func third(_ end: CGPoint) -> Point {
          let control = step.points[0]
          return space.point(CGPoint(x: end.x + (control.x - end.x) * 2 / 3, y: end.y + (control.y - end.y) * 2 / 3))
        }
        path.curve(to: space.point(step.points[1]), control1: third(last), control2: third(step.points[1]))
      case .addCurveToPoint:
        path.curve(
          to: space.point(step.points[2]), control1: space.point(step.points[0]), control2: space.point(step.points[1]))
      case .closeSubpath: path.close()
      }
      last = step.points.last ?? last
    }
    return path
  }
}

extension TextFont {
  /// A font by a name such as `HelveticaNeue-BoldItalic`: the family, and words of the style after a hyphen.
  init(name: String?, size: Double) {
    let parts = (name ?? "Helvetica").split(separator: "-", maxSplits: 1).map(String.init)
    let family = parts.first ?? ""
    // Names of fonts have no spaces, those of families do.
    var spaced = ""
    for letter in family {
      if letter.isUppercase, spaced.last?.isLowercase == true { spaced.append(" ") }
      spaced.append(letter)
    }
    self.init(family: spaced == family ? family : "\(family), \(spaced)", size: size)
    let style = parts.count > 1 ? parts[1].lowercased() : ""
    let weights = [
      ("ultralight", 200), ("semibold", 600), ("demibold", 600), ("extrabold", 800), ("thin", 100), ("light", 300),
      ("medium", 500), ("heavy", 800), ("black", 900), ("bold", 700),
    ]
    weight = weights.first { style.contains($0.0) }?.1 ?? 400
    isItalic = style.contains("italic") || style.contains("oblique")
  }
}
