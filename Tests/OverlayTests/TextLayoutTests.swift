import CompositorAPI
import Foundation
import CompositorOverlay
import Testing

/// Layout of text, measured on what is drawn.
struct TextLayoutTests {
  static let size = PixelSize(width: 300, height: 160)

  static func ink(_ string: String, bounds: Size = Size(width: 280, height: 140), _ change: (inout TextContent) -> Void) throws
    -> PixelBox
  {
    var text = TextContent(string, font: TextFont(family: "DejaVu Sans", size: 30))
    change(&text)
    let layer = Layer(frame: Rect(x: 10, y: 10, width: bounds.width, height: bounds.height), content: .text(text))
    return LayerContentTests.ink(try Canvas.draw([layer], over: Canvas.frame(size)), above: 30)
  }

  @Test func wrapping_breaksLinesAtTheBounds() throws {
    let words = "mmmm mmmm mmmm"
    let one = try Self.ink(words, bounds: Size(width: 150, height: 140)) { _ in }
    let wrapped = try Self.ink(words, bounds: Size(width: 150, height: 140)) { $0.wraps = true }
    #expect(one.width > 200 && one.height < 30)
    #expect(wrapped.width <= 150 && wrapped.height > 75, "three lines")
  }

  @Test(arguments: [TextTruncation.start, .middle, .end]) func truncation_fitsTheLineIntoTheBounds(where place: TextTruncation)
    throws
  {
    // The tall letters at one end identify the remaining part.
    let cut = try Self.ink("llllllllmmmmmmmmmmmmmm", bounds: Size(width: 150, height: 140)) { $0.truncation = place }
    #expect(cut.width <= 150 && cut.width > 100)
    #expect((cut.height > 20) == (place != .start), "\(cut)")
  }

  @Test func lineHeight_movesTheSecondLineByThatMuch() throws {
    let (single, double) = (try Self.ink("x\nx") { _ in }, try Self.ink("x\nx") { $0.lineHeight = 2 })
    // DejaVu Sans: ascent 1901 and descent 483 of 2048 to the em.
    let line = 30 * (1901.0 + 483) / 2048
    #expect(abs(Double(double.y1 - single.y1 - (double.y0 - single.y0)) - line) <= 1.5)
  }

  @Test func tracking_addsSpaceBetweenCharacters() throws {
    let (plain, spaced) = (try Self.ink("IIIII") { _ in }, try Self.ink("IIIII") { $0.tracking = 7 })
    #expect(abs(spaced.width - plain.width - 4 * 7) <= 1)
  }

  @Test func alignment_standsTextAtItsEdge() throws {
    let boxes = try [TextAlignment.left, .center, .right].map { alignment in try Self.ink("abc") { $0.alignment = alignment } }
    #expect(boxes[0].x0 < 16 && boxes[2].x1 > 284)
    #expect(abs(boxes[1].x0 + boxes[1].x1 - 300) <= 3)
    let rightToLeft = try Self.ink("אבג") { _ in }
    #expect(rightToLeft.x1 > 284, "natural alignment of right-to-left text")
    let heights = try [VerticalAlignment.top, .middle, .bottom].map { place in
      try Self.ink("x") { $0.verticalAlignment = place }
    }
    #expect(heights[0].y1 < 50 && heights[2].y0 > 110 && abs(heights[1].y0 + heights[1].y1 - 160) < 20)
  }

  @Test func outline_growsTheTextByItsWidthAllAround() throws {
    let (plain, outlined) = (
      try Self.ink("I") { _ in },
      try Self.ink("I") {
        $0.outlineWidth = 5
        $0.outlineColor = .white
      }
    )
    #expect(abs(plain.x0 - outlined.x0 - 5) <= 1 && abs(outlined.x1 - plain.x1 - 5) <= 1)
    #expect(abs(plain.y0 - outlined.y0 - 5) <= 1 && abs(outlined.y1 - plain.y1 - 5) <= 1)
  }

  static let emojiFont = "/usr/share/fonts/truetype/noto/NotoColorEmoji.ttf"

  @Test(.enabled(if: FileManager.default.fileExists(atPath: emojiFont), "no font of emoji"))
  func emoji_withAnOutline_isColoredAndOutlined() throws {
    func draw(_ width: Double) throws -> Frame {
      var text = TextContent("🦊", font: TextFont(size: 60))
      (text.outlineWidth, text.outlineColor) = (width, .white)
      let layer = Layer(frame: Rect(x: 40, y: 30, width: 100, height: 100), content: .text(text))
      return try Canvas.draw([layer], over: Canvas.frame(Self.size, .yuv444p))
    }
    let (plain, outlined) = (try draw(0), try draw(4))
    let colored = Canvas.samples(plain, plane: 1).joined().count { abs($0 - 128) > 30 }
    #expect(colored > 500)
    let (inner, outer) = (LayerContentTests.ink(plain), LayerContentTests.ink(outlined))
    #expect(abs(inner.x0 - outer.x0 - 4) <= 1 && abs(outer.x1 - inner.x1 - 4) <= 1 && abs(inner.y0 - outer.y0 - 4) <= 1)
    // Inside, the outline is covered by the picture.
    let middle = (x: (inner.x0 + inner.x1) / 2, y: (inner.y0 + inner.y1) / 2)
    #expect(Canvas.samples(plain, plane: 0)[middle.y][middle.x] == Canvas.samples(outlined, plane: 0)[middle.y][middle.x])
  }

