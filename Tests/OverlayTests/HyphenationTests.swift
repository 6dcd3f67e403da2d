import CompositorAPI
import CompositorOverlay
import Foundation
import Testing

/// Whether the dictionaries are installed with which words are divided here.
private let hasDictionaries = ["de_DE", "en_US"].allSatisfy {
  FileManager.default.fileExists(atPath: "/usr/share/hyphen/hyph_\($0).dic")
}

/// Words divided at the ends of lines by the dictionaries of the system.
@Suite(.enabled(if: hasDictionaries, "hyphen-de and hyphen-en-us are not installed"))
struct HyphenationTests {
  private static let fonts = try? FontLibrary()

  private static func text(_ string: String, language: String = "de", size: Double = 30) -> TextContent {
    var text = TextContent(string, font: TextFont(family: "DejaVu Sans", size: size))
    (text.wraps, text.hyphenates, text.language, text.allowsFontSubstitution) = (true, true, language, true)
    return text
  }

  private static func styled(_ text: TextContent, width: Double = 4000) -> StyledText {
    StyledText(text, size: Size(width: width, height: 1000))
  }

  /// The text with `-` where a word may be divided.
  private static func divided(_ text: TextContent) -> String {
    let styled = styled(text)
    var bytes = Array(styled.string.utf8)
    for place in styled.hyphens.reversed() { bytes.insert(UInt8(ascii: "-"), at: place) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The lines as they are drawn, with `-` for the hyphens.
  private static func lines(_ text: TextContent, width: Double) throws -> [String] {
    let styled = styled(text, width: width)
    let layout = try #require(fonts).engine.layout(styled)
    let bytes = Array(styled.string.utf8)
    var lines: [String] = []
    for (index, cluster) in layout.clusters.enumerated() {
      if cluster.line >= lines.count { lines.append("") }
      let isHyphen = index > 0 && layout.clusters[index - 1].start == cluster.start
      lines[cluster.line] += isHyphen ? "-" : String(decoding: bytes[cluster.start..<cluster.end], as: UTF8.self)
    }
    return lines.map { $0.trimmingCharacters(in: .whitespaces) }
  }

  /// As Pyphen, another reader of these dictionaries, divides them.
  @Test(arguments: [
    ("en-US", "Hyphenation of typography", "Hy-phen-ation of ty-pog-ra-phy"),
    ("en-US", "INTERNATIONALIZATION", "IN-TER-NA-TION-AL-IZA-TION"),
    ("en-US", "extraordinary record", "ex-tra-or-di-nary record"),
    ("en", "(typography), shouldn’t", "(ty-pog-ra-phy), shouldn’t"),
    ("de", "Donaudampfschiffahrt", "Do-nau-dampf-schif-fahrt"),
    ("de-DE", "Straßenbahn österreichisch", "Stra-ßen-bahn ös-ter-rei-chisch"),
    ("de-LI-1996", "Verantwortungsbewusstsein", "Ver-ant-wor-tungs-be-wusst-sein"),
    ("DE_de", "Zucker Auge", "Zu-cker Auge"),
  ])
  func words_areDividedByTheDictionary(language: String, string: String, expected: String) {
    #expect(Self.divided(Self.text(string, language: language)) == expected)
  }

  @Test(arguments: [
    "Silben\u{AD}trennung", "Halbleiter2025", "4Silbentrennung", "Silben_trennung", "👩‍👩‍👧‍👦 🇩🇪", "سلام عليكم", "שלום עולם",
    "東京都庁舎", "Auge Esel",
  ])
  func words_ofOtherKinds_stayWhole(string: String) {
    let styled = Self.styled(Self.text(string))
    #expect(styled.hyphens.isEmpty && styled.string == string)
  }

  @Test func letters_withMarks_areNotParted() {
    // Decomposed, as some systems write file names.
    let string = "Osterreichisch o\u{308}sterreichisch"
    let styled = Self.styled(Self.text(string))
    let starts = Set(string.indices.map { string.utf8.distance(from: string.startIndex, to: $0) })
    #expect(!styled.hyphens.isEmpty && styled.hyphens.allSatisfy(starts.contains))
  }

  @Test func runs_haveTheirOwnLanguages() {
    var text = Self.text("", language: "de")
    text.runs = [TextRun("Silben"), TextRun("trennung ", color: .black), TextRun("typography")]
    text.runs[2].language = "en-US"
    #expect(Self.divided(text) == "Sil-ben-tren-nung ty-pog-ra-phy")
  }

  @Test func transformedLetters_areDividedAsTheyAreShown() {
    var text = Self.text("Straßenbahn")
    text.transform = .uppercase
    #expect(Self.divided(text) == "STRAS-SEN-BAHN")
  }

  @Test func lines_endWithHyphens() throws {
    let text = Self.text("Silbentrennung und Verantwortungsbewusstsein")
    #expect(try Self.lines(text, width: 190) == ["Silbentren-", "nung und", "Verantwor-", "tungsbe-", "wusstsein"])
    var whole = text
    whole.hyphenates = false
    #expect(try Self.lines(whole, width: 400).first == "Silbentrennung und")
    #expect(try Self.lines(text, width: 400).first == "Silbentrennung und Ver-")
  }

  /// Hyphens that aren't drawn change nothing: neither widths, kerning, ligatures, tracking nor units.
  @Test(arguments: ["office Typographisch AVATAR", "Schifffahrt difficult Waffeln"], [0, 3.5])
  func layout_withRoom_isThatOfTheTextWithout(string: String, tracking: Double) throws {
    let engine = try #require(Self.fonts).engine
    var text = Self.text(string)
    text.tracking = tracking
    #expect(!Self.styled(text).hyphens.isEmpty)
    let layout = try engine.layout(Self.styled(text))
    text.hyphenates = false
    let plain = try engine.layout(Self.styled(text))
    #expect(layout.clusters == plain.clusters && layout.extents == plain.extents)
    for unit in TextAnimator.Unit.allCases { #expect(layout.units(by: unit) == plain.units(by: unit)) }
  }

  @Test(arguments: [120.0, 150, 151, 152, 190, 240, 241, 310], [0, 2.5, -1])
  func units_areThoseOfTheWords(width: Double, tracking: Double) throws {
    let engine = try #require(Self.fonts).engine
    let string = "Silbentrennung und Verantwortung für Donaudampfer"
    var text = Self.text(string, size: 20)
    text.tracking = tracking
    let (layout, whole) = (try engine.layout(Self.styled(text, width: width)), try engine.layout(Self.styled(text)))
    for unit in [TextAnimator.Unit.character, .word] {
      #expect(layout.units(by: unit).count == whole.units(by: unit).count, "\(unit)")
    }
    #expect(layout.units(by: .word).count == 5)
    #expect(layout.extents.size.width <= width + 0.1)
    let hyphens = layout.clusters.indices.dropFirst().filter { layout.clusters[$0].start == layout.clusters[$0 - 1].start }
    #expect(!hyphens.isEmpty || width > 160)
    for index in hyphens {
      // The last of its line, and part of the unit of the letter before it.
      #expect(layout.clusters[index].ink.size.width > 0 && layout.clusters[index + 1].line == layout.clusters[index].line + 1)
      #expect(layout.units(by: .character).contains { $0.contains(index) && $0.contains(index - 1) })
    }
  }

  @Test func reveal_countsNoHyphens() throws {
    let engine = try #require(Self.fonts).engine
    var text = Self.text("Silbentrennung")
    let whole = try engine.layout(Self.styled(text, width: 120))
    for count in 0...14 {
      text.reveal = Double(count) / 14
      let layout = try engine.layout(Self.styled(text, width: 120))
      #expect(layout.clusters.map(\.box) == whole.clusters.map(\.box))
      let shown = layout.units(by: .character).filter { layout.clusters[$0.lowerBound].paint >= 0 }
      #expect(shown.count == count)
    }
  }

  @Test func box_isThatOfTheDrawnText() throws {
    let size = PixelSize(width: 300, height: 300)
    var layer = Layer()
    var text = Self.text("Verantwortungsbewusstsein", size: 22)
    text.maximumWidth = 150
    layer.content = .text(text)
    layer.layout = LayerLayout(left: 20, top: 10)
    let presenter = try LayerPresenter(Canvas.root(size, [layer]), canvas: size, fonts: try FontLibrary())
    let box = try presenter.firstSize
    #expect(box.width <= 150.1 && box.height > 70, "\(box)")
    let ink = TextDirectionTests.ink(try Canvas.draw([layer], over: Canvas.frame(size, .rgba)))
    #expect(Double(ink.width) <= box.width + 1 && Double(ink.height) <= box.height + 1 && ink.height > 60, "\(ink) in \(box)")
  }

  @Test func text_withoutLanguageOrDictionary_isAnError() throws {
    let fonts = try #require(Self.fonts)
    #expect {
      try fonts.require(Self.text("Silbentrennung", language: ""))
    } throws: { error in
      (error as? CompositorError)?.code == .invalidValue && "\(error)".contains("has no language")
    }
    for (language, advice) in [("xx", "Name another language"), ("is", "hyphen-is")] {
      guard !FileManager.default.fileExists(atPath: "/usr/share/hyphen/hyph_\(language).dic") else { continue }
      #expect {
        try fonts.require(Self.text("Silbentrennung", language: language))
      } throws: { error in
        (error as? CompositorError)?.code == .fileNotFound && "\(error)".contains("no hyphenation dictionary")
          && "\(error)".contains(advice)
      }
      #expect(throws: CompositorError.self) {
        try fonts.engine.extents(of: Self.styled(Self.text("Silbentrennung", language: language)))
      }
    }
    // No dictionary is needed for what has no words to divide.
    try fonts.require(Self.text("سلام 2025", language: "ar"))
  }

  @Test func dictionaries_areUsedByManyThreads() async throws {
    let expected = Self.divided(Self.text("Verantwortungsbewusstsein"))
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<200 { group.addTask { Self.divided(Self.text("Verantwortungsbewusstsein")) == expected } }
      for await isSame in group { #expect(isSame) }
    }
  }

  @Test func dictionaries_thatWereUsed_areNamed() throws {
    let fonts = try FontLibrary()
    #expect(fonts.usedDictionaries.isEmpty)
    _ = try fonts.engine.extents(of: Self.styled(Self.text("Silbentrennung")))
    #expect(fonts.usedDictionaries.keys.contains("hyph_de.dic"))
  }
}
