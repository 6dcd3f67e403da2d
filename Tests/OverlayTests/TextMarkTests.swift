import CompositorAPI
import CompositorOverlay
import CompositorTestSupport
import Foundation
import Testing

/// Lines under and through letters, letters above and below their baseline, uppercase and lowercase. In the font's design, letters
/// are rectangles from the baseline to 0.7 em, the ascent is 0.8 em; the underline is 0.05 em thick and begins 0.1 em below the
/// baseline.
struct TextMarkTests {
  static func text(_ string: String = "H H", _ change: (inout TextContent) -> Void = { _ in }) -> TextContent {
    var text = TestFont.text(string)
    change(&text)
    return text
  }

  static func ink(_ text: TextContent) throws -> Rect {
    try #require(TestFont.engine).extents(of: StyledText(text, size: nil)).ink
  }

  /// The lines begin at (10, 10), so the baseline is at 90. The letters are from 15 to 85 and from 120 to 190.
  static func frame(_ text: TextContent) throws -> Frame {
    let layer = Layer(frame: Rect(x: 10, y: 10, width: 280, height: 280), content: .text(text))
    var options = OverlayRenderer.Options()
    options.fonts = try #require(TestFont.provider)
    let canvas = try Canvas.frame(PixelSize(width: 300, height: 300), .rgba, FrameAttributes(color: .sRGB))
    return try Canvas.draw([layer], over: canvas, options: options)
  }

  /// Red, green and blue of a pixel.
  static func color(_ frame: Frame, _ x: Int, _ y: Int) -> [Int] {
    Array(Canvas.samples(frame, plane: 0)[y][4 * x..<4 * x + 3])
  }

  @Test func ink_coversTheLines() throws {
    func bottom(_ underline: TextDecoration) throws -> Double { try Self.ink(Self.text { $0.underline = underline }).maxY }
    #expect(abs(try Self.ink(Self.text()).maxY - 80) < 0.1)
    #expect(abs(try bottom(TextDecoration()) - 95) < 0.1)
    #expect(abs(try bottom(TextDecoration(.double)) - 105) < 0.1)
    #expect(abs(try bottom(TextDecoration(.single, thickness: 20)) - 110) < 0.1)
    #expect(abs(try bottom(TextDecoration(.double, thickness: 20)) - 150) < 0.1)
    #expect(abs(try bottom(TextDecoration(.none)) - 80) < 0.1)
    // From the beginning of the first letter to the end of the last one, beyond their ink.
    let ink = try Self.ink(Self.text { $0.underline = TextDecoration() })
    #expect(abs(ink.minX) < 0.05 && abs(ink.maxX - 185) < 0.05)
  }

