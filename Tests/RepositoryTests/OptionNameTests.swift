import Foundation
import Testing

/// Libraries name settings and operations, which the tool spells as its options and commands: a Swift program has none.
@Suite struct OptionNameTests {
  /// Files with texts that name options or commands, and why.
  private static let exceptions = [
    "Plugins/New/PluginTexts.swift": "makefiles of new plugins, which run commands",
    "ProjectFormat/Schema/KeyTable.swift": "a page that says which command makes it",
    "ProjectFormat/Schema/TitleTable.swift": "a page that says which command makes it",
  ]

  private static let sources = Repository.root.appending(path: "Sources")

  /// The tool, and the commands that engines of farms run.
  private static func namesOptions(_ file: String) -> Bool {
    file.hasPrefix("CompositorTool/") || file.hasPrefix("Farm/Engines/") || file.contains(".docc/")
  }

  /// The first match of a pattern in each file of libraries that has one outside of comments.
  private static func lines(matching pattern: Regex<AnyRegexOutput>) throws -> [String: String] {
    let all = FileManager.default.enumerator(atPath: sources.path)?.compactMap { $0 as? String } ?? []
    var (searched, found) = (0, [String: String]())
    for file in all where [".swift", ".c", ".h"].contains(where: file.hasSuffix) && !namesOptions(file) {
      searched += 1
      let text = try String(contentsOf: sources.appending(path: file), encoding: .utf8)
      for line in text.split(separator: "\n") where found[file] == nil {
        let code = line.trimmingCharacters(in: .whitespaces)
        guard !code.hasPrefix("//") else { continue }
        found[file] = code.firstMatch(of: pattern).map { String(code[$0.range]) }
      }
    }
    #expect(searched > 500)
    return found
  }

  @Test func libraries_nameNoOptions() throws {
    // Not the variables of style sheets: var(--text).
    let found = try Self.lines(matching: Regex(#"(?:^|[\s`“"]|[^r]\()(--[a-z][a-z][a-z-]*)"#))
    for (file, option) in found where Self.exceptions[file] == nil {
      Issue.record("\(file) names \(option), an option of the tool. Name the setting: \\(setting: …), as Wording does.")
    }
    #expect(Self.exceptions.keys.allSatisfy { found[$0] != nil })
  }

  @Test func libraries_nameNoCommands() throws {
    let folder = Self.sources.appending(path: "CompositorTool")
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
    let commands = try files.flatMap { file in
      try String(contentsOf: folder.appending(path: file), encoding: .utf8)
        .matches(of: /commandName: "([a-z0-9-]+)"/).map { String($0.1) }
    }
    #expect(Set(commands).isSuperset(of: ["render", "probe", "plugins", "check", "compositors"]))
    let names = commands.filter { $0 != "compositor" }.joined(separator: "|")
    // `compositor probe`, `plugins check FILE`, and one alone in backticks: `validate`.
    let found = try Self.lines(
      matching: Regex("\\bcompositor (?:\(names))\\b|\\bplugins (?:\(names))\\b|`(?:\(names))(?: [^`]*)?`"))
    for (file, command) in found where Self.exceptions[file] == nil {
      Issue.record("\(file) names “\(command)”, a command of the tool. Name what it does: \\(operation: …), as Wording does.")
    }
  }

  @Test func settings_haveWordsInTheTool() throws {
    func text(_ file: String) throws -> String { try String(contentsOf: Self.sources.appending(path: file), encoding: .utf8) }
    let names = try text("CompositorAPI/Wording/RecoveryOption.swift").matches(of: /static let (\w+) = Self\(/).map(\.1)
    let tool = try text("CompositorTool/Options/OptionSpelling.swift")
    #expect(names.count > 20)
    for name in names { #expect(tool.contains(try Regex("\\.\(name)\\b")), "OptionSpelling has no words for \(name).") }
  }
}
