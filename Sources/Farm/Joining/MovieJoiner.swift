public import CompositorAPI
import CompositorExport
import CompositorMediaIO
import CompositorMediaWriting
import CompositorScheduling

/// Joins the parts of a plan into a movie without encoding.
///
/// ```swift
/// let file = try SegmentPlanFile(contentsOf: "plan.json")
/// let joined = try await MovieJoiner(file).join(to: "movie.mp4")
/// ```
public struct MovieJoiner: Sendable {
  /// The result of joining.
  public struct Result: Sendable, Hashable {
    /// Path of the movie.
    public let path: String
    /// Number of frames.
    public let frameCount: Int
    /// Number of samples per channel; 0 without audio.
    public let sampleCount: Int64
    /// Duration of the movie.
    public let duration: MediaTime
    /// Size of the file in bytes.
    public let byteCount: Int64
    /// Number of parts joined.
    public let partCount: Int
    /// Time from the call to the result.
    public let wallTime: Duration
    /// Whether the movie already existed, so that nothing was written.
    public let alreadyExisted: Bool
    /// Reasons why parts may not fit each other, one sentence each: versions that were allowed to differ from the plan's, fonts
    /// that differed from machine to machine.
    public let warnings: [String]
  }

  private let folder: PartsFolder

  /// Prepares joining the parts beside a plan.
  public init(_ file: SegmentPlanFile) { folder = PartsFolder(file) }

  /// Writes the movie. It gets its final name when it is complete, or not at all.
  ///
  /// Every part is compared with its receipt, byte for byte, while the parts before it are being written. A movie that was joined
  /// from this plan last, and has not been changed since, is not written again.
  ///
  /// - Parameters:
  ///   - path: Path of the movie, in the planned container.
  ///   - overwrites: Whether an existing file is replaced. By default, an existing file of other contents is an error.
  ///   - progress: Receives the number of frames written and the total number.
  /// - Throws: `.partsMissing` with each part that is missing, damaged, of another plan or encoded differently, and the
  ///   commands that render them; `.outputExists`, `.outputIsInput`, `.unsupportedOutput`, `.writeFailed`, `.readFailed`,
  ///   `.cancelled`.
  public func join(
    to path: String, overwrites: Bool = false, progress: (@Sendable (_ done: Int, _ count: Int) -> Void)? = nil
  ) async throws(CompositorError) -> Result {
    let start = ContinuousClock.now
    let file = folder.file
    let movie = try self.movie(at: path)
    if !overwrites, let existing = try existing(at: path) { return existing }
    let inputs = folder.inputs + file.plan.parts.map { folder.path(of: $0) }
    try OutputGuard.check([path], sources: inputs.map { .file(path: $0) }, overwrites: overwrites)
    let (receipts, warnings) = try await receipts()
    let partial = try AtomicOutput(in: FileName.folder(of: path), overwrites: overwrites)
    do throws(CompositorError) {
      var roomFactor = 1
      var written: Int64?
      while written == nil {
        let worker = JoinWorker { [folder, roomFactor] () throws(CompositorError) in
          try JoinJob(folder, movie, receipts: receipts, path: partial.path(for: path), roomFactor: roomFactor)
        }
        written = try await run(worker, receipts, progress)
        roomFactor *= 4
      }
      try partial.commit([path])
      JoinReceipt(plan: file.name, movie: path)?.write(in: folder)
      return result(movie, path: path, byteCount: written ?? 0, since: start, warnings: warnings)
    } catch {
      partial.discard()
      throw partial.naming(error, output: path)
    }
  }

  /// The movie of the plan that is at a path already, because it was joined before; nil if there is none, or another file.
  ///
  /// - Throws: `.unsupportedOutput` for a path in another container than the planned one, `.invalidValue` for a batch.
  package func existing(at path: String) throws(CompositorError) -> Result? {
    let (movie, start) = (try self.movie(at: path), ContinuousClock.now)
    guard let found = JoinReceipt(plan: folder.file.name, movie: path), found == JoinReceipt(in: folder) else { return nil }
    return result(movie, path: path, byteCount: found.byteCount, since: start, alreadyExisted: true)
  }

  /// The planned movie, if it can be written to a path.
  private func movie(at path: String) throws(CompositorError) -> SegmentPlan.Movie {
    let file = folder.file
    guard let movie = file.plan.movie else {
      throw CompositorError(
        .invalidValue, "The rows of a batch are movies of their own: there is nothing to join.",
        recoverySuggestion: "Use the movies of the rows.", at: ErrorLocation(file: file.shownPath))
    }
    guard try MovieContainer(path: path) == movie.container else {
      throw CompositorError(
        .unsupportedOutput, "The parts were planned for a .\(movie.container.rawValue) file.",
        recoverySuggestion: "Name the movie .\(movie.container.rawValue), or plan another one.", at: ErrorLocation(file: path))
    }
    return movie
  }

