import CompositorAPI
import CompositorOverlay
import Testing

/// Gradients of titles in 8 bits, nine-part stretching, and thin strokes that grow.
struct GradientDitherTests {
  static let size = PixelSize(width: 512, height: 32)

  private func gradient(_ from: Double, _ to: Double) -> Layer {
    var layer = Layer(frame: Rect(x: 0, y: 0, width: 512, height: 32))
    var content = GradientContent([Color(red: from, green: from, blue: from), Color(red: to, green: to, blue: to)])
    (content.startPoint, content.endPoint) = (Point(x: 0, y: 0.5), Point(x: 1, y: 0.5))
    layer.content = .gradient(content)
    return layer
  }

  @Test(arguments: [PixelFormat.yuv420p, .yuv444p, .rgba]) func gradient_in8Bits_isDithered(format: PixelFormat) throws {
    let attributes = FrameAttributes(color: format.isRGB ? .sRGB : .bt709)
    func luma(_ dithering: ColorConversionPolicy.Dithering) throws -> [[Int]] {
      var options = OverlayRenderer.Options()
      options.colorConversion.dithering = dithering
      let frame = try Canvas.draw([gradient(0.4, 0.44)], over: Canvas.frame(Self.size, format, attributes), options: options)
      let step = format.isRGB ? 4 : 1
      return Canvas.samples(frame, plane: 0).map { row in (0..<512).map { row[$0 * step] } }
    }
    let (dithered, plain) = (try luma(.ordered), try luma(.none))
    func worst(_ rows: [[Int]]) -> Double {
      var worst = 0.0
      for x in stride(from: 8, to: 496, by: 8) {
        let mean = Double((8..<16).reduce(0) { $0 + rows[$1][x..<x + 8].reduce(0, +) }) / 64
        let signal = 0.4 + 0.04 * (Double(x) + 4) / 512
        worst = max(worst, abs(mean - (format.isRGB ? 255 * signal : 16 + 219 * signal)))
      }
      return worst
    }
    #expect(worst(plain) > 0.4, "steps are half a code off")
    #expect(worst(dithered) < 0.12, "\(worst(dithered))")
    for (row, other) in zip(dithered, plain) { for (a, b) in zip(row, other) { #expect(abs(a - b) <= 1) } }
    // By place: the same each time.
    #expect(try luma(.ordered) == dithered)
  }

  @Test func flatColors_in8Bits_areNotDithered() throws {
    let frame = try Canvas.draw(
      [Canvas.box(Rect(x: 0, y: 0, width: 512, height: 32), Color(red: 0.4021, green: 0.7013, blue: 0.1017))],
      over: Canvas.frame(Self.size))
    for plane in 0..<3 {
      // The outermost samples of chroma reach beyond the frame.
      let inside = Canvas.samples(frame, plane: plane).dropFirst().dropLast().flatMap { $0.dropFirst().dropLast() }
      #expect(Set(inside).count == 1)
    }
  }

  /// A picture of a red frame around a green middle of one pixel: stretched, each part keeps its own color.
  @Test func nineParts_doNotBleed() throws {
    let attributes = FrameAttributes(color: .sRGB)
    let side = PixelSize(width: 9, height: 9)
    var picture = MutableFrame(format: .rgba, size: side, attributes: attributes)
    picture.withUnsafeMutablePlanes { planes in
      for y in 0..<9 {
        for x in 0..<9 {
          let isMiddle = x == 4 && y == 4
          let isCross = x == 4 || y == 4
          let color: [UInt8] = isMiddle ? [0, 255, 0, 255] : isCross ? [0, 0, 255, 255] : [255, 0, 0, 255]
          for part in 0..<4 {
            planes[0].base.storeBytes(of: color[part], toByteOffset: y * planes[0].stride + 4 * x + part, as: UInt8.self)
          }
        }
      }
    }
    var options = OverlayRenderer.Options()
    options.images["frame"] = picture.freeze()
    var content = ImageContent("frame", gravity: .resize)
    content.contentsCenter = Rect(x: 4.0 / 9, y: 4.0 / 9, width: 1.0 / 9, height: 1.0 / 9)
    var layer = Layer(frame: Rect(x: 0, y: 0, width: 64, height: 48))
    layer.content = .image(content)
    let frame = try Canvas.draw(
      [layer], over: Canvas.frame(PixelSize(width: 64, height: 48), .rgba, attributes), options: options)
    let rows = Canvas.samples(frame, plane: 0)
    func color(_ x: Int, _ y: Int) -> [Int] { Array(rows[y][4 * x..<4 * x + 3]) }
    for (x, y, expected) in [
      (0, 0, [255, 0, 0]), (3, 3, [255, 0, 0]), (4, 4, [0, 255, 0]), (5, 24, [0, 255, 0]), (32, 24, [0, 255, 0]),
      (59, 43, [0, 255, 0]), (60, 44, [255, 0, 0]), (32, 2, [0, 0, 255]), (2, 24, [0, 0, 255]), (59, 2, [0, 0, 255]),
    ] { #expect(color(x, y) == expected, "\(x) \(y)") }
  }

  /// The ink of a thin stroke that grows slowly is its area: it does not shimmer.
  @Test func thinStroke_growing_keepsItsWeight() throws {
    let size = PixelSize(width: 64, height: 64)
    var layer = Layer(frame: Rect(x: 20, y: 8, width: 24, height: 48))
    layer.content = .shape(ShapeContent(.rectangle(Rect(x: 11, y: 4, width: 2.2, height: 36)), fill: .white))
    layer.animations = [.basic(.scale, from: 1, to: 1.3, timing: LayerTiming(duration: 10))]
    var worst = 0.0
    for step in 0..<60 {
      let seconds = Double(step) / 6
      let frame = try Canvas.draw([layer], over: Canvas.frame(size, .rgba, FrameAttributes(color: .sRGB)), at: seconds)
      let rows = Canvas.samples(frame, plane: 0)
      // A row through the middle: the stroke's width.
      let width = (0..<64).reduce(0.0) { $0 + Double(rows[30][4 * $1]) } / 255
      let scale = 1 + 0.3 * seconds / 10
      worst = max(worst, abs(width / (2.2 * scale) - 1))
    }
    #expect(worst < 0.016, "\(worst)")
  }
}
