import CompositorAPI
import Foundation
import Testing

/// OpenTimelineIO's answers, made by `Tests/Oracles/otio_vectors.py` while the test runs; `scripts/oracles` installs it.
enum OpenTimelineIO {
  struct Vector: Decodable {
    var operation: String
    var times: [MediaTime]
    var seconds: Double?
    var range: [Double]?
    var truth: Bool?
    var frame: Int?
  }

  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// The interpreter: `COMPOSITOR_ORACLE_PYTHON`, else the one in `.venv`, else the machine's.
  static let python: String = {
    if let path = ProcessInfo.processInfo.environment["COMPOSITOR_ORACLE_PYTHON"] { return path }
    let own = root.appending(path: ".venv/bin/python3").path
    return FileManager.default.isExecutableFile(atPath: own) ? own : "python3"
  }()

  static let isAvailable: Bool = {
    do {
      return try run(["-c", "import opentimelineio"]).status == 0
    } catch {
      return false
    }
  }()

  static func run(_ arguments: [String]) throws -> (status: Int32, output: Data) {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [python] + arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, output)
  }

  static func vectors(seed: Int, count: Int) throws -> [Vector] {
    let script = root.appending(path: "Tests/Oracles/otio_vectors.py").path
    let (status, output) = try run([script, String(seed), String(count)])
    #expect(status == 0)
    return try output.split(separator: UInt8(ascii: "\n")).map { try JSONDecoder().decode(Vector.self, from: Data($0)) }
  }
}

@Suite(.enabled(if: OpenTimelineIO.isAvailable, "OpenTimelineIO is not installed: run scripts/oracles"))
struct OpenTimelineIOTests {
  @Test(arguments: 1...4)
  func arithmetic_randomVectors_agreesWithOpenTimelineIO(seed: Int) throws {
    let vectors = try OpenTimelineIO.vectors(seed: seed, count: 500)
    #expect(Set(vectors.map(\.operation)).count == 10)
    for vector in vectors { try check(vector) }
  }

  func check(_ vector: OpenTimelineIO.Vector) throws {
    let times = vector.times
    func range(_ index: Int) -> TimeRange { TimeRange(start: times[2 * index], duration: times[2 * index + 1]) }
    func expect(_ time: MediaTime) throws {
      #expect(abs(time.seconds - (try #require(vector.seconds))) < 1e-9, "\(vector)")
    }
    switch vector.operation {
    case "add": try expect(times[0] + times[1])
    case "subtract": try expect(times[0] - times[1])
    case "less": #expect((times[0] < times[1]) == vector.truth, "\(vector)")
    case "equal": #expect((times[0] == times[1]) == vector.truth, "\(vector)")
    case "frame":
      #expect(try FrameTiming(frameDuration: times[1]).index(at: times[0]) == vector.frame, "\(vector)")
      let converted = times[0].converted(toTimescale: times[1].timescale, rounding: .towardZero)
      #expect(converted.value == vector.frame.map(Int64.init), "\(vector)")
    case "end": try expect(range(0).end)
    case "contains": #expect(range(0).contains(times[2]) == vector.truth, "\(vector)")
    case "intersects":
      #expect(range(0).overlaps(range(1)) == vector.truth, "\(vector)")
      #expect(range(0).intersection(range(1)).isEmpty != vector.truth, "\(vector)")
    case "union":
      let union = range(0).union(range(1))
      let expected = try #require(vector.range)
      #expect(abs(union.start.seconds - expected[0]) < 1e-9 && abs(union.end.seconds - expected[1]) < 1e-9, "\(vector)")
    case "map": try expect(times[4].mapped(from: range(0), to: range(1)))
    default: Issue.record("\(vector.operation) is not known")
    }
  }
}
