public import CompositorAPI
import CompositorHost
public import CompositorMediaIO
public import CompositorPlugins
public import CompositorProjectFormat
public import CompositorTimeline

/// A project that is previewed while it is edited. It is read again when the project or its media, templates, fonts or plugins
/// change.
public actor PreviewProject {
  /// Returns the compositors that a project may name: the built-in ones, and those that provide its ``ProjectFile/pluginIDs``. Called
  /// each time the project is read, on any thread.
  public typealias RegistryProvider = @Sendable (ProjectFile) throws(CompositorError) -> CompositorRegistry

  /// The project's display name: its file name.
  nonisolated let name: String
  private let loader: PreviewLoader
  private var snapshot: PreviewSnapshot
  private var watcher: FileWatcher
  private var subscribers: [Int: AsyncStream<PreviewSnapshot>.Continuation] = [:]
  private var subscriberCount = 0

  /// Reads a project for the first time. A project with errors is shown too, with its diagnostics.
  ///
  /// - Parameters:
  ///   - path: The path of a project file, or of a media file, which is shown as a project with one clip.
  ///   - variables: Values for `${name}` in the project's strings.
  ///   - damaged: The policy for damaged media. By default, the last good frame is held.
  ///   - ends: Where clips begin and end if their video and audio differ; by default the project's choice.
  ///   - registry: Returns the compositors that the project may name, by default the built-in ones.
  /// - Throws: `.fileNotFound`, `.sourceRefused` if there is no such file.
  public init(
    _ path: String, variables: [String: String] = [:], damaged: DamagePolicy = .keep, ends: ClipEnds? = nil,
    registry: @escaping RegistryProvider = { _ in .builtIn }
  ) async throws(CompositorError) {
    guard FileWatcher.Signature(path) != nil else {
      throw CompositorError(
        .fileNotFound, "There is no file “\(path)”.", recoverySuggestion: "Give a project file or a media file.",
        at: ErrorLocation(file: path))
    }
    loader = PreviewLoader(path: path, variables: variables, damaged: damaged, registry: registry, ends: ends)
    name = path.fileName
    // Created before the project is read, so that a change in the meantime causes it to be read again.
    let before = FileWatcher([path])
    let first = await PreviewProject.read(loader, generation: 1, earlier: [])
    (snapshot, watcher) = (first, FileWatcher(first.files, continuing: before))
  }

  /// The errors and warnings from the last time the project was read.
  public var diagnostics: [ValidationDiagnostic] { snapshot.diagnostics }

  /// The result of reading the project the last time.
  var current: PreviewSnapshot { snapshot }

  /// The current snapshot and all later ones. A slow consumer gets only the newest.
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

  /// Reads the project again when one of its files changes.
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

  /// Reads and probes files without blocking the actor.
  private static func read(_ loader: PreviewLoader, generation: Int, earlier: Set<String>) async -> PreviewSnapshot {
    await Task.detached { await loader.load(generation: generation, earlier: earlier) }.value
  }
}
