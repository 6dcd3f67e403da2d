import Foundation
import Testing

/// What the targets of Package.swift depend on is what their files import, no more and no less. The compiler's own check misses what
/// another target brings along.
@Suite struct ImportTests {
  private struct Target {
    let name, folder: String
    let isProgram: Bool
    let dependencies: Set<String>
  }

  private static let root = Repository.root

  /// The names in quotes in a text, without those in comments.
  private static func quoted(_ text: String) -> [String] {
    let code = text.split(separator: "\n").filter { !$0.contains("//") }.joined(separator: "\n")
    return code.matches(of: /"([^"]+)"/).map { String($0.1) }
  }

  /// The lists of dependencies that targets share, by their names. Each may begin with another one.
  private static func lists(_ manifest: String) -> [String: Set<String>] {
    var lists: [String: Set<String>] = [:]
    for list in manifest.matches(of: /\nlet (\w+)(?:: \[Target\.Dependency\])? = (?:(\w+) \+ )?\[([^\]]*)\]/) {
      lists[String(list.1)] = Set(quoted(String(list.3))).union(list.2.flatMap { lists[String($0)] } ?? [])
    }
    return lists
  }

  private static func targets() throws -> [Target] {
    let manifest = try String(contentsOf: root.appending(path: "Package.swift"), encoding: .utf8)
    let lists = lists(manifest)
    #expect(lists.count > 2)
    let start = try #require(manifest.range(of: "  targets: [\n"))
    let starts = manifest[start.upperBound...].matches(
      of: /\n    (target|cTarget|program|tests|\.target|\.executableTarget|\.systemLibrary)\(/)
    let ends = starts.dropFirst().map(\.range.lowerBound) + [manifest.endIndex]
    return zip(starts, ends).compactMap { start, end in
      let text = String(manifest[start.range.upperBound..<end])
      let names = quoted(text)
      guard let name = names.first else { return nil }
      let folder = text.firstMatch(of: /(at|path): "([^"]+)"/).map { String($0.2) } ?? name
      let place = start.1 == "tests" ? "Tests/\(name)" : folder.contains("/") ? folder : "Sources/\(folder)"
      let named = text.firstMatch(of: /(?:on|dependencies): (\w+(?: \+ \w+)*)/)?.1.split(separator: " + ") ?? []
      let shared = named.flatMap { lists[String($0)] ?? [] }
      let support = start.1 == "tests" && !text.contains("usesSupport: false") ? ["CompositorTestSupport"] : []
      return Target(
        name: name, folder: place, isProgram: start.1 == "program" || start.1 == ".executableTarget",
        dependencies: Set(names.dropFirst() + support).union(shared))
    }
  }

  /// The modules that the Swift files of a folder import. Templates of files, in texts, are indented.
  private static func imports(_ folder: String) throws -> Set<String> {
    let all = FileManager.default.enumerator(atPath: root.appending(path: folder).path)?.compactMap { $0 as? String } ?? []
    var found: Set<String> = []
    for file in all where file.hasSuffix(".swift") && !file.contains("Fixtures/") && !file.contains(".docc/") {
      let text = try String(contentsOf: root.appending(path: "\(folder)/\(file)"), encoding: .utf8)
      for line in text.split(separator: "\n") where line.first != " " && line.contains("import ") {
        let pattern = /(?:@\w+ )?(?:public |package )?import (?:struct |class |enum |func )?(\w+)/
        guard let match = line.wholeMatch(of: pattern) else { continue }
        found.insert(String(match.1))
      }
    }
    return found
  }

  /// Every target may import the C library, whether Package.swift says it of the target or of all.
  private static let ofAll: Set = ["CompositorPlatform"]

  @Test func dependencies_areWhatFilesImport() throws {
    let targets = try Self.targets()
    #expect(targets.count > 40)
    let (names, programs) = (Set(targets.map(\.name)), Set(targets.filter(\.isProgram).map(\.name)))
    for target in targets {
      let imports = try Self.imports(target.folder)
      guard !imports.isEmpty else { continue }
      // Programs are built and run, not imported, except by tests of what they contain.
      let stated = target.dependencies.intersection(names).subtracting(programs).subtracting(Self.ofAll)
      let used = imports.intersection(names).subtracting(programs).subtracting(Self.ofAll).subtracting([target.name])
      #expect(stated.subtracting(used).isEmpty, "\(target.name) imports nothing of \(stated.subtracting(used).sorted())")
      #expect(used.subtracting(stated).isEmpty, "\(target.name) does not state \(used.subtracting(stated).sorted())")
    }
  }

  /// Which C library the system has is asked in one place.
  @Test func cLibrary_isImportedByOneName() throws {
    let files = FileManager.default.enumerator(atPath: Self.root.appending(path: "Sources").path)?.compactMap { $0 as? String }
    for file in files ?? [] where file.hasSuffix(".swift") && file != "Platform/Platform.swift" {
      let text = try String(contentsOf: Self.root.appending(path: "Sources/\(file)"), encoding: .utf8)
      #expect(!text.contains("canImport(Glibc)"), "\(file): import CompositorPlatform instead.")
    }
  }
}
