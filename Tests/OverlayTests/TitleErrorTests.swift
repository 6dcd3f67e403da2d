import CompositorAPI
import Foundation
import CompositorOverlay
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
    #expect(error?.recoverySuggestion?.contains("DejaVu Sans") == true)
    var substituted = TitleErrorTests.text("No Such Font")
    if case .text(var content) = substituted.content {
      content.allowsFontSubstitution = true
      substituted.content = .text(content)
    }
    #expect(throws: Never.self) { try Canvas.draw([substituted], over: Canvas.frame(TitleErrorTests.size)) }
  }

  @Test func layerThatIsTooLarge_isAnErrorThatSaysHowLargeItMayBe() throws {
    let error = try #require(throws: CompositorError.self) {
      try Canvas.draw([Canvas.box(Rect(x: 0, y: 0, width: 40_000, height: 30))], over: Canvas.frame(TitleErrorTests.size))
    }
    #expect(error.message.contains("too large to draw: it is 40000 by 30 pixels"), "\(error)")
    #expect(error.message.contains("fewer than 32000, and all together 64 million"), "\(error)")
  }

  /// Advice about fonts: only names that may have been meant.
  @Test func missingFont_withoutNearNames_listsNone() throws {
    func advice(_ family: String) throws -> String {
      let error = #expect(throws: CompositorError.self) {
        try Canvas.draw([TitleErrorTests.text(family)], over: Canvas.frame(TitleErrorTests.size))
      }
      return try #require(error?.recoverySuggestion)
    }
    #expect(try advice("Zzyzx Grotesk").hasPrefix("List its file under fonts, or allow substitution"))
    for family in ["Helvetica", "Arial", "Times"] {
      // A machine may have them.
      guard try !FontLibrary().engine.has(family) else { continue }
      #expect(try !advice(family).contains("Similar names") || advice(family).contains("Similar names: \(family)"), "\(family)")
    }
    #expect(try advice("dejavu sanz").contains("Similar names: DejaVu Sans"))
    #expect(try advice("DejaVu").contains("DejaVu Sans"), "its beginning")
  }

  /// What `fc-match` takes for a family; nil where the program is not installed.
  static func match(_ family: String) throws -> String? {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["fc-match", "--format=%{family[0]}", family]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle(forWritingAtPath: "/dev/null")
    try process.run()
    let name = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    return process.terminationStatus == 0 ? name : nil
  }

  @Test(.enabled(if: (try? match("serif")).flatMap { $0 } != nil, "fc-match is not installed"))
  func missingFont_withASubstituteOfFontconfig_namesIt() throws {
    let (library, usual) = (try FontLibrary(), try Self.match("no such family"))
    for family in ["Helvetica", "Arial", "Times New Roman", "Courier New", "Futura"] where !library.engine.has(family) {
      let error = #expect(throws: CompositorError.self) {
        try library.require(TextContent("a", font: TextFont(family: family)))
      }
      let substitute = try #require(try Self.match(family))
      let named = error?.recoverySuggestion?.contains("Fontconfig's substitute is \"\(substitute)\".") == true
      #expect(named == (substitute != usual), "\(family): \(substitute), \(error?.recoverySuggestion ?? "")")
    }
  }

  @Test(arguments: [
    ("한국어", "fonts-noto-cjk"), ("漢字", "fonts-noto-cjk"), ("かな", "fonts-noto-cjk"), ("𠀀", "fonts-noto-cjk"),
    ("，", "fonts-noto-cjk"),
    ("😀", "fonts-noto-color-emoji"), ("ᚠ", "fonts-noto-core"), ("አማርኛ", "fonts-noto-core"),
  ])
  func missingCharacter_names_thePackageThatHasIt(text: String, package: String) throws {
    #expect(try #require(text.unicodeScalars.first).fontPackage == package)
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: dejaVu)))
  func missingCharacters_areNamed() throws {
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: TitleErrorTests.dejaVu)))
    let fonts = try FontLibrary(FontProvider(files: [FontProvider.File(name: "f", bytes: bytes)], usesSystemFonts: false))
    let error = #expect(throws: CompositorError.self) {
      try fonts.require(TextContent("Name 한국어", font: TextFont(family: "DejaVu Sans")))
    }
    #expect(
      error?.message.contains("3 of the characters") == true && error?.message.contains("the first is U+D55C") == true,
      "\(error?.message ?? "")")
    #expect(error?.recoverySuggestion?.contains("fonts-noto-cjk") == true)
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

  /// The number of an open file is used again, while glyphs of the font that had it before may still be kept.
  @Test(.enabled(if: FileManager.default.fileExists(atPath: dejaVu)))
  func fontFiles_oneAfterAnother_areDrawnAsTheirOwn() throws {
    let folder = (TitleErrorTests.dejaVu as NSString).deletingLastPathComponent
    for (file, family) in [
      ("DejaVuSans", "DejaVu Sans"), ("DejaVuSansMono", "DejaVu Sans Mono"), ("DejaVuSans-Bold", "DejaVu Sans"),
    ] {
      let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(file).ttf")))
      var layer = TitleErrorTests.text(family)
      layer.position = Point(x: 32, y: 24)
      if file.hasSuffix("Bold"), case .text(var content) = layer.content {
        content.font.weight = 700
        layer.content = .text(content)
      }
      var options = OverlayRenderer.Options()
      options.fonts = FontProvider(files: [FontProvider.File(name: file, bytes: bytes)], usesSystemFonts: false)
      let given = try Canvas.draw([layer], over: Canvas.frame(TitleErrorTests.size), options: options)
      let installed = try Canvas.draw([layer], over: Canvas.frame(TitleErrorTests.size))
      #expect(Canvas.samples(given, plane: 0) == Canvas.samples(installed, plane: 0), "\(file)")
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

  /// Every property of every kind of content set to what no picture can have: an error, or a picture, and never a crash.
  @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300, -1e300, -1, 0, 1e6])
  func property_ofAnHostileNumber_isRefusedOrDrawn(
    number: Double
  ) throws {
    let image = try Canvas.frame(PixelSize(width: 8, height: 8), .rgba, FrameAttributes(color: .sRGB), color: .white)
    var options = OverlayRenderer.Options()
    options.images["logo"] = image
    options.fontLibrary = try FontLibrary()
    var emitter = EmitterContent()
    emitter.birthRate = 20
    var shape = ShapeContent(.star(center: Point(x: 10, y: 10), radius: 10), fill: .white)
    shape.strokeColor = .black
    let contents: [LayerContent] = [
      .none, .text(TextContent("a", font: TextFont(size: 12))), .shape(shape), .gradient(GradientContent([.black, .white])),
      .image(ImageContent("logo")), .replicator(ReplicatorContent(count: 2)), .emitter(emitter), .video,
    ]
    let frame = try Canvas.frame(TitleErrorTests.size)
    for content in contents {
      for property in LayerProperty.allCases {
        var layer = Layer(frame: Rect(x: 4, y: 4, width: 30, height: 30), content: content)
        layer.backgroundColor = .white
        layer.sublayers = [Canvas.box(Rect(x: 0, y: 0, width: 4, height: 4))]
        let value: AnimationValue
        switch property.kind {
        case .numbers(let count): value = .numbers([Double](repeating: number, count: count))
        case .list: value = .numbers([number, number, number, number])
        case .path: value = .path(.rectangle(Rect(x: number, y: 0, width: 4, height: number)))
        case .text: value = .text("\u{0}\u{202e}\u{10ffff}")
        }
        layer.set(property, to: value)
        do {
          _ = try Canvas.draw([layer], over: frame, options: options)
        } catch let error as CompositorError {
          #expect(!error.message.isEmpty && error.recoverySuggestion != nil, "\(property.rawValue): \(error)")
        }
      }
    }
  }

  @Test func path_justBelowTheLimits_isDrawnAndAboveThemRefused() throws {
    let size = PixelSize(width: 640, height: 360)
    let frame = try Canvas.frame(size)
    func shape(_ count: Int, stroke: Double = 0, dashes: [Double] = [], height: Int = 300) -> Layer {
      var path = ShapePath()
      path.move(to: .zero)
      for index in 1..<count {
        path.line(to: Point(x: Double(index * 7919 % 601), y: Double(index / 1000 % 60) + Double(index * 104_729 % height)))
      }
      var shape = ShapeContent(path, fill: stroke > 0 ? nil : .white)
      (shape.strokeColor, shape.lineWidth, shape.lineDashPattern) = (stroke > 0 ? .white : nil, max(stroke, 1), dashes)
      return Layer(frame: Rect(x: 0, y: 0, width: 640, height: 360), content: .shape(shape))
    }
    #expect(throws: Never.self) { try Canvas.draw([shape(99_999, height: 40)], over: frame) }
    #expect(throws: Never.self) { try Canvas.draw([shape(3_000, stroke: 2)], over: frame) }
    for (layer, name) in [
      (shape(99_999), "long edges"), (shape(100_001, height: 2), "too many steps"),
      (shape(50_000, stroke: 2), "a dense stroke"),
      (shape(500, stroke: 1, dashes: [0.5, 0.5]), "too many dashes"), (shape(2_000, stroke: 90_000), "a wide stroke"),
    ] {
      let error = #expect(throws: CompositorError.self, "\(name)") { try Canvas.draw([layer], over: frame) }
      #expect(error?.recoverySuggestion != nil)
    }
  }
}
