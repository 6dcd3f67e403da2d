import CompositorAPI

/// Variables whose value is used nowhere: those that a project declares, and those that titles give to their templates.
struct UnusedVariables {
  private let document: JSON5Node
  private let reader: ProjectReader
  private let directory: String
  private let text: SourceText
  /// The variables that the output's name uses.
  private let named: Set<String>

  init(_ document: JSON5Node, _ text: SourceText, directory: String, named: Set<String>) {
    (self.document, self.text, self.directory, self.named) = (document, text, directory, named)
    reader = ProjectReader(directory: directory)
  }

  func diagnostics() -> [ValidationDiagnostic] {
    declared + titles.flatMap { given(to: $0.title, path: $0.path) }
  }

  private var declared: [ValidationDiagnostic] {
    let variables = document.member("variables")?.members ?? []
    // Repetitions and conditions are no longer in the filled document. Text that was read once has no mistakes.
    guard !variables.isEmpty, let source = try? JSON5Reader.read(text) else { return [] }
    var used = named
    Self.visitStrings(source) { string, _ in used.formUnion(ProjectVariables.names(in: string)) }
    return variables.filter { !used.contains($0.key) }.map { variable in
      let name = variable.key
      return diagnostic(
        "The variable \(quoted(name)) is used nowhere: its value changes nothing.",
        lookAlike(of: name, in: source) ?? adding(name),
        path: "variables.\(name)")
    }
  }

  /// The advice on a text that other tools would fill in; `nil` if there is none.
  private func lookAlike(of name: String, in source: JSON5Node) -> String? {
    var advice: String?
    Self.visitStrings(source) { string, path in
      guard advice == nil, let written = UnusedVariables.lookAlike(of: name, in: string) else { return }
      advice = "Write \"${\(name)}\" for \(quoted(written)) in \(path)."
    }
    return advice
  }

  private func adding(_ name: String) -> String {
    "Write ${\(name)} in the string that should have it, or remove the variable."
  }

  /// What stands for a variable in the notations of other tools: `{{name}}`, `{name}`, `%name%`, `$name`; `nil` if none does.
  private static func lookAlike(of name: String, in string: String) -> String? {
    // Two dollar signs stand for one.
    if let found = ["$${\(name)}", "{{\(name)}}", "{\(name)}", "%\(name)%"].first(where: string.contains) { return found }
    guard let found = string.firstRange(of: "$\(name)") else { return nil }
    let isWhole = string[found.upperBound...].first.map { !($0.isLetter || $0.isNumber || $0 == "_") } ?? true
    return isWhole ? "$\(name)" : nil
  }

  private static func visitStrings(_ document: JSON5Node, _ body: (_ string: String, _ path: String) -> Void) {
    for member in document.members where member.key != "variables" { member.value.visitStrings(at: member.key, body) }
  }

  private var titles: [(title: JSON5Node, path: String)] {
    func titles(of node: JSON5Node, at path: String) -> [(title: JSON5Node, path: String)] {
      (node.member("titles")?.elements ?? []).enumerated().map { ($1, "\(path)titles[\($0)]") }
    }
    return titles(of: document, at: "")
      + (document.member("assets")?.members ?? []).flatMap { titles(of: $0.value, at: "assets.\($0.key).") }
  }

  /// The warnings about variables of a title that its template declares, but doesn't use.
  private func given(to title: JSON5Node, path: String) -> [ValidationDiagnostic] {
    let variables = title.member("variables")?.members ?? []
    guard !variables.isEmpty, let template = title.member("template") else { return [] }
    let value = ProjectValue(node: template, path: .root, text: text)
    // The template was read before.
    guard let file = try? TitleTemplateFile(contentsOf: reader.path(value), directory: directory, notes: nil) else { return [] }
    let used = file.usedNames
    return variables.filter { !used.contains($0.key) && $0.key != TitleTemplateFile.durationName }.map { variable in
      diagnostic(
        "The title's template doesn't use its variable \(quoted(variable.key)): the value changes nothing.",
        "Write ${\(variable.key)} in the template, or remove the variable.", path: "\(path).variables.\(variable.key)")
    }
  }

  private func diagnostic(_ message: String, _ advice: String, path: String) -> ValidationDiagnostic {
    ValidationDiagnostic(.unusedVariable, severity: .warning, message, recoverySuggestion: advice, path: path)
  }
}

extension ProjectVariables {
  /// The names that the references in a string may mean: `name:default` is a name as a whole, or one with a default, and
  /// `name.part` one as a whole, or a part of the value of one.
  static func names(in string: String) -> Set<String> {
    var names: Set<String> = []
    var rest = Substring(string)
    while let open = rest.firstRange(of: "${") {
      let dollars = rest[..<open.lowerBound].reversed().prefix { $0 == "$" }.count + 1
      rest = rest[open.upperBound...]
      guard dollars % 2 == 1, let close = rest.firstIndex(of: "}") else { continue }
      let reference = rest[..<close]
      names.insert(String(reference))
      // Names are short: the rest of a long reference is a default.
      for index in reference.prefix(1024).indices where [":", ".", "["].contains(reference[index]) {
        names.insert(String(reference[..<index]))
      }
      rest = rest[rest.index(after: close)...]
    }
    return names
  }
}
