import ArgumentParser
import Compositor
import Foundation

/// `compositor farm`.
struct FarmCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "farm",
    abstract:
      "Write the files that an engine needs to render a plan on many machines: a job bundle, batch scripts, or a list of commands.",
    discussion: """
      Only missing parts are rendered. docs/farm-engines.md compares the engines.

      EXAMPLES
        compositor farm openjd holiday.plan.json -o holiday.openjd
        compositor farm slurm holiday.plan.json -o holiday.slurm
        compositor farm commands holiday.plan.json | parallel
      """,
    subcommands: [FarmOpenJDCommand.self, FarmSlurmCommand.self, FarmCommandsCommand.self])
}

/// The plan, and the tool that renders it.
struct FarmArguments: ParsableArguments {
  @Argument(help: "A plan that `compositor plan` wrote.", completion: .file(extensions: ["json"]))
  var plan: String

  @Option(help: "The tool on the nodes: a name on their PATH, or a path. By default compositor.")
  var tool: String?

  func validate() throws {
    if tool?.isEmpty == true { throw ValidationError("--tool takes a name or a path.") }
  }

  /// Finds the parts that are missing now in the folder of parts. A signal cancels it.
  func job() async throws -> FarmJob {
    let plan = plan
    return try await Interruption.guarding { try await PlanStatus.reading(try SegmentPlanFile(contentsOf: plan)).job }
  }

  var settings: FarmSettings {
    var settings = FarmSettings()
    if let tool { settings.tool = tool }
    return settings
  }
}

/// The resources that a task requests from a node, and the folder for the files of an engine.
struct FarmFolderOptions: ParsableArguments {
  @Option(help: "Processors that a task requests. By default 1. The bytes don't depend on it.")
  var cpus: Int?

  @Option(help: "The time after which the engine ends a task: 90s, 30m, 2h. By default the engine's own limit.")
  var timeLimit: String?

  @Option(
    name: [.short, .customLong("output")], help: "The folder to write. By default one named after the plan, beside it.",
    completion: .directory)
  var output: String?

  @Flag(help: "Replace existing files.")
  var overwrite = false

  func validate() throws {
    if let cpus, cpus < 1 { throw ValidationError("--cpus takes 1 or more.") }
    if timeLimit != nil, timeLimitSeconds == nil {
      throw ValidationError("--time-limit takes a length such as 90s, 30m or 2h.")
    }
  }

  func apply(to settings: FarmSettings) -> FarmSettings {
    var settings = settings
    if let cpus { settings.processorCount = cpus }
    settings.timeLimitSeconds = timeLimitSeconds
    return settings
  }

  /// The default folder to write: `holiday.slurm` for `holiday.json`.
  func folder(for plan: String, ending: String) -> String {
    output ?? URL(filePath: plan).deletingPathExtension().appendingPathExtension(ending).relativePath
  }

  /// Writes the files, and lists them on the standard output.
  func write(_ files: [FarmFile], to folder: String) throws(CompositorError) {
    try FarmFolder.write(files, to: folder, overwrites: overwrite)
    try Terminal.result("\(folder): \(files.map(\.name).joined(separator: ", "))")
  }

  private var timeLimitSeconds: Int? {
    guard let timeLimit, let unit = timeLimit.last, let count = Int(timeLimit.dropLast()), count > 0 else { return nil }
    let seconds: [Character: Int] = ["s": 1, "m": 60, "h": 3600]
    guard let factor = seconds[unit], count <= 1_000_000 else { return nil }
    return count * factor
  }
}

/// The absolute path of the folder that contains a plan.
private func planFolder(_ plan: String) -> String { URL(filePath: plan).standardizedFileURL.deletingLastPathComponent().path }

