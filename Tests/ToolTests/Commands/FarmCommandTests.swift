import CompositorValidation
import Foundation
import Testing

/// `compositor farm`, and progress for engines, as people and engines run them.
@Suite struct FarmCommandTests {
  /// A plan of four segments and audio beside its project; folders and files want quoting.
  private func plan() throws -> (scratch: Scratch, plan: String) {
    let scratch = try Scratch()
    _ = try scratch.clip("clip.mp4", seconds: 2)
    _ = try scratch.file(
      "it's.json5",
      """
      { version: 1, output: { size: "160x90", frameRate: 25 }, assets: { a: "clip.mp4" }, tracks: [{ clips: [{ asset: "a" }] }] }
      """)
    let made = try ToolRun.compositor(
      ["plan", "it's.json5", "--segments", "4", "-o", "it's plan.json"], in: scratch.folder)
    try #require(made.status == 0, "\(made.errors)")
    return (scratch, "it's plan.json")
  }

  private func names(_ scratch: Scratch, _ folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: scratch.folder.appending(path: folder).path).sorted()
  }

  @Test func folders_areNamedAfterThePlan_andNotOverwrittenUnasked() throws {
    let (scratch, plan) = try plan()
    for (engine, files) in [
      ("openjd", ["asset_references.yaml", "openjd_values.yaml", "parameter_values.yaml", "template.yaml"]),
      ("slurm", ["join.sbatch", "part.sbatch", "submit.sh"]),
    ] {
      let first = try ToolRun.compositor(["farm", engine, plan], in: scratch.folder)
      #expect(first.status == 0, "\(first.errors)")
      #expect(first.output.contains("next: "))
      #expect(try names(scratch, "it's plan.\(engine)") == files)
      let second = try ToolRun.compositor(["farm", engine, plan], in: scratch.folder)
      #expect(second.status == ProcessStatus.inputOutput.rawValue && second.errors.contains("--overwrite"), "\(second.errors)")
      #expect(try ToolRun.compositor(["farm", engine, plan, "--overwrite"], in: scratch.folder).status == 0)
    }
  }

  /// The printed commands, run by a shell in another order, and then the printed join, make the movie that one machine makes.
  @Test func commands_renderWhatOneMachineRenders() throws {
    let (scratch, plan) = try plan()
    let single = try ToolRun.compositor(
      ["render", "--plan", plan, "-o", "single.mp4", "--progress", "none"], in: scratch.folder)
    try #require(single.status == 0, "\(single.errors)")
    try FileManager.default.removeItem(at: scratch.folder.appending(path: "it's plan.parts"))
    let tool = ToolRun.tool.path
    let list = try ToolRun.compositor(["farm", "commands", plan, "--tool", tool], in: scratch.folder)
    #expect(list.status == 0, "\(list.errors)")
    #expect(list.output.split(separator: "\n").count == 5)
    let joining = try #require(list.errors.firstMatch(of: /then: (.*)\n/)?.1)
    let script = list.output.split(separator: "\n").reversed().joined(separator: "\n") + "\n\(joining)\n"
    let run = try ToolRun.run(URL(filePath: "/bin/sh"), ["-ec", script], in: scratch.folder)
    #expect(run.status == 0, "\(run.errors)")
    let movie = try Data(contentsOf: scratch.folder.appending(path: "it's.mp4"))
    #expect(movie == (try Data(contentsOf: scratch.folder.appending(path: "single.mp4"))))
    // Nothing is missing any more.
    let rest = try ToolRun.compositor(["farm", "commands", plan], in: scratch.folder)
    #expect(rest.output.isEmpty && rest.errors.contains("nothing is missing"))
  }

  @Test func commands_areWrittenToAFile_once() throws {
    let (scratch, plan) = try plan()
    #expect(try ToolRun.compositor(["farm", "commands", plan, "-o", "list"], in: scratch.folder).status == 0)
    let text = try String(contentsOf: scratch.folder.appending(path: "list"), encoding: .utf8)
    #expect(text.hasPrefix("compositor render --plan 'it'\\''s plan.json' --audio\n"))
    let again = try ToolRun.compositor(["farm", "commands", plan, "-o", "list"], in: scratch.folder)
    #expect(again.status == ProcessStatus.inputOutput.rawValue)
    #expect(try ToolRun.compositor(["farm", "commands", plan, "-o", "list", "--overwrite"], in: scratch.folder).status == 0)
  }

  @Test(arguments: [
    ["farm", "openjd"], ["farm", "kubernetes", "p.json"], ["farm", "slurm", "p.json", "--cpus", "0"],
    ["farm", "slurm", "p.json", "--time-limit", "soon"], ["farm", "slurm", "p.json", "--array-limit", "0"],
    ["farm", "commands", "p.json", "--overwrite"], ["farm", "openjd", "p.json", "--tool", ""],
  ]) func mistakes_areUsage(_ arguments: [String]) throws {
    #expect(try ToolRun.compositor(arguments).status == ProcessStatus.usage.rawValue)
  }

  /// A plugin that was built again after the plan: 65, and its name.
  @Test func pluginThatChanged_isRefused_byName() throws {
    let workshop = try PluginWorkshop()
    let folder = workshop.scratch.folder
    let plugin = try workshop.compile(PluginWorkshop.fixtures.appending(path: "marker.c"), name: "marker")
    _ = try workshop.scratch.file(
      "marker.json5",
      """
      { version: 1, plugins: ["marker.so"], output: { size: "128x72", frameRate: 25, audio: false },
        assets: { a: { generate: "bars", size: "128x72", frameRate: 25 } },
        tracks: [{ clips: [{ asset: "a", duration: "4f", effects: [{ use: "org.example.marker", at: [20, 20] }] }] }] }
      """)
    let planned = try ToolRun.compositor(["plan", "marker.json5", "--segments", "2"], in: folder)
    try #require(planned.status == 0, "\(planned.errors)")
    let text = try String(contentsOf: folder.appending(path: "plan.json"), encoding: .utf8)
    #expect(text.contains("\"path\" : \"marker.so\"") && text.contains("org.example.marker"))
    func render(_ segment: Int) throws -> (status: Int32, errors: String) {
      let result = try ToolRun.compositor(
        ["render", "--plan", "plan.json", "--segment", "\(segment)", "--progress", "none"], in: folder)
      return (result.status, result.errors)
    }
    let first = try render(0)
    #expect(first.status == 0, "\(first.errors)")
    // The same code in other bytes.
    let original = try Data(contentsOf: plugin)
    try (original + Data(count: 16)).write(to: plugin)
    let refused = try render(1)
    #expect(refused.status == ProcessStatus.invalidProject.rawValue, "\(refused)")
    #expect(refused.errors.contains("marker.so") && refused.errors.contains("differs from the plan's"), "\(refused.errors)")
    try FileManager.default.removeItem(at: plugin)
    let missing = try render(1)
    #expect(missing.status == ProcessStatus.invalidProject.rawValue && missing.errors.contains("marker.so"), "\(missing)")
    try original.write(to: plugin)
    let second = try render(1)
    #expect(second.status == 0, "\(second.errors)")
  }

  /// The movie is named as on the command line, or as seen from the folder in which the command runs.
  @Test func movie_isNamedAsInTheCommand() throws {
    let (scratch, plan) = try plan()
    let inner = scratch.folder.appending(path: "inner")
    try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
    let commands: [(arguments: [String], folder: URL, says: String)] = [
      (["render", "--plan", "../\(plan)", "-o", "../a.mp4"], inner, "wrote ../a.mp4: 5 parts"),
      (["render", "--plan", "../\(plan)", "-o", "../a.mp4"], inner, "../a.mp4 is there already, complete"),
      (["concat", "../\(plan)", "-o", "../b.mp4"], inner, "wrote ../b.mp4: 5 parts"),
      (["concat", "../\(plan)", "-o", "../a.mp4"], inner, "error: ../a.mp4: The output exists already."),
      (["concat", "../\(plan)"], inner, "wrote ../it's.mp4: 5 parts"),
      (["concat", plan, "-o", "inner/../c.mp4"], scratch.folder, "wrote inner/../c.mp4: 5 parts"),
    ]
    for (arguments, folder, says) in commands {
      let result = try ToolRun.compositor(arguments, in: folder)
      #expect(result.errors.contains("compositor: \(says)"), "\(arguments): \(result.errors)")
      #expect(!result.errors.contains("/inner/.."), "\(result.errors)")
    }
    for name in ["a.mp4", "b.mp4", "c.mp4", "it's.mp4"] { #expect(try scratch.names().contains(name)) }
  }

  @Test func planThatIsNotThere_is66() throws {
    let scratch = try Scratch()
    let result = try ToolRun.compositor(["farm", "openjd", "none.json"], in: scratch.folder)
    #expect(result.status == ProcessStatus.missingMedia.rawValue)
    #expect(try scratch.names().isEmpty)
  }

  // MARK: - Progress for engines of Open Job Description

  @Test func progress_isTold_untilAllIsDone() throws {
    let scratch = try Scratch()
    _ = try scratch.file("p.json5", CommandLineTests.project)
    let result = try ToolRun.compositor(
      ["render", "p.json5", "-o", "x.mp4", "--progress", "openjd"], in: scratch.folder)
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    let lines = result.output.split(separator: "\n")
    for line in lines {
      #expect(line.wholeMatch(of: /openjd_progress: \d{1,3}\.\d|openjd_status: .+/) != nil, "\(line)")
    }
    #expect(lines.dropLast().last == "openjd_progress: 100.0")
    #expect(lines.last?.hasPrefix("openjd_status: wrote x.mp4") == true)
  }

  /// A failure is one line whatever is in it, also if the arguments are wrong.
  @Test(arguments: [
    ["render", "no\nsuch.json5", "-o", "x.mp4", "--progress", "openjd"],
    ["render", "p.json5", "-o", "x.mp4", "--progress", "openjd", "--threads", "0"],
  ]) func failure_isTold_inOneLine(_ arguments: [String]) throws {
    let scratch = try Scratch()
    _ = try scratch.file("p.json5", CommandLineTests.project)
    let result = try ToolRun.compositor(arguments, in: scratch.folder)
    #expect(result.status != 0)
    let failures = result.output.split(separator: "\n")
    #expect(failures.count == 1 && failures.first?.hasPrefix("openjd_fail: ") == true, "\(result.output)")
  }
}
