public import CompositorAPI

/// The outcome of a row of a batch.
public struct BatchOutcome: Sendable {
  /// The kinds of outcomes.
  public enum Status: Sendable {
    /// It was exported.
    case completed(ExportResult)
    /// Its output already existed.
    case skipped
    /// It could not be exported and left nothing behind.
    case failed(CompositorError)
    /// The batch was canceled before the row was complete. The row left nothing behind.
    case canceled
  }

  /// Index of the row, from 0.
  public let row: Int
  /// The row's output; `nil` if it has none.
  public let output: String?
  /// The kind of outcome.
  public let status: Status
}

/// Counts of a batch's rows by outcome.
public struct BatchSummary: Sendable {
  /// Number of exported rows.
  public private(set) var completed = 0
  /// Number of rows that could not be exported.
  public private(set) var failed = 0
  /// Number of rows whose output already existed.
  public private(set) var skipped = 0
  /// Number of rows that a canceled batch did not complete.
  public private(set) var canceled = 0
  /// The error of the first failed row; `nil` if none failed.
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
