/// A property that an animation can change.
public enum LayerProperty: String, Hashable, Sendable, Codable, CaseIterable {
  /// Place of the anchor point.
  case position
  /// Its parts.
  case positionX = "position.x"
  case positionY = "position.y"
  /// Coordinate space.
  case bounds
  /// Width and height of the bounds.
  case boundsSize = "bounds.size"
  /// Anchor point.
  case anchorPoint
  /// Height over the siblings.
  case zPosition
  /// Turn in the picture, in radians.
  case rotation = "transform.rotation"
  /// Turn about the axis to the right.
  case rotationX = "transform.rotation.x"
  /// Turn about the axis down.
  case rotationY = "transform.rotation.y"
  /// Both factors of size.
  case scale = "transform.scale"
  /// One factor of size.
  case scaleX = "transform.scale.x"
  case scaleY = "transform.scale.y"
  /// Shift.
  case translation = "transform.translation"
  case translationX = "transform.translation.x"
  case translationY = "transform.translation.y"
  case translationZ = "transform.translation.z"
  /// Eye distance.
  case perspective
  /// Parts of the transform of all sublayers together.
  case sublayerRotation = "sublayerTransform.rotation"
  case sublayerRotationX = "sublayerTransform.rotation.x"
  case sublayerRotationY = "sublayerTransform.rotation.y"
  case sublayerScale = "sublayerTransform.scale"
  case sublayerTranslation = "sublayerTransform.translation"
  case sublayerTranslationZ = "sublayerTransform.translation.z"
  /// Opacity.
  case opacity
  /// Whether hidden: 0 or 1.
  case hidden
  /// Colors and lines of the rectangle.
  case backgroundColor, cornerRadius, borderWidth, borderColor
  /// Shadow.
  case shadowColor, shadowOpacity, shadowOffset, shadowRadius
  /// Text.
  case string = "text.string"
  case textValue = "text.value"
  case textReveal = "text.reveal"
  /// How much of a piece of text is in the animator's highlight color, 0 … 1 of its width: of ``TextAnimator`` only.
  case textHighlight = "text.highlight"
  case textColor = "text.color"
  case fontSize = "text.fontSize"
  case textTracking = "text.tracking"
  case outlineWidth = "text.outlineWidth"
  case outlineColor = "text.outlineColor"
  case lineHeight = "text.lineHeight"
  /// Shapes.
  case path, fillColor, strokeColor, lineWidth, lineDashPhase, miterLimit, strokeStart, strokeEnd
  /// Gradients. Colors are red, green, blue, alpha of each, one after another.
  case gradientColors = "gradient.colors"
  case gradientLocations = "gradient.locations"
  case gradientStart = "gradient.startPoint"
  case gradientEnd = "gradient.endPoint"
  /// Pictures; a name changes at once.
  case image, contentsRect, contentsCenter
  /// Replicators.
  case instanceCount, instanceDelay
  case instanceRotation = "instanceTransform.rotation"
  case instanceRotationX = "instanceTransform.rotation.x"
  case instanceRotationY = "instanceTransform.rotation.y"
  case instanceTranslation = "instanceTransform.translation"
  case instanceTranslationZ = "instanceTransform.translation.z"
  case instanceScale = "instanceTransform.scale"
  case instanceOpacityOffset
  /// Emitters. Each particle keeps the values of its birth.
  case emitterBirthRate = "emitter.birthRate"
  case emitterLifetime = "emitter.lifetime"
  case emitterVelocity = "emitter.velocity"
  case emitterAngle = "emitter.emissionAngle"
  case emitterRange = "emitter.emissionRange"
  case emitterAcceleration = "emitter.acceleration"
  case emitterScale = "emitter.scale"
  case emitterScaleSpeed = "emitter.scaleSpeed"
  case emitterSpin = "emitter.spin"
  case emitterAlphaSpeed = "emitter.alphaSpeed"
  case emitterPosition = "emitter.emitterPosition"
  case emitterSize = "emitter.emitterSize"

  /// Whether it is a property of an emitter's particles.
  package var isOfEmitter: Bool { rawValue.hasPrefix("emitter.") }

  /// What a property's values are.
  package enum Kind: Hashable, Sendable {
    case numbers(count: Int)
    /// As many numbers as the layer has.
    case list
    case text, path
  }

  /// Whether the values are colors: red, green, blue, alpha.
  package var isColor: Bool {
    switch self {
    case .backgroundColor, .borderColor, .shadowColor, .textColor, .outlineColor, .fillColor, .strokeColor: true
    default: false
    }
  }

  package var kind: Kind {
    switch self {
    case .string, .image: .text
    case .path: .path
    case .gradientColors, .gradientLocations: .list
    case .position, .boundsSize, .anchorPoint, .translation, .shadowOffset, .gradientStart, .gradientEnd,
      .instanceTranslation, .sublayerTranslation, .emitterAcceleration, .emitterPosition, .emitterSize:
      .numbers(count: 2)
    case .bounds, .contentsRect, .contentsCenter, .backgroundColor, .borderColor, .shadowColor, .textColor, .outlineColor,
      .fillColor,
      .strokeColor:
      .numbers(count: 4)
    default: .numbers(count: 1)
    }
  }

  /// How a change of the property changes what must be drawn anew.
  package enum Effect: Hashable, Sendable {
    /// Only the place.
    case movement
    /// Place, size, turn.
    case transform
    /// Only how strong.
    case opacity
    /// Place, size, turn of the sublayers.
    case sublayers
    /// The picture itself.
    case content
  }

  package var effect: Effect {
    switch self {
    case .position, .positionX, .positionY, .anchorPoint, .translation, .translationX, .translationY: .movement
    case .rotation, .rotationX, .rotationY, .scale, .scaleX, .scaleY, .translationZ: .transform
    case .opacity, .hidden: .opacity
    case .perspective, .sublayerRotation, .sublayerRotationX, .sublayerRotationY, .sublayerScale, .sublayerTranslation,
      .sublayerTranslationZ, .instanceRotation, .instanceRotationX, .instanceRotationY, .instanceTranslation,
      .instanceTranslationZ, .instanceScale:
      .sublayers
    default: .content
    }
  }
}
