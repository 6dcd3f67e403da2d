import CompositorAPI

extension LayerProperty {
  /// The property's value in a layer; nil where the layer has no such content.
  package func value(in layer: Layer) -> AnimationValue? {
    switch self {
    case .position: .numbers([layer.position.x, layer.position.y])
    case .positionX: .number(layer.position.x)
    case .positionY: .number(layer.position.y)
    case .bounds: .numbers([layer.bounds.minX, layer.bounds.minY, layer.bounds.size.width, layer.bounds.size.height])
    case .boundsSize: .numbers([layer.bounds.size.width, layer.bounds.size.height])
    case .anchorPoint: .numbers([layer.anchorPoint.x, layer.anchorPoint.y])
    case .zPosition: .number(layer.zPosition)
    case .rotation: .number(layer.transform.rotationZ)
    case .rotationX: .number(layer.transform.rotationX)
    case .rotationY: .number(layer.transform.rotationY)
    case .scale, .scaleX: .number(layer.transform.scaleX)
    case .scaleY: .number(layer.transform.scaleY)
    case .translation: .numbers([layer.transform.translationX, layer.transform.translationY])
    case .translationX: .number(layer.transform.translationX)
    case .translationY: .number(layer.transform.translationY)
    case .translationZ: .number(layer.transform.translationZ)
    case .perspective: .number(layer.perspective)
    case .opacity: .number(layer.opacity)
    case .hidden: .number(layer.isHidden ? 1 : 0)
    case .backgroundColor: .color(layer.backgroundColor ?? .clear)
    case .cornerRadius: .number(layer.cornerRadius)
    case .borderWidth: .number(layer.borderWidth)
    case .borderColor: .color(layer.borderColor)
    case .shadowColor: .color(layer.shadowColor)
    case .shadowOpacity: .number(layer.shadowOpacity)
    case .shadowOffset: .numbers([layer.shadowOffset.x, layer.shadowOffset.y])
    case .shadowRadius: .number(layer.shadowRadius)
    default: contentValue(in: layer.content)
    }
  }

  private func contentValue(in content: LayerContent) -> AnimationValue? {
    switch content {
    case .text(let text): value(in: text)
    case .shape(let shape): value(in: shape)
    case .gradient(let gradient): value(in: gradient)
    case .replicator(let replicator): value(in: replicator)
    case .image(let image):
      self == .contentsRect
        ? .numbers([
          image.contentsRect.minX, image.contentsRect.minY, image.contentsRect.size.width, image.contentsRect.size.height,
        ]) : nil
    case .none, .emitter, .video: nil
    }
  }

  private func value(in text: TextContent) -> AnimationValue? {
    switch self {
    case .string: .text(text.string)
    case .textValue: .number(text.value)
    case .textReveal: .number(text.reveal)
    case .textColor: .color(text.color)
    case .fontSize: .number(text.font.size)
    case .textTracking: .number(text.tracking)
    case .outlineWidth: .number(text.outlineWidth)
    case .outlineColor: .color(text.outlineColor)
    default: nil
    }
  }

  private func value(in shape: ShapeContent) -> AnimationValue? {
    switch self {
    case .path: .path(shape.path)
    case .fillColor: .color(shape.fillColor ?? .clear)
    case .strokeColor: .color(shape.strokeColor ?? .clear)
    case .lineWidth: .number(shape.lineWidth)
    case .lineDashPhase: .number(shape.lineDashPhase)
    case .miterLimit: .number(shape.miterLimit)
    case .strokeStart: .number(shape.strokeStart)
    case .strokeEnd: .number(shape.strokeEnd)
    default: nil
    }
  }

  private func value(in gradient: GradientContent) -> AnimationValue? {
    switch self {
    case .gradientColors: .numbers(gradient.colors.flatMap { [$0.red, $0.green, $0.blue, $0.alpha] })
    case .gradientLocations: .numbers(gradient.locations)
    case .gradientStart: .numbers([gradient.startPoint.x, gradient.startPoint.y])
    case .gradientEnd: .numbers([gradient.endPoint.x, gradient.endPoint.y])
    default: nil
    }
  }

  private func value(in replicator: ReplicatorContent) -> AnimationValue? {
    let transform = replicator.instanceTransform
    return switch self {
    case .instanceCount: .number(Double(replicator.instanceCount))
    case .instanceDelay: .number(replicator.instanceDelay)
    case .instanceRotation: .number(transform.rotationZ)
    case .instanceTranslation: .numbers([transform.translationX, transform.translationY])
    case .instanceScale: .number(transform.scaleX)
    case .instanceOpacityOffset: .number(replicator.instanceOpacityOffset)
    default: nil
    }
  }
}

extension Layer {
  /// Gives a property a value of its kind; a value of another kind changes nothing.
  package mutating func set(_ property: LayerProperty, to value: AnimationValue) {
    switch value {
    case .text(let text): changeText { if property == .string { $0.string = text } }
    case .path(let path): changeShape { if property == .path { $0.path = path } }
    case .numbers(let n):
      guard !n.isEmpty else { return }
      switch property.kind {
      case .numbers(let count) where n.count < count: return
      case .text, .path: return
      default: set(property, numbers: n)
      }
    }
  }

