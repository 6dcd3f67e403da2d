public import CompositorAPI
public import CompositorAudio
public import CompositorMediaIO
import Dispatch
import Synchronization

/// Describes and opens the sources of an edit. Each source is probed once, and opened separately for each reader.
///
/// Any thread may call it. Probing opens the file and reads its header; the result or error is cached.
///
/// If a program knows its media already (from a database, or in a test without files), it can give the catalog its own probe,
/// or individual descriptions. An edit is then validated without opening a file. Descriptions are trusted: a file that is
/// missing or different is detected only when it is read.
///
/// ```swift
/// let catalog = MediaCatalog { source throws(CompositorError) in
///   if let known = database[source] { return known }
///   return try MediaProbe.probe(source)
/// }
/// ```
public final class MediaCatalog: AudioSourceProvider {
  /// Returns the description of a source. Called on any thread, once for each source unless two threads request it at the same
  /// time.
  public typealias Probe = @Sendable (MediaSource) throws(CompositorError) -> MediaInfo

  private struct State {
    var answers: [MediaSource: Result<MediaInfo, CompositorError>] = [:]
    /// The state of files when they were probed.
    var facts: [MediaSource: FileFacts] = [:]
    var providers: [String: any MediaProvider] = [:]
    /// Descriptions of stills without their ICC profiles.
    var plain: [MediaSource: Result<MediaInfo, CompositorError>] = [:]
    var namedFiles: Set<String> = []
  }
  private let state = Mutex(State())
  /// A replacement for ``CompositorMediaIO/MediaProbe``; `nil` to use that.
  private let customProbe: Probe?
  /// The catalog that answers for what this one was not given; `nil` if there is none.
  private let shared: MediaCatalog?

  /// Creates an empty catalog that probes sources itself.
  public init() { (customProbe, shared) = (nil, nil) }

  /// Creates an empty catalog that uses `probe` to describe sources. ``MediaProvider``s still describe their own media.
  public init(probe: @escaping Probe) { (customProbe, shared) = (probe, nil) }

  /// Creates a catalog for one of several edits that are rendered at the same time. It shares the files that another catalog
  /// describes, each of which is probed once for all of them; what is provided to it, it keeps to itself.
  ///
  /// The titles of a project's assets are such provided media: with other variables they are others, under the same name.
  ///
  /// - Parameter catalog: The catalog that describes files, and all that this one is not given. It stays as it is.
  public init(sharing catalog: MediaCatalog) { (customProbe, shared) = (nil, catalog) }

  /// Sets a source's description, so that it isn't probed. An earlier description is replaced.
  ///
  /// - Parameter source: The source that is described; `nil` for the one named in `info`.
  public func provide(_ info: MediaInfo, for source: MediaSource? = nil) {
    state.withLock { state in
      state.answers[source ?? info.source] = .success(info)
      state.facts[source ?? info.source] = nil
    }
  }

  /// Files that are named beside media: captions, a cover, assets without a clip. Outputs never replace them.
  package var namedFiles: Set<String> { shared?.namedFiles ?? state.withLock(\.namedFiles) }

  /// Adds files to ``namedFiles``.
  package func name(_ files: some Sequence<String>) {
    guard let shared else { return state.withLock { $0.namedFiles.formUnion(files) } }
    shared.name(files)
  }

  /// Registers a program's own media as `MediaSource.custom(name:)`. A provider of the same name is replaced.
  public func provide(_ provider: any MediaProvider, as name: String) {
    state.withLock { state in
      state.providers[name] = provider
      state.answers[.custom(name: name)] = nil
    }
  }

  /// The program's own media that is registered under a name; `nil` if there is none.
  package func media(named name: String) -> (any MediaProvider)? {
    state.withLock { $0.providers[name] } ?? shared?.media(named: name)
  }

  /// The description of a source.
  ///
  /// - Throws: `.fileNotFound`, `.sourceRefused`, `.unreadableMedia`, `.decoderNotFound` and the like, with the source as
  ///   location. The result for a source doesn't change during the catalog's lifetime.
  public func info(for source: MediaSource) throws(CompositorError) -> MediaInfo {
    if let answer = state.withLock({ $0.answers[source] }) { return try answer.get() }
    if let shared, !provides(source) { return try shared.info(for: source) }
    let found = Result { () throws(CompositorError) in try probe(source) }
      .mapError { $0.locating(ErrorLocation(file: source.description)) }
    let answer = found.map(\.info)
    state.withLock { state in
      state.answers[source] = answer
      if case .success(let (_, facts)) = found { state.facts[source] = facts }
    }
    return try answer.get()
  }

