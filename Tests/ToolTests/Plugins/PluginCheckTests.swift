import Foundation
import Testing

/// What `plugins check` finds in plugins that work, and are careless.
@Suite struct PluginCheckTests {
  /// A compositor of `careless.c`, and what tells of its carelessness.
  struct Diagnostic: CustomTestStringConvertible {
    var id: String
    /// The line of the report; empty for a compositor that does all it promises.
    var check = ""
    var says = ""
    var testDescription: String { id }
    /// Whether the check measures what it finds, or tries to find it: then it runs alone.
    var isMeasured: Bool { ["leaks", "threads", "cancellation"].contains(check) || id == "careful.slow" }
  }

  private static func check(_ ids: [String]) throws -> [String: ToolRun.Result] {
    try PluginWorkshop.checks(of: "careless.c", ids)
  }

  /// The reports of all others, by ID.
  private static let unmeasured = Result { try check(diagnostics.filter { !$0.isMeasured }.map(\.id)) }

  static let diagnostics = [
    Diagnostic(id: "careful.nothing"),
    Diagnostic(id: "careful.slow"),
    Diagnostic(id: "careless.small-leak", check: "leaks", says: "for each frame"),
    Diagnostic(id: "careless.instance-leak", check: "leaks", says: "for each instance"),
    Diagnostic(id: "careless.file-leak", check: "leaks", says: "open files"),
    Diagnostic(id: "careless.static-row", check: "threads", says: "side by side"),
    Diagnostic(id: "careless.static-parameter", check: "instances", says: "after another one was created"),
    Diagnostic(id: "careless.earlier-frame", check: "determinism", says: "the second time"),
    Diagnostic(id: "careless.clock", check: "determinism", says: "a second later"),
    Diagnostic(id: "careless.time", check: "determinism", says: "declares itself time-invariant"),
    Diagnostic(id: "careless.beside-rows", check: "borders", says: "rgba, 96x64: Bytes beside"),
    Diagnostic(id: "careless.source-padding", check: "borders", says: "A source's bytes have changed"),
    Diagnostic(id: "careless.even-chroma", check: "size 1x1", says: "Not every pixel"),
    Diagnostic(id: "careless.late-cancellation", check: "cancellation", says: "after it was canceled"),
    Diagnostic(id: "careless.value-of-create", check: "animation", says: "the moment when the instance was created"),
    Diagnostic(id: "careless.narrow-buffer", check: "size 4098x18", says: "crashed"),
    Diagnostic(id: "careless.alpha", check: "alpha", says: "Opaque sources gave a frame that is not"),
    Diagnostic(id: "careless.thread-left", check: "leaks", says: "threads"),
    Diagnostic(id: "careless.lazy-table", check: "threads", says: "side by side"),
    Diagnostic(id: "careful.animated"),
    Diagnostic(id: "careless.working-folder", check: "process", says: "changed the working folder"),
    Diagnostic(id: "careless.file-mask", check: "process", says: "changed the mask of new files"),
    Diagnostic(id: "careless.environment", check: "process", says: "changed the environment"),
    Diagnostic(id: "careless.timer", check: "process", says: "left a timer running"),
    Diagnostic(id: "careless.endless-exit", check: "exit", says: "did not end within"),
  ]

  /// Each is asked for by its ID, and the plugin's others are left alone.
  @Test(arguments: diagnostics) func carelessness_isFoundOut_andCareIsNot(_ diagnostic: Diagnostic) throws {
    let reports = try diagnostic.isMeasured ? Self.check([diagnostic.id]) : Self.unmeasured.get()
    let result = try #require(reports[diagnostic.id])
    let compositors = try JSONDecoder().decode(PluginCheckReport.self, from: Data(result.output.utf8)).compositors
    try #require(compositors.map(\.id) == [diagnostic.id])
    let failures = compositors[0].lines.filter { $0.outcome == "failed" }
    if diagnostic.check.isEmpty {
      #expect(failures.isEmpty && result.status == 0, "\(failures)")
    } else {
      let line = failures.first { $0.check == diagnostic.check }
      #expect(line?.detail.contains(diagnostic.says) == true && result.status == 65, "\(failures)")
      // One cause, one line: what others would say of it is left out, or named in that line.
      #expect(failures.count == 1, "\(failures)")
    }
  }