  private mutating func set(_ property: LayerProperty, numbers n: [Double]) {
    switch property {
    case .position: position = Point(x: n[0], y: n[1])
    case .positionX: position.x = n[0]
    case .positionY: position.y = n[0]
    case .bounds: bounds = Rect(x: n[0], y: n[1], width: n[2], height: n[3])
    case .boundsSize: bounds.size = Size(width: n[0], height: n[1])
    case .anchorPoint: anchorPoint = Point(x: n[0], y: n[1])
    case .zPosition: zPosition = n[0]
    case .rotation: transform.rotationZ = n[0]
    case .rotationX: transform.rotationX = n[0]
    case .rotationY: transform.rotationY = n[0]
    case .scale: (transform.scaleX, transform.scaleY) = (n[0], n.count > 1 ? n[1] : n[0])
    case .scaleX: transform.scaleX = n[0]
    case .scaleY: transform.scaleY = n[0]
    case .translation: (transform.translationX, transform.translationY) = (n[0], n[1])
    case .translationX: transform.translationX = n[0]
    case .translationY: transform.translationY = n[0]
    case .translationZ: transform.translationZ = n[0]
    case .perspective: perspective = n[0]
    case .opacity: opacity = n[0]
    case .hidden: isHidden = n[0] >= 0.5
    case .backgroundColor: backgroundColor = Color(n)
    case .cornerRadius: cornerRadius = n[0]
    case .borderWidth: borderWidth = n[0]
    case .borderColor: borderColor = Color(n)
    case .shadowColor: shadowColor = Color(n)
    case .shadowOpacity: shadowOpacity = n[0]
    case .shadowOffset: shadowOffset = Point(x: n[0], y: n[1])
    case .shadowRadius: shadowRadius = n[0]
    default: setContent(property, n)
    }
  }

  private mutating func setContent(_ property: LayerProperty, _ n: [Double]) {
    changeText { text in
      switch property {
      case .textValue: text.value = n[0]
      case .textReveal: text.reveal = n[0]
      case .textColor: text.color = Color(n)
      case .fontSize: text.font.size = n[0]
      case .textTracking: text.tracking = n[0]
      case .outlineWidth: text.outlineWidth = n[0]
      case .outlineColor: text.outlineColor = Color(n)
      default: break
      }
    }
    changeShape { shape in
      switch property {
      case .fillColor: shape.fillColor = Color(n)
      case .strokeColor: shape.strokeColor = Color(n)
      case .lineWidth: shape.lineWidth = n[0]
      case .lineDashPhase: shape.lineDashPhase = n[0]
      case .miterLimit: shape.miterLimit = n[0]
      case .strokeStart: shape.strokeStart = n[0]
      case .strokeEnd: shape.strokeEnd = n[0]
      default: break
      }
    }
    setOtherContent(property, n)
  }

  private mutating func setOtherContent(_ property: LayerProperty, _ n: [Double]) {
    switch content {
    case .gradient(var gradient):
      switch property {
      case .gradientColors: gradient.colors = stride(from: 0, to: n.count - 3, by: 4).map { Color(Array(n[$0..<$0 + 4])) }
      case .gradientLocations: gradient.locations = n
      case .gradientStart: gradient.startPoint = Point(x: n[0], y: n[1])
      case .gradientEnd: gradient.endPoint = Point(x: n[0], y: n[1])
      default: break
      }
      content = .gradient(gradient)
    case .image(var image) where property == .contentsRect:
      image.contentsRect = Rect(x: n[0], y: n[1], width: n[2], height: n[3])
      content = .image(image)
    case .replicator(var replicator):
      switch property {
      case .instanceCount: replicator.instanceCount = n[0].isFinite ? Int(min(max(n[0], 0), 10_000)) : 0
      case .instanceDelay: replicator.instanceDelay = n[0]
      case .instanceRotation: replicator.instanceTransform.rotationZ = n[0]
      case .instanceTranslation:
        (replicator.instanceTransform.translationX, replicator.instanceTransform.translationY) = (n[0], n[1])
      case .instanceScale: (replicator.instanceTransform.scaleX, replicator.instanceTransform.scaleY) = (n[0], n[0])
      case .instanceOpacityOffset: replicator.instanceOpacityOffset = n[0]
      default: break
      }
      content = .replicator(replicator)
    default: break
    }
  }

  private mutating func changeText(_ change: (inout TextContent) -> Void) {
    guard case .text(var text) = content else { return }
    change(&text)
    content = .text(text)
  }

  private mutating func changeShape(_ change: (inout ShapeContent) -> Void) {
    guard case .shape(var shape) = content else { return }
    change(&shape)
    content = .shape(shape)
  }
}

extension Color {
  /// Four numbers as an sRGB colour, alpha limited to 0 … 1.
  init(_ n: [Double]) {
    self.init(red: n[0], green: n[1], blue: n[2], alpha: min(max(n[3], 0), 1))
  }
}
