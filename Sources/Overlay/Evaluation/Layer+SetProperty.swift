package import CompositorAPI

extension Layer {
  /// Sets a property to a value of its kind; ignores a value of another kind.
  package mutating func set(_ property: LayerProperty, to value: AnimationValue) {
    switch value {
    case .text(let text):
      changeText { if property == .string { $0.string = text } }
      if property == .image, case .image(var image) = content {
        image.image = text
        content = .image(image)
      } else if property == .image, case .movie(var movie) = content {
        movie.asset = text
        content = .movie(movie)
      }
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
    case .skewX: transform.skewX = n[0]
    case .skewY: transform.skewY = n[0]
    case .translation: (transform.translationX, transform.translationY) = (n[0], n[1])
    case .translationX: transform.translationX = n[0]
    case .translationY: transform.translationY = n[0]
    case .translationZ: transform.translationZ = n[0]
    case .perspective: perspective = n[0]
    case .sublayerRotation: sublayerTransform.rotationZ = n[0]
    case .sublayerRotationX: sublayerTransform.rotationX = n[0]
    case .sublayerRotationY: sublayerTransform.rotationY = n[0]
    case .sublayerScale: (sublayerTransform.scaleX, sublayerTransform.scaleY) = (n[0], n.count > 1 ? n[1] : n[0])
    case .sublayerTranslation: (sublayerTransform.translationX, sublayerTransform.translationY) = (n[0], n[1])
    case .sublayerTranslationZ: sublayerTransform.translationZ = n[0]
    default: setAppearance(property, n)
    }
  }

  private mutating func setAppearance(_ property: LayerProperty, _ n: [Double]) {
    switch property {
    case .opacity: opacity = n[0]
    case .hidden: isHidden = n[0] + .progressTolerance >= 0.5
    case .backgroundColor: backgroundColor = Color(n)
    case .cornerRadius: cornerRadius = n[0]
    case .cornerRadii: cornerRadii = CornerRadii(topLeft: n[0], topRight: n[1], bottomRight: n[2], bottomLeft: n[3])
    case .borderWidth: borderWidth = n[0]
    case .borderColor: borderColor = Color(n)
    case .shadowColor: shadowColor = Color(n)
    case .shadowOpacity: shadowOpacity = n[0]
    case .shadowOffset: shadowOffset = Point(x: n[0], y: n[1])
    case .shadowRadius: shadowRadius = n[0]
    case .blurRadius: filters.blurRadius = n[0]
    case .brightness: filters.brightness = n[0]
    case .contrast: filters.contrast = n[0]
    case .saturation: filters.saturation = n[0]
    case .hueRotation: filters.hueRotation = n[0]
    case .glowRadius: filters.glowRadius = n[0]
    case .glowIntensity: filters.glowIntensity = n[0]
    case .backdropBlurRadius: setBackdropBlur(n[0])
    default: setContent(property, n)
    }
  }

  private mutating func setBackdropBlur(_ radius: Double) {
    var filters = backdropFilters ?? LayerFilters()
    filters.blurRadius = radius
    backdropFilters = filters.isIdentity ? nil : filters
  }

  private mutating func setContent(_ property: LayerProperty, _ n: [Double]) {
    changeText { text in
      switch property {
      case .textValue: text.value = n[0]
      case .textReveal: text.reveal = n[0]
      case .textHighlight: text.highlight = n[0]
      case .selectorStart: text.selector?.start = n[0]
      case .selectorEnd: text.selector?.end = n[0]
      case .selectorOffset: text.selector?.offset = n[0]
      case .selectorAmount: text.selector?.amount = n[0]
      case .textColor: text.color = Color(n)
      case .fontSize: text.font.size = n[0]
      case .fontWeight: text.font.setWeight(n[0])
      case .fontWidth: text.font.variations["wdth"] = n[0]
      case .textTracking: text.tracking = n[0]
      case .textPathOffset: text.pathOffset = n[0]
      case .outlineWidth: text.outlineWidth = n[0]
      case .outlineColor: text.outlineColor = Color(n)
      case .lineHeight: text.lineHeight = n[0]
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
    case .image(var image) where property == .contentsRect || property == .contentsCenter:
      let part = Rect(x: n[0], y: n[1], width: n[2], height: n[3])
      if property == .contentsRect { image.contentsRect = part } else { image.contentsCenter = part }
      content = .image(image)
    case .movie(var movie) where property == .contentsRect:
      movie.contentsRect = Rect(x: n[0], y: n[1], width: n[2], height: n[3])
      content = .movie(movie)
    case .replicator(var replicator):
      switch property {
      case .instanceCount: replicator.instanceCount = n[0].isFinite ? Int(min(max(n[0] + 1e-6, 0), 10_000)) : 0
      case .instanceDelay: replicator.instanceDelay = n[0]
      case .instanceRotation: replicator.instanceTransform.rotationZ = n[0]
      case .instanceRotationX: replicator.instanceTransform.rotationX = n[0]
      case .instanceRotationY: replicator.instanceTransform.rotationY = n[0]
      case .instanceTranslationZ: replicator.instanceTransform.translationZ = n[0]
      case .instanceTranslation:
        (replicator.instanceTransform.translationX, replicator.instanceTransform.translationY) = (n[0], n[1])
      case .instanceScale:
        (replicator.instanceTransform.scaleX, replicator.instanceTransform.scaleY) = (n[0], n.count > 1 ? n[1] : n[0])
      case .instanceOpacityOffset: replicator.instanceOpacityOffset = n[0]
      default: break
      }
      content = .replicator(replicator)
    case .emitter(var emitter):
      emitter.set(property, n)
      content = .emitter(emitter)
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

extension EmitterContent {
  fileprivate mutating func set(_ property: LayerProperty, _ n: [Double]) {
    switch property {
    case .emitterBirthRate: birthRate = n[0]
    case .emitterLifetime: lifetime = n[0]
    case .emitterVelocity: velocity = n[0]
    case .emitterAngle: emissionAngle = n[0]
    case .emitterRange: emissionRange = n[0]
    case .emitterAcceleration: acceleration = Point(x: n[0], y: n[1])
    case .emitterScale: scale = n[0]
    case .emitterScaleSpeed: scaleSpeed = n[0]
    case .emitterSpin: spin = n[0]
    case .emitterAlphaSpeed: alphaSpeed = n[0]
    case .emitterPosition: emitterPosition = Point(x: n[0], y: n[1])
    case .emitterSize: emitterSize = Size(width: n[0], height: n[1])
    default: break
    }
  }
}

extension TextFont {
  /// Sets the weight of a variable font, and the nearest one of other fonts.
  fileprivate mutating func setWeight(_ weight: Double) {
    variations["wght"] = weight
    if weight.isFinite { self.weight = Int(min(max(weight.rounded(), 100), 1000)) }
  }
}

extension Color {
  /// Four numbers as an sRGB color, with alpha limited to 0 … 1.
  init(_ n: [Double]) {
    self.init(red: n[0], green: n[1], blue: n[2], alpha: min(max(n[3], 0), 1))
  }
}
