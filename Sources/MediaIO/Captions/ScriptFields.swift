/// The fields of events in ASS and SSA scripts, which the `Format:` line of the section names. libavformat assumes the usual ones, and libass a period before the
/// hundredths of times.
enum ScriptFields {
  private static let usual = ["layer", "start", "end", "style", "name", "marginl", "marginr", "marginv", "effect", "text"]
  private static let defaults = ["layer": "0", "style": "Default", "marginl": "0", "marginr": "0", "marginv": "0"]

  /// A script whose events have the usual fields in the usual order; the script itself if they do.
  ///
  /// The last field is the text, which may contain commas. Fields that are missing have their defaults. Events without a start or an end
  /// are left as they are.
  static func usual(_ script: String) -> String {
    guard isUnusual(script) else { return script }
    var (section, fields, lines): (String, [String], [String]) = ("", Self.usual, [])
    for line in script.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      if line.trimmed.hasPrefix("[") { section = line.trimmed.lowercased() }
      guard section == "[events]", let (key, value) = line.keyed else {
        lines.append(String(line))
        continue
      }
      switch key.lowercased() {
      case "format":
        fields = names(value)
        lines.append(
          "Format: \(fields.contains("marked") ? "Marked" : "Layer"), Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text"
        )
      case "dialogue", "comment": lines.append(event(value, fields).map { "\(key): \($0)" } ?? String(line))
      default: lines.append(String(line))
      }
    }
    return lines.joined(separator: "\n")
  }

  /// Whether a `Format:` line of events states other fields, or a time has another character before its hundredths.
  private static func isUnusual(_ script: String) -> Bool {
    var section = ""
    return script.split(whereSeparator: \.isNewline).contains { line in
      if line.trimmed.hasPrefix("[") { section = line.trimmed.lowercased() }
      guard section == "[events]", let (key, value) = line.keyed else { return false }
      if key.lowercased() == "format" { return names(value).map { $0 == "marked" ? "layer" : $0 } != usual }
      return key.lowercased() == "dialogue"
        && value.split(separator: ",").dropFirst().prefix(2).contains { time($0) != $0.trimmed }
    }
  }

  /// The names of fields in lowercase; the last is the text.
  private static func names(_ format: Substring) -> [String] {
    let names = format.split(separator: ",").map { $0.trimmed.lowercased() }.map { $0 == "actor" ? "name" : $0 }
    return names.dropLast() + ["text"]
  }

  /// An event with the usual fields; `nil` if it has no start or end.
  private static func event(_ value: Substring, _ names: [String]) -> String? {
    let values = value.split(separator: ",", maxSplits: names.count - 1, omittingEmptySubsequences: false)
    guard values.count == names.count else { return nil }
    var found = defaults
    for (name, value) in zip(names, values) { found[name] = name == "text" ? String(value) : value.trimmed }
    guard let start = found["start"], let end = found["end"] else { return nil }
    (found["start"], found["end"]) = (time(Substring(start)), time(Substring(end)))
    found["layer"] = found["marked"] ?? found["layer"]
    return usual.map { found[$0] ?? "" }.joined(separator: ",")
  }

  /// A time with a period before its hundredths.
  private static func time(_ text: Substring) -> String {
    let parts = text.trimmed.split(whereSeparator: { $0 == ":" || $0 == "." || $0 == "," || $0 == ";" })
    guard parts.count == 4, parts.allSatisfy({ Int($0) != nil }) else { return text.trimmed }
    return parts.prefix(3).joined(separator: ":") + "." + parts[3]
  }
}

extension Substring {
  /// Without white space around it.
  fileprivate var trimmed: String {
    let start = drop(while: \.isWhitespace)
    return String(start[..<(start.lastIndex { !$0.isWhitespace }.map(start.index(after:)) ?? start.startIndex)])
  }

  /// The parts before and after the first colon, without white space between them.
  fileprivate var keyed: (key: String, value: Substring)? {
    guard let colon = firstIndex(of: ":") else { return nil }
    return (self[..<colon].trimmed, self[index(after: colon)...].drop { $0 == " " || $0 == "\t" })
  }
}
