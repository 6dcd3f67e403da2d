/// The content of a layer, drawn between its background and its sublayers.
///
/// A copy shares its values, so that layers, which are copied at each level of a tree, stay small.
public indirect enum LayerContent: Hashable, Sendable {
  /// Nothing.
  case none
  /// Text.
  case text(TextContent)
  /// A path that is filled and stroked.
  case shape(ShapeContent)
  /// A gradient over the bounds.
  case gradient(GradientContent)
  /// A still image.
  case image(ImageContent)
  /// A movie.
  case movie(MovieContent)
  /// Copies of the sublayers.
  case replicator(ReplicatorContent)
  /// Particles.
  case emitter(EmitterContent)
  /// The composed video frame, fitted to the bounds.
  case video
}

extension LayerContent: Codable {
  private enum CodingKeys: CodingKey, CaseIterable { case text, shape, gradient, image, movie, replicator, emitter, video }

  /// Decodes `{ text: { … } }`, `{ shape: { … } }` … `{ video: true }`.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    switch values.allKeys.first {
    case .text: self = .text(try values.decode(TextContent.self, forKey: .text))
    case .shape: self = .shape(try values.decode(ShapeContent.self, forKey: .shape))
    case .gradient: self = .gradient(try values.decode(GradientContent.self, forKey: .gradient))
    case .image: self = .image(try values.decode(ImageContent.self, forKey: .image))
    case .movie: self = .movie(try values.decode(MovieContent.self, forKey: .movie))
    case .replicator: self = .replicator(try values.decode(ReplicatorContent.self, forKey: .replicator))
    case .emitter: self = .emitter(try values.decode(EmitterContent.self, forKey: .emitter))
    case .video: self = try values.decode(Bool.self, forKey: .video) ? .video : .none
    case nil: self = .none
    }
  }

  /// Encodes the form that ``init(from:)`` decodes.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .none: break
    case .text(let content): try values.encode(content, forKey: .text)
    case .shape(let content): try values.encode(content, forKey: .shape)
    case .gradient(let content): try values.encode(content, forKey: .gradient)
    case .image(let content): try values.encode(content, forKey: .image)
    case .movie(let content): try values.encode(content, forKey: .movie)
    case .replicator(let content): try values.encode(content, forKey: .replicator)
    case .emitter(let content): try values.encode(content, forKey: .emitter)
    case .video: try values.encode(true, forKey: .video)
    }
  }
}

/// Which points are inside a path that crosses itself.
public enum FillRule: String, Hashable, Sendable, Codable, CaseIterable {
  /// Points with a nonzero winding number.
  case nonZero = "non-zero"
  /// Points with an odd winding number.
  case evenOdd = "even-odd"
}

/// The shape of line ends.
public enum LineCap: String, Hashable, Sendable, Codable, CaseIterable {
  /// Cut off at the end point.
  case butt
  /// A half circle beyond the end point.
  case round
  /// A half square beyond the end point.
  case square
}

/// The shape of line joins.
public enum LineJoin: String, Hashable, Sendable, Codable, CaseIterable {
  /// Pointed, up to the miter limit.
  case miter
  /// Round.
  case round
  /// Cut off.
  case bevel
}

/// A path that is filled and stroked.
public struct ShapeContent: Hashable, Sendable, Codable {
  /// The path, in the layer's own pixels.
  public var path = ShapePath()
  /// Fill color; `nil` for none. Default black.
  public var fillColor: Color? = .black
  /// Which points are inside the path.
  public var fillRule = FillRule.nonZero
  /// Stroke color; `nil` for none.
  public var strokeColor: Color?
  /// Width of the stroke, in pixels.
  public var lineWidth = 1.0
  /// The maximum length of a mitered corner, in line widths. Longer corners are beveled.
  public var miterLimit = 10.0
  /// The shape of line ends.
  public var lineCap = LineCap.butt
  /// The shape of line joins.
  public var lineJoin = LineJoin.miter
  /// Alternating lengths of dashes and gaps, in pixels; empty for a solid line.
  public var lineDashPattern: [Double] = []
  /// The offset into the dash pattern at which the line starts, in pixels.
  public var lineDashPhase = 0.0
  /// The start of the stroke, as a fraction 0 … 1 of the path's length.
  public var strokeStart = 0.0
  /// The end of the stroke, as a fraction 0 … 1 of the path's length.
  public var strokeEnd = 1.0

  /// Creates a filled path.
  public init(_ path: ShapePath = ShapePath(), fill: Color? = .black) {
    self.path = path
    fillColor = fill
  }

  private enum CodingKeys: CodingKey {
    case path, fillColor, fillRule, strokeColor, lineWidth, miterLimit, lineCap, lineJoin, lineDashPattern, lineDashPhase
    case strokeStart, strokeEnd
  }

