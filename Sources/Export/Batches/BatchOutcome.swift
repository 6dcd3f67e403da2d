public import CompositorAPI

/// How a row of a batch ended.
public struct BatchOutcome: Sendable {
  /// What became of the row.
  public enum Status: Sendable {
    /// It was exported.
    case completed(ExportResult)
    /// Its output was there already.
    case skipped
    /// It could not be exported: nothing of it is there.
    case failed(CompositorError)
    /// The batch was canceled before the row was complete: nothing of it is there.
    case canceled
  }

  /// The row, from 0 on.
  public let row: Int
  /// What the row was to be written to; `nil` if it has no name.
  public let output: String?
  /// What became of it.
  public let status: Status
}

/// How the rows of a batch ended.
public struct BatchSummary: Sendable {
  /// Rows that were exported.
  public private(set) var completed = 0
  /// Rows that could not be exported.
  public private(set) var failed = 0
  /// Rows whose output was there already.
  public private(set) var skipped = 0
  /// Rows that a canceled batch did not come to, or left.
  public private(set) var canceled = 0
  /// The first row's failure; `nil` if none failed.
  public private(set) var firstError: CompositorError?
  /// Time from the call to the last outcome.
  public internal(set) var wallTime = Duration.zero

  mutating func count(_ outcome: BatchOutcome) {
    switch outcome.status {
    case .completed: completed += 1
    case .skipped: skipped += 1
    case .canceled: canceled += 1
    case .failed(let error):
      failed += 1
      firstError = firstError ?? error
    }
  }
}