  private func result(
    _ movie: SegmentPlan.Movie, path: String, byteCount: Int64, since start: ContinuousClock.Instant,
    alreadyExisted: Bool = false, warnings: [String] = []
  ) -> Result {
    Result(
      path: path, frameCount: movie.frameCount, sampleCount: folder.file.plan.audio?.sampleCount ?? 0,
      duration: movie.timeRange.duration, byteCount: byteCount, partCount: folder.file.plan.parts.count,
      wallTime: ContinuousClock.now - start, alreadyExisted: alreadyExisted, warnings: warnings)
  }

  /// The receipts of all parts, if according to them all parts can be used, and their warnings.
  private func receipts() async throws(CompositorError) -> (receipts: [PartReceipt], warnings: [String]) {
    var states: [(part: PlanPart, state: PartState)] = []
    for part in folder.file.plan.parts { states.append((part, try folder.stateByReceipt(of: part))) }
    let status = PlanStatus(folder.file, states: states)
    guard status.isComplete else { throw try await incompleteness() }
    return (states.compactMap(\.state.receipt), status.warnings)
  }

  /// The error with everything that is wrong with the parts.
  private func incompleteness() async throws(CompositorError) -> CompositorError {
    let status = try await PlanStatus.reading(folder.file)
    return status.incompleteness
      ?? CompositorError(
        .readFailed, "A part changed while it was read.", recoverySuggestion: "Try again once nothing writes to it.",
        at: ErrorLocation(file: folder.path))
  }

  /// - Returns: Size of the file in bytes; `nil` if its index needs more space.
  private func run(
    _ worker: JoinWorker, _ receipts: [PartReceipt], _ progress: (@Sendable (Int, Int) -> Void)?
  ) async throws(CompositorError) -> Int64? {
    // The audio is needed from the first frame.
    var parts = VerifiedParts(receipts.filter { $0.part == .audio } + receipts.filter { $0.part != .audio }, in: folder)
    // Stops the verification if this ends early.
    defer { parts.cancel() }
    do throws(CompositorError) {
      while let state = try await parts.next() {
        guard let receipt = state.receipt else { throw try await incompleteness() }
        guard receipt.part != .audio else { continue }
        try await worker.begin(receipt)
        while let done = try await worker.work() {
          guard !Task.isCancelled else { throw CompositorError(.cancelled, "Joining was canceled.") }
          progress?(done, folder.file.plan.movie?.frameCount ?? 0)
        }
      }
      return try await worker.finish()
    } catch {
      let needsMoreRoom = await worker.needsMoreRoom
      await worker.abandon()
      guard needsMoreRoom, !Task.isCancelled else { throw error }
      return nil
    }
  }
}

/// Compares parts with their receipts in the background, two at a time, while the ones before them are written.
private struct VerifiedParts {
  private let folder: PartsFolder
  /// Parts whose verification has not begun.
  private var remaining: ArraySlice<PartReceipt>
  private var verified: ArraySlice<PartState> = []
  private var ahead: Task<Result<[PartState], CompositorError>, Never>?

  init(_ receipts: [PartReceipt], in folder: PartsFolder) {
    (self.folder, remaining) = (folder, receipts[...])
    ahead = begun()
  }

  /// The state of the next part, once it was read; `nil` after the last one.
  mutating func next() async throws(CompositorError) -> PartState? {
    if verified.isEmpty {
      guard let ahead else { return nil }
      let states = await withTaskCancellationHandler {
        await ahead.value
      } onCancel: {
        ahead.cancel()
      }
      verified = try states.get()[...]
      self.ahead = begun()
    }
    return verified.removeFirst()
  }

  func cancel() { ahead?.cancel() }

  private mutating func begun() -> Task<Result<[PartState], CompositorError>, Never>? {
    let pair = Array(remaining.prefix(2))
    remaining = remaining.dropFirst(2)
    guard !pair.isEmpty else { return nil }
    return Task { [folder] in
      Result { () throws(CompositorError) in try folder.verify(pair) }
    }
  }
}

extension PlanStatus {
  /// Checks every part like ``init(of:)``, without blocking the caller. Canceling the task stops it.
  ///
  /// - Throws: `.readFailed`, `.cancelled`.
  public static func reading(_ file: SegmentPlanFile) async throws(CompositorError) -> PlanStatus {
    let task = Task { Swift.Result { () throws(CompositorError) in try PlanStatus(of: file) } }
    let status = await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
    return try status.get()
  }
}

/// Joins on a thread of its own, which also opens the files.
private actor JoinWorker {
  private let thread = SerialThread(name: "join")
  private let make: @Sendable () throws(CompositorError) -> JoinJob
  private var job: JoinJob?

  init(_ make: @escaping @Sendable () throws(CompositorError) -> JoinJob) { self.make = make }

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  /// Opens the next segment, and before the first one the file. Blocks.
  func begin(_ receipt: PartReceipt) throws(CompositorError) { try opened().begin(receipt) }

  /// Writes for a while. Returns the number of frames done; `nil` once the segment is complete.
  func work() throws(CompositorError) -> Int? { try opened().work() }

  func finish() throws(CompositorError) -> Int64 { try opened().finish() }
  func abandon() { job?.abandon() }
  var needsMoreRoom: Bool { job?.needsMoreRoom ?? false }

  private func opened() throws(CompositorError) -> JoinJob {
    if let job { return job }
    let made = try make()
    job = made
    return made
  }
}
