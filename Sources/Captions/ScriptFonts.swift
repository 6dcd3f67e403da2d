/// The font families that an ASS script names.
package enum ScriptFonts {
  /// The families of the styles that events use, and of tags in their text, in order and once each. Empty for a script with
  /// fonts of its own, whose families aren't known before they are loaded.
  package static func families(of script: String) -> [String] {
    var (section, columns): (Substring, [Substring]) = ("", [])
    var families: [Substring: Substring] = [:]
    var found: [String] = []
    func add(_ family: Substring) {
      // "@" is the vertical form of a font.
      let name = String((family.first == "@" ? family.dropFirst() : family).trimmingSpaces)
      if !name.isEmpty, !found.contains(where: { $0.lowercased() == name.lowercased() }) { found.append(name) }
    }
    for line in script.captionLines {
      if line.hasPrefix("[") {
        section = Substring(line.lowercased()).trimmingSpaces
        columns = []
        if section == "[fonts]" { return [] }
        continue
      }
      guard let colon = line.firstIndex(of: ":") else { continue }
      let (key, value) = (line[..<colon].trimmingSpaces, line[line.index(after: colon)...])
      if key == "Format" {
        columns = value.split(separator: ",").map(\.trimmingSpaces)
      } else if section.hasSuffix("styles]"), key == "Style" {
        let named = fields(value, columns)
        if let name = named["Name"], let family = named["Fontname"] { families[name] = family }
      } else if section == "[events]", key == "Dialogue" {
        let named = fields(value, columns)
        if let style = named["Style"], let family = families[style] ?? families["Default"] { add(family) }
        for tag in (named["Text"] ?? "").split(separator: "\\fn").dropFirst() {
          add(tag.prefix { $0 != "\\" && $0 != "}" })
        }
      }
    }
    return found
  }

  private static func fields(_ line: Substring, _ columns: [Substring]) -> [Substring: Substring] {
    guard !columns.isEmpty else { return [:] }
    let values = line.split(separator: ",", maxSplits: columns.count - 1, omittingEmptySubsequences: false)
    return Dictionary(zip(columns, values.map(\.trimmingSpaces))) { first, _ in first }
  }
}
