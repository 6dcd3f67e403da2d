import CompositorAPI
import Foundation
import Overlay
import Testing

struct TitleErrorTests {
  static let size = PixelSize(width: 64, height: 48)

  static func text(_ family: String, _ string: String = "Name") -> Layer {
    var layer = Layer()
    layer.content = .text(TextContent(string, font: TextFont(family: family, size: 20)))
    return layer
  }

  @Test func missingFont_isAnErrorThatListsNearNames() throws {
    let error = #expect(throws: CompositorError.self) {
      try Canvas.draw([TitleErrorTests.text("DejaVuu Sans")], over: Canvas.frame(TitleErrorTests.size))
    }
    #expect(error?.code == .fileNotFound)
    #expect(error?.remedy?.contains("DejaVu Sans") == true)
    var substituted = TitleErrorTests.text("No Such Font")
    if case .text(var content) = substituted.content {
      content.allowsFontSubstitution = true
      substituted.content = .text(content)
    }
    #expect(throws: Never.self) { try Canvas.draw([substituted], over: Canvas.frame(TitleErrorTests.size)) }
  }

  @Test func brokenFontFile_isAnErrorThatNamesIt() throws {
    var options = OverlayRenderer.Options()
    options.fonts.files = [FontProvider.File(name: "broken.ttf", bytes: [UInt8](repeating: 7, count: 5000))]
    let error = #expect(throws: CompositorError.self) {
      try Canvas.draw([], over: Canvas.frame(TitleErrorTests.size), options: options)
    }
    #expect(error?.code == .unreadableMedia && error?.location.file == "broken.ttf")
  }

  static let dejaVu = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"

  @Test(.enabled(if: FileManager.default.fileExists(atPath: dejaVu)))
  func fontFile_withoutTheSystemsFonts_isUsedByItsFamily() throws {
    var options = OverlayRenderer.Options()
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: TitleErrorTests.dejaVu)))
    options.fonts = FontProvider(files: [FontProvider.File(name: "DejaVuSans.ttf", bytes: bytes)], usesSystemFonts: false)
    var layer = TitleErrorTests.text("DejaVu Sans")
    layer.position = Point(x: 32, y: 24)
    let frame = try Canvas.draw([layer], over: Canvas.frame(TitleErrorTests.size), options: options)
    let lit = Canvas.samples(frame, plane: 0).joined().count { $0 > 100 }
    #expect(lit > 100)
    #expect(throws: CompositorError.self) {
      try Canvas.draw([TitleErrorTests.text("Noto Sans")], over: Canvas.frame(TitleErrorTests.size), options: options)
    }
    #expect(throws: CompositorError.self, "the font has no such characters") {
      try Canvas.draw([TitleErrorTests.text("DejaVu Sans", "漢字")], over: Canvas.frame(TitleErrorTests.size), options: options)
    }
  }

  @Test func missingImage_isAnError() throws {
    let layer = Layer(frame: Rect(x: 0, y: 0, width: 10, height: 10), content: .image(ImageContent("logo")))
    #expect(throws: CompositorError.self) { try Canvas.draw([layer], over: Canvas.frame(TitleErrorTests.size)) }
  }

  @Test func hostileLayers_endInAnErrorOrInBoundedTime() throws {
    let frame = try Canvas.frame(TitleErrorTests.size)
    var huge = Canvas.box(Rect(x: 0, y: 0, width: 900_000, height: 900_000))
    #expect(throws: CompositorError.self) { try Canvas.draw([huge], over: frame) }
    huge.bounds.size = .zero
    huge.transform = .scale(0)
    #expect(throws: Never.self) { try Canvas.draw([huge], over: frame) }
    var path = ShapePath()
    for index in 0..<1_000_000 { path.line(to: Point(x: Double(index % 61), y: Double(index * 7 % 47))) }
    let dense = Layer(frame: Rect(x: 0, y: 0, width: 64, height: 48), content: .shape(ShapeContent(path, fill: .white)))
    let start = ContinuousClock.now
    #expect(throws: CompositorError.self, "too many lines") { try Canvas.draw([dense], over: frame) }
    #expect(ContinuousClock.now - start < .seconds(10))
    #expect(throws: CompositorError.self) {
      try Canvas.draw([TitleErrorTests.text("DejaVu Sans", String(repeating: "word ", count: 200_000))], over: frame)
    }
  }
}
