import CompositorAPI
import CompositorOverlay
import CompositorTestSupport
import Foundation
import Testing

/// Backgrounds of lines and words, measured on what is drawn. In the font's design, a line is 1 em high; H is 0.8 em wide, a space
/// 0.25 em.
struct TextBackgroundTests {
  static let red = Color(red: 1, green: 0, blue: 0)

  static func text(_ string: String, _ change: (inout TextContent) -> Void = { _ in }) -> TextContent {
    TextMarkTests.text(string) {
      $0.font.size = 50
      $0.background = TextBackground(red)
      change(&$0)
    }
  }

  /// The box around pixels with any red, in whole pixels.
  static func box(_ frame: Frame) -> PixelBox { TextDirectionTests.ink(frame) }

  @Test func line_isCoveredFromItsFirstCharacterToItsLast() throws {
    // The second line is shorter; the letters begin at (10, 10).
    let frame = try TextMarkTests.frame(Self.text("HH H\nH"))
    for (x, y) in [(11, 11), (70, 30), (95, 59), (140, 15), (11, 61), (49, 108)] {
      #expect(TextMarkTests.color(frame, x, y)[0] == 255, "\(x), \(y)")
    }
    // Between the words, and below the first line.
    #expect(TextMarkTests.color(frame, 95, 40) == [255, 0, 0] && TextMarkTests.color(frame, 55, 70) == [0, 0, 0])
    let box = Self.box(frame)
    // 3 × 40 and 12.5 pixels; two lines of 50 pixels.
    #expect(box.x0 == 10 && (142...143).contains(box.x1) && box.y0 == 10 && box.y1 == 110, "\(box)")
  }

  @Test func padding_extendsItOnAllSides() throws {
    let frame = try TextMarkTests.frame(Self.text("HH") { $0.background?.padding = 7 })
    let box = Self.box(frame)
    #expect(box == PixelBox(x0: 3, y0: 3, x1: 97, y1: 67), "\(box)")
    let round = try TextMarkTests.frame(
      Self.text("HH") { $0.background = TextBackground(Self.red, padding: 7, cornerRadius: 20) })
    #expect(TextMarkTests.color(round, 4, 4) == [0, 0, 0] && TextMarkTests.color(round, 4, 35) == [255, 0, 0])
  }

  @Test func words_haveOneEach() throws {
    let frame = try TextMarkTests.frame(Self.text("HH H") { $0.background?.per = .word })
    #expect(TextMarkTests.color(frame, 12, 12) == [255, 0, 0] && TextMarkTests.color(frame, 110, 12) == [255, 0, 0])
    #expect(TextMarkTests.color(frame, 96, 30) == [0, 0, 0])
  }

  /// Where lines overlap, a translucent color is as it is elsewhere.
  @Test func overlappingLines_areOneShape() throws {
    let frame = try TextMarkTests.frame(
      Self.text("HH\nHH") {
        ($0.lineHeight, $0.color) = (0.8, .clear); $0.background = TextBackground(Self.red.withAlpha(0.5), padding: 8)
      })
    let box = Self.box(frame)
    let middle = (box.y0 + 2..<box.y1 - 2).map { TextMarkTests.color(frame, 50, $0)[0] }
    #expect(middle.count > 60 && middle.allSatisfy { abs($0 - middle[0]) <= 1 }, "\(middle)")
  }

  /// A column has the box of the line, turned.
  @Test func columns_areCoveredAsLinesAre() throws {
    func box(_ mode: WritingMode) throws -> PixelBox {
      try Self.box(
        TextMarkTests.frame(Self.text("HHH") { ($0.writingMode, $0.background) = (mode, TextBackground(Self.red, padding: 4)) })
      )
    }
    let (line, right, left) = (try box(.horizontal), try box(.verticalRL), try box(.verticalLR))
    #expect(abs(line.width - right.height) <= 1 && abs(line.height - right.width) <= 1, "\(line), \(right)")
    #expect(abs(line.width - left.height) <= 1 && abs(line.height - left.width) <= 1, "\(line), \(left)")
    #expect(right.x1 > 280 && left.x0 < 10)
  }

  /// From right to left, the first word is at the right.
  @Test func words_fromRightToLeft_areCovered() throws {
    func frame(_ per: TextBackground.Part) throws -> Frame {
      try TextDirectionTests.frame("שלום לך") {
        ($0.alignment, $0.allowsFontSubstitution) = (.natural, true)
        $0.background = TextBackground(Self.red, per: per)
      }
    }
    let plain = try TextDirectionTests.frame("שלום לך") { $0.allowsFontSubstitution = true }
    let (ink, line) = (TextDirectionTests.ink(plain), Self.box(try frame(.line)))
    #expect(line.x0 <= ink.x0 && line.x1 >= ink.x1 && line.x1 >= 285 && line.y0 < ink.y0 && line.y1 > ink.y1, "\(ink), \(line)")
    // One gap, between the words, and every letter over the color of its word.
    let row = Canvas.samples(try frame(.word), plane: 0)[line.y0 + 1]
    let edges = (1..<300).filter { (row[4 * $0] > 128) != (row[4 * $0 - 4] > 128) }
    #expect(edges.count == 4 || (edges.count == 3 && line.x1 == 300), "\(edges)")
  }

  @Test func hiddenLetters_haveNone() throws {
    let frame = try TextMarkTests.frame(Self.text("HHH H") { $0.reveal = 0.4 })
    let box = Self.box(frame)
    #expect(box.x0 == 10 && box.x1 == 90, "\(box)")
  }

  /// The background of a word moves and fades with it.
  @Test func word_thatMoves_takesItsBackgroundAlong() throws {
    let move = Animation.basic(.translationY, from: 100, to: 100, timing: LayerTiming(duration: 9, fillMode: .both))
    let gone = Animation.basic(.opacity, from: 0, to: 0, timing: LayerTiming(duration: 9, fillMode: .both))
    let text = Self.text("H H H") {
      $0.background?.per = .word
      $0.animators = [TextAnimator(.word, [move]), TextAnimator(.word, [gone])]
      ($0.animators[0].range, $0.animators[1].range) = (0..<1, 1..<2)
    }
    let frame = try TextMarkTests.frame(text)
    func isRed(_ x: Int, _ y: Int) -> Bool { TextMarkTests.color(frame, x, y)[0] > 200 }
    #expect(!isRed(12, 12) && isRed(12, 112) && isRed(48, 158) && !isRed(12, 165))
    #expect(!isRed(70, 12) && !isRed(70, 112) && isRed(118, 12))
  }

  @Test func backgrounds_areReadAndWritten() throws {
    let text = try JSONDecoder().decode(
      TextContent.self, from: Data(##"{"background":{"color":"#ff0000","per":"word","padding":3,"cornerRadius":2}}"##.utf8))
    #expect(text.background == TextBackground(Self.red, per: .word, padding: 3, cornerRadius: 2))
    #expect(try JSONDecoder().decode(TextContent.self, from: JSONEncoder().encode(text)) == text)
    #expect(throws: (any Error).self) {
      try JSONDecoder().decode(TextContent.self, from: Data(#"{"background":{"per":"letter","color":"red"}}"#.utf8))
    }
  }

  @Test func paddingOutsideOfItsRange_isRefused() {
    var layer = Layer()
    layer.content = .text(Self.text("H") { $0.background?.padding = -1 })
    let error = #expect(throws: CompositorError.self) { try layer.requireDrawable() }
    #expect(error?.location.path == "content.text.background")
  }
}
