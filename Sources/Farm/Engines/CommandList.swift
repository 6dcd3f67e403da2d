public import CompositorAPI

/// The commands that render the missing parts of a plan, one per line. They can run in any order and any number of them at a
/// time.
///
/// GNU parallel, xargs, make and custom queues can run such a list:
///
/// ```
/// compositor farm commands plan.json | parallel --retries 3
/// compositor concat plan.json -o movie.mp4
/// ```
public struct CommandList: Sendable {
  /// The commands, with the audio first because it may take longest; empty if nothing is missing.
  public let commands: [String]
  /// The command that joins the parts once all are done; `nil` for a batch.
  public let joining: String?

  /// - Parameters:
  ///   - job: The plan's job.
  ///   - folder: The plan's folder, as the commands refer to it; empty if they run in that folder.
  ///   - settings: The tool to run.
  /// - Throws: `.invalidValue` for names that end with a line break.
  public init(job: FarmJob, folder: String = "", settings: FarmSettings = FarmSettings()) throws(CompositorError) {
    func word(_ name: String) throws(CompositorError) -> String {
      let isWhole = name.utf8.first == UInt8(ascii: "/") || folder.isEmpty
      let path = isWhole ? name : folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
      return try ShellText.quotedInOneLine(ShellText.path(path))
    }
    let (tool, plan) = (try ShellText.quotedInOneLine(settings.tool), try word(job.planPath))
    let audio = job.isAudioMissing ? ["\(tool) render --plan \(plan) --audio"] : []
    commands = audio + job.missing.joined().map { "\(tool) render --plan \(plan) --segment \($0)" }
    joining = job.isBatch ? nil : "\(tool) concat \(plan) -o \(try word(job.movieName))"
  }

  /// The commands, one per line.
  public var text: String { commands.map { $0 + "\n" }.joined() }
}
