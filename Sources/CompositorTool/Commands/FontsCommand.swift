import ArgumentParser
import Compositor
import Foundation

/// `compositor fonts`.
struct FontsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fonts",
    abstract: "List the fonts of titles and captions, and show which one a name or a text gets.",
    discussion: """
      The families are those of Fontconfig, as on this machine. Without a name all are listed, with their styles, weights and files. A \
      project lists files of its own under fonts.

      EXAMPLES
        compositor fonts
        compositor fonts "DejaVu Sans"
        compositor fonts Helvetica
        compositor fonts --text "Grüße, 講演"
        compositor fonts "DejaVu Sans" --text "한국어" --json
      """)

  @Argument(help: "The name of a family as titles write it; several with commas between them are tried in order.")
  var name: String?

  @Option(help: ArgumentHelp("Show which fonts draw this text in the family.", valueName: "text"))
  var text: String?

  @Flag(help: "Print JSON.")
  var json = false

  func validate() throws {
    if name?.trimmingCharacters(in: .whitespaces).isEmpty == true { throw ValidationError("The name of the family is empty.") }
    if text?.isEmpty == true { throw ValidationError("--text has no characters.") }
  }

  func run() throws {
    let library = try FontLibrary()
    let match = name.map(library.match)
    let drawn = try text.map { text throws(CompositorError) in try FontLibrary.fonts(drawing: text, family: name ?? "") }
    // A text has fonts of its own; a list of all would hide them.
    let faces = library.faces.filter { face in match.map { face.family == $0.family } ?? (drawn == nil) }
    let list = FontList(faces: faces, name: name, match: match, text: text, drawn: drawn)
    try Terminal.result(json ? list.json : list.lines)
  }
}

/// What `compositor fonts` prints.
struct FontList {
  let faces: [FontFace]
  let name: String?
  let match: FontMatch?
  let text: String?
  let drawn: TextFonts?

  /// The list for people.
  var lines: String {
    var lines: [String] = []
    if let name, let match, match.isSubstitute || match.family?.lowercased() != name.lowercased() {
      lines.append(contentsOf: FontList.lines(of: match, named: name))
    }
    if let drawn {
      lines.append(contentsOf: drawn.fonts.map { "\($0.family)  \($0.path)" })
      if let first = drawn.firstMissing {
        let advice = drawn.package.map { ": install one, for example \($0)" } ?? ""
        lines.append("No font has \(drawn.missingCount) of the characters, the first is \(first)\(advice).")
      }
    } else {
      lines.append(contentsOf: familyLines)
    }
    return (lines.isEmpty ? ["There are no fonts: install some, for example fonts-dejavu-core."] : lines).joined(
      separator: "\n")
  }

  private static func lines(of match: FontMatch, named name: String) -> [String] {
    guard let family = match.family else { return [] }
    guard match.isSubstitute else { return ["\"\(name)\" is \"\(family)\"."] }
    var line = "There is no font family \"\(name)\": titles refuse it, or draw it in \"\(family)\" with substituteFont: true."
    if !match.similarFamilies.isEmpty { line += " Similar names: \(match.similarFamilies.joined(separator: ", "))." }
    return [line]
  }

  /// Each family with its styles below it.
  private var familyLines: [String] {
    let styles = faces.map { face in
      [face.style, face.weight.map(String.init) ?? "", face.isVariable ? "variable" : face.isItalic ? "italic" : ""]
    }
    let widths = (0..<3).map { column in styles.map { $0[column].count }.max() ?? 0 }
    var lines: [String] = []
    for (index, face) in faces.enumerated() {
      if index == 0 || faces[index - 1].family != face.family { lines.append(face.family) }
      let cells = zip(styles[index], widths).map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }
      lines.append("  \(cells.joined(separator: "  "))  \(face.path)")
    }
    return lines
  }

  /// The list for programs.
  var json: String {
    get throws {
      var object: [String: Any] = ["families": families]
      if let name, let match {
        object["name"] = name
        object["family"] = match.family
        object["isSubstitute"] = match.isSubstitute
        object["similarFamilies"] = match.similarFamilies
      }
      if let text, let drawn {
        object["text"] = text
        object["fonts"] = drawn.fonts.map { ["family": $0.family, "file": $0.path] }
        object["missingCharacters"] = drawn.missingCount
        object["firstMissingCharacter"] = drawn.firstMissing
      }
      let data = try JSONSerialization.data(
        withJSONObject: object, options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
      return String(decoding: data, as: UTF8.self)
    }
  }

  private var families: [[String: Any]] {
    var families: [(name: String, faces: [[String: Any]])] = []
    for face in faces {
      var object: [String: Any] = [
        "style": face.style, "italic": face.isItalic, "variable": face.isVariable, "file": face.path,
      ]
      object["weight"] = face.weight
      if families.last?.name != face.family { families.append((face.family, [])) }
      families[families.count - 1].faces.append(object)
    }
    return families.map { ["family": $0.name, "faces": $0.faces] }
  }
}
