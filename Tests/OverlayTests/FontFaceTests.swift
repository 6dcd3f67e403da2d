import CompositorAPI
import CompositorOverlay
import Testing

/// The list of fonts, and what names and texts get.
@Suite struct FontFaceTests {
  @Test func faces_ofDejaVu_areListed() throws {
    let faces = try FontLibrary().faces.filter { $0.family == "DejaVu Sans" }
    #expect(faces.contains { $0.weight == 400 && !$0.isItalic }, "\(faces)")
    #expect(faces.contains { $0.weight == 700 }, "\(faces)")
    #expect(faces.allSatisfy { $0.path.hasPrefix("/") && !$0.style.isEmpty && !$0.isVariable }, "\(faces)")
  }

  @Test func faces_areInOrder_andDifferent() throws {
    let faces = try FontLibrary().faces
    #expect(!faces.isEmpty && Set(faces).count == faces.count)
    let names = faces.map { $0.family.lowercased() }
    #expect(names == names.sorted())
  }

  @Test func faces_withoutTheSystems_areNone() throws {
    let library = try FontLibrary(FontProvider(usesSystemFonts: false))
    #expect(library.faces.isEmpty)
  }

  @Test(arguments: [
    ("DejaVu Sans", "DejaVu Sans", false), ("dejavu sans", "DejaVu Sans", false),
    ("No Such Font, DejaVu Sans", "DejaVu Sans", false),
    ("", "DejaVu Sans", false),
  ])
  func name_ofAFamily_isIt(name: String, family: String, isSubstitute: Bool) throws {
    let match = try FontLibrary().match(name)
    #expect(match.family == family && match.isSubstitute == isSubstitute && match.similarFamilies.isEmpty, "\(match)")
  }

  @Test func name_generic_isNotRefused() throws {
    let match = try FontLibrary().match("sans-serif")
    #expect(match.family != nil && !match.isSubstitute, "\(match)")
  }

  /// What titles say of a name, the match says, too.
  @Test(arguments: ["DejaVu Sanz", "No Such Font", "Helvetica", "DejaVu Sans", "monospace"])
  func name_refusedByTitles_isASubstitute(name: String) throws {
    let library = try FontLibrary()
    let match = library.match(name)
    let isRefused = (try? library.require(TextContent("a", font: TextFont(family: name)))) == nil
    #expect(match.isSubstitute == isRefused, "\(match)")
    if name == "DejaVu Sanz" { #expect(match.similarFamilies.contains("DejaVu Sans"), "\(match)") }
  }

  @Test func text_ofLatinLetters_isDrawnInItsFamily() throws {
    let drawn = try FontLibrary.fonts(drawing: "Grüße", family: "DejaVu Sans")
    #expect(drawn.fonts.map(\.family) == ["DejaVu Sans"] && drawn.missingCount == 0 && drawn.firstMissing == nil, "\(drawn)")
  }

  @Test func text_withACharacterOfNoFont_saysWhich() throws {
    let drawn = try FontLibrary.fonts(drawing: "a\u{10FFFD}")
    #expect(drawn.missingCount == 1 && drawn.firstMissing?.hasPrefix("U+10FFFD") == true && drawn.package != nil, "\(drawn)")
  }
}
