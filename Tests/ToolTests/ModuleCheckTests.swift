import Foundation
import Testing

/// What `plugins check` finds in modules that work, and are careless.
@Suite struct ModuleCheckTests {
  private struct Report: Decodable {
    struct Line: Decodable {
      var check: String
      var outcome: String
      var detail: String
    }
    struct Compositor: Decodable {
      var id: String
      var lines: [Line]
    }
    var compositors: [Compositor]
  }

  /// A compositor of `careless.c`, and what tells of its carelessness.
  struct Finding: CustomTestStringConvertible {
    var id: String
    /// The line of the report; empty for a compositor that does all it promises.
    var check = ""
    var says = ""
    var testDescription: String { id }
  }

  static let findings = [
    Finding(id: "careful.nothing"),
    Finding(id: "careful.slow"),
    Finding(id: "careless.small-leak", check: "leaks", says: "for each frame"),
    Finding(id: "careless.instance-leak", check: "leaks", says: "for each instance"),
    Finding(id: "careless.file-leak", check: "leaks", says: "open files"),
    Finding(id: "careless.static-row", check: "threads", says: "side by side"),
    Finding(id: "careless.static-parameter", check: "instances", says: "once there was another one"),
    Finding(id: "careless.earlier-frame", check: "determinism", says: "the second time"),
    Finding(id: "careless.clock", check: "determinism", says: "a second later"),
    Finding(id: "careless.time", check: "determinism", says: "says that the time does not matter"),
    Finding(id: "careless.beside-rows", check: "borders", says: "rgba, 96x64: Bytes beside"),
    Finding(id: "careless.source-padding", check: "borders", says: "A source's bytes have changed"),
    Finding(id: "careless.even-chroma", check: "size 1x1", says: "Not every pixel"),
    Finding(id: "careless.late-cancellation", check: "cancellation", says: "after it was cancelled"),
  ]

  /// Each is asked for by its ID, and the module's others are left alone.
  @Test(arguments: findings) func carelessness_isFoundOut_andCareIsNot(_ finding: Finding) throws {
    let workshop = try PluginWorkshop()
    _ = try workshop.compile(PluginWorkshop.fixtures.appending(path: "careless.c"))
    let result = try ToolRun.run(
      URL(filePath: "/usr/bin/env"),
      ["COMPOSITOR_PLUGIN_PATH=\(workshop.scratch.folder.path)", ToolRun.tool.path, "plugins", "check", finding.id, "--json"])
    let compositors = try JSONDecoder().decode(Report.self, from: Data(result.output.utf8)).compositors
    try #require(compositors.map(\.id) == [finding.id])
    let failures = compositors[0].lines.filter { $0.outcome == "failed" }
    if finding.check.isEmpty {
      #expect(failures.isEmpty && result.status == 0, "\(failures)")
    } else {
      let line = failures.first { $0.check == finding.check }
      #expect(line?.detail.contains(finding.says) == true && result.status == 65, "\(failures)")
      // One cause, one line: what others would say of it is left out, or named in that line.
      #expect(failures.count == 1, "\(failures)")
    }
  }

  /// A module that ends its process at every frame, and one that is a second late with each: each question is answered or left out
  /// for a reason, and nothing is told twice.
  @Test func moduleThatNeverRenders_isToldOnce() throws {
    let workshop = try PluginWorkshop()
    let module = try workshop.hostile("EXIT", fromFrame: 0)
    let result = try ToolRun.compositor(["plugins", "check", module.path, "--json"])
    let lines = try JSONDecoder().decode(Report.self, from: Data(result.output.utf8)).compositors.flatMap(\.lines)
    let failures = lines.filter { $0.outcome == "failed" }
    #expect(result.status == 65 && failures.count == 1 && failures.first?.check.hasPrefix("format ") == true, "\(failures)")
    #expect(lines.contains { $0.check == "threads" && $0.outcome == "skipped" && $0.detail.contains("format") }, "\(lines)")
    let text = try ToolRun.compositor(["plugins", "check", module.path])
    #expect(text.output.contains("not asked: ") && text.output.contains("1 failed"), "\(text.output)")
  }

  /// Half a second for each frame, however small: every question but those that others answer, with few frames.
  @Test func slowModule_isAskedForFewFrames() throws {
    let workshop = try PluginWorkshop()
    let source = try workshop.exampleSource()
    let text = try String(contentsOf: source, encoding: .utf8)
    let marker = try #require(text.firstRange(of: "static int32_t render("))
    let body = try #require(text[marker.upperBound...].firstIndex(of: "{"))
    var slow = text
    slow.insert(
      contentsOf: "\n  host_log(\"frame\"); { struct timespec t = {0, 300000000}; nanosleep(&t, NULL); }",
      at: text.index(after: body))
    slow =
      "#define _POSIX_C_SOURCE 200809L\n#include <stdio.h>\n#include <time.h>\n#define host_log(text) fputs(text \"\\n\", stderr)\n"
      + slow
    let file = try workshop.scratch.file("slow.c", slow)
    let result = try ToolRun.compositor(["plugins", "check", try workshop.compile(file, name: "slow").path])
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    let frames = result.errors.split(separator: "\n").count { $0.hasSuffix("frame") }
    #expect(frames > 20 && frames < 90, "\(frames) frames: \(result.output)")
  }
}
