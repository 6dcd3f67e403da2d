import ArgumentParser
import Compositor

/// `compositor concat`.
struct ConcatCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "concat",
    abstract: "Join the parts of a plan into the movie, without encoding.",
    discussion: """
      Every part is compared with its receipt, byte by byte. If one is missing, damaged, of another plan or encoded differently, nothing \
      is written: the message names the part and the command that renders it, and the status is 75.

      EXAMPLES
        compositor concat plan.json
        compositor concat plan.json -o holiday.mp4
      """)

  @Argument(help: "A plan that compositor plan wrote.", completion: .file(extensions: ["json"]))
  var plan: String

  @Option(name: [.short, .customLong("output")], help: "The movie to write. By default the plan's.")
  var output: String?

  @Flag(help: "Replace an existing file, atomically, when the new one is complete.")
  var overwrite = false

  @Flag(help: "Join with a version of the tool or FFmpeg other than the plan's. The bytes may differ.")
  var allowVersion = false

  @Option(help: "How to show progress: bar, plain, json (lines on the standard output) or none.")
  var progress: ProgressStyle?

  func run() async throws {
    let command = self
    try await Interruption.guarding {
      let reporter = ProgressReporter(command.progress)
      do {
        let folder = PlanFolder(ofPlan: command.plan)
        let path = folder.relative(command.plan)
        try folder.enter()
        var file = try SegmentPlanFile(contentsOf: path)
        file.shownPath = command.plan
        let movie = command.output.map(folder.absolute) ?? file.plan.movie?.path ?? ""
        try await Joining(file, reporter, tool: CompositorVersion.number).run(
          to: movie, shownAs: command.output ?? folder.shown(movie), overwrites: command.overwrite,
          allowsVersion: command.allowVersion)
      } catch {
        reporter.fail(error, output: command.output ?? command.plan)
        throw error
      }
    }
  }
}

/// Joins the parts of a plan, and reports progress.
struct Joining {
  private let file: SegmentPlanFile
  private let reporter: ProgressReporter
  private let tool: String

  init(_ file: SegmentPlanFile, _ reporter: ProgressReporter, tool: String) {
    (self.file, self.reporter, self.tool) = (file, reporter, tool)
  }

  /// - Parameters:
  ///   - path: The movie, as seen from the folder of the plan.
  ///   - name: The movie in messages, as seen from the folder in which the tool was called.
  func run(to path: String, shownAs name: String, overwrites: Bool, allowsVersion: Bool) async throws {
    let allowed = try PlanChecks(file).checkMediaVersions(tool: tool, allows: allowsVersion)
    let start = ContinuousClock.now
    let joined: MovieJoiner.Result
    do throws(CompositorError) {
      joined = try await MovieJoiner(file).join(to: path, overwrites: overwrites) { [reporter] done, count in
        reporter.report(ExportProgress(framesDone: done, frameCount: count, elapsed: ContinuousClock.now - start))
      }
    } catch {
      throw error.naming(path, as: name)
    }
    for version in allowed { Terminal.complain("warning: allowed: \(version)") }
    for warning in joined.warnings { Terminal.complain("warning: \(warning)") }
    try reporter.finish(joined, as: name)
  }
}

extension CompositorError {
  /// A copy of the error that names a file as in messages.
  func naming(_ path: String, as name: String) -> CompositorError {
    var copy = self
    if location.file == path { copy.location.file = name }
    return copy
  }
}

/// `compositor plan --status`.
struct PlanStatusReport {
  let plan: String
  let isJSON: Bool

  func print() async throws {
    let status = try await PlanStatus.reading(try SegmentPlanFile(contentsOf: plan))
    try Terminal.result(isJSON ? try JSONLine.text(of: status.report) : status.text, terminator: isJSON ? "\n" : "")
  }
}

extension PlanStatus {
  /// The status for programs.
  fileprivate var report: [String: any Sendable] {
    let folder = PartsFolder(file)
    var report: [String: any Sendable] = [
      "plan": file.name, "path": file.path, "parts": folder.path, "segments": file.plan.segmentCount, "done": done.description,
      "missing": missing.description, "complete": isComplete, "commands": commands, "warnings": warnings,
      "problems": states.filter { $0.state.receipt == nil }.map { entry -> [String: any Sendable] in
        [
          "part": entry.part.stem, "file": folder.fileName(of: entry.part), "state": entry.state.word,
          "reason": entry.state.reason,
        ]
      } as [any Sendable],
    ]
    if let movie = file.plan.movie {
      report["movie"] = movie.path
      report["frames"] = movie.frameCount
      if file.plan.audio != nil { report["audio"] = !isAudioMissing }
    }
    return report
  }

  /// The status for people.
  fileprivate var text: String {
    let count = states.count { $0.state.receipt != nil }
    let kind = file.plan.isBatch ? "rows" : "parts"
    var lines = ["\(file.path): \(count) of \(states.count) \(kind) are there (plan \(file.shortName))"]
    lines += problems + warnings.map { "warning: \($0)" }
    if isComplete, !file.plan.isBatch { lines.append("compositor concat \(file.path)") }
    lines += commands
    return lines.map { $0 + "\n" }.joined()
  }
}
