import CompositorValidation
import Foundation
import Testing

/// `compositor bench` and `render --profile` as a person or a script runs them.
@Suite(.serialized) struct BenchCommandTests {
  private static let quick = [
    "--size", "160x90", "--threads", "1", "--repetitions", "2", "--checked-frames", "1",
  ]

  private func json(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  @Test func ownPlugin_byOneFlag_standsInTheTable() throws {
    let workshop = try PluginWorkshop()
    let plugin = try workshop.compile(ToolRun.root.appending(path: "Benchmarks/plain-plugins.c"), name: "plain").path
    let result = try ToolRun.compositor(
      ["bench", "--compositor", "builtin.layer,\(plugin)", "--work", "W2"] + Self.quick)
    #expect(result.status == 0, "\(result.errors)")
    let rows = result.output.split(separator: "\n").filter { $0.hasPrefix("W2") }
    #expect(rows.contains { $0.contains("builtin.layer") && $0.contains("planar") })
    #expect(rows.contains { !$0.contains("builtin.layer") && $0.contains("custom") }, "\(result.output)")
  }

  /// A project that names a compositor is measured with the file that is given, whether none or another one is installed.
  @Test func project_thatNamesAnOwnPlugin_isMeasuredWithItsFile() throws {
    let workshop = try PluginWorkshop()
    let plugin = try workshop.compile(ToolRun.root.appending(path: "Benchmarks/plain-plugins.c"), name: "plain").path
    let scratch = try Scratch()
    let project = try scratch.file(
      "mine.json5",
      """
      { version: 1, output: { size: "160x90", frameRate: 25, audio: false }, assets: { bars: { generate: "bars" } },
        tracks: [{ clips: [{ asset: "bars", duration: "1s", effects: [{ use: "org.example.copy" }] }] }] }
      """)
    let bench = ["bench", project.path, "--threads", "1", "--repetitions", "1", "--frames", "5"]
    let missing = try ToolRun.compositor(bench + ["--compositor", "builtin.layer"])
    #expect(missing.status != 0 && missing.errors.contains("org.example.copy"), "\(missing.errors)")
    let result = try ToolRun.compositor(bench + ["--compositor", plugin])
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.contains("custom"), "\(result.output)")
    // An installed build of the same compositors that fails.
    let text = try String(contentsOf: ToolRun.root.appending(path: "Benchmarks/plain-plugins.c"), encoding: .utf8)
    let end = try #require(text.range(of: "  return COMPOSITOR_OK;", options: .backwards))
    let broken = text.replacingCharacters(in: end, with: "  return COMPOSITOR_UNSUPPORTED;")
    let other = try PluginWorkshop()
    let file = other.scratch.folder.appending(path: "broken.c")
    try Data(broken.utf8).write(to: file)
    _ = try other.compile(file, name: "broken")
    let installed = ["COMPOSITOR_PLUGIN_PATH": other.scratch.folder.path]
    let stale = try ToolRun.compositor(bench + ["--compositor", "builtin.layer"], environment: installed)
    #expect(stale.status == 70 && stale.output.contains("does not support this size"), "\(stale.output)")
    let given = try ToolRun.compositor(bench + ["--compositor", plugin], environment: installed)
    #expect(given.status == 0 && !given.output.contains("failed"), "\(given.output)\(given.errors)")
  }

