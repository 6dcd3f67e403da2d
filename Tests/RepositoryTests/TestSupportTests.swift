import CompositorTestSupport
import Foundation
import Testing

/// What lets tests take less time: parts of tables, and files that are made once.
@Suite struct TestSupportTests {
  /// As many rows as columns, or more: each row has as many columns as asked for, and each column is met.
  @Test(.enabled(if: !TableSelection.isWhole), arguments: 1...5) func partOfATable_meetsEveryRowAndColumn(_ count: Int) {
    for size in 2...12 {
      let pairs = TableSelection.pairs(Array(0..<size), Array(0..<size), each: count)
      let expected = min(count, size)
      for index in 0..<size {
        #expect(Set(pairs.filter { $0.0 == index }.map(\.1)).count == expected, "row \(index) of \(size)")
        #expect(pairs.count { $0.1 == index } == expected, "column \(index) of \(size)")
      }
    }
  }

  /// A suite that leaves rows out is one of those that `make test-tables` runs whole.
  @Test func suitesThatRunInPart_areInTestTables() throws {
    let makefile = try String(contentsOf: Repository.root.appending(path: "Makefile"), encoding: .utf8)
    let list = try #require(makefile.firstMatch(of: /\nTABLES := ((?:.*\\\n)*.*)/))
    let listed = Set(list.1.split { $0.isWhitespace || $0 == "\\" }.map(String.init))
    let folder = Repository.root.appending(path: "Tests")
    let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    var found: Set<String> = []
    for name in names where name.hasSuffix("Tests.swift") && !name.hasPrefix("RepositoryTests/") {
      let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
      guard text.contains("TableSelection.") else { continue }
      let suites = Set(text.matches(of: /\bstruct (\w+Tests)\b/).map { String($0.1) })
      #expect(!suites.isDisjoint(with: listed), "\(name)")
      found.formUnion(suites)
    }
    #expect(found.count > 20)
  }

  /// Only what depends on nothing that a test can change is made once.
  @Test func outputOfFFmpeg_isKnownIfItReadsNoFileOfATest() throws {
    let folder = try TemporaryFolder()
    let source = ["-v", "error", "-f", "lavfi", "-i", "testsrc2"]
    let made = try #require(MadeOnce.output(ofFFmpeg: source + [folder.file("a.mkv")]))
    #expect(made.url.path == folder.file("a.mkv"))
    #expect(MadeOnce.output(ofFFmpeg: source + [folder.file("b.mkv")])?.key == made.key)
    #expect(MadeOnce.output(ofFFmpeg: source + [folder.file("b.mp4")])?.key != made.key)
    #expect(MadeOnce.output(ofFFmpeg: source + ["-an", folder.file("b.mkv")])?.key != made.key)
    for arguments in [
      source + ["-i", folder.file("a.mkv"), folder.file("b.mkv")],
      source + ["-vf", "ass=\(folder.file("a.ass"))", folder.file("b.mkv")],
      ["-i", "a.mkv", folder.file("b.mkv")], source + [folder.file("%d.png")], source + [folder.file("a.m3u8")],
      source + [folder.file("a.ogg")],
      source + ["-f", "null", "-"], source + ["b.mkv"],
    ] { #expect(MadeOnce.output(ofFFmpeg: arguments) == nil, "\(arguments)") }
  }

  @Test func fileThatIsMadeOnce_isCopied() throws {
    let folder = try TemporaryFolder()
    let urls = ["a", "b"].map { URL(filePath: folder.file($0)) }
    var count = 0
    for url in urls {
      try MadeOnce.file(url, key: ["TestSupportTests", folder.path]) {
        count += 1
        try Data("made".utf8).write(to: url)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: url.path)
      }
      #expect(try String(contentsOf: url, encoding: .utf8) == "made")
      #expect(try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int == 0o755)
      // A test may change its own.
      try Data("changed".utf8).write(to: url)
    }
    #expect(count == 1)
  }
}
