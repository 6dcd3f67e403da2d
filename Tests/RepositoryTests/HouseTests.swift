import Foundation
import Testing

/// Checks the claims of CONTRIBUTING.md.
@Suite struct HouseTests {
  private static let root = Repository.root

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  private static func folders(_ path: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: root.appending(path: path).path).filter { !$0.hasPrefix(".") }.sorted()
  }

  /// Rows of the table: folder and target.
  private static func rows() throws -> [(folder: String, target: String)] {
    try text("CONTRIBUTING.md").split(separator: "\n").compactMap { line in
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard line.hasPrefix("| `"), cells.count >= 3, cells[0].hasPrefix("`"), cells[1].hasPrefix("`") else { return nil }
      return (cells[0].trimmingCharacters(in: ["`"]), cells[1].trimmingCharacters(in: ["`"]))
    }
  }

  @Test func table_namesEveryFolderAndItsTarget() throws {
    let rows = try Self.rows()
    #expect(rows.map(\.folder).sorted() == (try Self.folders("Sources")))
    let manifest = try Self.text("Package.swift")
    for (folder, target) in rows {
      #expect(
        manifest.contains("\"\(target)\"") && manifest.contains(folder == target ? "\"\(target)\"" : "\"\(folder)\"")
          || manifest.contains("Sources/\(folder)\""), "\(folder): \(target)")
    }
  }

  /// Names that another package of a graph may well have.
  @Test func targets_haveNamesOfTheirOwn() throws {
    for (_, target) in try Self.rows() { #expect(target.contains("Compositor"), "\(target)") }
  }

  @Test func paths_inContributing_exist() throws {
    let text = try Self.text("CONTRIBUTING.md")
    let paths = text.matches(of: /`((?:Sources|Tests|Plugins|Examples|Benchmarks|docs|scripts)\/[A-Za-z0-9_\/.+-]+)`/).map {
      String($0.1)
    }
    #expect(paths.count > 5)
    for path in paths {
      #expect(FileManager.default.fileExists(atPath: Self.root.appending(path: path).path), "\(path)")
    }
  }

  /// Prints the size of each target. About 75 files are easy to find one's way in; a limit would decide where new code goes.
  @Test func rooms_areListedWithTheirSizes() throws {
    var lines: [String] = []
    for (folder, target) in try Self.rows() {
      let all =
        FileManager.default.enumerator(atPath: Self.root.appending(path: "Sources/\(folder)").path)?.compactMap {
          $0 as? String
        } ?? []
      let files = all.filter { $0.hasSuffix(".swift") || $0.hasSuffix(".c") || $0.hasSuffix(".h") }
      lines.append("\(target): \(files.count) files")
      #expect(!files.isEmpty, "\(target) has no files")
    }
    print(lines.joined(separator: "\n"))
  }

  /// Files of a folder with an ending, by their paths from the package's root.
  private static func files(_ folder: String, _ ending: String) -> [String] {
    let all = FileManager.default.enumerator(atPath: root.appending(path: folder).path)?.compactMap { $0 as? String } ?? []
    return all.filter { $0.hasSuffix(ending) && !$0.contains(".build") }.map { "\(folder)/\($0)" }.sorted()
  }

  @Test func publicDeclarations_haveComments() throws {
    var count = 0
    for file in Self.files("Sources", ".swift") {
      let lines = try Self.text(file).split(separator: "\n", omittingEmptySubsequences: false)
      for (number, line) in lines.enumerated() {
        // Most lines are told without the expression, which takes its time.
        let start = line.drop { $0 == " " || $0 == "\t" }
        guard start.hasPrefix("public ") || start.hasPrefix("open ") || start.hasPrefix("@") else { continue }
        guard try /\s*(@\w+ )*(public|open) (?!import|extension).*/.wholeMatch(in: line) != nil else { continue }
        count += 1
        let above = lines[..<number].last { !$0.drop(while: \.isWhitespace).hasPrefix("@") } ?? ""
        #expect(above.drop(while: \.isWhitespace).hasPrefix("///"), "\(file):\(number + 1): \(line)")
      }
    }
    #expect(count > 1500)
    print("\(count) public declarations have a comment")
  }

  /// Every line below `- Parameters:` is a `  - name:`, the text of one, or the next item.
  @Test func parametersOfComments_haveNames() throws {
    for file in Self.files("Sources", ".swift") {
      let lines = try Self.text(file).split(separator: "\n", omittingEmptySubsequences: false).map {
        $0.trimmingPrefix { $0 == " " }
      }
      for (number, line) in lines.enumerated() where line == "/// - Parameters:" {
        let next = number + 1 < lines.count ? lines[number + 1] : ""
        #expect(next.hasPrefix("///   - "), "\(file):\(number + 2): \(next)")
      }
    }
  }

  /// What to do with damaged media is said in the same words everywhere, which are written once.
  @Test func adviceOnDamage_isWrittenOnce() throws {
    let files = try Self.files("Sources", ".swift").filter {
      try Self.text($0).contains(/(Fetch|Copy|download) the file again/)
    }
    #expect(files == ["Sources/MediaIO/Reading/DamageAdvice.swift"])
  }
}
