import CompositorAPI
import CompositorOverlay
import Foundation
import Testing

/// Columns, and text from right to left, measured on what is drawn.
struct TextDirectionTests {
  static let size = PixelSize(width: 300, height: 300)

  static func frame(
    _ string: String, _ options: OverlayRenderer.Options = .init(), _ change: (inout TextContent) -> Void = { _ in }
  )
    throws -> Frame
  {
    var text = TextContent(string, font: TextFont(family: options.fonts.defaultFamily, size: 40))
    change(&text)
    let layer = Layer(frame: Rect(x: 10, y: 10, width: 280, height: 280), content: .text(text))
    return try Canvas.draw([layer], over: Canvas.frame(size, .rgba), options: options)
  }

  static func ink(_ frame: Frame) -> PixelBox {
    let rows = Canvas.samples(frame, plane: 0)
    var (x0, y0, x1, y1) = (Int.max, Int.max, 0, 0)
    for (y, row) in rows.enumerated() {
      for x in 0..<size.width where row[4 * x] > 60 {
        (x0, x1, y0, y1) = (min(x0, x), max(x1, x + 1), min(y0, y), max(y1, y + 1))
      }
    }
    return PixelBox(x0: x0, y0: y0, x1: x1, y1: y1)
  }

  @Test func letters_inColumns_areTurnedClockwise() throws {
    let line = try Self.frame("Elf")
    for mode in [WritingMode.verticalRL, .verticalLR] {
      let column = try Self.frame("Elf") { $0.writingMode = mode }
      let (from, to) = (Self.ink(line), Self.ink(column))
      #expect(abs(from.width - to.height) <= 1 && abs(from.height - to.width) <= 1)
      // Turned back, it is the line.
      let (before, after) = (Canvas.samples(line, plane: 0), Canvas.samples(column, plane: 0))
      var difference = 0
      for y in 0..<min(from.height, to.width) {
        for x in 0..<min(from.width, to.height) {
          difference += abs(before[from.y0 + y][4 * (from.x0 + x)] - after[to.y0 + x][4 * (to.x1 - 1 - y)])
        }
      }
      #expect(difference < from.width * from.height * 20, "\(difference) over \(from)")
    }
  }

  @Test func columns_followOneAnotherAsTheModeSays() throws {
    // The first column is long, the second one short.
    for (mode, isRight) in [(WritingMode.verticalRL, true), (.verticalLR, false)] {
      let frame = try Self.frame("lllllllll\nl") { ($0.writingMode, $0.verticalAlignment) = (mode, .top) }
      let samples = Canvas.samples(frame, plane: 0)
      let low = samples[95...].compactMap { row in (0..<300).first { row[4 * $0] > 60 } }
      let box = Self.ink(frame)
      #expect(isRight ? box.x1 > 270 : box.x0 < 30, "\(mode): at its side, \(box)")
      #expect(low.allSatisfy { isRight ? $0 > (box.x0 + box.x1) / 2 : $0 < (box.x0 + box.x1) / 2 } && !low.isEmpty)
    }
  }

  @Test func alignments_ofColumns_areAlongAndAcrossThem() throws {
    func box(_ alignment: TextAlignment, _ vertical: VerticalAlignment, _ mode: WritingMode) throws -> PixelBox {
      Self.ink(try Self.frame("llll") { ($0.writingMode, $0.alignment, $0.verticalAlignment) = (mode, alignment, vertical) })
    }
    for mode in [WritingMode.verticalRL, .verticalLR] {
      let tops = try [TextAlignment.left, .center, .right].map { try box($0, .top, mode) }
      #expect(tops[0].y0 < 20 && tops[2].y1 > 280 && abs(tops[1].y0 + tops[1].y1 - 300) <= 4)
      let sides = try [VerticalAlignment.top, .middle, .bottom].map { try box(.left, $0, mode) }
      let first = mode == .verticalRL ? sides[0].x1 > 270 && sides[2].x0 < 30 : sides[0].x0 < 30 && sides[2].x1 > 270
      #expect(first && abs(sides[1].x0 + sides[1].x1 - 300) < 30)
    }
  }

  @Test func columns_thatWrap_breakAtTheHeight() throws {
    let one = Self.ink(try Self.frame("mmmmmmm mmmmm") { $0.writingMode = .verticalRL })
    let wrapped = Self.ink(try Self.frame("mmmmmmm mmmmm") { ($0.writingMode, $0.wraps) = (.verticalRL, true) })
    #expect(one.y1 >= 300 && wrapped.y1 <= 290 && wrapped.width > 2 * one.width - 10)
  }

  @Test func text_withoutBounds_isAsLargeAsItsColumns() throws {
    func size(_ change: (inout TextContent) -> Void) throws -> Size {
      var text = TextContent("Elf\nElfElf", font: TextFont(family: "DejaVu Sans", size: 40))
      change(&text)
      return try FontLibrary().engine.extents(of: StyledText(text, size: nil)).size
    }
    let (line, column) = (try size { _ in }, try size { $0.writingMode = .verticalLR })
    #expect(abs(line.width - column.height) < 0.01 && abs(line.height - column.width) < 8)
  }

  static let cjk = [
    ProcessInfo.processInfo.environment["COMPOSITOR_TEST_CJK_FONT"], "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc",
  ].compactMap { $0 }.first { FileManager.default.fileExists(atPath: $0) }

