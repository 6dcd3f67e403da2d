public import CompositorAPI
import CompositorHost
import CompositorMediaIO
import CompositorPlatform
public import CompositorValidation

/// Exports many compositions, one after another or several at a time, and continues after a failure.
///
/// A row whose output exists is skipped, unless outputs are overwritten. Since an output appears complete or not at all, a
/// canceled batch that is run again exports only what is missing. Missing folders of outputs are created. Like all exports,
/// rows take their shares of the `RenderBudget` in their settings.
///
/// ```swift
/// let batch = BatchExporter(outputs: names.map { .success("out/\($0).mp4") })
/// let summary = await batch.run { row in
///   (try composition(for: names[row]), ExportSettings())
/// } report: { outcome in
///   print(outcome.output ?? "row \(outcome.row + 1)", outcome.status)
/// }
/// ```
public struct BatchExporter: Sendable {
  /// Makes a row's composition and its export settings. It is called right before the row is exported, so that there are no
  /// more compositions in memory than rows exported at a time. With several rows at a time, it is called concurrently from
  /// several tasks.
  public typealias Preparation =
    @Sendable (_ row: Int) async throws(CompositorError) -> (
      composition: ValidatedComposition, settings: ExportSettings
    )

  /// Each row's output, or the reason why it has none.
  private let outputs: [Result<String, CompositorError>]
  private let overwrites: Bool
  private let rowsAtATime: Int

  /// Creates a batch.
  ///
  /// - Parameters:
  ///   - outputs: Each row's output, as for ``Exporter``. A failure is the outcome of its row.
  ///   - overwrites: Whether existing outputs are overwritten. By default their rows are skipped. It takes precedence over
  ///     ``ExportSettings/overwrites``.
  ///   - rowsAtATime: Number of rows exported at a time, ≥ 1. Default 1.
  public init(outputs: [Result<String, CompositorError>], overwrites: Bool = false, rowsAtATime: Int = 1) {
    self.outputs = outputs
    self.overwrites = overwrites
    self.rowsAtATime = max(1, rowsAtATime)
  }

  /// Exports all rows, starting them in order.
  ///
  /// If the task is canceled, the rows in progress end in under two seconds and leave nothing behind. They and all later ones
  /// are reported as canceled.
  ///
  /// - Parameters:
  ///   - prepare: Makes a row's composition. An error it throws is the outcome of the row.
  ///   - progress: Receives a row's index, from 0, and its export's progress. `nil` disables reporting.
  ///   - report: Receives the outcome of each row, exactly once and in order.
  /// - Returns: Counts of the rows by outcome.
  public func run(
    _ prepare: @escaping Preparation, progress: (@Sendable (_ row: Int, ExportProgress) -> Void)? = nil,
    report: (BatchOutcome) -> Void
  ) async -> BatchSummary {
    let start = ContinuousClock.now
    var summary = BatchSummary()
    // Folders of failed rows are removed at the end, because another row may be about to write into one.
    var unused: [Int: OutputFolders] = [:]
    await withTaskGroup(of: (BatchOutcome, OutputFolders?).self) { group in
      var waiting = outputs.indices.makeIterator()
      func beginNext() {
        guard let row = waiting.next() else { return }
        group.addTask { await export(row, prepare, progress) }
      }
      for _ in 0..<rowsAtATime { beginNext() }
      // Outcomes of rows that overtook an earlier one.
      var early: [Int: BatchOutcome] = [:]
      var next = 0
      while let (outcome, folders) = await group.next() {
        unused[outcome.row] = folders
        early[outcome.row] = outcome
        while let outcome = early.removeValue(forKey: next) {
          summary.count(outcome)
          report(outcome)
          next += 1
        }
        beginNext()
      }
    }
    for (_, folders) in unused.sorted(by: { $0.key > $1.key }) { folders.removeEmpty() }
    summary.wallTime = ContinuousClock.now - start
    return summary
  }

  /// - Returns: The outcome, and the folders that were created in vain.
  private func export(
    _ row: Int, _ prepare: Preparation, _ progress: (@Sendable (Int, ExportProgress) -> Void)?
  ) async -> (BatchOutcome, OutputFolders?) {
    let output = try? outputs[row].get()
    var made: OutputFolders?
    do throws(CompositorError) {
      let path = try outputs[row].get()
      try Self.checkCancellation()
      if !overwrites, try isThere(path) { return (BatchOutcome(row: row, output: path, status: .skipped), nil) }
      let prepared = try await prepare(row)
      try Self.checkCancellation()
      var settings = prepared.settings
      settings.overwrites = overwrites
      made = try OutputFolders(for: path)
      let result = try await Exporter.export(prepared.composition, to: path, settings: settings) { progress?(row, $0) }
      return (BatchOutcome(row: row, output: path, status: .completed(result)), nil)
    } catch {
      let status: BatchOutcome.Status = error.code == .cancelled ? .canceled : .failed(error)
      return (BatchOutcome(row: row, output: output, status: status), made)
    }
  }

  /// Whether a row was already exported: its file exists, or the first of its numbered images.
  private func isThere(_ path: String) throws(CompositorError) -> Bool {
    for file in try OutputName(path: path).files(frameCount: 1) {
      var status = stat()
      if lstat(file, &status) == 0 { return true }
    }
    return false
  }

  private static func checkCancellation() throws(CompositorError) {
    guard Task.isCancelled else { return }
    throw CompositorError(.cancelled, "The batch was canceled.")
  }
}

/// The missing folders of an output.
private struct OutputFolders {
  /// The folders created, the outermost first.
  private var made: [String] = []

  /// Creates the folders above an output.
  ///
  /// - Throws: `.writeFailed` if one cannot be created.
  init(for path: String) throws(CompositorError) {
    var missing: [String] = []
    var folder = try OutputName(path: path).folder
    var status = stat()
    while folder != ".", folder != "/", stat(folder, &status) != 0, errno == ENOENT {
      missing.append(folder)
      folder = FileName.folder(of: folder)
    }
    for folder in missing.reversed() {
      // Another program may have created it meanwhile.
      guard mkdir(folder, 0o777) == 0 || errno == EEXIST else {
        let number = errno
        removeEmpty()
        throw CompositorError(
          .writeFailed, "The output's folder cannot be made.",
          recoverySuggestion: "Check the permissions of the folder above it.",
          cause: systemMessage(number), at: ErrorLocation(file: folder))
      }
      made.append(folder)
    }
  }

  /// Removes the created folders that are empty.
  func removeEmpty() { for folder in made.reversed() { rmdir(folder) } }
}
