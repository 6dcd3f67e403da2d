import Foundation
import Testing

/// Every guide is in the index, and every public target in the API's pages. `scripts/check-language` reads what they say.
@Suite struct DocumentIndexTests {
  private static let root = Repository.root

  /// The guides.
  static let guides: [String] = {
    let docs = (try? FileManager.default.contentsOfDirectory(atPath: root.appending(path: "docs").path)) ?? []
    return docs.filter { $0.hasSuffix(".md") && $0 != "README.md" }.sorted()
  }()

  @Test func guides_areFound() { #expect(Self.guides.count > 30) }

  /// The index leads to every guide; the site takes its navigation from there.
  @Test(arguments: guides) func index_leadsToTheGuide(_ guide: String) throws {
    let index = try String(contentsOf: Self.root.appending(path: "docs/README.md"), encoding: .utf8)
    #expect(index.contains("](\(guide))"))
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
