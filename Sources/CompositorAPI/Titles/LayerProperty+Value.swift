extension LayerProperty {
  /// The property's value in a layer; `nil` if the layer has no such content.
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
    case .skewX: .number(layer.transform.skewX)
    case .skewY: .number(layer.transform.skewY)
    case .translation: .numbers([layer.transform.translationX, layer.transform.translationY])
    case .translationX: .number(layer.transform.translationX)
    case .translationY: .number(layer.transform.translationY)
    case .translationZ: .number(layer.transform.translationZ)
    case .perspective: .number(layer.perspective)
    case .sublayerRotation: .number(layer.sublayerTransform.rotationZ)
    case .sublayerRotationX: .number(layer.sublayerTransform.rotationX)
    case .sublayerRotationY: .number(layer.sublayerTransform.rotationY)
    case .sublayerScale: .number(layer.sublayerTransform.scaleX)
    case .sublayerTranslation: .numbers([layer.sublayerTransform.translationX, layer.sublayerTransform.translationY])
    case .sublayerTranslationZ: .number(layer.sublayerTransform.translationZ)
    default: appearance(of: layer)
    }
  }

  private func appearance(of layer: Layer) -> AnimationValue? {
    switch self {
    case .opacity: .number(layer.opacity)
    case .hidden: .number(layer.isHidden ? 1 : 0)
    case .backgroundColor: .color(layer.backgroundColor ?? .clear)
    case .cornerRadius: .number(layer.cornerRadius)
    case .cornerRadii: .numbers(layer.shownRadii.list)
    case .borderWidth: .number(layer.borderWidth)
    case .borderColor: .color(layer.borderColor)
    case .shadowColor: .color(layer.shadowColor)
    case .shadowOpacity: .number(layer.shadowOpacity)
    case .shadowOffset: .numbers([layer.shadowOffset.x, layer.shadowOffset.y])
    case .shadowRadius: .number(layer.shadowRadius)
    case .blurRadius: .number(layer.filters.blurRadius)
    case .brightness: .number(layer.filters.brightness)
    case .contrast: .number(layer.filters.contrast)
    case .saturation: .number(layer.filters.saturation)
    case .hueRotation: .number(layer.filters.hueRotation)
    case .glowRadius: .number(layer.filters.glowRadius)
    case .glowIntensity: .number(layer.filters.glowIntensity)
    case .backdropBlurRadius: .number(layer.backdropFilters?.blurRadius ?? 0)
    default: contentValue(in: layer.content)
    }
  }

  private func contentValue(in content: LayerContent) -> AnimationValue? {
    switch content {
    case .text(let text): value(in: text)
    case .shape(let shape): value(in: shape)
    case .gradient(let gradient): value(in: gradient)
    case .replicator(let replicator): value(in: replicator)
    case .image(let image): value(in: image)
    case .movie(let movie): self == .image ? .text(movie.asset) : value(in: movie.placement)
    case .emitter(let emitter): value(in: emitter)
    case .none, .video: nil
    }
  }

  private func value(in image: ImageContent) -> AnimationValue? {
    func numbers(_ rect: Rect) -> AnimationValue { .numbers([rect.minX, rect.minY, rect.size.width, rect.size.height]) }
    return switch self {
    case .image: .text(image.image)
    case .contentsRect: numbers(image.contentsRect)
    case .contentsCenter: numbers(image.contentsCenter)
    default: nil
    }
  }

  private func value(in emitter: EmitterContent) -> AnimationValue? {
    switch self {
    case .emitterBirthRate: .number(emitter.birthRate)
    case .emitterLifetime: .number(emitter.lifetime)
    case .emitterVelocity: .number(emitter.velocity)
    case .emitterAngle: .number(emitter.emissionAngle)
    case .emitterRange: .number(emitter.emissionRange)
    case .emitterAcceleration: .numbers([emitter.acceleration.x, emitter.acceleration.y])
    case .emitterScale: .number(emitter.scale)
    case .emitterScaleSpeed: .number(emitter.scaleSpeed)
    case .emitterSpin: .number(emitter.spin)
    case .emitterAlphaSpeed: .number(emitter.alphaSpeed)
    case .emitterPosition: .numbers([emitter.emitterPosition.x, emitter.emitterPosition.y])
    case .emitterSize: .numbers([emitter.emitterSize.width, emitter.emitterSize.height])
    default: nil
    }
  }

  private func value(in text: TextContent) -> AnimationValue? {
    switch self {
    case .string: .text(text.string)
    case .textValue: .number(text.value)
    case .textReveal: .number(text.reveal)
    case .textHighlight: text.highlight.map(AnimationValue.number)
    case .selectorStart: (text.selector?.start).map(AnimationValue.number)
    case .selectorEnd: (text.selector?.end).map(AnimationValue.number)
    case .selectorOffset: (text.selector?.offset).map(AnimationValue.number)
    case .selectorAmount: (text.selector?.amount).map(AnimationValue.number)
    case .textColor: .color(text.color)
    case .fontSize: .number(text.font.size)
    case .fontWeight: .number(text.font.variations["wght"] ?? Double(text.font.weight))
    case .fontWidth: .number(text.font.variations["wdth"] ?? 100)
    case .textTracking: .number(text.tracking)
    case .textPathOffset: .number(text.pathOffset)
    case .outlineWidth: .number(text.outlineWidth)
    case .outlineColor: .color(text.outlineColor)
    case .lineHeight: .number(text.lineHeight)
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
    case .instanceRotationX: .number(transform.rotationX)
    case .instanceRotationY: .number(transform.rotationY)
    case .instanceTranslationZ: .number(transform.translationZ)
    case .instanceTranslation: .numbers([transform.translationX, transform.translationY])
    case .instanceScale: .number(transform.scaleX)
    case .instanceOpacityOffset: .number(replicator.instanceOpacityOffset)
    default: nil
    }
  }
}