  /// Decodes a shape. Missing keys have their defaults; `fillColor: null` means no fill.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init()
    path = try values.read(.path, or: path)
    if values.contains(.fillColor) { fillColor = try values.readColor(.fillColor) }
    fillRule = try values.read(.fillRule, or: fillRule)
    strokeColor = try values.readColor(.strokeColor)
    lineWidth = try values.read(.lineWidth, or: lineWidth)
    miterLimit = try values.read(.miterLimit, or: miterLimit)
    lineCap = try values.read(.lineCap, or: lineCap)
    lineJoin = try values.read(.lineJoin, or: lineJoin)
    lineDashPattern = try values.read(.lineDashPattern, or: lineDashPattern)
    lineDashPhase = try values.read(.lineDashPhase, or: lineDashPhase)
    strokeStart = try values.read(.strokeStart, or: strokeStart)
    strokeEnd = try values.read(.strokeEnd, or: strokeEnd)
  }

  /// Encodes the form that ``init(from:)`` decodes.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(path, forKey: .path)
    // Without a fill, the key must be there: a missing one is the default color.
    try values.encode(fillColor, forKey: .fillColor)
    try values.encode(fillRule, forKey: .fillRule)
    try values.encodeIfPresent(strokeColor, forKey: .strokeColor)
    try values.encode(lineWidth, forKey: .lineWidth)
    try values.encode(miterLimit, forKey: .miterLimit)
    try values.encode(lineCap, forKey: .lineCap)
    try values.encode(lineJoin, forKey: .lineJoin)
    try values.encode(lineDashPattern, forKey: .lineDashPattern)
    try values.encode(lineDashPhase, forKey: .lineDashPhase)
    try values.encode(strokeStart, forKey: .strokeStart)
    try values.encode(strokeEnd, forKey: .strokeEnd)
  }
}

/// A color gradient.
public struct GradientContent: Hashable, Sendable, Codable {
  /// The geometry of a gradient.
  public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
    /// Along the line from the start point to the end point.
    case axial
    /// Outward from the start point. The end point is a corner of the box around the last color's ellipse.
    case radial
    /// Clockwise around the start point, beginning in the direction of the end point.
    case conic
  }
  /// The geometry of the gradient.
  public var kind = Kind.axial
  /// The colors, at least one.
  public var colors: [Color] = []
  /// The positions of the colors, 0 … 1, in increasing order. Empty for even spacing.
  public var locations: [Double] = []
  /// The start point, in fractions of the bounds.
  public var startPoint = Point(x: 0.5, y: 0)
  /// The end point, in fractions of the bounds.
  public var endPoint = Point(x: 0.5, y: 1)

  /// Creates a gradient from top to bottom.
  public init(_ colors: [Color] = [], kind: Kind = .axial) {
    self.colors = colors
    self.kind = kind
  }

  /// Decodes a gradient. Missing keys have their defaults.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init()
    kind = try values.read(.kind, or: kind)
    colors = try values.read(.colors, or: [ColorNotation]()).map(\.color)
    locations = try values.read(.locations, or: locations)
    startPoint = try values.decodeIfPresent(PointNotation.self, forKey: .startPoint)?.point ?? startPoint
    endPoint = try values.decodeIfPresent(PointNotation.self, forKey: .endPoint)?.point ?? endPoint
    guard !colors.isEmpty else {
      throw CompositorError(.invalidValue, "A gradient has no colors.", recoverySuggestion: "Give it \"colors\".")
    }
    guard locations.isEmpty || locations.count == colors.count, zip(locations, locations.dropFirst()).allSatisfy(<=) else {
      throw CompositorError(
        .invalidValue, "A gradient's locations do not fit its colors.",
        recoverySuggestion: "Give as many as colors, in their order: \(colors.count), from 0 to 1.")
    }
  }

  private enum CodingKeys: CodingKey { case kind, colors, locations, startPoint, endPoint }
}

extension ColorNotation {
  package init(_ color: Color) { self.color = color }
}

/// How an image fills its layer's bounds.
public enum ContentGravity: String, Hashable, Sendable, Codable, CaseIterable {
  /// Stretched to the bounds.
  case resize
  /// Scaled to fit inside the bounds, centered.
  case resizeAspect = "resize-aspect"
  /// Scaled to cover the bounds, centered. Parts may extend beyond the bounds.
  case resizeAspectFill = "resize-aspect-fill"
  /// Unscaled, in the middle or at an edge.
  case center, top, bottom, left, right
  /// Unscaled, in a corner.
  case topLeft = "top-left"
  case topRight = "top-right"
  case bottomLeft = "bottom-left"
  case bottomRight = "bottom-right"
}

/// An image in a layer.
public struct ImageContent: Hashable, Sendable, Codable {
  /// The key of the image among the images given to the renderer.
  public var image = ""
  /// How the image fills the bounds.
  public var gravity = ContentGravity.resize
  /// The part of the image that is shown, in fractions of its sides.
  public var contentsRect = Rect(x: 0, y: 0, width: 1, height: 1)
  /// The part that stretches if the image is resized, in fractions of its sides. The parts around it keep their size.
  public var contentsCenter = Rect(x: 0, y: 0, width: 1, height: 1)

  /// Creates an image that is stretched to the bounds.
  public init(_ image: String = "", gravity: ContentGravity = .resize) {
    self.image = image
    self.gravity = gravity
  }

  /// Decodes an image layer. Missing keys have their defaults.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init()
    image = try values.read(.image, or: image)
    gravity = try values.read(.gravity, or: gravity)
    contentsRect = try values.decodeIfPresent(RectNotation.self, forKey: .contentsRect)?.rect ?? contentsRect
    contentsCenter = try values.decodeIfPresent(RectNotation.self, forKey: .contentsCenter)?.rect ?? contentsCenter
  }
}