  @Test func typewriter_showsTheFirstCharactersWhereTheyWillStay() throws {
    let whole = try Self.ink("HHHH") { _ in }
    let half = try Self.ink("HHHH") { $0.reveal = 0.5 }
    #expect(half.x0 == whole.x0 && abs(half.width * 2 - whole.width) < 8)
    let centered = try Self.ink("HHHH") { ($0.reveal, $0.alignment) = (0.5, .center) }
    let all = try Self.ink("HHHH") { $0.alignment = .center }
    #expect(centered.x0 == all.x0, "letters do not move while others come")
  }

  @Test func attributedRuns_ofColorSizeAndWeight_eachLookTheirOwn() throws {
    var text = TextContent("")
    let font = TextFont(family: "DejaVu Sans", size: 30)
    text.runs = [
      TextRun("II", font: font, color: Color(red: 1, green: 0, blue: 0)),
      TextRun("II", font: TextFont(family: "DejaVu Sans", size: 60, weight: 700), color: Color(red: 0, green: 0, blue: 1)),
    ]
    let layer = Layer(frame: Rect(x: 10, y: 10, width: 280, height: 140), content: .text(text))
    let frame = try Canvas.draw([layer], over: Canvas.frame(Self.size, .yuv444p))
    // Red has Cr 240, blue has Cb 240.
    func box(plane: Int) -> PixelBox {
      var box = PixelBox(x0: .max, y0: .max, x1: 0, y1: 0)
      for (y, row) in Canvas.samples(frame, plane: plane).enumerated() {
        for (x, code) in row.enumerated() where code > 200 {
          box = PixelBox(x0: min(box.x0, x), y0: min(box.y0, y), x1: max(box.x1, x + 1), y1: max(box.y1, y + 1))
        }
      }
      return box
    }
    let (red, blue) = (box(plane: 2), box(plane: 1))
    #expect(red.x1 <= blue.x0 && abs(red.y1 - blue.y1) <= 1, "side by side on one baseline")
    #expect(abs(Double(blue.height) / Double(red.height) - 2) < 0.15)
  }

  @Test func gradientFill_ofAText_runsOverItsBounds() throws {
    var text = TextContent("IIIIIIIIIIIIIIIIIIII", font: TextFont(family: "DejaVu Sans", size: 30))
    var gradient = GradientContent([Color(red: 0.2, green: 0.2, blue: 0.2), .white])
    (gradient.startPoint, gradient.endPoint) = (Point(x: 0, y: 0.5), Point(x: 1, y: 0.5))
    text.gradient = gradient
    let layer = Layer(frame: Rect(x: 10, y: 10, width: 200, height: 40), content: .text(text))
    let rows = Canvas.samples(try Canvas.draw([layer], over: Canvas.frame(Self.size)), plane: 0)
    func brightest(_ range: Range<Int>) -> Int { rows.map { $0[range].max() ?? 0 }.max() ?? 0 }
    let lights = stride(from: 20, to: 180, by: 40).map { brightest($0..<$0 + 20) }
    #expect(lights == lights.sorted() && lights[3] - lights[0] > 80, "\(lights)")
  }

  @Test func counter_animatedOverTime_showsEachNumber() throws {
    func draw(_ content: TextContent, at time: Double, animated: Bool) throws -> [[[Int]]] {
      var layer = Layer(frame: Rect(x: 10, y: 10, width: 280, height: 140), content: .text(content))
      if animated { layer.animations = [.basic(.textValue, from: 0, to: 1000, timing: LayerTiming(duration: 10))] }
      return Canvas.allSamples(try Canvas.draw([layer], over: Canvas.frame(Self.size), at: time))
    }
    var counter = TextContent("", font: TextFont(family: "DejaVu Sans", size: 30))
    counter.generator = .number(fractionDigits: 0, minimumIntegerDigits: 1, grouping: ",")
    for (time, shown) in [(0.07, "7"), (4.2, "420"), (9.99, "999"), (2.5, "250")] {
      let plain = TextContent(shown, font: TextFont(family: "DejaVu Sans", size: 30))
      #expect(try draw(counter, at: time, animated: true) == draw(plain, at: 0, animated: false), "\(shown)")
    }
  }

  @Test func textStrings_asDiscreteKeyframes_changeAtTheirTimes() throws {
    var layer = Layer(frame: Rect(x: 10, y: 10, width: 280, height: 140), content: .text(TextContent("")))
    let frames = Keyframes([.text("I"), .text("IIII")], keyTimes: [0, 0.5, 1], mode: .discrete)
    layer.animations = [.keyframes(.string, frames, timing: LayerTiming(duration: 2, fillMode: .both))]
    let widths = try [0.9, 1.1, 0.9].map {
      LayerContentTests.ink(try Canvas.draw([layer], over: Canvas.frame(Self.size), at: $0), above: 60).width
    }
    #expect(widths[1] > 3 * widths[0] && widths[2] == widths[0])
  }

  @Test func justifiedText_fillsItsLinesToBothEdges() throws {
    let words = "mm mmmm mm mmm mmmm mm mm mm"
    let box = try Self.ink(words, bounds: Size(width: 200, height: 140)) { ($0.wraps, $0.alignment) = (true, .justified) }
    let left = try Self.ink(words, bounds: Size(width: 200, height: 140)) { $0.wraps = true }
    #expect(box.x1 >= 206 && left.x1 <= box.x1 && box.height == left.height)
  }
}