  /// Two builds of a plugin have the same IDs; a row names its file.
  @Test func twoFilesOfOneID_haveARowEach() throws {
    let workshop = try PluginWorkshop()
    let source = ToolRun.root.appending(path: "Benchmarks/plain-plugins.c")
    let files = try ["old", "new"].map { try workshop.compile(source, name: $0).path }
    for project in [false, true] {
      var arguments = ["bench", "--compositor", files.joined(separator: ","), "--json"]
      if project {
        let file = try workshop.project(
          URL(filePath: files[0]), compositor: "org.example.copy", output: #"size: "160x90", frameRate: 25, audio: false"#)
        arguments += [file.path, "--threads", "1", "--repetitions", "2", "--frames", "5"]
      } else {
        arguments += ["--work", "W2"] + Self.quick
      }
      let result = try ToolRun.compositor(arguments)
      #expect(result.status == 0, "\(result.errors)")
      let rows = try #require(json(result.output)["rows"] as? [[String: Any]])
      let names = rows.compactMap { ($0["key"] as? [String: Any])?["compositor"] as? String }
      for file in files { #expect(names.contains("org.example.copy[\(file)]"), "\(names)") }
      #expect(Set(names).count == names.count, "\(names)")
    }
  }

  @Test func chartAndJSON_areWritten() throws {
    let scratch = try Scratch()
    let chart = scratch.folder.appending(path: "speed.svg").path
    let result = try ToolRun.compositor(["bench", "--work", "W3", "--layers", "4", "--json", "--chart", chart] + Self.quick)
    #expect(result.status == 0, "\(result.errors)")
    let rows = try #require(try json(result.output)["rows"] as? [[String: Any]])
    #expect(rows.compactMap { ($0["key"] as? [String: Any])?["workload"] as? String } == ["W3", "W6/4"])
    #expect(try String(contentsOfFile: chart, encoding: .utf8).hasPrefix("<svg"))
  }

  @Test func project_ofOnesOwn_isMeasuredComposedAndEndToEnd() throws {
    let scratch = try Scratch()
    let project = scratch.folder.appending(path: "mine.json5")
    try Data(
      """
      { version: 1, output: { size: "160x90", frameRate: 25, audio: false }, assets: { bars: { generate: "bars" } },
        tracks: [{ clips: [{ asset: "bars", duration: "1s" }] }], titles: [{ text: "Hello", duration: "1s" }] }
      """.utf8
    ).write(to: project)
    let result = try ToolRun.compositor(
      ["bench", project.path, "--end-to-end", "--threads", "1", "--repetitions", "1", "--frames", "5", "--json"])
    #expect(result.status == 0, "\(result.errors)")
    let rows = try #require(try json(result.output)["rows"] as? [[String: Any]])
    #expect(rows.compactMap { ($0["key"] as? [String: Any])?["workload"] as? String } == ["mine", "mine end to end"])
    let stages = rows.compactMap { ($0["figures"] as? [String: Any])?["stages"] as? [String: Any] }
    #expect(stages.count == 2 && stages.allSatisfy { ($0["titles"] as? Double ?? 0) > 0 })
    #expect((stages.last?["encode"] as? Double ?? 0) > 0)
  }

  /// Variables get their values, and frames that pass through are said to need no compositor.
  @Test func project_ofVariables_thatComposesNothing_isSaidToBeIdle() throws {
    let scratch = try Scratch()
    let project = try scratch.file(
      "mine.json5",
      """
      { version: 1, output: { size: "160x90", frameRate: 25, audio: false },
        assets: { bars: { generate: "bars", size: "160x90" } }, tracks: [{ clips: [{ asset: "bars", duration: "${length}" }] }] }
      """)
    let result = try ToolRun.compositor(
      ["bench", project.path, "--set", "length=1s", "--compositor", "builtin.layer,builtin.wipe", "--repetitions", "1"])
    #expect(result.status == 0 && result.output.contains("No frame was composed"), "\(result)")
  }

  /// A cost that more than doubles is a regression on any machine.
  @Test func baseline_ofAFasterBuild_endsWithItsStatus() throws {
    let scratch = try Scratch()
    let file = scratch.folder.appending(path: "before.json")
    let first = try ToolRun.compositor(["bench", "--work", "W6", "--json"] + Self.quick)
    #expect(first.status == 0, "\(first.errors)")
    try Data(first.output.utf8).write(to: file)
    let slower = try ToolRun.compositor(
      ["bench", "--work", "W6", "--baseline", file.path, "--planted-regression", "300"] + Self.quick)
    #expect(slower.status == ProcessStatus.regression.rawValue, "\(slower.errors)")
    #expect(slower.errors.contains("SLOWER"))
    // Twice the cost of the same: nothing is a regression.
    let same = try ToolRun.compositor(["bench", "--work", "W6", "--baseline", file.path, "--tolerance", "100"] + Self.quick)
    #expect([0, ProcessStatus.retry.rawValue].contains(same.status), "\(same.errors)")
  }

  @Test(arguments: [
    (["--work", "W99"], "no workload"), (["--compositor", "no.such"], "no compositor"), (["--layers", "0"], "--layers"),
    (["--baseline", "/nowhere.json"], "baseline"), (["--chart", "speed.pdf"], "--chart"),
    (["--tolerance", "0"], "--tolerance"),
    (["x.json5", "--work", "W2"], "--work"), (["--against", "./other", "--end-to-end"], "--end-to-end"),
  ])
  func mistakes_areSaid(_ arguments: [String], _ word: String) throws {
    let result = try ToolRun.compositor(["bench"] + arguments)
    #expect(result.status != 0 && result.status != 70 && result.errors.contains(word), "\(result.errors)")
  }

  /// The trace that Perfetto opens: every stage on a thread that has a name, each thread's stages one inside or after another.
  @Test func profile_ofARender_isATraceOfEveryStage() throws {
    let scratch = try Scratch()
    let project = scratch.folder.appending(path: "p.json5")
    try Data(
      """
      { version: 1, output: { size: "160x90", frameRate: 25 },
        assets: { bars: { generate: "bars", tone: 440 }, clock: { generate: "clock", size: "160x90" } },
        tracks: [{ clips: [{ asset: "bars", duration: "1s" }] },
          { clips: [{ asset: "clock", at: "0s", duration: "1s", opacity: 0.5 }] }],
        titles: [{ text: "Hello", duration: "1s" }] }
      """.utf8
    ).write(to: project)
    let trace = scratch.folder.appending(path: "trace.json")
    let result = try ToolRun.compositor(
      [
        "render", project.path, "-o", scratch.folder.appending(path: "o.mp4").path, "--progress", "none", "--profile",
        trace.path,
      ])
    #expect(result.status == 0, "\(result.errors)")
    let events = try #require(try json(String(contentsOf: trace, encoding: .utf8))["traceEvents"] as? [[String: Any]])
    let complete = events.filter { $0["ph"] as? String == "X" }
    let names = Set(complete.compactMap { $0["name"] as? String })
    #expect(names.isSuperset(of: ["decode", "compose", "titles", "audio", "encode"]), "\(names)")
    #expect(complete.count { $0["name"] as? String == "encode" } == 25)
    let named = Set(events.filter { $0["name"] as? String == "thread_name" }.compactMap { $0["tid"] as? Int })
    #expect(complete.allSatisfy { event in (event["tid"] as? Int).map(named.contains) == true })
    for thread in named { expectNested(complete.filter { $0["tid"] as? Int == thread }) }
    #expect(events.count { $0["ph"] as? String == "b" } == events.count { $0["ph"] as? String == "e" })
  }

  /// Stages of one thread do not overlap unless one contains the other.
  private func expectNested(_ events: [[String: Any]]) {
    let spans = events.compactMap { event -> (start: Double, end: Double)? in
      guard let start = event["ts"] as? Double, let duration = event["dur"] as? Double else { return nil }
      return (start, start + duration)
    }.sorted { ($0.start, -$0.end) < ($1.start, -$1.end) }
    var open: [Double] = []
    for span in spans {
      while let end = open.last, end <= span.start + 0.5 { open.removeLast() }
      if let end = open.last { #expect(span.end <= end + 0.5, "\(span) leaves a stage that ends at \(end)") }
      open.append(span.end)
    }
  }

  @Test func profile_ofABatch_isRefused() throws {
    let result = try ToolRun.compositor(["render", "x.json5", "-o", "{row}.mp4", "--batch", "x.csv", "--profile", "t.json"])
    #expect(result.status == 64 && result.errors.contains("--profile"))
  }

  /// Counted: in the steady state of W2 and W4 no allocation as large as a row of pixels.
  @Test func steadyState_ofDissolveAndTitle_allocatesNoBuffers() throws {
    let workshop = try PluginWorkshop()
    let counter = workshop.scratch.folder.appending(path: "count.so")
    let source = ToolRun.root.appending(path: "Benchmarks/count-allocations.c").path
    let built = try ToolRun.program("cc", "-O2", "-shared", "-fPIC", "-o", counter.path, source)
    try #require(built.status == 0, "\(built.errors)")
    let result = try ToolRun.compositor(
      [
        "bench", "--work", "W2", "--work", "W4", "--json", "--threads", "1", "--repetitions", "3",
        "--checked-frames", "0",
      ],
      environment: ["LD_PRELOAD": counter.path])
    #expect(result.status == 0, "\(result.errors)")
    for row in try #require(try json(result.output)["rows"] as? [[String: Any]]) {
      let figures = try #require(row["figures"] as? [String: Any])
      #expect(figures["allocations"] as? Int == 0)
      let buffers = try #require(figures["bufferAllocationsPerFrame"] as? Double)
      print("buffers a frame: \(buffers), allocations: \(figures["heapAllocationsPerFrame"] ?? "-")")
      // Readings of the benchmark itself grow their lists now and then.
      #expect(buffers < 0.2, "\(buffers) allocations of 32 KiB or more a frame")
    }
  }
}
