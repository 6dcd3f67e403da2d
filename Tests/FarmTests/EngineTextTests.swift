import CompositorAPI
import CompositorFarm
import CompositorTestSupport
import Foundation
import Testing

/// Names of any kind reach the commands as they are.
@Suite struct EngineTextTests {
  @Test(arguments: EngineFixtures.shells) func quotedName_inAShell_isTheName(_ shell: String) throws {
    let folder = try TemporaryFolder()
    for name in EngineFixtures.names + ["", "ends\n"] {
      #expect(
        try EngineFixtures.run("printf '%s.' \(ShellText.quoted(name))", in: folder, shell: shell) == name + ".",
        "\(name.debugDescription)")
    }
    #expect(try folder.names.isEmpty)
  }

  @Test(arguments: EngineFixtures.shells) func nameQuotedInOneLine_inAShell_isTheName(_ shell: String) throws {
    let folder = try TemporaryFolder()
    for name in EngineFixtures.names + [""] {
      let word = try ShellText.quotedInOneLine(name)
      #expect(!word.utf8.contains(0x0A) && !word.utf8.contains(0x0D))
      #expect(
        try EngineFixtures.run("printf '%s.' \(word)", in: folder, shell: shell) == name + ".", "\(name.debugDescription)")
    }
    #expect(try folder.names.isEmpty)
  }

  @Test func nameThatEndsWithALineEnd_inOneLine_isRefused() {
    #expect(throws: CompositorError.self) { try ShellText.quotedInOneLine("ends\n") }
  }

  @Test func plainNames_areNotQuoted() {
    #expect(ShellText.quoted("/opt/compositor-0.1/bin/compositor") == "/opt/compositor-0.1/bin/compositor")
    #expect(ShellText.quoted("a=b") == "'a=b'")
  }

  @Test(arguments: [
    ["sh", "-c", "while IFS= read -r line; do sh -c \"$line\"; done <list"],
    ["xargs", "-a", "list", "-d", "\\n", "-I{}", "sh", "-c", "{}"],
  ]) func commandsOfHostileNames_arriveAsTheyAre(_ runner: [String]) throws {
    try runHostileNames(runner)
  }

  @Test(.enabled(if: hasParallel, "GNU parallel is not installed"))
  func commandsOfHostileNames_throughParallel_arriveAsTheyAre() throws {
    try runHostileNames(["parallel", "-j1", "-a", "list"])
  }

  /// The lines of a list run a program with exactly the names of the plan, through each of the programs that take such lists.
  private func runHostileNames(_ runner: [String]) throws {
    for name in EngineFixtures.names {
      let folder = try TemporaryFolder()
      try EngineFixtures.program("record", in: folder, "for word; do printf '%s\\0' \"$word\"; done >>arguments\n")
      var job = EngineFixtures.rest
      (job.planPath, job.missing) = (name, [7...7])
      let list = try CommandList(job: job, settings: EngineFixtures.settings { $0.tool = "./record" })
      try Data(list.text.utf8).write(to: folder.url.appending(path: "list"))
      try runTool("env", ["-C", folder.path, "SHELL=/bin/sh"] + runner)
      let arguments = String(decoding: try Data(contentsOf: folder.url.appending(path: "arguments")), as: UTF8.self)
      #expect(arguments == "render\0--plan\0\(ShellText.path(name))\0--segment\07\0", "\(name.debugDescription)")
      #expect(ShellText.path(name).utf8.first != UInt8(ascii: "-"))
      #expect(try folder.names == ["arguments", "list", "record"])
    }
  }

  private static let hasParallel = (try? runTool("parallel", ["--version"])) != nil

  @Test func folder_isWrittenOnce() throws {
    let folder = try TemporaryFolder()
    let files = SlurmScripts(job: EngineFixtures.movie, planFolder: "..").files
    try FarmFolder.write(files, to: folder.file("a/b"), overwrites: false)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("a")) == ["b"])
    #expect(FileManager.default.isExecutableFile(atPath: folder.file("a/b/submit.sh")))
    #expect(!FileManager.default.isExecutableFile(atPath: folder.file("a/b/part.sbatch")))
    try Data("mine".utf8).write(to: folder.url.appending(path: "a/b/part.sbatch"))
    #expect(throws: CompositorError.self) { try FarmFolder.write(files, to: folder.file("a/b"), overwrites: false) }
    #expect(try String(contentsOfFile: folder.file("a/b/part.sbatch"), encoding: .utf8) == "mine")
    try Data("kept".utf8).write(to: folder.url.appending(path: "a/b/log.txt"))
    try FarmFolder.write(files, to: folder.file("a/b"), overwrites: true)
    #expect(try String(contentsOfFile: folder.file("a/b/part.sbatch"), encoding: .utf8) == files[1].text)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.file("a/b")).sorted() == [
        "join.sbatch", "log.txt", "part.sbatch", "submit.sh",
      ])
    try FileManager.default.createDirectory(atPath: folder.file("empty"), withIntermediateDirectories: false)
    try FarmFolder.write(files, to: folder.file("empty"), overwrites: false)
    #expect(throws: CompositorError.self) { try FarmFolder.write(files, to: folder.file("a/b/log.txt"), overwrites: true) }
  }

  @Test func wayBetweenFolders_leadsThere() throws {
    let folder = try TemporaryFolder()
    for name in ["plan", "far/away/there"] {
      try FileManager.default.createDirectory(atPath: folder.file(name), withIntermediateDirectories: true)
    }
    try FileManager.default.createSymbolicLink(atPath: folder.file("link"), withDestinationPath: folder.file("far/away/there"))
    for (from, to, way) in [
      ("plan/x.slurm", "plan", ".."), ("plan", "plan", "."), ("x.slurm", "plan", "../plan"),
      ("far/new/er", "plan", "../../../plan"),
      ("link/x.slurm", "plan", "../../../../plan"), ("plan/x.slurm", "link", "../../far/away/there"),
    ] {
      #expect(FarmFolder.path(from: folder.file(from), to: folder.file(to)) == way)
    }
  }
}
