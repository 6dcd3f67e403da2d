import CCompositorPangoCairo
package import CompositorAPI
import Synchronization

/// A face of a font family: a style in a file.
package struct FontFace: Hashable, Sendable {
  /// The family by which titles name it.
  package let family: String
  /// The style as the font calls it, such as `Bold Oblique`.
  package let style: String
  /// The weight as in OpenType, 1 … 1000; `nil` if it is an axis of a variable font.
  package let weight: Int?
  /// Whether it is italic or oblique.
  package let isItalic: Bool
  /// Whether it is a variable font.
  package let isVariable: Bool
  /// The path of the file.
  package let path: String
}

/// What the name of a font in a title stands for.
package struct FontMatch: Hashable, Sendable {
  /// The family that text with this name is drawn in; `nil` if there are no fonts.
  package let family: String?
  /// Whether another family replaces it, which titles refuse unless they allow substitution.
  package let isSubstitute: Bool
  /// Families of similar names, if there is none of this name.
  package let similarFamilies: [String]
}

/// The fonts that draw a text.
package struct TextFonts: Hashable, Sendable {
  /// The fonts in the order of their first characters.
  package let fonts: [UsedFont]
  /// The number of characters that no font has.
  package let missingCount: Int
  /// The first of them, such as `U+D55C (한)`; `nil` if there are none.
  package let firstMissing: String?
  /// The Debian and Ubuntu package that has the first of them; `nil` if there are none.
  package let package: String?
}

extension FontLibrary {
  /// The faces of all families, by family, weight and style.
  package var faces: [FontFace] { engine.faces }

  /// What the name of a font in a title stands for. Of several names with commas between them it is the first that is there.
  package func match(_ name: String) -> FontMatch { engine.match(name) }

  /// The fonts that draw a text, with substitution.
  ///
  /// - Parameters:
  ///   - family: The family that the text names; empty for the default.
  ///   - provider: The fonts.
  /// - Throws: The errors of loading the fonts; `.invalidValue` if the text is malformed.
  package static func fonts(
    drawing text: String, family: String = "", from provider: FontProvider = .system
  ) throws(CompositorError) -> TextFonts {
    // A library remembers all fonts that it has used.
    let engine = try TextEngine(provider)
    var content = TextContent(text, font: TextFont(family: family))
    content.allowsFontSubstitution = true
    let extents = try engine.extents(of: StyledText(content, size: nil))
    let first = extents.missing > 0 ? extents.firstMissing : nil
    return TextFonts(
      fonts: engine.usedFonts, missingCount: Int(extents.missing), firstMissing: first?.codePoint, package: first?.fontPackage)
  }
}

extension TextEngine {
  fileprivate var faces: [FontFace] {
    let found = engine.withLock { engine in
      (0..<cpc_engine_face_count(engine.pointer)).compactMap { index -> FontFace? in
        var face = cpc_face()
        guard cpc_engine_get_face(engine.pointer, index, &face), let family = face.family, let style = face.style,
          let file = face.file
        else { return nil }
        return FontFace(
          family: String(cString: family), style: String(cString: style), weight: face.weight > 0 ? Int(face.weight) : nil,
          isItalic: face.is_italic, isVariable: face.is_variable, path: String(cString: file))
      }
    }
    return Set(found).sorted {
      ($0.family.lowercased(), $0.family, $0.weight ?? 0, $0.style, $0.path)
        < ($1.family.lowercased(), $1.family, $1.weight ?? 0, $1.style, $1.path)
    }
  }

  fileprivate func match(_ name: String) -> FontMatch {
    let names = (name.isEmpty ? defaultFamily : name).split(separator: ",").map { $0.drop { $0 == " " }.lowercased() }
    for name in names {
      if let family = families.first(where: { $0.lowercased() == name }) {
        return FontMatch(family: family, isSubstitute: false, similarFamilies: [])
      }
      if TextEngine.generic.contains(name) { return FontMatch(family: matched(name), isSubstitute: false, similarFamilies: []) }
    }
    let near = names.flatMap { name in families.filter { $0.isNear(name) } }
    return FontMatch(
      family: names.first.flatMap(matched), isSubstitute: true, similarFamilies: Array(near.prefix(3)))
  }

  private func matched(_ family: String) -> String? {
    engine.withLock { engine in family.withCString { cpc_engine_match(engine.pointer, $0).map { String(cString: $0) } } }
  }
}