/// `compositor farm openjd`.
struct FarmOpenJDCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "openjd",
    abstract: "Write an Open Job Description bundle, for openjd run or AWS Deadline Cloud.",
    discussion: """
      EXAMPLES
        compositor farm openjd holiday.plan.json -o holiday.openjd
        openjd run holiday.openjd/template.yaml -p file://holiday.openjd/openjd_values.yaml
        deadline bundle submit holiday.openjd
      """)

  @OptionGroup var arguments: FarmArguments
  @OptionGroup var options: FarmFolderOptions

  func run() async throws {
    let folder = options.folder(for: arguments.plan, ending: "openjd")
    let bundle = OpenJDBundle(
      job: try await arguments.job(), planFolder: planFolder(arguments.plan), settings: options.apply(to: arguments.settings))
    try options.write(bundle.files, to: folder)
    let (template, values) = (
      ShellText.quoted("\(folder)/template.yaml"), ShellText.quoted("file://\(folder)/openjd_values.yaml")
    )
    try Terminal.result("next: openjd run \(template) -p \(values)")
    try Terminal.result("  or: deadline bundle submit \(ShellText.quoted(folder))")
  }
}

/// `compositor farm slurm`.
struct FarmSlurmCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "slurm",
    abstract: "Write batch scripts for Slurm: an array of the missing segments, the audio, and a job that joins them.",
    discussion: """
      EXAMPLES
        compositor farm slurm holiday.plan.json -o holiday.slurm
        holiday.slurm/submit.sh
        SBATCH_PARTITION=render holiday.slurm/submit.sh --wait
      """)

  @OptionGroup var arguments: FarmArguments
  @OptionGroup var options: FarmFolderOptions

  @Option(
    help:
      "The most tasks of an array: MaxArraySize of the cluster. By default 1001. If there are more segments, a task renders several."
  )
  var arrayLimit: Int?

  func validate() throws {
    if let arrayLimit, arrayLimit < 1 { throw ValidationError("--array-limit takes 1 or more.") }
  }

  func run() async throws {
    let folder = options.folder(for: arguments.plan, ending: "slurm")
    let scripts = SlurmScripts(
      job: try await arguments.job(), planFolder: FarmFolder.path(from: folder, to: planFolder(arguments.plan)),
      settings: options.apply(to: arguments.settings), arrayLimit: arrayLimit ?? SlurmScripts.defaultArrayLimit)
    try options.write(scripts.files, to: folder)
    try Terminal.result("next: \(ShellText.quoted(ShellText.path(folder.contains("/") ? folder : "./" + folder)))/submit.sh")
  }
}

/// `compositor farm commands`.
struct FarmCommandsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "commands",
    abstract:
      "Print the commands that render missing parts, one per line: for GNU parallel, xargs, make or your own queue.",
    discussion: """
      The commands name the plan as it is named here, so run them in this folder. Any number of them may run at a time, in any order. The
      command that joins the parts is printed on the standard error stream.

      EXAMPLES
        compositor farm commands holiday.plan.json | parallel --retries 3
        compositor farm commands holiday.plan.json | xargs -d '\\n' -P 4 -I{} sh -c {}
        compositor farm commands holiday.plan.json -o holiday.commands
      """)

  @OptionGroup var arguments: FarmArguments

  @Option(
    name: [.short, .customLong("output")], help: "The file to write. By default the standard output.", completion: .file())
  var output: String?

  @Flag(help: "Replace an existing file.")
  var overwrite = false

  func validate() throws {
    if overwrite, output == nil { throw ValidationError("--overwrite requires --output.") }
  }

  func run() async throws {
    let slash = arguments.plan.utf8.lastIndex(of: UInt8(ascii: "/"))
    let list = try CommandList(
      job: try await arguments.job(), folder: slash.map { String(arguments.plan[...$0]) } ?? "", settings: arguments.settings)
    if let output {
      try FarmFolder.write(list.text, toFile: output, overwrites: overwrite)
    } else {
      try Terminal.result(list.text, terminator: "")
    }
    if list.commands.isEmpty { Terminal.complain("nothing is missing") }
    if let joining = list.joining { Terminal.complain("then: \(joining)") }
  }
}
