/// One node of a title's tree: a rectangle with something in it, a place, an effect or two, and layers above.
///
/// A layer is a value. ``position`` is where its ``anchorPoint`` stands in its parent's pixels; ``bounds`` is its own
/// coordinate space, y down. What it shows at a time is a pure function of that time: see ``animations`` and ``timing``.
///
/// ```swift
/// var word = Layer(text: "Magic", size: 96)
/// word.position = Point(x: 960, y: 540)
/// word.animations = [.basic(.opacity, from: 1, to: 0, timing: LayerTiming(beginTime: 10, duration: 1, fillMode: .forwards))]
/// ```
public struct Layer: Hashable, Sendable {
  /// The deepest nesting of layers that is drawn.
  package static let maximumDepth = 128

  /// A name, shown in messages and by which it is found.
  public var name = ""
  /// What it shows between its background and its sublayers.
  public var content = LayerContent.none
  /// Its own coordinate space; a layer of text with an empty one takes the text's size.
  public var bounds = Rect.zero
  /// Where the anchor point stands in the parent, in pixels.
  public var position = Point.zero
  /// The point of the bounds that ``position`` and ``transform`` refer to, in fractions of the bounds.
  public var anchorPoint = Point(x: 0.5, y: 0.5)
  /// Height over the siblings, in pixels towards the viewer: what is nearer is drawn later. Turns and shifts in depth add to it;
  /// layers of one depth come in the order of the list. Moves nothing under a ``perspective``, unlike ``LayerTransform/translationZ``.
  public var zPosition = 0.0
  /// Turn, size and shift about the anchor point.
  public var transform = LayerTransform.identity
  /// Turn, size and shift of all sublayers together, about the anchor point; their depths add to it.
  public var sublayerTransform = LayerTransform.identity
  /// Distance of the eye in front of the anchor point that sees the sublayers' rotations about x and y, in pixels; 0 is
  /// infinitely far (no perspective).
  public var perspective = 0.0
  /// 0 … 1, of the layer and everything above it together.
  public var opacity = 1.0
  /// Whether nothing of it is drawn.
  public var isHidden = false
  /// Fills the bounds; nil for nothing.
  public var backgroundColor: Color?
  /// Radius of the corners of background, border and clipping, in pixels.
  public var cornerRadius = 0.0
  /// Width of a line inside the edge of the bounds, in pixels.
  public var borderWidth = 0.0
  /// Color of that line.
  public var borderColor = Color.black
  /// Color of the shadow of everything the layer shows.
  public var shadowColor = Color.black
  /// 0 (none) … 1.
  public var shadowOpacity = 0.0
  /// Where the shadow falls, in pixels.
  public var shadowOffset = Point(x: 0, y: 3)
  /// Standard deviation of the shadow's blur, in pixels.
  public var shadowRadius = 3.0
  /// Whether content and sublayers are cut at the bounds (with round corners).
  public var masksToBounds = false
  /// How its colors mix with those beneath; by default it covers them.
  public var blendMode = BlendMode.normal
  /// When it begins and how its time runs; sublayers and animations follow its time.
  public var timing = LayerTiming()
  /// What changes over time. Later ones win, or add.
  public var animations: [Animation] = []
  /// Layers above it, back to front.
  public var sublayers: [Layer] = []
  private var layouts: [LayerLayout] = []
  private var maskLayers: [Layer] = []
  private var previousLayers: [Layer] = []

  /// An empty layer.
  public init() {}

  /// A layer that fills a rectangle of its parent.
  public init(frame: Rect, content: LayerContent = .none) {
    bounds = Rect(origin: .zero, size: frame.size)
    position = Point(x: frame.minX + frame.size.width / 2, y: frame.minY + frame.size.height / 2)
    self.content = content
  }

  /// Where it is in its parent's box, by edges, center and size; nil for ``bounds`` and ``position`` alone.
  public var layout: LayerLayout? {
    get { layouts.first }
    set { layouts = newValue.map { [$0] } ?? [] }
  }

  /// Whether there is a ``layout``; costs nothing.
  package var hasLayout: Bool { !layouts.isEmpty }

  /// A layer whose coverage cuts this layer and everything above it; in this layer's coordinates.
  public var mask: Layer? {
    get { maskLayers.first }
    set { maskLayers = newValue.map { [$0] } ?? [] }
  }

  /// What a transition comes from; nil comes from nothing. Same place and parent as this layer.
  public var transitionSource: Layer? {
    get { previousLayers.first }
    set { previousLayers = newValue.map { [$0] } ?? [] }
  }
}

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