  @Test func underline_isInItsColorFromTheFirstLetterToTheLast() throws {
    let frame = try Self.frame(Self.text { $0.underline = TextDecoration(color: Color(notation: "red")) })
    for x in [11, 40, 100, 117, 193] { #expect(Self.color(frame, x, 102) == [255, 0, 0], "\(x)") }
    for (x, y) in [(40, 95), (40, 107), (100, 50), (197, 102)] { #expect(Self.color(frame, x, y) == [0, 0, 0], "\(x), \(y)") }
    #expect(Self.color(frame, 40, 50) == [255, 255, 255])
  }

  @Test func lines_withoutAColor_haveThatOfTheirLetters() throws {
    let frame = try Self.frame(
      Self.text("") {
        $0.runs = [TextRun("H", color: Color(notation: "lime")), TextRun("H", color: Color(notation: "blue"))]
        $0.runs[0].underline = TextDecoration(.double)
        $0.strikethrough = TextDecoration(color: Color(notation: "red"), thickness: 20)
        $0.runs[1].strikethrough = TextDecoration(.none)
      })
    #expect(Self.color(frame, 12, 102) == [0, 255, 0] && Self.color(frame, 12, 112) == [0, 255, 0])
    #expect(Self.color(frame, 12, 107) == [0, 0, 0] && Self.color(frame, 130, 102) == [0, 0, 0])
    // The line through letters is over them, in their middle.
    let rows = (10..<90).filter { Self.color(frame, 40, $0) == [255, 0, 0] }
    #expect((19...20).contains(rows.count) && (30...75).contains(rows.first ?? 0), "\(rows)")
    #expect((10..<90).allSatisfy { Self.color(frame, 130, $0)[0] == 0 })
  }

  /// A gradient fills the letters and lines without a color of their own.
  @Test func line_ofItsOwnColor_isNotInTheGradient() throws {
    let frame = try Self.frame(
      Self.text {
        $0.gradient = GradientContent([.init(red: 0, green: 1, blue: 0), .init(red: 0, green: 1, blue: 0)])
        $0.underline = TextDecoration(color: Color(notation: "red"))
        $0.strikethrough = TextDecoration(thickness: 4)
      })
    #expect(Self.color(frame, 40, 102) == [255, 0, 0] && Self.color(frame, 40, 50) == [0, 255, 0])
    #expect((10..<90).contains { Self.color(frame, 100, $0) == [0, 255, 0] })
  }

  /// Letters that are drawn one by one have the same lines.
  @Test(arguments: [TextAnimator.Unit.character, .word, .line], [Color?.none, Color(notation: "red")])
  func lines_ofAnimatedLetters_areThoseOfTheText(unit: TextAnimator.Unit, color: Color?) throws {
    let text = Self.text("HHH H") {
      ($0.underline, $0.strikethrough) = (TextDecoration(.double, color: color), TextDecoration(thickness: 8))
      $0.font.size = 45
    }
    var animated = text
    let fade = Animation.basic(.opacity, from: 0.995, to: 0.995, timing: LayerTiming(duration: 9, fillMode: .both))
    animated.animators = [TextAnimator(unit, [fade])]
    let (whole, pieces) = (try Self.frame(text), try Self.frame(animated))
    let rows = zip(Canvas.samples(whole, plane: 0), Canvas.samples(pieces, plane: 0))
    // Where two pieces meet within a pixel, each covers its part of it.
    let differing = rows.reduce(0) { sum, pair in sum + zip(pair.0, pair.1).filter { abs($0 - $1) > 8 }.count }
    #expect(differing <= (unit == .line ? 0 : 250), "\(differing)")
  }

  @Test func lines_ofHiddenLetters_areHidden() throws {
    let frame = try Self.frame(Self.text { ($0.underline, $0.reveal) = (TextDecoration(), 0.34) })
    #expect(Self.color(frame, 40, 102) == [255, 255, 255] && Self.color(frame, 150, 102) == [0, 0, 0])
  }

  /// In columns, the line is at the left, as in CSS.
  @Test func underline_inColumns_isAtTheLeft() throws {
    func box(_ decoration: TextDecoration?) throws -> Rect {
      try Self.ink(Self.text { ($0.writingMode, $0.underline) = (.verticalRL, decoration) })
    }
    let (plain, lined) = (try box(nil), try box(TextDecoration()))
    #expect(lined.minX < plain.minX - 5 && abs(lined.maxX - plain.maxX) < 0.1)
    #expect(abs(lined.minY) < 0.1 && abs(lined.maxY - 185) < 0.1)
  }

  @Test func letters_shiftedByPixels_areHigher() throws {
    let text = Self.text("") {
      $0.runs = [TextRun("H"), TextRun("H")]
      $0.runs[1].baselineShift = .pixels(30)
    }
    let boxes = try #require(TestFont.engine).layout(StyledText(text, size: nil)).clusters.map(\.ink)
    #expect(boxes.count == 2 && abs(boxes[0].minY - boxes[1].minY - 30) < 0.1 && boxes[0].size == boxes[1].size)
  }

  @Test func letters_inSuperscriptAndSubscript_areSmallerAndMoved() throws {
    let text = Self.text("") {
      $0.runs = [TextRun("H"), TextRun("H"), TextRun("H")]
      ($0.runs[1].baselineShift, $0.runs[2].baselineShift) = (.superscript, .subscript)
    }
    let boxes = try #require(TestFont.engine).layout(StyledText(text, size: nil)).clusters.map(\.ink)
    try #require(boxes.count == 3)
    for box in boxes.dropFirst() { #expect(abs(box.size.height - 70 * 0.58) < 0.2, "\(box)") }
    #expect(abs(boxes[0].maxY - boxes[1].maxY - 100 / 3) < 0.2 && abs(boxes[2].maxY - boxes[0].maxY - 20) < 0.2, "\(boxes)")
  }

  @Test func shrinkingText_scalesLinesAndShifts() throws {
    var layer = Layer(frame: Rect(x: 0, y: 0, width: 92.5, height: 300))
    layer.content = .text(
      Self.text {
        ($0.fit, $0.underline, $0.baselineShift) = (.shrink, TextDecoration(thickness: 10), .pixels(20))
      })
    let node = try #require(
      try LayerEvaluator.evaluate(layer, at: 0) { text throws(CompositorError) in
        try TestFont.engine?.extents(of: StyledText(text, size: nil)).size ?? .zero
      })
    guard case .text(let shown) = node.layer.content else { return }
    #expect(abs((shown.underline?.thickness ?? 0) - 5) < 0.1)
    guard case .pixels(let shift)? = shown.baselineShift else { return }
    #expect(abs(shift - 10) < 0.2)
  }

  static let notations: [(json: String, line: TextDecoration)] = [
    (#"{"underline":true}"#, TextDecoration()), (#"{"underline":false}"#, TextDecoration(.none)),
    (#"{"underline":"double"}"#, TextDecoration(.double)),
    (##"{"underline":{"color":"#ff0000","thickness":3}}"##, TextDecoration(color: Color(notation: "red"), thickness: 3)),
  ]

  @Test(arguments: notations)
  func lines_areReadAndWritten(json: String, expected: TextDecoration) throws {
    let text = try JSONDecoder().decode(TextContent.self, from: Data(json.utf8))
    #expect(text.underline == expected)
    var run = TextRun("a")
    (run.underline, run.strikethrough, run.baselineShift) = (expected, expected, .superscript)
    (run.transform, run.language) = (.capitalize, "nl")
    var whole = text
    (whole.runs, whole.baselineShift, whole.transform, whole.language) = ([run], .pixels(-3.5), .uppercase, "tr")
    #expect(try JSONDecoder().decode(TextContent.self, from: JSONEncoder().encode(whole)) == whole)
  }

  @Test(arguments: [#"{"baselineShift":"up"}"#, #"{"underline":"wavy"}"#, #"{"transform":"small-caps"}"#])
  func words_thatAreNone_areRefused(json: String) {
    #expect(throws: (any Error).self) { try JSONDecoder().decode(TextContent.self, from: Data(json.utf8)) }
  }

  @Test func languages_thatAreNone_areRefused() {
    var layer = Layer()
    layer.content = .text(Self.text { $0.language = "tr_TR; x" })
    let error = #expect(throws: CompositorError.self) { try layer.requireDrawable() }
    #expect(error?.location.path == "content.text.language")
  }
}
