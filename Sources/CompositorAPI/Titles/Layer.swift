/// What of a mask determines how much of a layer is shown.
public enum MaskMode: String, Hashable, Sendable, Codable, CaseIterable {
  /// Its alpha: the layer is shown where the mask is.
  case alpha
  /// The layer is shown where the mask is not.
  case invertedAlpha = "inverted-alpha"
  /// Its luminance (0.2126 R + 0.7152 G + 0.0722 B of the values, times alpha): the layer is shown where the mask is light.
  case luminance
  /// The layer is shown where the mask is dark or is not.
  case invertedLuminance = "inverted-luminance"

  /// Whether a mask that shows nothing shows the whole layer.
  package var isInverted: Bool { self == .invertedAlpha || self == .invertedLuminance }

  /// The weights of premultiplied R, G, B and A, and a constant.
  package var weights: [Float] {
    switch self {
    case .alpha: [0, 0, 0, 1, 0]
    case .invertedAlpha: [0, 0, 0, -1, 1]
    case .luminance: [0.2126, 0.7152, 0.0722, 0, 0]
    case .invertedLuminance: [-0.2126, -0.7152, -0.0722, 0, 1]
    }
  }
}

/// A node of a title's layer tree: a rectangle with content, a position, effects, and sublayers.
///
/// A layer is a value. ``position`` is the position of its ``anchorPoint`` in its parent, in pixels; ``bounds`` is its own
/// coordinate space, y down. What it shows is a pure function of time: see ``animations`` and ``timing``.
///
/// ```swift
/// var word = Layer(text: "Magic", size: 96)
/// word.position = Point(x: 960, y: 540)
/// word.animations = [.basic(.opacity, from: 1, to: 0, timing: LayerTiming(beginTime: 10, duration: 1, fillMode: .forwards))]
/// ```
public struct Layer: Hashable, Sendable {
  /// The maximum nesting depth of layers that are drawn.
  package static let maximumDepth = 128

  /// A name, shown in messages and used to find the layer.
  public var name = ""
  /// The content that is drawn between the background and the sublayers.
  public var content = LayerContent.none
  /// The layer's coordinate space in pixels. A text layer with empty bounds has the size of its text.
  public var bounds = Rect.zero
  /// The position of the anchor point in the parent, in pixels.
  public var position = Point.zero
  /// The point of the bounds that ``position`` and ``transform`` refer to, in fractions of the bounds.
  public var anchorPoint = Point(x: 0.5, y: 0.5)
  /// Depth among the siblings, in pixels toward the viewer: nearer layers are drawn later. Rotations and translations in depth
  /// add to it; layers of equal depth are drawn in list order. Unlike ``LayerTransform/translationZ``, it moves nothing under a
  /// ``perspective``.
  public var zPosition = 0.0
  /// Rotation, scale and translation about the anchor point.
  public var transform = LayerTransform.identity
  /// Rotation, scale and translation of all sublayers together, about the anchor point. Their depths add to it.
  public var sublayerTransform = LayerTransform.identity
  /// Distance of the viewer in front of the anchor point, in pixels, for rotations of sublayers about x and y. 0 disables
  /// perspective.
  public var perspective = 0.0
  /// Opacity of the layer together with its sublayers, 0 … 1.
  public var opacity = 1.0
  /// Whether the layer and its sublayers are hidden.
  public var isHidden = false
  /// Whether the layer and its sublayers are shown when its back is toward the viewer.
  public var backfaceVisibility = BackfaceVisibility.visible
  /// Color that fills the bounds; `nil` for none.
  public var backgroundColor: Color?
  /// Radius of the corners of background, border and clipping, in pixels.
  public var cornerRadius = 0.0
  /// Width of the border inside the edge of the bounds, in pixels.
  public var borderWidth = 0.0
  /// Color of the border.
  public var borderColor = Color.black
  /// Color of the shadow of everything that the layer shows.
  public var shadowColor = Color.black
  /// Opacity of the shadow, 0 (none) … 1.
  public var shadowOpacity = 0.0
  /// Offset of the shadow, in pixels.
  public var shadowOffset = Point(x: 0, y: 3)
  /// Standard deviation of the shadow's blur, in pixels.
  public var shadowRadius = 3.0
  /// Further shadows, the first of them in front, below that of ``shadowColor``; inner ones are over the contents.
  public var shadows: [LayerShadow] = []
  /// Blur, color filters and glow of everything that the layer shows.
  public var filters = LayerFilters()
  /// Whether content and sublayers are clipped to the bounds (with rounded corners).
  public var masksToBounds = false
  /// What of the ``mask`` determines how much of the layer is shown.
  public var maskMode = MaskMode.alpha
  /// How the layer's colors blend with those beneath. By default it covers them.
  public var blendMode = BlendMode.normal
  /// The start, duration, speed and repetition of the layer, which sublayers and animations inherit.
  public var timing = LayerTiming()
  /// Animations of the layer. Later ones override earlier ones, or add to them.
  public var animations: [Animation] = []
  /// The layers above this one, back to front.
  public var sublayers: [Layer] = []
  private var layouts: [LayerLayout] = []
  private var flexLayouts: [FlexLayout] = []
  private var radii: [CornerRadii] = []
  private var backdrops: [LayerFilters] = []
  private var motionBlurs: [MotionBlur] = []
  private var maskLayers: [Layer] = []
  private var previousLayers: [Layer] = []