  @Test(.enabled(if: cjk != nil, "fonts-noto-cjk is not installed"))
  func characters_ofSquares_standUprightInColumnsWithTheirPunctuation() throws {
    var options = OverlayRenderer.Options()
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: try #require(Self.cjk))))
    options.fonts = FontProvider(
      files: [FontProvider.File(name: "cjk", bytes: bytes)], usesSystemFonts: false, defaultFamily: "Noto Sans CJK JP")
    func box(_ string: String, _ mode: WritingMode = .verticalRL) throws -> PixelBox {
      Self.ink(try Self.frame(string, options) { $0.writingMode = mode })
    }
    let one = try box("一")
    #expect(one.width > 4 * one.height, "the stroke lies")
    let (square, two) = (try box("口"), try box("口口"))
    #expect(abs(two.height - square.height - 40) <= 1 && abs(two.width - square.width) <= 1, "one em further down")
    // The full stop is at the upper right of its square, not at the lower left.
    let (stop, plain) = (try box("。"), try box("。", .horizontal))
    #expect(stop.x0 + stop.x1 > square.x0 + square.x1 && stop.y1 < square.y0 + square.height / 2 + 4, "\(stop) in \(square)")
    #expect(plain.x1 < 40)
    let bar = try box("ー")
    #expect(bar.height > 4 * bar.width, "the long vowel's bar stands")
  }

  @Test(arguments: [
    ("Ada", false), ("عربي", true), ("שלום", true), ("2024 עברית", true), ("(عربي) Ada", true), ("Ada עברית", false),
    ("", false),
    ("123 %", false), ("١٢٣ Ada", false), ("١٢٣ عربي", true), ("\u{200F}Ada", true), ("\u{200E}שלום", false), ("漢字", false),
    ("، Ada", false),
    ("؟ Ada", true), ("🙂 שלום", true), ("ߒߞߏ", true), ("ܣܘܪ", true),
  ])
  func direction_ofAText_isThatOfItsFirstLetter(text: String, isRightToLeft: Bool) throws {
    #expect(TextDirection.natural.isRightToLeft(text) == isRightToLeft)
    guard !text.isEmpty else { return }
    var content = TextContent(text, font: TextFont(family: "DejaVu Sans", size: 20))
    content.allowsFontSubstitution = true
    #expect(try FontLibrary().engine.extents(of: StyledText(content, size: nil)).isRightToLeft == isRightToLeft, "Pango's own")
  }

  /// The exclamation mark of a Hebrew sentence is at its left, on either side of the box.
  @Test(arguments: [TextAlignment.natural, .left, .center, .right])
  func punctuation_ofTextFromRightToLeft_isAtItsEnd(alignment: TextAlignment) throws {
    let frame = try Self.frame("ווווו!") { $0.alignment = alignment }
    let box = Self.ink(frame)
    let samples = Canvas.samples(frame, plane: 0)
    // The mark alone has a gap above its dot.
    func gap(_ x: Int) -> Bool {
      let lit = (box.y0..<box.y1).map { samples[$0][4 * x] > 60 }
      guard let first = lit.firstIndex(of: true), let last = lit.lastIndex(of: true) else { return false }
      return lit[first...last].contains(false)
    }
    let gaps = (box.x0..<box.x1).filter(gap)
    #expect(!gaps.isEmpty && gaps.allSatisfy { $0 < box.x0 + box.width / 3 }, "\(gaps) in \(box)")
    if alignment == .left { #expect(box.x0 < 20) }
    if alignment == .right || alignment == .natural { #expect(box.x1 > 280) }
  }

  @Test func direction_thatIsSaid_overridesTheFirstLetter() throws {
    let end = Self.ink(try Self.frame("abc") { $0.direction = .rightToLeft })
    #expect(end.x1 > 280)
    let start = Self.ink(try Self.frame("שלום") { $0.direction = .leftToRight })
    #expect(start.x0 < 20)
  }
}

/// Lower thirds of names that run from right to left.
struct MirroredTitleTests {
  static let canvas = PixelSize(width: 640, height: 360)

  static func layer(_ name: String, _ direction: TextDirection = .natural) throws -> Layer {
    var style = TitleStyle()
    style.direction = direction
    let title = TitleTemplate.lowerThird(name, role: "Role").layer(
      canvas: canvas, style: style, start: .zero, duration: .seconds(4))
    return try #require(title.sublayers.first)
  }

  @Test func lowerThird_fromRightToLeft_isTheMirrorImage() throws {
    let (left, right) = (try Self.layer("Ada"), try Self.layer("عدا"))
    let (width, box) = (Double(Self.canvas.width), left.bounds.size.width)
    #expect(left.position.x + right.position.x == width && left.position.y == right.position.y)
    #expect(left.bounds == right.bounds)
    #expect(abs(left.sublayers[0].position.x + right.sublayers[0].position.x - box) < 1e-9, "the bar")
    #expect(abs(left.sublayers[1].position.x + right.sublayers[1].position.x - box) < 1e-9, "the lines")
    for (layer, alignment, sign) in [(left, TextAlignment.left, -1.0), (right, .right, 1)] {
      for line in layer.sublayers.dropFirst() {
        guard case .text(let text) = line.content else { continue }
        #expect(text.alignment == alignment)
      }
      guard case .basic(_, .numbers(let from)?, _, _) = layer.animations[0].kind else { continue }
      #expect(from[0] * sign > 0, "it slides in from its own side")
      #expect(
        layer.position.x + from[0] + sign * -box / 2 >= width || layer.position.x + from[0] + box / 2 <= 0, "from outside")
    }
    #expect(try Self.layer("Ada", .rightToLeft).position == right.position)
    #expect(try Self.layer("عدا", .leftToRight).position == left.position)
  }
}
