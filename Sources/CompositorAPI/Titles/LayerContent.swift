/// What a layer shows between its background and its sublayers.
public enum LayerContent: Hashable, Sendable {
  /// Nothing.
  case none
  /// Text.
  case text(TextContent)
  /// A path, filled and stroked.
  case shape(ShapeContent)
  /// A gradient over the bounds.
  case gradient(GradientContent)
  /// A picture.
  case image(ImageContent)
  /// Moving images.
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

  /// Reads `{ text: { … } }`, `{ shape: { … } }` … `{ video: true }`.
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

  /// Writes what ``init(from:)`` reads.
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
  /// Those that the path winds around.
  case nonZero = "non-zero"
  /// Those around which it winds an odd number of times.
  case evenOdd = "even-odd"

  /// Reads a word; what earlier versions wrote in camel case is read too.
  public init(from decoder: any Decoder) throws { self = try Self.word(from: decoder) }
}

/// How the ends of a line look.
public enum LineCap: String, Hashable, Sendable, Codable, CaseIterable {
  /// Cut off at the end point.
  case butt
  /// A half circle beyond the end point.
  case round
  /// A half square beyond the end point.
  case square
}

/// How the corners of a line look.
public enum LineJoin: String, Hashable, Sendable, Codable, CaseIterable {
  /// Pointed, up to the miter limit.
  case miter
  /// Round.
  case round
  /// Cut off.
  case bevel
}

/// A path, filled and stroked.
public struct ShapeContent: Hashable, Sendable, Codable {
  /// The path, in the layer's own pixels.
  public var path = ShapePath()
  /// Fill; nil for none.
  public var fillColor: Color? = .black
  /// What is inside.
  public var fillRule = FillRule.nonZero
  /// Stroke; nil for none.
  public var strokeColor: Color?
  /// Width of the stroke, in pixels.
  public var lineWidth = 1.0
  /// How long a pointed corner may be, in line widths, before it is cut.
  public var miterLimit = 10.0
  /// Ends of lines.
  public var lineCap = LineCap.butt
  /// Corners of lines.
  public var lineJoin = LineJoin.miter
  /// Lengths of dashes and gaps by turns, in pixels; empty for a full line.
  public var lineDashPattern: [Double] = []
  /// Where in the pattern the line starts, in pixels.
  public var lineDashPhase = 0.0
  /// Where the stroke starts, 0 … 1 of the path's length.
  public var strokeStart = 0.0
  /// Where the stroke ends, 0 … 1 of the path's length.
  public var strokeEnd = 1.0

  /// A filled path.
  public init(_ path: ShapePath = ShapePath(), fill: Color? = .black) {
    self.path = path
    fillColor = fill
  }

  /// Reads a shape; missing keys have their defaults, `fillColor: null` is no fill.
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
}

/// Colors that run into each other.
public struct GradientContent: Hashable, Sendable, Codable {
  /// The way colors run.
  public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
    /// Along the line from start to end.
    case axial
    /// From start outwards; end is a corner of the box around the last color's ellipse.
    case radial
    /// Around start, beginning in the direction of end, clockwise.
    case conic
  }
  /// The way colors run.
  public var kind = Kind.axial
  /// At least one color.
  public var colors: [Color] = []
  /// Places of the colors, rising, 0 … 1; empty spreads them evenly.
  public var locations: [Double] = []
  /// In fractions of the bounds.
  public var startPoint = Point(x: 0.5, y: 0)
  /// In fractions of the bounds.
  public var endPoint = Point(x: 0.5, y: 1)

  /// A gradient from top to bottom.
  public init(_ colors: [Color] = [], kind: Kind = .axial) {
    self.colors = colors
    self.kind = kind
  }

  /// Reads a gradient; missing keys have their defaults.
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

/// How a picture fills its layer's bounds.
public enum ContentGravity: String, Hashable, Sendable, Codable, CaseIterable {
  /// Stretched to the bounds.
  case resize
  /// As large as fits whole, in the middle.
  case resizeAspect = "resize-aspect"
  /// As small as covers all, in the middle, overlapping the bounds.
  case resizeAspectFill = "resize-aspect-fill"
  /// In its own size, in the middle or at an edge.
  case center, top, bottom, left, right
  /// In its own size, in a corner.
  case topLeft = "top-left"
  case topRight = "top-right"
  case bottomLeft = "bottom-left"
  case bottomRight = "bottom-right"

  /// Reads a word; what earlier versions wrote in camel case is read too.
  public init(from decoder: any Decoder) throws { self = try Self.word(from: decoder) }
}

/// A picture in a layer.
public struct ImageContent: Hashable, Sendable, Codable {
  /// Which picture: a key of the images given to the renderer.
  public var image = ""
  /// How it fills the bounds.
  public var gravity = ContentGravity.resize
  /// The part of the picture that is shown, in fractions.
  public var contentsRect = Rect(x: 0, y: 0, width: 1, height: 1)
  /// The part that stretches when the picture is resized, in fractions: the parts around it keep their size.
  public var contentsCenter = Rect(x: 0, y: 0, width: 1, height: 1)

  /// A picture stretched to the bounds.
  public init(_ image: String = "", gravity: ContentGravity = .resize) {
    self.image = image
    self.gravity = gravity
  }

  /// Reads an image layer; missing keys have their defaults.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init()
    image = try values.read(.image, or: image)
    gravity = try values.read(.gravity, or: gravity)
    contentsRect = try values.decodeIfPresent(RectNotation.self, forKey: .contentsRect)?.rect ?? contentsRect
    contentsCenter = try values.decodeIfPresent(RectNotation.self, forKey: .contentsCenter)?.rect ?? contentsCenter
  }
}

extension FillRule: SpelledWord {}

extension ContentGravity: SpelledWord {}