  /// Creates an empty layer.
  public init() {}

  /// Creates a layer that fills a rectangle of its parent.
  public init(frame: Rect, content: LayerContent = .none) {
    bounds = Rect(origin: .zero, size: frame.size)
    position = Point(x: frame.minX + frame.size.width / 2, y: frame.minY + frame.size.height / 2)
    self.content = content
  }

  /// The layout in the parent by edges, center and size; `nil` to use only ``bounds`` and ``position``.
  public var layout: LayerLayout? {
    get { layouts.first }
    set { layouts = newValue.map { [$0] } ?? [] }
  }

  /// The layout of the sublayers in rows or columns; `nil` for places of their own.
  public var flex: FlexLayout? {
    get { flexLayouts.first }
    set { flexLayouts = newValue.map { [$0] } ?? [] }
  }

  /// The radii of the four corners instead of ``cornerRadius``; `nil` for equal ones.
  public var cornerRadii: CornerRadii? {
    get { radii.first }
    set { radii = newValue.map { [$0] } ?? [] }
  }

  /// Filters of what lies below the bounds of the layer, as CSS's `backdrop-filter`: frosted glass. `nil` for none.
  ///
  /// They follow the corners, the mask and the opacity of the layer, and fade with the layers around it. In a layer that is drawn apart
  /// from what is below it (one with a mask, clipping, filters, a shadow, motion blur or a blend mode of its own) only what that layer
  /// shows is below.
  public var backdropFilters: LayerFilters? {
    get { backdrops.first }
    set { backdrops = newValue.map { [$0] } ?? [] }
  }

  /// The motion blur of the layer with its sublayers, which are drawn apart from what is below them; `nil` for none. Its own
  /// ``backdropFilters`` are those at the frame's time.
  public var motionBlur: MotionBlur? {
    get { motionBlurs.first }
    set { motionBlurs = newValue.map { [$0] } ?? [] }
  }

  /// The radii of the corners of background, border and clipping.
  package var shownRadii: CornerRadii { radii.first ?? CornerRadii(all: cornerRadius) }

  /// Whether there is a ``flex`` layout. O(1).
  package var hasFlex: Bool { !flexLayouts.isEmpty }

  /// Whether there is a ``layout``. O(1).
  package var hasLayout: Bool { !layouts.isEmpty }

  /// A layer whose coverage masks this layer and its sublayers, in this layer's coordinates; `nil` for none.
  public var mask: Layer? {
    get { maskLayers.first }
    set { maskLayers = newValue.map { [$0] } ?? [] }
  }

  /// The layer that a transition starts from, with the same position and parent as this one; `nil` for nothing.
  public var transitionSource: Layer? {
    get { previousLayers.first }
    set { previousLayers = newValue.map { [$0] } ?? [] }
  }
}

extension Layer: Codable {
  private enum CodingKeys: String, CodingKey {
    case name, content, layout, flex, bounds, position, anchorPoint, zPosition, transform, sublayerTransform, perspective
    case opacity
    case isHidden, backfaceVisibility, backgroundColor, cornerRadius, cornerRadii, borderWidth, borderColor
    case shadowColor, shadowOpacity, shadowOffset, shadowRadius, shadows
    case filters, backdropFilters, masksToBounds, maskMode, blendMode, motionBlur, timing, animations, sublayers, mask,
      transitionSource
  }