  @Test func pluginThatRefusesEverything_fails() throws {
    let workshop = try PluginWorkshop()
    let plugin = try workshop.compile(
      PluginWorkshop.fixtures.appending(path: "early.c"), flags: ["-DFAILS", "-DVERSION=\"1.0.0\""], name: "early")
    let result = try ToolRun.compositor(["plugins", "check", plugin.path])
    #expect(result.status == 65 && result.output.contains("It renders none of its formats: plain"), "\(result.output)")
  }

  @Test(arguments: ["../../etc", "a/b", "org..example", "org.example.", "a.b c", "größe.a"])
  func idThatIsNoName_isAFault(_ id: String) throws {
    let workshop = try PluginWorkshop()
    let plugin = try workshop.compile(
      PluginWorkshop.fixtures.appending(path: "early.c"), flags: ["-DID=\"\(id)\"", "-DVERSION=\"1.0.0\""], name: "early")
    let result = try ToolRun.compositor(["plugins", "check", plugin.path])
    #expect(result.status != 0, "\(result.output)")
    #expect((result.output + result.errors).contains(id), "\(result.output)\(result.errors)")
  }

  /// Audio processors are checked, too: a plugin without compositors has no empty report.
  @Test(arguments: [
    ("GAIN", ""), ("BEYOND", "beside"), ("COUNTS", "after a reset"), ("NAN_IS", "not finite"),
    ("KEEPS", "depends on the value that came first"),
    ("NAN_LATE", "noise at sample 9216: It wrote a value that is not finite"),
    ("NAN_FAR", "not finite"), ("NAN_OF_SILENCE", "silence at sample 0"), ("NAN_OF_PEAKS", "full scale at sample 0"),
    ("LATENCY=48", ""), ("LATENCY=INT32_MAX", "the host waits for 60 s"),
    ("LATENCY=state->asked++ % 5", "latency or the tail has changed"), ("LATENCY=made", "Another instance has another latency"),
    (#"NAME="a\033[2Jb""#, "the name has control characters"), (#"NAME="Größe – laut""#, ""),
  ])
  func audioProcessor_isChecked(_ deed: String, _ fault: String) throws {
    let workshop = try PluginWorkshop()
    let plugin = try workshop.compile(
      PluginWorkshop.fixtures.appending(path: "processor.c"), flags: ["-D\(deed)"], name: "processor")
    let result = try ToolRun.compositor(["plugins", "check", plugin.path])
    #expect(!result.output.contains("0 checks"), "\(result.output)")
    #expect(result.status == (fault.isEmpty ? 0 : 65), "\(result.output)\(result.errors)")
    #expect(fault.isEmpty || result.output.contains(fault), "\(result.output)")
  }

  /// A plugin that ends its process at every frame, and one that is a second late with each: each question is answered or left out
  /// for a reason, and nothing is reported twice.
  @Test func pluginThatNeverRenders_isToldOnce() throws {
    let workshop = try PluginWorkshop()
    let plugin = try workshop.hostile("EXIT", fromFrame: 0)
    let result = try ToolRun.compositor(["plugins", "check", plugin.path, "--json"])
    let lines = try JSONDecoder().decode(PluginCheckReport.self, from: Data(result.output.utf8)).compositors.flatMap(\.lines)
    let failures = lines.filter { $0.outcome == "failed" }
    #expect(result.status == 65 && failures.count == 1 && failures.first?.check.hasPrefix("format ") == true, "\(failures)")
    #expect(lines.contains { $0.check == "threads" && $0.outcome == "skipped" && $0.detail.contains("format") }, "\(lines)")
    let text = try ToolRun.compositor(["plugins", "check", plugin.path])
    #expect(text.output.contains("not checked: ") && text.output.contains("1 failed"), "\(text.output)")
  }

  /// The example with a statement at the beginning of a function.
  private static func example(_ function: String, doing statement: String, in workshop: PluginWorkshop) throws -> String {
    var text = try String(contentsOf: workshop.exampleSource(), encoding: .utf8)
    let marker = try #require(text.firstRange(of: "static int32_t \(function)("))
    let body = try #require(text[marker.upperBound...].firstIndex(of: "{"))
    text.insert(contentsOf: "\n  \(statement)", at: text.index(after: body))
    return "#define _POSIX_C_SOURCE 200809L\n#include <stdio.h>\n#include <time.h>\n" + text
  }

  /// The example in which a function begins with a statement and then sleeps.
  private static func sleeper(
    _ function: String, seconds: Double, doing statement: String = "", in workshop: PluginWorkshop
  ) throws -> URL {
    let nanoseconds = Int((seconds * 1e9).rounded())
    let time = "{\(nanoseconds / 1_000_000_000), \(nanoseconds % 1_000_000_000)}"
    let sleep = "{ struct timespec t = \(time); nanosleep(&t, NULL); }"
    let name = "slow-\(function)-\(nanoseconds)"
    let file = try workshop.scratch.file("\(name).c", try example(function, doing: statement + sleep, in: workshop))
    return try workshop.compile(file, name: name)
  }

  /// The reports of plugins that are slow to make an instance, very slow, and slow to make a frame. They sleep side by side.
  private static let slow = Result {
    let workshop = try PluginWorkshop()
    let plugins = [
      try sleeper("create", seconds: 0.15, in: workshop), try sleeper("create", seconds: 1.02, in: workshop),
      try sleeper("render", seconds: 0.22, doing: "fputs(\"frame\\n\", stderr); ", in: workshop),
    ]
    return try ToolRun.together(plugins.map { ["plugins", "check", $0.path] })
  }

  /// Instances that take long to make, because they read a model, are asked for few times.
  @Test func slowInstance_isMadeFewTimes() throws {
    let result = try Self.slow.get()[0]
    #expect(result.status == 0, "\(result.output)\(result.errors)")
  }

  /// The same beyond a second.
  @Test func verySlowInstance_isMadeFewTimes() throws {
    let result = try Self.slow.get()[1]
    #expect(result.status == 0, "\(result.output)\(result.errors)")
  }

  /// A compositor that needs a file of its own is checked with the one that `--set` names.
  @Test func neededFile_isSet() throws {
    let workshop = try PluginWorkshop()
    let plugin = try workshop.compile(PluginWorkshop.fixtures.appending(path: "table.c")).path
    let bare = try ToolRun.compositor(["plugins", "check", plugin])
    #expect(bare.status == 65 && bare.output.contains("That is no table"), "\(bare.output)\(bare.errors)")
    #expect(bare.output.contains("--set table=VALUE"), "\(bare.output)")
    let table = try workshop.scratch.file("table.bin", "T1")
    let whole = try ToolRun.compositor(["plugins", "check", plugin, "--set", "table=\(table.path)"])
    #expect(whole.status == 0, "\(whole.output)\(whole.errors)")
    let unknown = try ToolRun.compositor(["plugins", "check", plugin, "--set", "tabel=\(table.path)"])
    #expect(unknown.status == 65 && unknown.errors.contains("there is no parameter “tabel”"), "\(unknown.errors)")
    let missing = try ToolRun.compositor(["plugins", "check", plugin, "--set", "table=none.bin"])
    #expect(missing.status != 0 && missing.errors.contains("none.bin"), "\(missing.errors)")
  }

  /// More than a fifth of a second for each frame, however small: every question but those that others answer, with few frames.
  @Test func slowPlugin_isAskedForFewFrames() throws {
    let result = try Self.slow.get()[2]
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    let frames = result.errors.split(separator: "\n").count { $0.hasSuffix("frame") }
    #expect(frames > 20 && frames < 90, "\(frames) frames: \(result.output)")
  }
}
