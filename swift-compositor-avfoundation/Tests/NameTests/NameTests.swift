import AVFoundation
import Testing

/// Names that the compiler has found, because this target uses each of them.
struct UsedNames {
  private(set) var names: Set<String> = []

  /// Notes a name. The value makes the compiler look it up.
  mutating func use(_ name: String, _ value: Any) { names.insert(name) }

  /// All of them.
  static var all: Set<String> {
    var used = UsedNames()
    used.types()
    used.constants()
    used.assets()
    used.outputs()
    used.compositions()
    used.mixes()
    used.videoCompositions()
    used.mutableVideoCompositions()
    used.transforms()
    used.contexts()
    used.shapes()
    used.times()
    used.functions()
    used.buffers()
    used.layers()
    used.reading()
    used.writing()
    used.samples()
    used.moreSamples()
    used.streamSettings()
    return used.names
  }
}

/// Tier1.txt lists the names that at least three of 28 public repositories of editing code use: `edits` for those of edits and pictures,
/// `streams` for those of samples, readers, writers and metadata, which are here, and `later` for those that are not.
@Suite struct NameTests {
  private struct Name {
    let half: String
    let name: String
  }

  private func list() throws -> [Name] {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Tier1.txt")
    return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map { line in
      let fields = line.split(separator: "\t")
      return Name(half: String(fields[0]), name: String(fields[2]))
    }
  }

  @Test func everyName_isPresent() throws {
    let listed = Set(try list().filter { $0.half != "later" }.map(\.name))
    let used = UsedNames.all
    #expect(listed.subtracting(used).sorted() == [], "names that are missing")
    #expect(used.subtracting(listed).sorted() == [], "names that are not in the list")
    #expect(listed.count == 419)
  }

  /// What is marked `later` moves to another mark when it is there; every line has one.
  @Test func everyLine_hasItsHalf() throws {
    let halves = Dictionary(grouping: try list(), by: \.half).mapValues(\.count)
    #expect(halves == ["edits": 307, "streams": 112, "later": 14])
  }
}
