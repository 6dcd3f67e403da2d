import CompositorAPI
import CompositorOverlay
import Testing

/// Each paragraph of naturally aligned text starts at the side from which it reads, whatever the other paragraphs do: on the
/// right if its first strong character is Arabic or Hebrew (rules P2 and P3 of the Unicode bidirectional algorithm).
struct NaturalAlignmentTests {
  /// A paragraph, and whether it reads from right to left.
  struct Paragraph: Sendable {
    let text: String
    let isRightToLeft: Bool

    init(_ text: String, _ isRightToLeft: Bool) { (self.text, self.isRightToLeft) = (text, isRightToLeft) }
  }

  static let paragraphs = [
    Paragraph("سلام", true), Paragraph("שלום", true), Paragraph("Hello", false), Paragraph("(1) שלום Hi", true),
    Paragraph("12 Hi שלום", false), Paragraph("«שלום» 3", true), Paragraph("\u{2067}שלום\u{2069} Hi", false),
    Paragraph("\u{2066}Hi\u{2069} שלום", true), Paragraph("\u{200F}Hi", true),
  ]

  /// How a text is laid out in its box.
  struct Box: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var hasLayout = false
    var isVertical = false
    let change: @Sendable (inout TextContent) -> Void

    init(
      _ name: String, hasLayout: Bool = false, isVertical: Bool = false,
      _ change: @escaping @Sendable (inout TextContent) -> Void
    ) {
      (testDescription, self.hasLayout, self.isVertical, self.change) = (name, hasLayout, isVertical, change)
    }
  }

  static let boxes = [
    Box("bounds") { _ in },
    Box("bounds, wrapped") { $0.wraps = true },
    Box("bounds, truncated") { $0.truncation = .end },
    Box("bounds, justified") { $0.alignment = .justified },
    Box("bounds, justified and wrapped") { ($0.alignment, $0.wraps) = (.justified, true) },
    Box("bounds with padding") { $0.padding = 12 },
    Box("layout", hasLayout: true) { _ in },
    Box("layout, wrapped", hasLayout: true) { $0.wraps = true },
    Box("layout, justified and wrapped", hasLayout: true) { ($0.alignment, $0.wraps) = (.justified, true) },
    Box("columns", isVertical: true) { $0.writingMode = .verticalLR },
    Box("wrapped columns", isVertical: true) { ($0.writingMode, $0.wraps) = (.verticalLR, true) },
  ]

  static func layer(_ string: String, _ change: (inout TextContent) -> Void) -> Layer {
    var text = TextContent(string, font: TextFont(family: "DejaVu Sans", size: 30))
    (text.lineHeight, text.allowsFontSubstitution) = (1.7, true)
    change(&text)
    return Layer(frame: Rect(x: 10, y: 10, width: 280, height: 280), content: .text(text))
  }

  /// The first and the last lit column of each line, from the top; in columns, rows of each column from the left.
  static func lines(_ layer: Layer, isVertical: Bool = false) throws -> [ClosedRange<Int>] {
    let samples = Canvas.samples(try Canvas.draw([layer], over: Canvas.frame(TextDirectionTests.size, .rgba)), plane: 0)
    func isLit(_ along: Int, _ across: Int) -> Bool {
      isVertical ? samples[along][4 * across] > 60 : samples[across][4 * along] > 60
    }
    var lines: [ClosedRange<Int>] = []
    var last = -100
    for across in 0..<300 {
      let lit = (0..<300).filter { isLit($0, across) }
      guard let low = lit.first, let high = lit.last else { continue }
      if across - last > 4 {
        lines.append(low...high)
      } else if let line = lines.last {
        lines[lines.count - 1] = min(line.lowerBound, low)...max(line.upperBound, high)
      }
      last = across
    }
    return lines
  }

  @Test(arguments: boxes) func paragraphs_ofEveryPairOfDirections_startAtTheirSides(box: Box) throws {
    for first in Self.paragraphs {
      for second in Self.paragraphs {
        var layer = Self.layer("\(first.text)\n\(second.text)", box.change)
        if box.hasLayout {
          (layer.bounds, layer.position) = (.zero, .zero)
          layer.layout = LayerLayout(left: 10, right: 10, top: 10)
        }
        var padding = 0
        if case .text(let text) = layer.content { padding = Int(text.padding) }
        let lines = try Self.lines(layer, isVertical: box.isVertical)
        #expect(lines.count == 2, "\(first.text), \(second.text)")
        for (line, paragraph) in zip(lines, [first, second]) {
          let distance = paragraph.isRightToLeft ? 289 - line.upperBound : line.lowerBound - 10
          #expect((padding - 1...padding + 5).contains(distance), "\(paragraph.text) of \(first.text), \(second.text): \(line)")
        }
      }
    }
  }

  /// Without bounds, the box is as wide as the longest line.
  @Test(arguments: ["سلام عليكم سلام\nسلام", "שלום\nשלום עולם שלום", "Hello world\nשלום", "שלום עולם שלום\nHello"])
  func paragraphs_withoutBounds_startAtTheSidesOfTheLongest(text: String) throws {
    var layer = Self.layer(text) { _ in }
    layer.bounds = .zero
    let lines = try Self.lines(layer)
    let (left, right) = (lines.map(\.lowerBound).min() ?? 0, lines.map(\.upperBound).max() ?? 0)
    for (line, paragraph) in zip(lines, text.split(separator: "\n")) {
      let isRightToLeft = TextDirection.natural.isRightToLeft(String(paragraph))
      #expect(isRightToLeft ? right - line.upperBound <= 4 : line.lowerBound - left <= 4, "\(paragraph): \(line)")
    }
    #expect(lines.count == 2)
  }

  /// All lines of justified text fill the box, except for the last one, which starts where the paragraph does.
  @Test(arguments: [true, false]) func lastLine_ofJustifiedText_startsAtTheSideOfItsParagraph(isRightToLeft: Bool) throws {
    let word = isRightToLeft ? "שלום" : "lorem"
    let text = Array(repeating: word, count: 8).joined(separator: " ")
    let lines = try Self.lines(Self.layer(text) { ($0.wraps, $0.alignment) = (true, .justified) })
    #expect(lines.count > 1)
    for line in lines.dropLast() { #expect(line.lowerBound <= 15 && line.upperBound >= 284, "\(line)") }
    let last = try #require(lines.last)
    #expect(isRightToLeft ? last.upperBound >= 284 : last.lowerBound <= 15, "\(last)")
    #expect(last.count < 270)
  }

  /// Lines that are longer than the box begin where they are read, too.
  @Test(arguments: [true, false]) func line_longerThanTheBox_startsAtItsSide(isRightToLeft: Bool) throws {
    let word = isRightToLeft ? "שלום" : "lorem"
    let line = try #require(try Self.lines(Self.layer(Array(repeating: word, count: 8).joined(separator: " ")) { _ in }).first)
    #expect(isRightToLeft ? (284...290).contains(line.upperBound) && line.lowerBound < 3 : (10...15).contains(line.lowerBound))
  }
}
