import ArgumentParser
import CompositorAPI
import CompositorHost
import CompositorMediaIO
import CompositorProjectFormat
import CompositorTimeline
import Foundation

/// `compositor validate`.
struct ValidateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate",
    abstract: "Check a project and its media without rendering; status 65 where it cannot be rendered.",
    discussion: """
      EXAMPLES
        compositor validate holiday.json5
        compositor validate holiday.json5 --strict --format sarif > holiday.sarif
        compositor validate holiday.json5 --fix --dry-run
        compositor validate holiday.json5 --fix

      docs/validation.md explains every diagnostic.
      """)

  /// How diagnostics are written.
  enum Format: String, ExpressibleByArgument, CaseIterable { case text, json, sarif }

  @OptionGroup var project: ProjectArgument
  @OptionGroup var colors: ColorOptions
  @OptionGroup var damage: DamageOptions

  @Option(help: "How to print diagnostics: \(Format.allCases.map(\.rawValue).joined(separator: ", ")) (SARIF 2.1.0).")
  var format: Format?

  @Flag(help: "Print JSON, as --format json.")
  var json = false

  @Flag(help: "Let warnings count as errors.")
  var strict = false

  @Flag(help: "Make the changes of the project's text that are safe, then check again.")
  var fix = false

  @Flag(help: "As --fix, and changes that may not be what was meant, such as the nearest word for a misspelled one.")
  var fixUnsafe = false

  @Flag(help: "With --fix: write nothing, and print the changes as a unified diff.")
  var dryRun = false

  @Option(
    name: [.short, .customLong("output")],
    help: "With --fix: write the changed text to this new file instead of over the project.", completion: .file())
  var output: String?

  private var wantsFixes: Bool { fix || fixUnsafe }
  private var printed: Format { format ?? (json ? .json : .text) }

  func validate() throws {
    if json, let format, format != .json { throw ValidationError("--json and --format \(format.rawValue) exclude each other.") }
    if dryRun, !wantsFixes { throw ValidationError("--dry-run is for --fix.") }
    if output != nil, !wantsFixes { throw ValidationError("--output is for --fix.") }
    if dryRun, output != nil { throw ValidationError("--dry-run writes nothing, and --output names a file.") }
    if dryRun, printed != .text {
      throw ValidationError("--dry-run prints a diff, and --format \(printed.rawValue) something else.")
    }
  }

  func run() async throws {
    let check = ProjectValidation(project: project, colors: colors, damage: damage)
    let opened: ProjectText?
    do throws(CompositorError) {
      opened = try ProjectText.opening(project.path)
    } catch {
      return try report(ProjectValidation.Outcome(error))
    }
    guard wantsFixes else { return try report(await check.run(opened)) }
    guard let opened else { throw ValidationError("--fix changes the text of a project, and \(project.path) is media.") }
    let fixed = try await ProjectFixing(check: check, includesUnsafe: fixUnsafe).run(opened)
    try write(fixed, of: opened)
    try report(fixed.outcome)
  }

  // MARK: Fixed text

  private func write(_ fixed: ProjectFixing.Fixed, of opened: ProjectText) throws {
    let (old, new) = (opened.text.bytes, fixed.project.text.bytes)
    if dryRun { return try Terminal.result(UnifiedDiff.text(from: old, to: new, name: project.name), terminator: "") }
    if let output {
      try TextFileRewriting.create(output, new)
    } else if let path = opened.path {
      guard new != old else { return tell([]) }
      let written = try TextFileRewriting.replace(path, holding: old, by: new)
      if written != path { Terminal.complain("\(path) is a link: \(written) was changed.") }
    } else {
      try Terminal.result(String(decoding: new, as: UTF8.self), terminator: "")
    }
    tell(fixed.made)
  }

  /// What was done, on the standard error stream: the other one may hold the text, or a report for programs.
  private func tell(_ made: [ProjectFix]) {
    for fix in made { Terminal.complain("fixed: \(fix.title)") }
    if made.isEmpty { Terminal.complain("nothing to fix\(fixUnsafe ? "" : " safely")") }
  }

  // MARK: Diagnostics

  /// Whether the standard output holds something else than the report.
  private var outputIsTaken: Bool { dryRun || (wantsFixes && project.path == "-" && output == nil) }

  private func report(_ outcome: ProjectValidation.Outcome) throws {
    switch printed {
    case .text: try printText(outcome)
    case .json: try put(JSON.text(outcome.diagnostics.map { DiagnosticRecord($0, text: outcome.text) }) + "\n")
    case .sarif:
      let log = SARIFLog(
        outcome.diagnostics, of: project.name, text: outcome.text, toolVersion: CompositorCommand.versionNumber)
      try put(JSON.text(log) + "\n")
    }
    try end(outcome)
  }

  private func put(_ text: String) throws {
    if outputIsTaken { return Terminal.put(text) }
    try Terminal.result(text, terminator: "")
  }

  private func printText(_ outcome: ProjectValidation.Outcome) throws {
    let stream = outputIsTaken ? STDERR_FILENO : STDOUT_FILENO
    let (isUnsafeAsked, isFixAsked) = (fixUnsafe, wantsFixes)
    let style = DiagnosticText(
      outcome.text, isColored: Terminal.isColored(stream), width: Terminal.isTerminal(stream) ? Terminal.width - 10 : 100
    ) { fix in
      // What is left after fixing could not be made.
      if isUnsafeAsked || (isFixAsked && fix.isSafe) { return "not made: it did not help" }
      return fix.isSafe ? "--fix makes it" : "--fix-unsafe makes it"
    }
    var text = outcome.diagnostics.map { style.text($0) + "\n\n" }.joined()
    let summary = DiagnosticText.summary(outcome.diagnostics)
    let isValid = outcome.failure == nil
    text +=
      "\(project.name): \(isValid ? ["valid", summary].compactMap { $0 }.joined(separator: ", ") : summary ?? "not valid")\n"
    if outcome.stage == .reading, outcome.text != nil, !outcome.diagnostics.isEmpty {
      // There is no edit yet.
      text += "Times and media are checked once \(outcome.diagnostics.count == 1 ? "this is" : "these are") mended.\n"
    }
    try put(text)
  }

  /// Ends with the status that belongs to the worst of it, and says the first error in one line for logs.
  private func end(_ outcome: ProjectValidation.Outcome) throws {
    guard let failure = outcome.failure else {
      guard strict, !outcome.diagnostics.isEmpty else { return }
      Terminal.complain("error: \(project.name) has warnings, and --strict counts them.")
      throw ExitCode(ProcessStatus.invalidProject.rawValue)
    }
    // Who reads the report needs no second line of it: a person at a terminal, or the log of both streams.
    if printed == .text, outputIsTaken || Terminal.streamsAreOne { throw ExitCode(ProcessStatus(failure.code).rawValue) }
    throw failure
  }
}
