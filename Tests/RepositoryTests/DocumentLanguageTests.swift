import Foundation
import Testing

/// Documents are written in the field's English: words and turns of phrase that readers stumble over do not come back.
@Suite struct DocumentLanguageTests {
  private static let root = Repository.root

  /// The README, what is beside it, the guides, and the articles and tutorials of DocC.
  static let pages: [String] = {
    let docs = (try? FileManager.default.contentsOfDirectory(atPath: root.appending(path: "docs").path)) ?? []
    let sources =
      FileManager.default.enumerator(atPath: root.appending(path: "Sources").path)?.compactMap { $0 as? String } ?? []
    let articles = sources.filter { $0.contains(".docc/") && ($0.hasSuffix(".md") || $0.hasSuffix(".tutorial")) }
    return ["README.md", "SECURITY.md", "CONTRIBUTING.md"] + docs.filter { $0.hasSuffix(".md") }.sorted().map { "docs/\($0)" }
      + articles.sorted().map { "Sources/\($0)" }
  }()

  /// What is not said, and what is said instead.
  static let avoided: [(pattern: String, instead: String)] = [
    (#"\bnobody\b"#, "nothing, no one; or say what happens"), (#"\bwhoever\b"#, "if you, a program that"),
    ("that is none", "that is not one"), (#"\bhand(s|ed)? on\b"#, "pass through, pass on"), (#"\blet(s)? go of\b"#, "release"),
    (#"\b(is|are) told\b"#, "is reported"), ("whole number", "integer"), (#"\bremed(y|ies)\b"#, "recovery suggestion"),
    (#"\bbehaviour\b"#, "behavior"), (#"\bcent(re|red)\b"#, "center"), (#"\bcancelled\b(?!`)"#, "canceled"),
    (#"\bgrey(s)?\b(?!scale)"#, "gray"), (#"\b(un)?(optimis|recognis|organis|initialis|normalis)\w+"#, "-ize"),
  ]

  @Test func pages_areFound() { #expect(Self.pages.count > 60) }

  @Test(arguments: pages) func page_isFreeOfAvoidedWords(_ page: String) throws {
    let text = try String(contentsOf: Self.root.appending(path: page), encoding: .utf8)
    for (pattern, instead) in Self.avoided {
      let expression = try Regex(pattern).ignoresCase()
      for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
        // The number 5000 of AVFoundation's list is spelled as the code is.
        guard !line.contains("`cancelled`"), line.firstMatch(of: expression) != nil else { continue }
        Issue.record("\(page):\(number + 1): \(line) (say: \(instead))")
      }
    }
  }

  /// The index leads to every page; the site takes its navigation from there.
  @Test(arguments: pages.filter { $0.hasPrefix("docs/") && $0 != "docs/README.md" }) func index_leadsToThePage(_ page: String)
    throws
  {
    let index = try String(contentsOf: Self.root.appending(path: "docs/README.md"), encoding: .utf8)
    #expect(index.contains("](\(page.dropFirst("docs/".count)))"))
  }

  /// Every target with public declarations has a catalog, and `make docs` makes it.
  @Test func publicTargets_haveACatalog() throws {
    let script = try String(contentsOf: Self.root.appending(path: "docs/tools/docs"), encoding: .utf8)
    let contributing = try String(contentsOf: Self.root.appending(path: "CONTRIBUTING.md"), encoding: .utf8)
    let sources = Self.root.appending(path: "Sources")
    var count = 0
    for match in contributing.matches(of: /\| `([A-Za-z0-9]+)` \| `([A-Za-z0-9]+)` \|/) {
      let (folder, target) = (String(match.1), String(match.2))
      // Declarations there are public only for protocols of the argument parser; the tool is not imported.
      guard target != "CompositorTool" else { continue }
      let files =
        FileManager.default.enumerator(atPath: sources.appending(path: folder).path)?.compactMap { $0 as? String } ?? []
      let isPublic = try files.filter { $0.hasSuffix(".swift") && !$0.contains(".docc/") }.contains {
        try String(contentsOf: sources.appending(path: "\(folder)/\($0)"), encoding: .utf8).contains(/\n\s*public (?!import)/)
      }
      guard isPublic else { continue }
      count += 1
      let page = sources.appending(path: "\(folder)/\(target).docc/\(target).md")
      #expect(FileManager.default.fileExists(atPath: page.path), "\(target) has no page \(page.path)")
      #expect(script.contains("\(target):\(folder)"), "docs/tools/docs leaves \(target) out")
    }
    #expect(count >= 22)
  }
}