  /// The description of a source with corrected color.
  ///
  /// - Throws: The errors of ``info(for:)``.
  public func info(for source: MediaSource, color: SourceColor?) throws(CompositorError) -> MediaInfo {
    var info = try info(for: source)
    guard let color else { return info }
    if color.setsColor, info.videoTracks.contains(where: { $0.colorProfile != nil }) { info = try plainInfo(for: source) }
    for index in info.videoTracks.indices { info.videoTracks[index].apply(color) }
    if color.setsColor {
      info.warnings.removeAll { [.assumedColor, .colorDisagreement, .unusableColorProfile].contains($0.kind) }
    }
    return info
  }

  /// The description of a still without its ICC profile.
  private func plainInfo(for source: MediaSource) throws(CompositorError) -> MediaInfo {
    if let shared { return try shared.plainInfo(for: source) }
    if let answer = state.withLock({ $0.plain[source] }) { return try answer.get() }
    let answer = Result { () throws(CompositorError) in try MediaProbe.examine(source, usesProfile: false).info }
    state.withLock { $0.plain[source] = answer }
    return try answer.get()
  }

  /// The sources that are files that were modified or replaced since they were probed, sorted by name.
  package func changedSources(among sources: some Sequence<MediaSource>) -> [MediaSource] {
    sources.filter { source in
      guard case .file(let path) = source, let facts = facts(for: source) else { return false }
      return !facts.describeFile(at: path)
    }.sorted { $0.description < $1.description }
  }

  /// The state of a file when it was probed; `nil` if the program described it.
  package func facts(for source: MediaSource) -> FileFacts? {
    let (isKnown, facts) = state.withLock { ($0.answers[source] != nil, $0.facts[source]) }
    return isKnown ? facts : shared?.facts(for: source)
  }

  /// Whether a source is media that was provided to this catalog itself.
  private func provides(_ source: MediaSource) -> Bool {
    guard case .custom(let name) = source else { return false }
    return state.withLock { $0.providers[name] != nil }
  }

  /// The most files that are probed at the same time. Each may hold the first frames of its video tracks.
  private static let maximumProbeCount = 4

  /// Probes files that have no description yet, several at the same time, and returns when all are probed. ``info(for:)`` then
  /// returns their descriptions and throws their errors without opening them.
  ///
  /// The program's own media and probe are not called here, but when ``info(for:)`` needs them, one after another.
  package func probeFiles(_ sources: some Sequence<MediaSource>) {
    let unknown = unknownFiles(sources)
    // A lone file is probed when it is needed.
    guard unknown.count > 1 else { return }
    let count = min(unknown.count, Self.maximumProbeCount)
    DispatchQueue.concurrentPerform(iterations: count) { lane in
      for index in stride(from: lane, to: unknown.count, by: count) {
        // The catalog keeps the error, and throws it to those that ask for this file.
        _ = Result { () throws(CompositorError) in try info(for: unknown[index]) }
      }
    }
  }

  /// The files among sources that ``info(for:)`` would probe itself, each once, in their order.
  package func unknownFiles(_ sources: some Sequence<MediaSource>) -> [MediaSource] {
    if let shared {
      let files = shared.unknownFiles(sources)
      return state.withLock { state in files.filter { state.answers[$0] == nil } }
    }
    guard customProbe == nil else { return [] }
    var seen: Set<MediaSource> = []
    let files = sources.filter { source in
      guard case .file = source else { return false }
      return seen.insert(source).inserted
    }
    return state.withLock { state in files.filter { state.answers[$0] == nil } }
  }

  private func probe(_ source: MediaSource) throws(CompositorError) -> (info: MediaInfo, facts: FileFacts?) {
    if case .custom(let name) = source { return (try provider(named: name).describe(), nil) }
    if let customProbe { return (try customProbe(source), nil) }
    return try MediaProbe.examine(source)
  }

  func provider(named name: String) throws(CompositorError) -> any MediaProvider {
    guard let provider = media(named: name) else {
      throw CompositorError(
        .fileNotFound, "No media is provided under the name “\(name)”.",
        recoverySuggestion: "Call provide(_:as:) on the catalog first.", at: .init(file: "custom:\(name)"))
    }
    return provider
  }
}
