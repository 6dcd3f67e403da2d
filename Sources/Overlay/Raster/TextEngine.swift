import CCompositorPangoCairo
package import CompositorAPI
import Synchronization

/// Lays out text and rasters it. Thread-safe; calls are serialized.
package final class TextEngine: Sendable {
  struct Engine: ~Copyable {
    let pointer: OpaquePointer
    deinit { cpc_engine_destroy(pointer) }
  }

  let engine: Mutex<Engine>
  private let languages = Mutex<Set<String>>([])
  let families: [String]
  let defaultFamily: String

  /// - Throws: `.unreadableMedia` if a file is not a font.
  package init(_ fonts: FontProvider) throws(CompositorError) {
    guard let pointer = cpc_engine_create(fonts.usesSystemFonts) else {
      throw CompositorError(
        .resourceExhausted, "The system's font configuration cannot be loaded.",
        recoverySuggestion: "Install Fontconfig, or give font files and exclude the system's fonts.")
    }
    for file in fonts.files {
      let isFont = file.bytes.withUnsafeBytes { cpc_engine_add_font(pointer, $0.baseAddress, $0.count) }
      guard isFont else {
        cpc_engine_destroy(pointer)
        throw CompositorError(
          .unreadableMedia, "The file is not a usable font.", recoverySuggestion: "Give a TrueType or OpenType file.",
          at: ErrorLocation(file: file.name))
      }
    }
    families = (0..<cpc_engine_family_count(pointer)).compactMap { index in
      cpc_engine_family(pointer, index).map { String(cString: $0) }
    }
    defaultFamily = fonts.defaultFamily
    engine = Mutex(Engine(pointer: pointer))
  }

  /// The size of a text's lines, and the bounds of their ink.
  package func extents(of text: StyledText) throws(CompositorError) -> TextExtents {
    try withLayout(text) { layout, _ in TextExtents(layout) }
  }

  /// The coverage of a text on a grid: its outline, its paints, its colored glyphs.
  package func raster(_ text: StyledText, on grid: RasterGrid) throws(CompositorError) -> TextRaster {
    let raster: Result<TextRaster, CompositorError> = try withLayout(text) { layout, text in
      Result { () throws(CompositorError) in try TextRaster(layout, text, grid) }
    }
    return try raster.get()
  }

  /// The units of a text.
  package func layout(_ text: StyledText) throws(CompositorError) -> TextLayout {
    try withLayout(text) { layout, text in TextLayout(layout, text) }
  }

  /// The coverage of units of a text on a grid.
  func raster(_ text: StyledText, _ units: [TextUnit], on grid: RasterGrid) throws(CompositorError) -> TextUnitRaster {
    let raster: Result<TextUnitRaster, CompositorError> = try withLayout(text) { layout, text in
      Result { () throws(CompositorError) in try TextUnitRaster(layout, text, units, grid) }
    }
    return try raster.get()
  }

  /// The sizes of a text, after checking that its fonts exist and have its characters.
  ///
  /// - Throws: `.fileNotFound` if a family or character is missing and may not be replaced.
  package func checkedExtents(of text: StyledText) throws(CompositorError) -> TextExtents {
    try requireFamilies(of: text)
    let extents = try extents(of: text)
    guard extents.missing == 0 || text.allowsFontSubstitution else {
      throw CompositorError(
        .fileNotFound,
        "No font has \(extents.missing) of the characters of \"\(text.string.printable)\"\(extents.firstMissing.map { ", the first is \($0.codePoint)" } ?? "").",
        recoverySuggestion:
          "Give a font file that has them, or install one (for example \(extents.firstMissing?.fontPackage ?? "fonts-noto-core")).",
        at: .init(subject: .characters))
    }
    return extents
  }

  /// Checks that every family exists, or may be replaced.
  private func requireFamilies(of text: StyledText) throws(CompositorError) {
    guard !text.allowsFontSubstitution else { return }
    for run in text.runs {
      let wanted = run.family.isEmpty ? defaultFamily : run.family
      let names = wanted.split(separator: ",").map { $0.drop { $0 == " " }.lowercased() }
      if names.contains(where: { name in families.contains { $0.lowercased() == name } || TextEngine.generic.contains(name) }) {
        continue
      }
      throw CompositorError(
        .fileNotFound, "There is no font family \"\(wanted)\".", recoverySuggestion: advice(forFamilies: names),
        at: .init(subject: .font))
    }
  }

  /// Suggested replacements for missing families: from Fontconfig's rules, and similar names.
  private func advice(forFamilies names: [String]) -> String {
    var advice: [String] = []
    let substitute: String? = names.lazy.compactMap(self.substitute).first
    if let substitute { advice.append("Fontconfig's substitute is \"\(substitute)\".") }
    let near = names.flatMap { name in families.filter { $0.isNear(name) } }.prefix(3)
    if !near.isEmpty { advice.append("Similar names: \(near.joined(separator: ", ")).") }
    advice.append(
      "List its file under fonts, or allow substitution: substituteFont: true, in layers allowsFontSubstitution: true.")
    return advice.joined(separator: " ")
  }

  /// The fonts whose glyphs have been laid out so far, in the order of first use.
  var usedFonts: [UsedFont] {
    engine.withLock { engine in
      (0..<cpc_engine_font_count(engine.pointer)).map { index in
        UsedFont(
          family: String(cString: cpc_engine_font_family(engine.pointer, index)),
          path: String(cString: cpc_engine_font_file(engine.pointer, index)))
      }
    }
  }

  /// The hyphenation dictionaries used so far, by the names of their files, with checksums.
  var usedDictionaries: [String: String] {
    let found = languages.withLock { $0 }.compactMap(HyphenationDictionary.of)
    return Dictionary(found.map { ($0.name, String($0.checksum, radix: 16)) }, uniquingKeysWith: { first, _ in first })
  }

  /// Whether a family exists, ignoring case.
  package func has(_ family: String) -> Bool { families.contains { $0.lowercased() == family.lowercased() } }

  private func substitute(for family: String) -> String? {
    engine.withLock { engine in family.withCString { cpc_engine_substitute(engine.pointer, $0).map { String(cString: $0) } } }
  }

  static let generic: Set<String> = ["sans", "sans-serif", "serif", "monospace", "mono"]

  /// - Parameter body: Receives the layout, and the text with only those hyphens at which lines end.
  private func withLayout<R>(
    _ text: StyledText, _ body: (OpaquePointer, StyledText) -> sending R
  ) throws(CompositorError) -> sending R {
    if let problem = text.hyphenationProblem { throw problem.error }
    if !text.hyphens.isEmpty { languages.withLock { $0.formUnion(text.runs.map(\.language)) } }
    let made: R? = engine.withLock { engine in
      let roomy = text.withRoomForHyphens
      guard var layout = makeLayout(roomy, engine.pointer) else { return nil }
      defer {
        cpc_engine_note_fonts(engine.pointer, layout)
        cpc_layout_destroy(layout)
      }
      var text = text
      // Within a line, soft hyphens would be characters of their own: for tracking, and between the letters of ligatures.
      if !text.hyphens.isEmpty, text.keepHyphens(before: lineStarts(of: layout)) || roomy.width != text.width {
        guard let shorter = makeLayout(text, engine.pointer) else { return nil }
        cpc_layout_destroy(layout)
        layout = shorter
      }
      return body(layout, text)
    }
    guard let made else {
      throw CompositorError(
        .invalidValue, "A text is not valid UTF-8.", recoverySuggestion: "Write it as UTF-8 without zero bytes.")
    }
    return made
  }

  private func makeLayout(_ text: StyledText, _ engine: OpaquePointer) -> OpaquePointer? {
    var strings: [UnsafeMutablePointer<CChar>] = []
    defer { strings.forEach { $0.deallocate() } }
    func copy(_ string: String) -> UnsafePointer<CChar> {
      strings.append(copyOfCString(string))
      return UnsafePointer(strings[strings.count - 1])
    }
    var (bytes, styled) = text.withSoftHyphens
    let runs = styled.map { run in
      cpc_run(
        start: UInt32(run.start), end: UInt32(run.end), family: copy(run.family.isEmpty ? defaultFamily : run.family),
        features: run.features.isEmpty ? nil : copy(run.features),
        variations: run.variations.isEmpty ? nil : copy(run.variations),
        language: run.language.isEmpty ? nil : copy(run.language), size: run.size, tracking: run.tracking, rise: run.rise,
        weight: Int32(run.weight), paint: Int32(run.paint), underline: cpc_line(run.underline),
        strikethrough: cpc_line(run.strikethrough), is_italic: run.isItalic)
    }
    var paragraph = text.paragraph
    bytes.append(0)
    return bytes.withUnsafeBufferPointer { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        cpc_layout_create(engine, $0.baseAddress, bytes.count - 1, runs, runs.count, &paragraph)
      }
    }
  }

  private func lineStarts(of layout: OpaquePointer) -> Set<Int> {
    var starts = [UInt32](repeating: 0, count: cpc_layout_line_count(layout))
    cpc_layout_get_line_starts(layout, &starts)
    return Set(starts.map(Int.init))
  }
}

