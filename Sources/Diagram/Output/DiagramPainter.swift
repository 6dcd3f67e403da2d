public import CompositorAPI
import CompositorOverlay

/// Paints a recording by converting its shapes to title layers.
struct DiagramPainter {
  private let recording: DiagramRecording
  private let isDark: Bool
  private var images: [String: Frame] = [:]

  init(_ recording: DiagramRecording, isDark: Bool) {
    self.recording = recording
    self.isDark = isDark
  }

  /// - Parameter scale: Pixels per user unit, > 0.
  /// - Throws: `.invalidValue` if the image would be too large; `.resourceExhausted`.
  mutating func frame(scale: Double) throws(CompositorError) -> Frame {
    let canvas = PixelSize(width: Int(recording.width.rounded(.up)), height: Int(recording.height.rounded(.up)))
    let size = PixelSize(
      width: Int((Double(canvas.width) * scale).rounded()), height: Int((Double(canvas.height) * scale).rounded()))
    guard scale.isFinite, scale > 0, size.width > 0, size.height > 0, size.isAllocatable else {
      throw CompositorError(
        .invalidValue, "The diagram would have \(size) pixels.", recoverySuggestion: "Choose a smaller width or scale.")
    }
    let root = root(canvas)
    var options = OverlayRenderer.Options()
    options.images = images
    let renderer = try OverlayRenderer(
      root: root, renderSize: canvas, outputFormat: .rgba,
      attributes: FrameAttributes(
        color: ColorTags(primaries: .bt709, transfer: .sRGB, matrix: .identity, range: .full)), options: options)
    return try renderer.draw(at: .zero, size: size, pool: FramePool())
  }

  private mutating func root(_ canvas: PixelSize) -> Layer {
    let whole = Rect(x: 0, y: 0, width: Double(canvas.width), height: Double(canvas.height))
    var root = Layer(frame: whole)
    root.backgroundColor = color(.background)
    root.sublayers = layers(recording.heading)
    for (index, row) in recording.rows.enumerated() where index % 2 == 1 {
      var band = Layer(frame: Rect(x: 0, y: row.top, width: recording.width, height: row.height))
      band.backgroundColor = color(.band)
      root.sublayers.append(band)
    }
    for x in recording.gridLines {
      root.sublayers += layers([
        DiagramMark(
          .line([Point(x: x, y: recording.rowsTop + 24), Point(x: x, y: recording.rowsBottom)]), kind: .grid, stroke: .grid)
      ])
    }
    for row in recording.rows { root.sublayers += layers(row.drawn, y: row.top) }
    if let time = recording.shownPlayhead {
      let x = recording.scale.x(seconds: time)
      root.sublayers += layers(recording.playhead(at: x), x: x)
    }
    root.sublayers += layers(recording.legend)
    return root
  }

  // MARK: Marks

  private mutating func layers(_ marks: [DiagramMark], x: Double = 0, y: Double = 0) -> [Layer] {
    marks.flatMap { layers($0, Point(x: x, y: y)) }
  }

  private mutating func layers(_ mark: DiagramMark, _ origin: Point) -> [Layer] {
    switch mark.shape {
    case .rectangle(let rect, let radius):
      let path = radius > 0 ? ShapePath.roundedRectangle(rect, radius: radius) : .rectangle(rect)
      guard let pattern = mark.pattern else { return [shape(path, mark, origin)] }
      var fill = mark
      fill.stroke = nil
      var outline = mark
      outline.fill = nil
      var lines = mark
      (lines.fill, lines.isDashed, lines.lineWidth) = (nil, false, DiagramPatternLines.width)
      lines.stroke = mark.stroke ?? mark.fill
      return [
        shape(path, fill, origin), shape(DiagramPatternLines.path(pattern, in: rect), lines, origin),
        shape(path, outline, origin),
      ]
    case .line(let points):
      var path = ShapePath()
      for point in points { path.line(to: point) }
      return [shape(path, mark, origin)]
    case .polygon(let points): return [shape(.polygon(points), mark, origin)]
    case .text(let text, let point, let size, let anchor, let isBold):
      return [self.text(text, point, size, anchor, isBold, mark.fill ?? .text, origin)]
    case .picture(let picture, let rect):
      guard let frame = picture.frame else { return [] }
      let name = "picture \(images.count)"
      images[name] = frame
      return [Layer(frame: rect.offsetBy(x: origin.x, y: origin.y), content: .image(ImageContent(name)))]
    }
  }

