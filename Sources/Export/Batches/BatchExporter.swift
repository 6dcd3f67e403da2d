public import CompositorAPI
public import CompositorHost

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Exports many compositions, one after another or several side by side, and goes on after a failure.
///
/// A row whose output exists is skipped, unless outputs are replaced. Since an output appears complete or not at all, a batch that
/// was canceled and is run again exports only what is missing. Folders of outputs are made. Rows take their shares of the
/// ``CompositorScheduling/RenderBudget`` that their settings name, as all exports do.
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
  /// Makes a row's composition and says how it is exported. It is called right before the row is exported, so that no more compositions are
  /// in memory than rows are exported at a time; for rows side by side from several tasks at a time.
  public typealias Preparation =
    @Sendable (_ row: Int) async throws(CompositorError) -> (
      composition: ValidatedComposition, settings: ExportSettings
    )

  /// What each row is written to, or why it has no name.
  private let outputs: [Result<String, CompositorError>]
  private let overwrites: Bool
  private let rowsAtATime: Int

  /// Makes a batch.
  ///
  /// - Parameters:
  ///   - outputs: What each row is written to, as ``Exporter`` takes it; a failure is the outcome of its row.
  ///   - overwrites: Whether existing outputs are replaced. By default their rows are skipped. It counts in place of
  ///     ``ExportSettings/overwrites``.
  ///   - rowsAtATime: Rows that are exported side by side, ≥ 1. Default 1: one after another.
  public init(outputs: [Result<String, CompositorError>], overwrites: Bool = false, rowsAtATime: Int = 1) {
    self.outputs = outputs
    self.overwrites = overwrites
    self.rowsAtATime = max(1, rowsAtATime)
  }

  /// Exports all rows, begun in their order.
  ///
  /// If the task is canceled, the rows under way leave nothing and end in under two seconds; they and all later ones are reported as canceled.
  ///
  /// - Parameters:
  ///   - prepare: Makes a row's composition; what it throws is the outcome of the row.
  ///   - progress: Told how far a row is: its index from 0 on, and its export's progress. `nil` for no reports.
  ///   - report: Told the outcome of each row, exactly once and in their order.
  /// - Returns: How many rows ended how.
  public func run(
    _ prepare: @escaping Preparation, progress: (@Sendable (_ row: Int, ExportProgress) -> Void)? = nil,
    report: (BatchOutcome) -> Void
  ) async -> BatchSummary {
    let start = ContinuousClock.now
    var summary = BatchSummary()
    // Folders of rows that failed are removed at the end: another row may be about to write into one.
    var unused: [Int: OutputFolders] = [:]
    await withTaskGroup(of: (BatchOutcome, OutputFolders?).self) { group in
      var waiting = outputs.indices.makeIterator()
      func beginNext() {
        guard let row = waiting.next() else { return }
        group.addTask { await export(row, prepare, progress) }
      }
      for _ in 0..<rowsAtATime { beginNext() }
      // Those that overtook a row before them.
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

  /// - Returns: The outcome, and the folders that were made for nothing.
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

  /// Whether a row has been exported: its file is there, or the first of its numbered images.
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

/// The folders that an output needs and that were not there.
private struct OutputFolders {
  /// Those that were made, the outermost first.
  private var made: [String] = []

  /// Makes the folders above an output.
  ///
  /// - Throws: `.writeFailed` if one cannot be made.
  init(for path: String) throws(CompositorError) {
    var missing: [String] = []
    var folder = try OutputName(path: path).folder
    var status = stat()
    while folder != ".", folder != "/", stat(folder, &status) != 0, errno == ENOENT {
      missing.append(folder)
      folder = OutputName.folder(of: folder)
    }
    for folder in missing.reversed() {
      // Another program may have made it meanwhile.
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

  /// Removes those that were made and hold nothing.
  func removeEmpty() { for folder in made.reversed() { rmdir(folder) } }
}