private func copyOfCString(_ string: String) -> UnsafeMutablePointer<CChar> {
  let bytes = string.utf8CString
  let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
  for (index, byte) in bytes.enumerated() { copy[index] = byte }
  return copy
}

extension cpc_line {
  fileprivate init(_ line: StyledText.Line?) {
    self.init(style: line.map { $0.isDouble ? 2 : 1 } ?? 0, paint: Int32(line?.paint ?? 0), thickness: line?.thickness ?? 0)
  }
}

extension Unicode.Scalar {
  /// The usual notation, and the character if it can be shown: U+D55C (한).
  var codePoint: String {
    let digits = String(value, radix: 16, uppercase: true)
    let shown = properties.generalCategory == .unassigned || properties.isWhitespace || value < 0xA0 ? "" : " (\(self))"
    return "U+" + String(repeating: "0", count: max(4 - digits.count, 0)) + digits + shown
  }

  /// The Debian and Ubuntu package of fonts that has this character.
  package var fontPackage: String {
    switch value {
    // Hangul, kana, bopomofo, and the other characters of East Asian scripts.
    case 0x1100...0x11FF, 0x2E80...0x303F, 0x3040...0x9FFF, 0xA960...0xA97F, 0xAC00...0xD7FF, 0xF900...0xFAFF, 0xFE30...0xFE4F,
      0xFF00...0xFFEF, 0x20000...0x3FFFF:
      "fonts-noto-cjk"
    default: properties.isEmojiPresentation ? "fonts-noto-color-emoji" : "fonts-noto-core"
    }
  }
}

extension String {
  /// Whether another name may have been intended: within two typing mistakes, or a prefix.
  func isNear(_ wanted: String) -> Bool {
    if wanted.count >= 4, lowercased().hasPrefix(wanted.lowercased()) { return true }
    return editDistance(lowercased(), wanted.lowercased()) <= Swift.max(1, Swift.min(count, wanted.count) / 4)
  }

  /// The first 40 characters for a message; control and bidirectional characters are escaped.
  fileprivate var printable: String {
    prefix(40).unicodeScalars.map { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned: scalar.escaped(asASCII: true)
      default: String(scalar)
      }
    }.joined()
  }
}
