import CompositorFarm
import CompositorTestSupport
import Foundation
import Testing

/// The scripts for Slurm, run by a shell with stand-ins for Slurm's commands and for the tool. `Tests/Tools/farm-check` runs them in Slurm itself.
@Suite struct EngineSlurmTests {
  /// A folder with a plan's name, the scripts below it, and stand-ins on a path of their own.
  private func make(_ job: FarmJob, arrayLimit: Int = 1001, tool: String = "echo \"$*\" >>runs\n") throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let settings = EngineFixtures.settings { $0.tool = folder.file("tool") }
    let files = SlurmScripts(job: job, planFolder: "..", settings: settings, arrayLimit: arrayLimit).files
    try FarmFolder.write(files, to: folder.file("100% of it's"), overwrites: false)
    try EngineFixtures.program("tool", in: folder, tool)
    // Each submission is a line; the job's number is how many there are.
    try EngineFixtures.program(
      "sbatch", in: folder,
      "echo \"$*\" >>'\(folder.file("submissions"))'\necho \"$(wc -l <'\(folder.file("submissions"))');farm\"\n")
    try EngineFixtures.program("scontrol", in: folder, "echo \"$*\" >>'\(folder.file("requeues"))'\nexit 1\n")
    return folder
  }

  /// Runs one of the scripts as Slurm would, and gives its status.
  private func run(_ script: String, in folder: TemporaryFolder, _ environment: String = "") throws -> String {
    let way = "PATH='\(folder.path):/usr/bin:/bin' \(environment) \(script); echo $?"
    return try EngineFixtures.run("cd '100% of it'\\''s' && \(way)", in: folder).split(separator: "\n").last.map(String.init)
      ?? ""
  }

  private func lines(_ name: String, in folder: TemporaryFolder) -> [String] {
    guard let text = try? String(contentsOfFile: folder.file(name), encoding: .utf8) else { return [] }
    return text.replacing(folder.path, with: "DIR").split(separator: "\n").map(String.init)
  }

  @Test func submission_isAudioArrayAndJoinAfterBoth() throws {
    let folder = try make(EngineFixtures.movie)
    #expect(try run("./submit.sh", in: folder) == "0")
    let scripts = "DIR/100% of it's"
    #expect(
      lines("submissions", in: folder) == [
        "--parsable --chdir=\(scripts) --output=log-%j-audio.txt \(scripts)/part.sbatch",
        "--parsable --chdir=\(scripts) --output=log-%A_%a.txt --array=0-5 \(scripts)/part.sbatch",
        "--parsable --chdir=\(scripts) --output=log-%j-join.txt --dependency=afterany:1:2 \(scripts)/join.sbatch",
      ])
  }

  @Test func submission_ofOtherTasks_andWaiting() throws {
    let folder = try make(EngineFixtures.rest)
    try Data().write(to: folder.url.appending(path: "holiday.mp4"))
    try Data().write(to: folder.url.appending(path: "100% of it's/log-2-join.txt"))
    #expect(try run("./submit.sh --wait 3,7-8", in: folder) == "0")
    #expect(lines("submissions", in: folder).map { $0.contains("--array=3,7-8") } == [true, false])
    #expect(lines("submissions", in: folder).map { $0.contains("--wait") } == [false, true])
  }

  /// sbatch passes the environment on: within a task of an array, the audio would be a segment.
  @Test func submission_withinATaskOfAnArray_doesNotPassItsNumberOn() throws {
    let folder = try make(EngineFixtures.movie)
    try EngineFixtures.program(
      "sbatch", in: folder,
      "echo \"${SLURM_ARRAY_TASK_ID-none} ${SLURM_RESTART_COUNT-none}\" >>'\(folder.file("submissions"))'\necho 1\n")
    #expect(try run("./submit.sh", in: folder, "SLURM_ARRAY_TASK_ID=3 SLURM_RESTART_COUNT=2") == "0")
    #expect(lines("submissions", in: folder) == ["none none", "none none", "none none"])
  }

  /// sbatch takes a job that was canceled before it began for one that succeeded.
  @Test func waiting_withoutAMovieInTheEnd_is75() throws {
    let folder = try make(EngineFixtures.movie)
    #expect(try run("./submit.sh --wait", in: folder) == "75")
    // Even if there is one of an earlier submission.
    try Data().write(to: folder.url.appending(path: "holiday.mp4"))
    #expect(try run("./submit.sh --wait", in: folder) == "75")
  }

  @Test func submission_ofNothing_isTheJoinAlone() throws {
    let folder = try make(EngineFixtures.rest)
    #expect(try run("./submit.sh ''", in: folder) == "0")
    #expect(lines("submissions", in: folder).count == 1)
    #expect(!lines("submissions", in: folder)[0].contains("--dependency"))
  }

  @Test func failureOfSbatch_endsTheSubmission() throws {
    let folder = try make(EngineFixtures.movie)
    try EngineFixtures.program("sbatch", in: folder, "exit 3\n")
    #expect(try run("./submit.sh", in: folder) == "3")
  }

  @Test func batch_hasNoJoin() throws {
    let folder = try make(EngineFixtures.batch)
    #expect(try run("./submit.sh --wait", in: folder) == "0")
    #expect(lines("submissions", in: folder).count == 1)
    #expect(lines("submissions", in: folder)[0].contains("--array=0-39 --wait"))
    #expect(!FileManager.default.fileExists(atPath: folder.file("100% of it's/join.sbatch")))
  }

  /// Every missing segment is rendered by one task, whatever an array may have.
  @Test(arguments: [1, 2, 7, 39, 40, 1001]) func tasks_coverWhatIsMissing(_ limit: Int) throws {
    var job = EngineFixtures.batch
    job.missing = [0...4, 17...17, 33...39]
    let folder = try make(job, arrayLimit: limit)
    #expect(try run("./submit.sh", in: folder) == "0")
    let array = try #require(lines("submissions", in: folder).first?.firstMatch(of: /--array=(\S+)/)?.1)
    var rendered: [Int] = []
    for range in array.split(separator: ",") {
      let ends = range.split(separator: "-").compactMap { Int($0) }
      for task in ends[0]...(ends.last ?? ends[0]) {
        #expect(task < limit)
        #expect(try run("sh part.sbatch", in: folder, "SLURM_ARRAY_TASK_ID=\(task) SLURM_JOB_ID=1") == "0")
      }
    }
    for line in lines("runs", in: folder) {
      let segments = try #require(
        line.firstMatch(of: /^render --plan people.plan.json --segment (\d+)(?:-(\d+))? --progress plain$/))
      let first = try #require(Int(segments.1))
      rendered += Array(first...(segments.2.flatMap { Int($0) } ?? first))
    }
    #expect(Set(rendered).count == rendered.count)
    #expect(Set(rendered).isSuperset(of: job.missing.joined()) && rendered.allSatisfy { (0..<40).contains($0) })
  }

  @Test func taskWithoutNumber_isTheAudio() throws {
    let folder = try make(EngineFixtures.movie)
    #expect(try run("sh part.sbatch", in: folder, "SLURM_JOB_ID=1") == "0")
    #expect(try run("sh join.sbatch", in: folder) == "0")
    #expect(
      lines("runs", in: folder) == [
        "render --plan holiday.plan.json --audio --progress plain", "concat holiday.plan.json -o holiday.mp4",
      ])
  }

  /// 75 is worth two more tries; anything else is not. The stand-in of scontrol fails, so that the status is the tool's.
  @Test func taskThatMayTryAgain_isRequeued() throws {
    for (status, count, isRequeued) in [(75, "0", true), (75, "1", true), (75, "2", false), (66, "0", false), (0, "0", false)] {
      let folder = try make(EngineFixtures.movie, tool: "exit \(status)\n")
      let ending = try run("sh part.sbatch", in: folder, "SLURM_ARRAY_TASK_ID=1 SLURM_JOB_ID=12 SLURM_RESTART_COUNT=\(count)")
      #expect(ending == "\(status)")
      #expect(lines("requeues", in: folder) == (isRequeued ? ["requeue 12"] : []))
    }
  }

  /// A signal to the whole job reaches the tool once, and the script waits for how the tool ends.
  @Test func canceledTask_waitsForTheTool() throws {
    let folder = try make(
      EngineFixtures.movie,
      tool: "trap 'echo ended >>runs; exit 143' TERM\necho $$ >started\nwhile :; do sleep 0.05; done\n")
    let script = """
      sh part.sbatch & job=$!
      until [ -s ../started ]; do sleep 0.05; done
      kill -TERM "$job" "$(cat ../started)"
      wait "$job"; echo $? >../status
      """
    try Data(script.utf8).write(to: folder.url.appending(path: "cancel"))
    _ = try run("sh ../cancel", in: folder, "SLURM_ARRAY_TASK_ID=1 SLURM_JOB_ID=12")
    #expect(lines("runs", in: folder) == ["ended"])
    #expect(lines("status", in: folder) == ["143"])
  }

  @Test(arguments: EngineFixtures.names) func hostileName_reachesTheTool(_ name: String) throws {
    var job = EngineFixtures.movie
    (job.planPath, job.movieName) = (name, name)
    let folder = try make(job, tool: "for word; do printf '%s\\0' \"$word\"; done >arguments\n")
    #expect(try run("sh part.sbatch", in: folder, "SLURM_ARRAY_TASK_ID=3 SLURM_JOB_ID=1") == "0")
    #expect(
      try String(contentsOfFile: folder.file("arguments"), encoding: .utf8)
        == "render\0--plan\0\(ShellText.path(name))\0--segment\03\0--progress\0plain\0")
    #expect(try run("sh join.sbatch", in: folder) == "0")
    #expect(
      try String(contentsOfFile: folder.file("arguments"), encoding: .utf8)
        == "concat\0\(ShellText.path(name))\0-o\0\(ShellText.path(name))\0")
  }
}
