import ArgumentParser
import Compositor
import Foundation

/// `compositor validate`.
struct ValidateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate",
    abstract: "Check a project and its media without rendering. The status is 65 if it cannot be rendered.",
    discussion: """
      EXAMPLES
        compositor validate holiday.json5
        compositor validate holiday.json5 --strict --format sarif > holiday.sarif
        compositor validate holiday.json5 --fix --dry-run
        compositor validate holiday.json5 --fix

      docs/validation.md explains every diagnostic.
      """)

  /// A format of the diagnostics.
  enum Format: String, ExpressibleByArgument, CaseIterable { case text, json, sarif }

  @OptionGroup var project: ProjectArgument
  @OptionGroup var colors: ColorOptions
  @OptionGroup var damage: DamageOptions

  @Option(help: "The format of the diagnostics: \(Format.allCases.map(\.rawValue).joined(separator: ", ")) (SARIF 2.1.0).")
  var format: Format?

  @Flag(help: "Print JSON. The same as --format json.")
  var json = false

  @Flag(help: "Treat warnings as errors.")
  var strict = false

  @Flag(help: "Apply all safe fixes to the project, then check again.")
  var fix = false

  @Flag(
    help:
      "Like --fix, but also apply fixes that may change the project's meaning, such as the nearest name for a misspelled one.")
  var fixUnsafe = false

  @Flag(help: "With --fix: print the changes as a unified diff, and write nothing.")
  var dryRun = false

  @Option(
    name: [.short, .customLong("output")],
    help: "With --fix: write the changed project to this new file instead of replacing it.", completion: .file())
  var output: String?

  private var wantsFixes: Bool { fix || fixUnsafe }
  private var printed: Format { format ?? (json ? .json : .text) }

  func validate() throws {
    if json, let format, format != .json { throw ValidationError("--json and --format \(format.rawValue) exclude each other.") }
    if dryRun, !wantsFixes { throw ValidationError("--dry-run requires --fix.") }
    if output != nil, !wantsFixes { throw ValidationError("--output requires --fix.") }
    if dryRun, output != nil { throw ValidationError("--dry-run writes nothing, but --output names a file.") }
    if dryRun, printed != .text {
      throw ValidationError("--dry-run prints a diff, so it excludes --format \(printed.rawValue).")
    }
  }

  func run() async throws {
    let loader = project.validator(colors: colors, damage: damage)
    let opened: ProjectText?
    do throws(CompositorError) {
      opened = try ProjectText.opening(project.path)
    } catch {
      return try report(LoadedProject(error))
    }
    guard wantsFixes else {
      let outcome = await loader.check(project.path, opened)
      guard printed == .text, let opened else { return try report(outcome) }
      let fixing = ProjectFixing(loader, path: project.path, includesUnsafe: true)
      return try report(outcome, refused: await fixing.refused(in: outcome, of: opened))
    }
    guard let opened else { throw ValidationError("--fix changes a project, but \(project.path) is a media file.") }
    let fixed = try await ProjectFixing(loader, path: project.path, includesUnsafe: fixUnsafe).run(opened)
    try write(fixed, of: opened)
    try report(fixed.outcome)
  }

  // MARK: Fixes

  private func write(_ fixed: ProjectFixing.Fixed, of opened: ProjectText) throws {
    let (old, new) = (opened.text.bytes, fixed.project.text.bytes)
    if dryRun { return try Terminal.result(UnifiedDiff.text(from: old, to: new, name: project.name), terminator: "") }
    if let output {
      try TextFileRewriting.create(output, new)
    } else if let path = opened.path {
      guard new != old else { return report([]) }
      let written = try TextFileRewriting.replace(path, holding: old, by: new)
      if written != path { Terminal.complain("\(path) is a symbolic link: \(written) was changed.") }
    } else {
      try Terminal.result(String(decoding: new, as: UTF8.self), terminator: "")
    }
    report(fixed.made)
  }

  /// Lists the applied fixes on the standard error stream, because the standard output may contain the project or a
  /// machine-readable report.
  private func report(_ made: [ProjectFix]) {
    for fix in made { Terminal.complain("fixed: \(fix.title)") }
    if made.isEmpty { Terminal.complain("nothing to fix\(fixUnsafe ? "" : " safely")") }
  }

  // MARK: Diagnostics

  /// Whether the standard output contains something other than the report.
  private var outputIsTaken: Bool { dryRun || (wantsFixes && project.path == "-" && output == nil) }

  /// - Parameter refused: The fixes that `--fix-unsafe` would not make.
  private func report(_ outcome: LoadedProject, refused: Set<ProjectFix> = []) throws {
    switch printed {
    case .text: try printText(outcome, refused)
    case .json: try put(JSON.text(outcome.diagnostics.map { DiagnosticRecord($0, text: outcome.text) }) + "\n")
    case .sarif:
      let log = SARIFLog(
        outcome.diagnostics, of: project.name, text: outcome.text, toolVersion: CompositorVersion.number)
      try put(JSON.text(log) + "\n")
    }
    try end(outcome)
  }

  private func put(_ text: String) throws {
    if outputIsTaken { return Terminal.put(text) }
    try Terminal.result(text, terminator: "")
  }

  private func printText(_ outcome: LoadedProject, _ refused: Set<ProjectFix>) throws {
    let stream = outputIsTaken ? STDERR_FILENO : STDOUT_FILENO
    let (isUnsafeAsked, isFixAsked) = (fixUnsafe, wantsFixes)
    let style = DiagnosticText(
      outcome.text, isColored: Terminal.isColored(stream), width: Terminal.isTerminal(stream) ? Terminal.width - 10 : 100
    ) { fix in
      // A fix that remains after fixing was not applied.
      if isUnsafeAsked || (isFixAsked && fix.isSafe) { return "not made: it did not help" }
      if refused.contains(fix) { return "not made by --fix-unsafe: other warnings would follow" }
      return fix.isSafe ? "--fix makes it" : "--fix-unsafe makes it"
    }
    var text = outcome.diagnostics.map { style.text($0) + "\n\n" }.joined()
    let summary = DiagnosticText.summary(outcome.diagnostics)
    let isValid = outcome.failure == nil
    text +=
      "\(project.name.escapingControls): \(isValid ? ["valid", summary].compactMap { $0 }.joined(separator: ", ") : summary ?? "not valid")\n"
    if outcome.stage == .reading, outcome.text != nil, !outcome.diagnostics.isEmpty {
      // The project could not be read, so there is no edit to check yet.
      text += "Times and media are checked once \(outcome.diagnostics.count == 1 ? "this is" : "these are") fixed.\n"
    }
    try put(text)
  }

  /// Exits with the status of the error that prevents rendering, which is also printed on one line for logs. With `--strict`,
  /// warnings are errors.
  private func end(_ outcome: LoadedProject) throws {
    guard let failure = outcome.failure else {
      guard strict, !outcome.diagnostics.isEmpty else { return }
      Terminal.complain("error: \(project.name) has warnings, and --strict counts them.")
      throw ExitCode(ProcessStatus.invalidProject.rawValue)
    }
    // The error is already in the report. Don't repeat it if both go to the same terminal or log.
    if printed == .text, outputIsTaken || Terminal.streamsAreOne { throw ExitCode(ProcessStatus(failure.code).rawValue) }
    throw failure
  }
}
