public import CompositorAPI
import CompositorHost
import CompositorScheduling
public import CompositorValidation
import Synchronization

/// A single export whose state can be observed, and which can be canceled from anywhere.
///
/// ```swift
/// let session = ExportSession(composition, to: "holiday.mp4")
/// Task {
///   for await case .exporting(let progress) in session.states() { print(progress.phase, progress.fraction) }
/// }
/// let result = try await session.export()
/// ```
public final class ExportSession: Sendable {
  /// The state of an export.
  public enum State: Sendable {
    /// ``ExportSession/export()`` has not been called yet.
    case pending
    /// The export is in progress.
    case exporting(ExportProgress)
    /// The export ended. No other state follows.
    case ended(ExportOutcome)
  }

  private struct Watcher {
    let continuation: AsyncStream<State>.Continuation
    let interval: Duration
    var last: ContinuousClock.Instant?
  }

  private struct Storage {
    var state = State.pending
    var isStarted = false
    var isCanceled = false
    var cancel: (@Sendable () -> Void)?
    var watchers: [Int: Watcher] = [:]
    var nextWatcher = 0
  }

  private let composition: ValidatedComposition
  private let path: String
  private let settings: ExportSettings
  private let storage = Mutex(Storage())

  /// Prepares an export; nothing is read or written yet.
  public init(_ composition: ValidatedComposition, to path: String, settings: ExportSettings = ExportSettings()) {
    (self.composition, self.path, self.settings) = (composition, path, settings)
  }

  /// Writes the output, once.
  ///
  /// - Throws: The errors of ``Exporter/export(_:to:settings:progress:)``; `.cancelled` after ``cancel()`` or if the task is
  ///   canceled; `.invalidValue` if the session was already started.
  @discardableResult
  public func export() async throws(CompositorError) -> ExportResult {
    let isFirst = storage.withLock { storage in
      defer { storage.isStarted = true }
      return !storage.isStarted
    }
    guard isFirst else {
      throw CompositorError(
        .invalidValue, "The export session was already started.", recoverySuggestion: "Make another one.",
        at: ErrorLocation(file: path))
    }
    let call = CancellableCall()
    let isCanceled = storage.withLock { storage in
      storage.cancel = { call.cancel() }
      return storage.isCanceled
    }
    if isCanceled { call.cancel() }
    let result = await call.run { [self] in
      try await Exporter.export(composition, to: path, settings: settings) { [weak self] in self?.note(.exporting($0)) }
    }.mapError { CompositorError(stopping: $0) }
    switch result {
    case .success(let result): note(.ended(.completed(result)))
    case .failure(let error): note(.ended(ExportOutcome(error)))
    }
    return try result.get()
  }

  /// Cancels the export. ``export()`` throws `.cancelled` within two seconds. Has no effect after the export has ended.
  public func cancel() {
    let cancel = storage.withLock { storage in
      storage.isCanceled = true
      return storage.cancel
    }
    cancel?()
  }

  /// The outcome of the export; `nil` until it has ended.
  public var outcome: ExportOutcome? {
    storage.withLock { storage in
      if case .ended(let outcome) = storage.state { outcome } else { nil }
    }
  }

  /// The current state and all later ones until the end, which is the last element. Can be called any number of times.
  ///
  /// - Parameter updateInterval: The minimum time between two elements of one phase. With 0, an element for every frame, except
  ///   for those that a slow reader misses.
  public func states(updateInterval: Duration = .milliseconds(100)) -> AsyncStream<State> {
    // A slow reader receives the newest states, and always the last one.
    let (stream, continuation) = AsyncStream.makeStream(of: State.self, bufferingPolicy: .bufferingNewest(64))
    storage.withLock { storage in
      continuation.yield(storage.state)
      guard !storage.state.isEnd else { return continuation.finish() }
      let number = storage.nextWatcher
      storage.nextWatcher += 1
      storage.watchers[number] = Watcher(continuation: continuation, interval: updateInterval)
      continuation.onTermination = { [weak self] _ in
        // Not under the lock, because the stream may end as this session is released.
        guard let self else { return }
        Task { self.forget(number) }
      }
    }
    return stream
  }

  private func forget(_ number: Int) { storage.withLock { _ = $0.watchers.removeValue(forKey: number) } }

  private func note(_ state: State) {
    let now = ContinuousClock.now
    let ready = storage.withLock { storage in
      let isNewPhase = storage.state.phase != state.phase
      storage.state = state
      var ready: [AsyncStream<State>.Continuation] = []
      for (number, watcher) in storage.watchers {
        guard isNewPhase || state.isEnd || now - (watcher.last ?? now - watcher.interval) >= watcher.interval else { continue }
        storage.watchers[number]?.last = now
        ready.append(watcher.continuation)
      }
      return ready
    }
    for continuation in ready {
      continuation.yield(state)
      if state.isEnd { continuation.finish() }
    }
  }
}

extension ExportSession.State {
  fileprivate var isEnd: Bool { if case .ended = self { true } else { false } }
  fileprivate var phase: ExportProgress.Phase? { if case .exporting(let progress) = self { progress.phase } else { nil } }
}
