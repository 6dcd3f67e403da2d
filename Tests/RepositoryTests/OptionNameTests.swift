import Foundation
import Testing

/// Libraries name settings, which the tool spells as its options: a Swift program has none.
@Suite struct OptionNameTests {
  /// Files with texts that name options, and why.
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

  @Test func libraries_nameNoOptions() throws {
    // Not the variables of style sheets: var(--text).
    let option = /(?:^|[\s`“"]|[^r]\()(--[a-z][a-z][a-z-]*)/
    let all = FileManager.default.enumerator(atPath: Self.sources.path)?.compactMap { $0 as? String } ?? []
    var (searched, excepted) = (0, Set<String>())
    for file in all where [".swift", ".c", ".h"].contains(where: file.hasSuffix) && !Self.namesOptions(file) {
      searched += 1
      let text = try String(contentsOf: Self.sources.appending(path: file), encoding: .utf8)
      for line in text.split(separator: "\n") {
        let code = line.trimmingCharacters(in: .whitespaces)
        guard !code.hasPrefix("//"), let found = code.firstMatch(of: option) else { continue }
        excepted.insert(file)
        #expect(
          Self.exceptions[file] != nil,
          "\(file) names \(found.1), an option of the tool. Name the setting: \\(setting: …), as Wording does.")
      }
    }
    #expect(searched > 500 && excepted == Set(Self.exceptions.keys))
  }

  @Test func settings_haveWordsInTheTool() throws {
    func text(_ file: String) throws -> String { try String(contentsOf: Self.sources.appending(path: file), encoding: .utf8) }
    let names = try text("CompositorAPI/Wording/RecoveryOption.swift").matches(of: /static let (\w+) = Self\(/).map(\.1)
    let tool = try text("CompositorTool/Options/OptionSpelling.swift")
    #expect(names.count > 20)
    for name in names { #expect(tool.contains(try Regex("\\.\(name)\\b")), "OptionSpelling has no words for \(name).") }
  }
}
