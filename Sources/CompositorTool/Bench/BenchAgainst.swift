import ArgumentParser
import Compositor
import CompositorBenchmark
import Foundation

/// `compositor bench --against OTHER`: measures the same work alternately with this build and another one, each run in its own process.
struct BenchAgainst {
  /// The path of the other build.
  let other: String
  /// The percentage by which a frame's cost may grow.
  let tolerance: Double
  /// The percentage by which calls to compositors are slowed down in this build's runs. For tests of the comparison.
  let plantedRegression: Double

  /// The number of pairs of runs after which an undecided row counts as too noisy.
  static let mostPairCount = 60

  /// Options that are not passed on: the runs of a build set them to other values, or do without.
  private static let ownOptions: Set<String> = [
    "--against", "--tolerance", "--planted-regression", "--repetitions", "--checked-frames", "--chart", "--baseline",
  ]

  /// The arguments of a run of either build: those of this command, with few passes and a report as JSON.
  static func arguments(_ own: [String]) -> [String] {
    var kept: [String] = []
    var isValue = false
    for argument in own.dropFirst() {
      defer { isValue = ownOptions.contains(argument) }
      if isValue || argument == "--json" || ownOptions.contains(argument.prefix { $0 != "=" }.description) { continue }
      kept.append(argument)
    }
    return kept + ["--json", "--checked-frames", "0", "--repetitions", "2"]
  }

  /// Measures until each row is decided, and prints the comparison.
  ///
  /// - Throws: Status 79 for a regression, 75 if the machine is too noisy to decide; `.fileNotFound` if the other build does not run,
  ///   `.invalidValue` if its report cannot be read, `.compositorFailed` if there is nothing to compare.
  func run(_ arguments: [String]) async throws {
    var comparison = PairedComparison(tolerance: tolerance / 100)
    let planted = plantedRegression > 0 ? ["--planted-regression", "\(plantedRegression)"] : []
    let own = try BenchAgainst.ownPath()
    for pair in 0..<BenchAgainst.mostPairCount where !comparison.isDecided {
      try Task.checkCancellation()
      // The builds alternate in running first.
      let report: BenchmarkReport
      let before: BenchmarkReport
      if pair % 2 == 0 {
        report = try await Self.report(of: own, arguments + planted)
        before = try await Self.report(of: other, arguments)
      } else {
        before = try await Self.report(of: other, arguments)
        report = try await Self.report(of: own, arguments + planted)
      }
      comparison.add(report, before)
      guard !comparison.rows.isEmpty else {
        throw CompositorError(
          .invalidValue, "The two builds have no row in common.",
          recoverySuggestion: "Name work that both know with --work.", at: ErrorLocation(file: other))
      }
      if Terminal.isInteractive { Terminal.complain("\(pair + 1) pairs of runs") }
    }
    try Terminal.result(comparison.table)
    guard !comparison.isEmpty else {
      throw CompositorError(
        .compositorFailed, "Nothing could be compared: every row fails in one of the builds.",
        recoverySuggestion: "See why with the same options without --against.", at: ErrorLocation(file: other))
    }
    if !comparison.regressions.isEmpty { throw ExitCode(ProcessStatus.regression.rawValue) }
    if !comparison.isDecided { throw ExitCode(ProcessStatus.retry.rawValue) }
  }

  private static func ownPath() throws -> String {
    do {
      return try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    } catch {
      throw CompositorError(
        .fileNotFound, "The tool cannot find its own executable file.", recoverySuggestion: "Mount /proc.",
        cause: error.localizedDescription, at: ErrorLocation(file: "/proc/self/exe"))
    }
  }

  /// Runs a build's benchmark in a process and reads its report.
  private static func report(of tool: String, _ arguments: [String]) async throws -> BenchmarkReport {
    let process = Process()
    process.executableURL = URL(filePath: tool)
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    let output = Pipe()
    process.standardOutput = output
    do {
      try process.run()
    } catch {
      throw CompositorError(
        .fileNotFound, "The other build cannot be started.",
        recoverySuggestion: "Give --against the executable of another compositor tool.", cause: error.localizedDescription,
        at: ErrorLocation(file: tool))
    }
    let bytes = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        // Reading blocks until the process exits, so it runs on its own thread.
        Thread.detachNewThread { continuation.resume(returning: output.fileHandleForReading.readDataToEndOfFile()) }
      }
    } onCancel: {
      process.terminate()
    }
    process.waitUntilExit()
    try Task.checkCancellation()
    guard process.terminationStatus == 0 else {
      throw CompositorError(
        .invalidValue, "A run of the benchmark ended with status \(process.terminationStatus).",
        recoverySuggestion: "Try the same options without --against: \(([tool] + arguments).joined(separator: " "))",
        at: ErrorLocation(file: tool))
    }
    return try BenchComparisonOptions.report(from: bytes, file: tool)
  }
}
