extension Layer: Codable {
  private enum CodingKeys: String, CodingKey {
    case name, content, layout, bounds, position, anchorPoint, zPosition, transform, sublayerTransform, perspective, opacity
    case isHidden, backgroundColor, cornerRadius, borderWidth, borderColor, shadowColor, shadowOpacity, shadowOffset,
      shadowRadius
    case masksToBounds, blendMode, timing, animations, sublayers, mask, transitionSource
  }

  /// Reads a layer; missing keys have their defaults.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init()
    name = try values.read(.name, or: name)
    content = try values.read(.content, or: content)
    layout = try values.decodeIfPresent(LayerLayout.self, forKey: .layout)
    bounds = try values.decodeIfPresent(RectNotation.self, forKey: .bounds)?.rect ?? bounds
    position = try values.decodeIfPresent(PointNotation.self, forKey: .position)?.point ?? position
    anchorPoint = try values.decodeIfPresent(PointNotation.self, forKey: .anchorPoint)?.point ?? anchorPoint
    zPosition = try values.read(.zPosition, or: zPosition)
    transform = try values.read(.transform, or: transform)
    sublayerTransform = try values.read(.sublayerTransform, or: sublayerTransform)
    perspective = try values.read(.perspective, or: perspective)
    opacity = try values.read(.opacity, or: opacity)
    isHidden = try values.read(.isHidden, or: isHidden)
    try readEffects(values)
    timing = try values.read(.timing, or: timing)
    animations = try values.read(.animations, or: animations)
    sublayers = try values.read(.sublayers, or: sublayers)
    mask = try values.decodeIfPresent(Layer.self, forKey: .mask)
    transitionSource = try values.decodeIfPresent(Layer.self, forKey: .transitionSource)
    try requireUsableAnimations()
    try requireUsableLayout()
  }

  private mutating func readEffects(_ values: KeyedDecodingContainer<CodingKeys>) throws {
    backgroundColor = try values.readColor(.backgroundColor)
    cornerRadius = try values.read(.cornerRadius, or: cornerRadius)
    borderWidth = try values.read(.borderWidth, or: borderWidth)
    borderColor = try values.readColor(.borderColor, or: borderColor)
    shadowColor = try values.readColor(.shadowColor, or: shadowColor)
    shadowOpacity = try values.read(.shadowOpacity, or: shadowOpacity)
    shadowOffset = try values.decodeIfPresent(PointNotation.self, forKey: .shadowOffset)?.point ?? shadowOffset
    shadowRadius = try values.read(.shadowRadius, or: shadowRadius)
    masksToBounds = try values.read(.masksToBounds, or: masksToBounds)
    blendMode = try values.read(.blendMode, or: blendMode)
  }

  /// Writes every key but those of absent parts.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(name, forKey: .name)
    try values.encode(content, forKey: .content)
    try values.encodeIfPresent(layout, forKey: .layout)
    try values.encode(bounds, forKey: .bounds)
    try values.encode(position, forKey: .position)
    try values.encode(anchorPoint, forKey: .anchorPoint)
    try values.encode(zPosition, forKey: .zPosition)
    try values.encode(transform, forKey: .transform)
    try values.encode(sublayerTransform, forKey: .sublayerTransform)
    try values.encode(perspective, forKey: .perspective)
    try values.encode(opacity, forKey: .opacity)
    try values.encode(isHidden, forKey: .isHidden)
    try values.encodeIfPresent(backgroundColor, forKey: .backgroundColor)
    try values.encode(cornerRadius, forKey: .cornerRadius)
    try values.encode(borderWidth, forKey: .borderWidth)
    try values.encode(borderColor, forKey: .borderColor)
    try values.encode(shadowColor, forKey: .shadowColor)
    try values.encode(shadowOpacity, forKey: .shadowOpacity)
    try values.encode(shadowOffset, forKey: .shadowOffset)
    try values.encode(shadowRadius, forKey: .shadowRadius)
    try values.encode(masksToBounds, forKey: .masksToBounds)
    try values.encode(blendMode, forKey: .blendMode)
    try values.encode(timing, forKey: .timing)
    try values.encode(animations, forKey: .animations)
    try values.encode(sublayers, forKey: .sublayers)
    try values.encodeIfPresent(mask, forKey: .mask)
    try values.encodeIfPresent(transitionSource, forKey: .transitionSource)
  }
}
