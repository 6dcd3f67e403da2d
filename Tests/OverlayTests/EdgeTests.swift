import CompositorAPI
import CompositorOverlay
import Testing

/// Edges of titles: smooth motion, no fringe, no halo.
struct EdgeTests {
  static let size = PixelSize(width: 64, height: 48)

  @Test func movingTitle_byAQuarterPixelPerFrame_movesItsCentroidByThat() throws {
    let size = PixelSize(width: 200, height: 60)
    var word = Layer()
    var text = TextContent("Slide", font: TextFont(size: 30, weight: 700))
    text.outlineWidth = 1
    word.content = .text(text)
    word.animations = [
      .basic(.position, from: .point(x: 60, y: 30), to: .point(x: 110, y: 35), timing: LayerTiming(duration: 200))
    ]
    var last: (x: Double, y: Double)?
    for index in 0..<24 {
      let frame = try Canvas.draw([word], over: Canvas.frame(size, .yuv444p10), at: Double(index))
      var (sum, x, y) = (0.0, 0.0, 0.0)
      for (row, line) in Canvas.samples(frame, plane: 0).enumerated() {
        for (column, code) in line.enumerated() {
          let weight = Double(code - 64)
          (sum, x, y) = (sum + weight, x + weight * Double(column), y + weight * Double(row))
        }
      }
      let centroid = (x: x / sum, y: y / sum)
      if let last {
        #expect(abs(centroid.x - last.x - 0.25) < 0.02)
        #expect(abs(centroid.y - last.y - 0.025) < 0.01)
      }
      last = centroid
    }
  }

  @Test(arguments: [Color.black, .white, Color(red: 0.2, green: 0.5, blue: 0.9)]) func whiteTitle_overAFlatColor_hasNoFringe(
    under: Color
  ) throws {
    let size = PixelSize(width: 160, height: 48)
    var word = Layer()
    word.content = .text(TextContent("Fringe", font: TextFont(size: 30)))
    word.position = Point(x: 80.3, y: 24.6)
    word.transform.rotationZ = 0.1
    let base = try Canvas.frame(size, .yuv420p, color: under)
    let frame = try Canvas.draw([word], over: base)
    let (before, white) = (Canvas.allSamples(base), Canvas.allSamples(try Canvas.frame(size, color: .white)))
    for (plane, rows) in Canvas.allSamples(frame).enumerated() {
      let ends = [before[plane][0][0], white[plane][0][0]]
      let allowed = (ends.min() ?? 0)...(ends.max() ?? 0)
      #expect(rows.allSatisfy { $0.allSatisfy(allowed.contains) })
    }
  }

  @Test func whiteTitle_overAGradient_hasNoHalo() throws {
    let base = try Canvas.draw(
      [LayerContentTests.gradient(.axial, from: Point(x: 0, y: 0), to: Point(x: 1, y: 1))],
      over: Canvas.frame(PixelSize(width: 80, height: 72)))
    var word = Layer()
    word.content = .text(TextContent("Halo", font: TextFont(size: 24)))
    word.position = Point(x: 40.3, y: 36.7)
    word.transform.rotationZ = 0.2
    for motion in [false, true] {
      if motion { word.animations = [.basic(.positionX, from: 40.3, to: 60, timing: LayerTiming(duration: 100))] }
      let frame = try Canvas.draw([word], over: base)
      for (under, over) in zip(Canvas.samples(base, plane: 0).joined(), Canvas.samples(frame, plane: 0).joined()) {
        #expect(over >= under && over <= 235)
      }
      for plane in 1...2 { #expect(Canvas.samples(frame, plane: plane).joined().allSatisfy { $0 == 128 }) }
    }
  }

  /// Colors of what is under a border must not show outside of it.
  @Test(arguments: [false, true]) func opaqueBorder_aroundAnotherColor_hasNoFringe(isClipped: Bool) throws {
    let size = PixelSize(width: 64, height: 48)
    var box = Canvas.box(Rect(x: 6.5, y: 6.5, width: 51, height: 35), Color(red: 1, green: 0, blue: 0))
    (box.cornerRadius, box.borderWidth, box.borderColor, box.masksToBounds) = (12, 5, .white, isClipped)
    box.sublayers = [Canvas.box(Rect(x: 0, y: 0, width: isClipped ? 51 : 0, height: 10), Color(red: 0, green: 0, blue: 1))]
    let grey = Color(red: 0.5, green: 0.5, blue: 0.5)
    let frame = try Canvas.draw([box], over: Canvas.frame(size, .rgba, FrameAttributes(color: .sRGB), color: grey))
    let samples = Canvas.samples(frame, plane: 0)
    var edges = 0
    for y in 0..<size.height {
      for x in 0..<size.width where x < 9 || x > 54 || y < 9 || y > 38 {
        let pixel = samples[y][4 * x..<4 * x + 3]
        let (low, high) = (pixel.min() ?? 0, pixel.max() ?? 0)
        #expect(high - low <= 1, "\(x) \(y): \(pixel)")
        if high > 140, low < 240 { edges += 1 }
      }
    }
    #expect(edges > 40, "there are soft edges")
  }

  /// A shadow follows its offset between pixels, soft or hard.
  @Test(arguments: [0.0, 0.4, 0.8, 3]) func movingShadow_byAQuarterPixelPerFrame_movesItsCentroidByThat(radius: Double) throws {
    let size = PixelSize(width: 96, height: 64)
    func centroid(_ offset: Double) throws -> Double {
      var box = Canvas.box(Rect(x: 20, y: 20, width: 12, height: 12), .clear)
      box.backgroundColor = .black
      (box.shadowColor, box.shadowOpacity, box.shadowRadius, box.shadowOffset) = (.white, 1, radius, Point(x: offset, y: 20))
      let frame = try Canvas.draw([box], over: Canvas.frame(size, .rgba16, FrameAttributes(color: .sRGB)))
      var (sum, moment) = (0.0, 0.0)
      for row in Canvas.samples(frame, plane: 0) {
        for x in 0..<size.width {
          sum += Double(row[4 * x])
          moment += Double(row[4 * x]) * Double(x)
        }
      }
      return moment / sum
    }
    let places = try (0..<8).map { try centroid(24 + Double($0) / 4) }
    for (from, to) in zip(places, places.dropFirst()) { #expect(abs(to - from - 0.25) < 0.02, "\(places)") }
    #expect(abs(places[0] - 49.5) < 0.05)
  }
}
