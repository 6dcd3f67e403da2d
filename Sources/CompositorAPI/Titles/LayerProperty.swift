/// A property that an animation can change.
public enum LayerProperty: String, Hashable, Sendable, Codable, CaseIterable {
  /// The position of the anchor point, in pixels of the parent.
  case position
  /// One coordinate of the position.
  case positionX = "position.x"
  case positionY = "position.y"
  /// The bounds.
  case bounds
  /// The width and height of the bounds.
  case boundsSize = "bounds.size"
  /// The anchor point, in fractions of the bounds.
  case anchorPoint
  /// The depth among the siblings.
  case zPosition
  /// Rotation in the plane of the frame, in radians.
  case rotation = "transform.rotation"
  /// Rotation about the axis to the right, in radians.
  case rotationX = "transform.rotation.x"
  /// Rotation about the axis down, in radians.
  case rotationY = "transform.rotation.y"
  /// Scale in both directions.
  case scale = "transform.scale"
  /// Scale in one direction.
  case scaleX = "transform.scale.x"
  case scaleY = "transform.scale.y"
  /// The angles by which vertical and horizontal lines lean, in radians.
  case skewX = "transform.skew.x"
  case skewY = "transform.skew.y"
  /// Translation, in pixels.
  case translation = "transform.translation"
  case translationX = "transform.translation.x"
  case translationY = "transform.translation.y"
  case translationZ = "transform.translation.z"
  /// The viewer's distance, in pixels.
  case perspective
  /// Components of ``Layer/sublayerTransform``.
  case sublayerRotation = "sublayerTransform.rotation"
  case sublayerRotationX = "sublayerTransform.rotation.x"
  case sublayerRotationY = "sublayerTransform.rotation.y"
  case sublayerScale = "sublayerTransform.scale"
  case sublayerTranslation = "sublayerTransform.translation"
  case sublayerTranslationZ = "sublayerTransform.translation.z"
  /// Opacity, 0 … 1.
  case opacity
  /// Whether the layer is hidden: 0 or 1.
  case hidden
  /// Background, corners and border.
  case backgroundColor, cornerRadius, cornerRadii, borderWidth, borderColor
  /// The shadow.
  case shadowColor, shadowOpacity, shadowOffset, shadowRadius
  /// The filters: the blur's standard deviation in pixels, factors, and an angle in radians.
  case blurRadius = "filters.blurRadius"
  case brightness = "filters.brightness"
  case contrast = "filters.contrast"
  case saturation = "filters.saturation"
  case hueRotation = "filters.hueRotation"
  case glowRadius = "filters.glowRadius"
  case glowIntensity = "filters.glowIntensity"
  /// The standard deviation of the blur of what is below the layer, in pixels.
  case backdropBlurRadius = "backdropFilters.blurRadius"
  /// Properties of text.
  case string = "text.string"
  case textValue = "text.value"
  case textReveal = "text.reveal"
  /// The part of a text unit that is in the animator's highlight color, 0 … 1 of its width. For ``TextAnimator`` only.
  case textHighlight = "text.highlight"
  /// The range and the amount of a ``TextRangeSelector``. For its animations only.
  case selectorStart = "selector.start"
  case selectorEnd = "selector.end"
  case selectorOffset = "selector.offset"
  case selectorAmount = "selector.amount"
  case textColor = "text.color"
  case fontSize = "text.fontSize"
  /// The weight and the width (in percent of the normal one) of a variable font; other fonts have their nearest weight.
  case fontWeight = "text.fontWeight"
  case fontWidth = "text.fontWidth"
  case textTracking = "text.tracking"
  case textPathOffset = "text.pathOffset"
  case outlineWidth = "text.outlineWidth"
  case outlineColor = "text.outlineColor"
  case lineHeight = "text.lineHeight"
  /// Properties of shapes.
  case path, fillColor, strokeColor, lineWidth, lineDashPhase, miterLimit, strokeStart, strokeEnd
  /// Properties of gradients. Colors are consecutive red, green, blue and alpha values.
  case gradientColors = "gradient.colors"
  case gradientLocations = "gradient.locations"
  case gradientStart = "gradient.startPoint"
  case gradientEnd = "gradient.endPoint"
  /// Properties of images. A change of the image's name takes effect at once.
  case image, contentsRect, contentsCenter
  /// Properties of replicators.
  case instanceCount, instanceDelay
  case instanceRotation = "instanceTransform.rotation"
  case instanceRotationX = "instanceTransform.rotation.x"
  case instanceRotationY = "instanceTransform.rotation.y"
  case instanceTranslation = "instanceTransform.translation"
  case instanceTranslationZ = "instanceTransform.translation.z"
  case instanceScale = "instanceTransform.scale"
  case instanceOpacityOffset
  /// Properties of emitters. Each particle keeps their values at its birth.
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

  /// The kind of a property's values.
  package enum Kind: Hashable, Sendable {
    case numbers(count: Int)
    /// A list of numbers, as many as the layer has.
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
    case .bounds, .cornerRadii, .contentsRect, .contentsCenter, .backgroundColor, .borderColor, .shadowColor, .textColor,
      .outlineColor, .fillColor, .strokeColor:
      .numbers(count: 4)
    default: .numbers(count: 1)
    }
  }

  /// What must be redrawn if the property changes.
  package enum Effect: Hashable, Sendable {
    /// Only the position.
    case movement
    /// Position, scale and rotation.
    case transform
    /// Only the opacity.
    case opacity
    /// Position, scale and rotation of the sublayers.
    case sublayers
    /// The layer's content.
    case content
  }

  package var effect: Effect {
    switch self {
    case .position, .positionX, .positionY, .anchorPoint, .translation, .translationX, .translationY: .movement
    case .rotation, .rotationX, .rotationY, .scale, .scaleX, .scaleY, .skewX, .skewY, .translationZ: .transform
    case .opacity, .hidden: .opacity
    case .perspective, .sublayerRotation, .sublayerRotationX, .sublayerRotationY, .sublayerScale, .sublayerTranslation,
      .sublayerTranslationZ, .instanceRotation, .instanceRotationX, .instanceRotationY, .instanceTranslation,
      .instanceTranslationZ, .instanceScale:
      .sublayers
    default: .content
    }
  }
}