  /// Decodes a layer. Missing keys have their defaults.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init()
    name = try values.read(.name, or: name)
    content = try values.read(.content, or: content)
    layout = try values.decodeIfPresent(LayerLayout.self, forKey: .layout)
    flex = try values.decodeIfPresent(FlexLayout.self, forKey: .flex)
    bounds = try values.decodeIfPresent(RectNotation.self, forKey: .bounds)?.rect ?? bounds
    position = try values.decodeIfPresent(PointNotation.self, forKey: .position)?.point ?? position
    anchorPoint = try values.decodeIfPresent(PointNotation.self, forKey: .anchorPoint)?.point ?? anchorPoint
    zPosition = try values.read(.zPosition, or: zPosition)
    transform = try values.read(.transform, or: transform)
    sublayerTransform = try values.read(.sublayerTransform, or: sublayerTransform)
    perspective = try values.read(.perspective, or: perspective)
    opacity = try values.read(.opacity, or: opacity)
    isHidden = try values.read(.isHidden, or: isHidden)
    backfaceVisibility = try values.read(.backfaceVisibility, or: backfaceVisibility)
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
    cornerRadii = try values.decodeIfPresent(CornerRadii.self, forKey: .cornerRadii)
    borderWidth = try values.read(.borderWidth, or: borderWidth)
    borderColor = try values.readColor(.borderColor, or: borderColor)
    shadowColor = try values.readColor(.shadowColor, or: shadowColor)
    shadowOpacity = try values.read(.shadowOpacity, or: shadowOpacity)
    shadowOffset = try values.decodeIfPresent(PointNotation.self, forKey: .shadowOffset)?.point ?? shadowOffset
    shadowRadius = try values.read(.shadowRadius, or: shadowRadius)
    shadows = try values.read(.shadows, or: shadows)
    filters = try values.read(.filters, or: filters)
    backdropFilters = try values.decodeIfPresent(LayerFilters.self, forKey: .backdropFilters)
    masksToBounds = try values.read(.masksToBounds, or: masksToBounds)
    maskMode = try values.read(.maskMode, or: maskMode)
    blendMode = try values.read(.blendMode, or: blendMode)
    motionBlur = try values.decodeIfPresent(MotionBlur.self, forKey: .motionBlur)
  }

  /// Encodes every key except those of absent parts.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(name, forKey: .name)
    try values.encode(content, forKey: .content)
    try values.encodeIfPresent(layout, forKey: .layout)
    try values.encodeIfPresent(flex, forKey: .flex)
    try values.encode(bounds, forKey: .bounds)
    try values.encode(position, forKey: .position)
    try values.encode(anchorPoint, forKey: .anchorPoint)
    try values.encode(zPosition, forKey: .zPosition)
    try values.encode(transform, forKey: .transform)
    try values.encode(sublayerTransform, forKey: .sublayerTransform)
    try values.encode(perspective, forKey: .perspective)
    try values.encode(opacity, forKey: .opacity)
    try values.encode(isHidden, forKey: .isHidden)
    if backfaceVisibility != .visible { try values.encode(backfaceVisibility, forKey: .backfaceVisibility) }
    try values.encodeIfPresent(backgroundColor, forKey: .backgroundColor)
    try values.encode(cornerRadius, forKey: .cornerRadius)
    try values.encodeIfPresent(cornerRadii, forKey: .cornerRadii)
    try values.encode(borderWidth, forKey: .borderWidth)
    try values.encode(borderColor, forKey: .borderColor)
    try values.encode(shadowColor, forKey: .shadowColor)
    try values.encode(shadowOpacity, forKey: .shadowOpacity)
    try values.encode(shadowOffset, forKey: .shadowOffset)
    try values.encode(shadowRadius, forKey: .shadowRadius)
    try values.encode(shadows, forKey: .shadows)
    try values.encode(filters, forKey: .filters)
    try values.encodeIfPresent(backdropFilters, forKey: .backdropFilters)
    try values.encode(masksToBounds, forKey: .masksToBounds)
    try values.encode(maskMode, forKey: .maskMode)
    try values.encode(blendMode, forKey: .blendMode)
    try values.encodeIfPresent(motionBlur, forKey: .motionBlur)
    try values.encode(timing, forKey: .timing)
    try values.encode(animations, forKey: .animations)
    try values.encode(sublayers, forKey: .sublayers)
    try values.encodeIfPresent(mask, forKey: .mask)
    try values.encodeIfPresent(transitionSource, forKey: .transitionSource)
  }
}
