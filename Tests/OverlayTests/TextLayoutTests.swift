import CompositorAPI
import Foundation
import Overlay
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
    // What stays is told by the tall letters at one end.
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
  func emoji_withAnOutline_isColouredAndOutlined() throws {
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
}
