import CompositorAPI
import CompositorOverlay
import Testing

/// Ready-made titles stay in the frame, whatever its shape.
struct TitleTemplateTests {
  static let titles: [TitleTemplate] = [
    .title("Fantastic Adventures"), .lowerThird("Ada Lovelace", role: "Mathematician"),
    .caption("Two lines of speech that are long enough to wrap"),
    .creditsRoll(
      "Directed by\nAda Augusta King, Countess of Lovelace\n\nMusic\nSOMEBODY WITH A LONG NAME\n山田太郎、鈴木花子、佐藤次郎 と 仲間たち"),
  ]

  @Test(arguments: titles.indices, [(160, 90), (90, 160), (120, 120)])
  func title_inAFrameOfAnyShape_keepsOffItsSides(index: Int, frame: (width: Int, height: Int)) throws {
    let size = PixelSize(width: frame.width * 4, height: frame.height * 4)
    var style = TitleStyle()
    (style.fade, style.allowsFontSubstitution) = (0, true)
    let title = TitleTemplateTests.titles[index].layer(canvas: size, style: style, start: .zero, duration: .seconds(4))
    let drawn = try Canvas.draw([title], over: Canvas.frame(size, .rgba), at: 2)
    let samples = Canvas.samples(drawn, plane: 0)
    let columns = (0..<size.width).filter { x in samples.contains { $0[4 * x] > 60 } }
    let margin = Double(size.width) * TitleTemplate.safeMargin - 2
    #expect(Double(columns.first ?? 0) >= margin && Double(size.width - 1 - (columns.last ?? size.width)) >= margin)
  }

  @Test(arguments: [
    ("Ada Lovelace", 540, 960), ("Augusta Ada King, Countess of Lovelace", 1280, 720), ("WILLIAM MCGONAGALL", 1280, 720),
  ])
  func lowerThird_ofAnyName_showsAllOfIt(name: String, width: Int, height: Int) throws {
    let size = PixelSize(width: width, height: height)
    let title = TitleTemplate.lowerThird(name, role: "Mathematician").layer(canvas: size, start: .zero, duration: .seconds(4))
    let library = try FontLibrary()
    for layer in title.sublayers.flatMap(\.sublayers) {
      guard case .text(var text) = layer.content else { continue }
      text.truncation = .none
      let width = try library.engine.extents(of: StyledText(text, size: nil)).size.width
      #expect(width <= layer.bounds.size.width, "\(text.string)")
    }
  }
}
