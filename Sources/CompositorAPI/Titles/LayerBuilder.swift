/// A result builder that collects layers, back to front.
///
/// ```swift
/// let title = Layer(canvas: PixelSize(width: 1920, height: 1080)) {
///   Layer(text: "Magic", size: 120).placed(x: 0.5, y: 0.5, in: canvas).fadingOut(at: .seconds(10), over: .seconds(1))
/// }
/// ```
@resultBuilder
public enum LayerBuilder {
  /// A single layer.
  public static func buildExpression(_ layer: Layer) -> [Layer] { [layer] }
  /// A list of layers.
  public static func buildExpression(_ layers: [Layer]) -> [Layer] { layers }
  /// Layers in sequence.
  public static func buildBlock(_ parts: [Layer]...) -> [Layer] { parts.flatMap { $0 } }
  /// An `if` without `else`.
  public static func buildOptional(_ part: [Layer]?) -> [Layer] { part ?? [] }
  /// An `if`.
  public static func buildEither(first part: [Layer]) -> [Layer] { part }
  /// An `else`.
  public static func buildEither(second part: [Layer]) -> [Layer] { part }
  /// A loop.
  public static func buildArray(_ parts: [[Layer]]) -> [Layer] { parts.flatMap { $0 } }
}

extension Layer {
  /// Creates the root of a tree: a layer of the canvas's size that contains layers.
  public init(canvas: PixelSize, @LayerBuilder _ layers: () -> [Layer]) {
    self.init(frame: Rect(x: 0, y: 0, width: Double(canvas.width), height: Double(canvas.height)))
    sublayers = layers()
  }

  /// Creates a text layer in a single style, with the size of its text.
  ///
  /// - Parameter size: Height of the em, in pixels.
  public init(text: String, size: Double, family: String = "", weight: Int = 400, color: Color = .white) {
    self.init()
    content = .text(TextContent(text, font: TextFont(family: family, size: size, weight: weight), color: color))
  }

  /// Creates a movie layer that covers a rectangle of the parent. Video outside it is clipped.
  ///
  /// ```swift
  /// let thumbnail = Layer.movie("dance", in: Rect(x: 80, y: 80, width: 480, height: 270), from: 2, loops: true)
  /// ```
  ///
  /// - Parameters:
  ///   - asset: A key of ``Titles/images``.
  ///   - frame: The rectangle in the parent, in pixels.
  ///   - from: The media time to start at, in seconds; `nil` for that of the first frame.
  ///   - duration: The length of media to play, in seconds; `nil` for the rest.
  ///   - loops: Whether the movie starts over at its end.
  ///   - cornerRadius: Radius of the corners, in pixels.
  public static func movie(
    _ asset: String, in frame: Rect, from: Double? = nil, duration: Double? = nil, loops: Bool = false, cornerRadius: Double = 0
  ) -> Layer {
    var layer = Layer(
      frame: frame,
      content: .movie(MovieContent(asset, from: from, duration: duration, loops: loops, gravity: .resizeAspectFill)))
    (layer.masksToBounds, layer.cornerRadius) = (true, cornerRadius)
    return layer
  }

  /// Creates a shape layer from a path in one color. Its bounds are those of the path.
  public init(_ path: ShapePath, fill: Color?) {
    let bounds = path.controlBounds
    self.init(frame: bounds, content: .shape(ShapeContent(path, fill: fill)))
    self.bounds = bounds
  }

  /// The layer with its anchor point at a position of the canvas, in fractions of its width and height.
  public func placed(x: Double, y: Double, in canvas: PixelSize) -> Layer {
    changed { $0.position = Point(x: x * Double(canvas.width), y: y * Double(canvas.height)) }
  }

  /// The layer with a fade-in.
  ///
  /// - Parameters:
  ///   - begin: The time at which the layer begins to show, in its own time.
  ///   - duration: The duration of the fade.
  public func fadingIn(at begin: MediaTime = .zero, over duration: MediaTime) -> Layer {
    fadingIn(beginTime: begin.seconds, duration: duration.seconds)
  }

  /// The layer with a fade-out.
  ///
  /// - Parameters:
  ///   - begin: The time at which the layer begins to fade, in its own time.
  ///   - duration: The duration of the fade.
  public func fadingOut(at begin: MediaTime, over duration: MediaTime) -> Layer {
    fadingOut(beginTime: begin.seconds, duration: duration.seconds)
  }

  /// The layer, rotating clockwise at a constant rate.
  ///
  /// - Parameter period: The duration of one revolution.
  public func spinning(every period: MediaTime) -> Layer {
    animated(
      .basic(.rotation, from: 0, to: .number(2 * .pi), timing: LayerTiming(duration: period.seconds, repeatCount: .infinity)))
  }

  func fadingIn(beginTime: Double, duration: Double) -> Layer {
    animated(.basic(.opacity, from: 0, timing: LayerTiming(beginTime: beginTime, duration: duration, fillMode: .backwards)))
  }

  func fadingOut(beginTime: Double, duration: Double) -> Layer {
    animated(.basic(.opacity, to: 0, timing: LayerTiming(beginTime: beginTime, duration: duration, fillMode: .forwards)))
  }

  /// The layer with a shadow.
  public func shadowed(opacity: Double = 0.6, radius: Double = 3, x: Double = 0, y: Double = 3) -> Layer {
    changed { ($0.shadowOpacity, $0.shadowRadius, $0.shadowOffset) = (opacity, radius, Point(x: x, y: y)) }
  }

  /// The layer with a Gaussian blur over everything that it shows.
  ///
  /// - Parameter radius: The standard deviation, in pixels.
  public func blurred(radius: Double) -> Layer { changed { $0.filters.blurRadius = radius } }

  /// The text layer with an outline around its characters.
  public func outlined(_ color: Color = .black, width: Double) -> Layer {
    changed { layer in
      guard case .text(var text) = layer.content else { return }
      (text.outlineColor, text.outlineWidth) = (color, width)
      layer.content = .text(text)
    }
  }

  /// The layer, shown for a part of its parent's time.
  ///
  /// - Parameters:
  ///   - begin: The time at which it begins to show, in the parent's time.
  ///   - duration: How long it is shown; `.positiveInfinity` for as long as its parent.
  public func shown(from begin: MediaTime, for duration: MediaTime) -> Layer {
    changed { $0.timing = LayerTiming(beginTime: begin.seconds, duration: duration.seconds) }
  }

  /// The layer with an additional animation.
  public func animated(_ animation: Animation) -> Layer { changed { $0.animations.append(animation) } }

  /// The layer with arbitrary changes.
  public func changed(_ change: (inout Layer) -> Void) -> Layer {
    var copy = self
    change(&copy)
    return copy
  }
}
