public import CompositorAPI
public import CompositorHost
public import CompositorMediaIO
public import CompositorPlugins
public import CompositorProjectFormat

/// A project that is looked at while somebody edits it: read again whenever it changes, with its media, templates, fonts and plugins.
public actor PreviewProject {
  /// Gives the compositors that an edit of a project may name. Called for each reading, on any thread.
  public typealias RegistryProvider = @Sendable (Edit, ProjectFile) throws(CompositorError) -> CompositorRegistry

  /// What people call it: the file's name.
  nonisolated let name: String
  private let loader: PreviewLoader
  private var snapshot: PreviewSnapshot
  private var watcher: FileWatcher
  private var subscribers: [Int: AsyncStream<PreviewSnapshot>.Continuation] = [:]
  private var subscriberCount = 0

  /// Reads a project for the first time. One with mistakes is shown too, with its diagnostics.
  ///
  /// - Parameters:
  ///   - path: A project file, or a media file as a project of one clip.
  ///   - variables: Values for `${name}` in the project's strings.
  ///   - damaged: What happens where media are damaged. By default the last good picture stays.
  ///   - registry: Gives the compositors that an edit may name; by default those that are built in.
  /// - Throws: `.fileNotFound`, `.sourceRefused` if there is no such file.
  public init(
    _ path: String, variables: [String: String] = [:], damaged: DamagePolicy = .keep,
    registry: @escaping RegistryProvider = { _, _ in .builtIn }
  ) async throws(CompositorError) {
    guard FileWatcher.Signature(path) != nil else {
      throw CompositorError(
        .fileNotFound, "There is no file “\(path)”.", recoverySuggestion: "Give a project file or a media file.",
        at: ErrorLocation(file: path))
    }
    loader = PreviewLoader(path: path, variables: variables, damaged: damaged, registry: registry)
    name = path.split(separator: "/").last.map(String.init) ?? path
    // Before it is read: what changes while it is read is read again.
    let before = FileWatcher([path])
    let first = await PreviewProject.read(loader, generation: 1, earlier: [])
    (snapshot, watcher) = (first, FileWatcher(first.files, continuing: before))
  }

  /// What is wrong with the project as it was read last, and what is worth a warning.
  public var diagnostics: [ValidationDiagnostic] { snapshot.diagnostics }

  /// What was read last.
  var current: PreviewSnapshot { snapshot }

  /// Every reading, the last one first; those that nobody took are left out but for the newest.
  func snapshots() -> AsyncStream<PreviewSnapshot> {
    let (stream, continuation) = AsyncStream.makeStream(of: PreviewSnapshot.self, bufferingPolicy: .bufferingNewest(1))
    subscriberCount += 1
    let number = subscriberCount
    subscribers[number] = continuation
    continuation.onTermination = { _ in Task { await self.unsubscribe(number) } }
    continuation.yield(snapshot)
    return stream
  }

  private func unsubscribe(_ number: Int) { subscribers[number] = nil }

  /// Reads the project again whenever a file of it changes.
  ///
  /// - Throws: `CancellationError`.
  func watch(every interval: Duration) async throws {
    while true {
      var watcher = watcher
      _ = try await watcher.change(every: interval)
      let next = await PreviewProject.read(loader, generation: snapshot.generation + 1, earlier: snapshot.files)
      (snapshot, self.watcher) = (next, FileWatcher(next.files, continuing: watcher))
      for subscriber in subscribers.values { subscriber.yield(next) }
    }
  }

  /// Files are read and probed beside the actor.
  private static func read(_ loader: PreviewLoader, generation: Int, earlier: Set<String>) async -> PreviewSnapshot {
    await Task.detached { loader.load(generation: generation, earlier: earlier) }.value
  }
}
