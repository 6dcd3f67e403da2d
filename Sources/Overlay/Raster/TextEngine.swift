import CCompositorPangoCairo
package import CompositorAPI
import Synchronization

/// Lays text out and makes coverage of it. Any thread may call; one call runs at a time.
package final class TextEngine: Sendable {
  private struct Engine: ~Copyable {
    let pointer: OpaquePointer
    deinit { cpc_engine_destroy(pointer) }
  }

  private let engine: Mutex<Engine>
  private let families: [String]
  private let defaultFamily: String

  /// - Throws: `.unreadableMedia` for a file that is no font.
  package init(_ fonts: FontProvider) throws(CompositorError) {
    guard let pointer = cpc_engine_create(fonts.usesSystemFonts) else {
      throw CompositorError(
        .resourceExhausted, "The system's font configuration cannot be loaded.",
        recoverySuggestion: "Install fontconfig, or give font files and leave the system's fonts out.")
    }
    for file in fonts.files {
      let isFont = file.bytes.withUnsafeBytes { cpc_engine_add_font(pointer, $0.baseAddress, $0.count) }
      guard isFont else {
        cpc_engine_destroy(pointer)
        throw CompositorError(
          .unreadableMedia, "The file is no font that can be used.", recoverySuggestion: "Give a TrueType or OpenType file.",
          at: ErrorLocation(file: file.name))
      }
    }
    families = (0..<cpc_engine_family_count(pointer)).compactMap { index in
      cpc_engine_family(pointer, index).map { String(cString: $0) }
    }
    defaultFamily = fonts.defaultFamily
    engine = Mutex(Engine(pointer: pointer))
  }

  /// The size of a text's lines, and of what is drawn of them.
  package func extents(of text: StyledText) throws(CompositorError) -> TextExtents {
    try withLayout(text) { layout in TextExtents(layout) }
  }

  /// The coverage of a text on a grid: its outline, its paints, its colored glyphs.
  package func raster(_ text: StyledText, on grid: RasterGrid) throws(CompositorError) -> TextRaster {
    let raster: Result<TextRaster, CompositorError> = try withLayout(text) { layout in
      Result { () throws(CompositorError) in try TextRaster(layout, text, grid) }
    }
    return try raster.get()
  }

  /// The same, after making sure that its fonts are there and have its characters.
  ///
  /// - Throws: `.fileNotFound` for a family or characters that are not there and may not be replaced.
  package func checkedExtents(of text: StyledText) throws(CompositorError) -> TextExtents {
    try requireFamilies(of: text)
    let extents = try extents(of: text)
    guard extents.missing == 0 || text.allowsFontSubstitution else {
      throw CompositorError(
        .fileNotFound, "No font has \(extents.missing) of the characters of \"\(text.string.printable)\".",
        recoverySuggestion: "Give a font file that has them, or install one (for example fonts-noto-core).")
    }
    return extents
  }

  /// Throws unless every family is there, or may be replaced.
  private func requireFamilies(of text: StyledText) throws(CompositorError) {
    guard !text.allowsFontSubstitution else { return }
    for run in text.runs {
      let wanted = run.family.isEmpty ? defaultFamily : run.family
      let names = wanted.split(separator: ",").map { $0.drop { $0 == " " }.lowercased() }
      if names.contains(where: { name in families.contains { $0.lowercased() == name } || TextEngine.generic.contains(name) }) {
        continue
      }
      let near = families.sorted { $0.editDistance(to: wanted) < $1.editDistance(to: wanted) }.prefix(3)
      throw CompositorError(
        .fileNotFound, "There is no font family \"\(wanted)\".",
        recoverySuggestion: near.isEmpty
          ? "Give a font file." : "Near names: \(near.joined(separator: ", ")). Or give a font file, or allow substitution.")
    }
  }

  private static let generic: Set<String> = ["sans", "sans-serif", "serif", "monospace", "mono"]

  private func withLayout<R>(_ text: StyledText, _ body: (OpaquePointer) -> sending R) throws(CompositorError) -> sending R {
    let made: R? = engine.withLock { engine in
      var families: [UnsafeMutablePointer<CChar>] = []
      defer { families.forEach { $0.deallocate() } }
      let runs = text.runs.map { run in
        let name = copyOfCString(run.family.isEmpty ? defaultFamily : run.family)
        families.append(name)
        return cpc_run(
          start: UInt32(run.start), end: UInt32(run.end), family: name, size: run.size, tracking: run.tracking,
          weight: Int32(run.weight), paint: Int32(run.paint), is_italic: run.isItalic)
      }
      var paragraph = text.paragraph
      var bytes = Array(text.string.utf8)
      bytes.append(0)
      let layout = bytes.withUnsafeBufferPointer { bytes in
        bytes.withMemoryRebound(to: CChar.self) {
          cpc_layout_create(engine.pointer, $0.baseAddress, bytes.count - 1, runs, runs.count, &paragraph)
        }
      }
      guard let layout else { return nil }
      defer { cpc_layout_destroy(layout) }
      return body(layout)
    }
    guard let made else {
      throw CompositorError(
        .invalidValue, "A text is not valid UTF-8.", recoverySuggestion: "Write it as UTF-8 without zero bytes.")
    }
    return made
  }
}

private func copyOfCString(_ string: String) -> UnsafeMutablePointer<CChar> {
  let bytes = string.utf8CString
  let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
  for (index, byte) in bytes.enumerated() { copy[index] = byte }
  return copy
}

extension String {
  /// The first 40 characters for a message: those that would steer a terminal or turn its lines about are shown as escapes.
  fileprivate var printable: String {
    prefix(40).unicodeScalars.map { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned: scalar.escaped(asASCII: true)
      default: String(scalar)
      }
    }.joined()
  }

  /// Number of letters to change, add or leave out to come from one word to another, capitals not counted.
  package func editDistance(to other: String) -> Int {
    let (left, right) = (Array(lowercased().unicodeScalars), Array(other.lowercased().unicodeScalars))
    var row = Array(0...right.count)
    for (i, letter) in left.enumerated() {
      var corner = row[0]
      row[0] = i + 1
      for (j, other) in right.enumerated() {
        let cost = corner + (letter == other ? 0 : 1)
        corner = row[j + 1]
        row[j + 1] = Swift.min(cost, row[j] + 1, row[j + 1] + 1)
      }
    }
    return row[right.count]
  }
}