  private func shape(_ path: ShapePath, _ mark: DiagramMark, _ origin: Point) -> Layer {
    var content = ShapeContent(path, fill: mark.fill.map(color))
    content.strokeColor = mark.stroke.map(color)
    content.lineWidth = mark.lineWidth
    if mark.isDashed { content.lineDashPattern = [4, 3] }
    var layer = Layer()
    layer.anchorPoint = .zero
    layer.position = origin
    layer.content = .shape(content)
    return layer
  }

  /// The ascent of DejaVu Sans in em, which is the first font in SVG, too.
  private static let ascent = 0.928

  private func text(
    _ text: String, _ point: Point, _ size: Double, _ anchor: DiagramMark.Anchor, _ isBold: Bool, _ color: DiagramColor,
    _ origin: Point
  ) -> Layer {
    let text = text.unicodeScalars.contains { $0.value < 0x20 } ? DiagramText.clean(text, limit: 1000) : text
    var content = TextContent(text, font: TextFont(size: size, weight: isBold ? 700 : 400), color: self.color(color))
    content.allowsFontSubstitution = true
    content.direction = .leftToRight
    var layer = Layer()
    layer.content = .text(content)
    layer.anchorPoint = Point(x: anchor == .start ? 0 : anchor == .middle ? 0.5 : 1, y: 0)
    layer.position = Point(x: origin.x + point.x, y: origin.y + point.y - Self.ascent * size)
    return layer
  }

  private func color(_ color: DiagramColor) -> Color {
    let value = isDark ? color.dark : color.light
    return Color(
      red: Double(value >> 16 & 255) / 255, green: Double(value >> 8 & 255) / 255, blue: Double(value & 255) / 255)
  }
}

extension DiagramPatternLines {
  /// The lines of a pattern inside a rectangle; as in SVG, patterns repeat from the origin.
  static func path(_ pattern: DiagramPattern, in rect: Rect) -> ShapePath {
    var path = ShapePath()
    let step = step(pattern)
    func add(_ from: Point, _ to: Point) {
      path.move(to: from)
      path.line(to: to)
    }
    switch pattern {
    case .upright:
      for x in stride(from: ((rect.minX - step / 2) / step).rounded(.up) * step + step / 2, to: rect.maxX, by: step) {
        add(Point(x: x, y: rect.minY), Point(x: x, y: rect.maxY))
      }
    case .rising:
      // x + y is a multiple of the step.
      for sum in stride(from: ((rect.minX + rect.minY) / step).rounded(.up) * step, to: rect.maxX + rect.maxY, by: step) {
        let (left, right) = (max(rect.minX, sum - rect.maxY), min(rect.maxX, sum - rect.minY))
        if left < right { add(Point(x: left, y: sum - left), Point(x: right, y: sum - right)) }
      }
    case .falling:
      // x − y is a multiple of the step.
      for sum in stride(from: ((rect.minX - rect.maxY) / step).rounded(.up) * step, to: rect.maxX - rect.minY, by: step) {
        let (left, right) = (max(rect.minX, rect.minY + sum), min(rect.maxX, rect.maxY + sum))
        if left < right { add(Point(x: left, y: left - sum), Point(x: right, y: right - sum)) }
      }
    }
    return path
  }
}

extension DiagramRecording {
  /// The time of the playhead in seconds; `nil` if it is not visible.
  var shownPlayhead: Double? {
    guard let seconds = context.settings.time?.seconds, seconds >= scale.start, seconds <= scale.end else { return nil }
    return seconds
  }
}

extension TimelineDiagram {
  /// The diagram as an image, drawn by the title renderer: 8-bit RGBA in sRGB. The theme `auto` is light.
  ///
  /// - Parameter scale: Pixels per user unit, such as 2 for high-density screens. Default: 1.
  /// - Throws: `.invalidValue` if the image would be too large, `.resourceExhausted`.
  public func image(_ settings: DiagramSettings = .init(), scale: Double = 1) throws(CompositorError) -> Frame {
    var painter = DiagramPainter(DiagramRecording(self, settings), isDark: settings.theme == .dark)
    return try painter.frame(scale: scale)
  }
}
