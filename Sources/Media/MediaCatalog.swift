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

  /// Creates an empty catalog that probes sources itself.
  public init() { customProbe = nil }

  /// Creates an empty catalog that uses `probe` to describe sources. ``MediaProvider``s still describe their own media.
  public init(probe: @escaping Probe) { customProbe = probe }

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
  package var namedFiles: Set<String> { state.withLock(\.namedFiles) }

  /// Adds files to ``namedFiles``.
  package func name(_ files: some Sequence<String>) { state.withLock { $0.namedFiles.formUnion(files) } }

  /// Registers a program's own media as `MediaSource.custom(name:)`. A provider of the same name is replaced.
  public func provide(_ provider: any MediaProvider, as name: String) {
    state.withLock { state in
      state.providers[name] = provider
      state.answers[.custom(name: name)] = nil
    }
  }

  /// The program's own media that is registered under a name; `nil` if there is none.
  package func media(named name: String) -> (any MediaProvider)? { state.withLock { $0.providers[name] } }

  /// The description of a source.
  ///
  /// - Throws: `.fileNotFound`, `.sourceRefused`, `.unreadableMedia`, `.decoderNotFound` and the like, with the source as
  ///   location. The result for a source doesn't change during the catalog's lifetime.
  public func info(for source: MediaSource) throws(CompositorError) -> MediaInfo {
    if let answer = state.withLock({ $0.answers[source] }) { return try answer.get() }
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
    if let answer = state.withLock({ $0.plain[source] }) { return try answer.get() }
    let answer = Result { () throws(CompositorError) in try MediaProbe.examine(source, usesProfile: false).info }
    state.withLock { $0.plain[source] = answer }
    return try answer.get()
  }

  /// The sources that are files that were modified or replaced since they were probed, sorted by name.
  package func changedSources(among sources: some Sequence<MediaSource>) -> [MediaSource] {
    let facts = state.withLock { $0.facts }
    return sources.filter { source in
      guard case .file(let path) = source, let facts = facts[source] else { return false }
      return !facts.describeFile(at: path)
    }.sorted { $0.description < $1.description }
  }

  /// The state of a file when it was probed; `nil` if the program described it.
  package func facts(for source: MediaSource) -> FileFacts? { state.withLock { $0.facts[source] } }

  /// Opens a video track. Each call creates a separate reader with one owner.
  public func openVideo(
    _ source: MediaSource, trackIndex: Int, options: VideoReaderOptions = VideoReaderOptions()
  ) throws(CompositorError) -> any VideoReader {
    try openVideo(source, trackIndex: trackIndex, options: options, allocator: nil)
  }

  /// Opens a video track whose frames are decoded into an allocator's memory if possible.
  ///
  /// - Parameter color: Corrections of its color tags.
  package func openVideo(
    _ source: MediaSource, trackIndex: Int, options: VideoReaderOptions, allocator: (any FrameAllocator)?,
    color: SourceColor? = nil
  ) throws(CompositorError) -> any VideoReader {
    let reader: any VideoReader
    if case .custom(let name) = source {
      reader = try provider(named: name).openVideo(trackIndex: trackIndex, options: options)
    } else {
      let known = try info(for: source).videoTracks.first { $0.index == trackIndex }
      reader = try MediaOpener.openVideo(
        source, trackIndex: trackIndex, options: options, info: known, facts: facts(for: source), allocator: allocator,
        usesProfile: color?.setsColor != true
      ).fittingImages
    }
    return color.map { RecoloredVideoReader(reader, $0) } ?? reader
  }

  /// A closure that opens a video track later, without the catalog.
  ///
  /// - Parameter color: Corrections of its color tags.
  package func opener(
    of source: MediaSource, trackIndex: Int, color: SourceColor? = nil
  ) throws(CompositorError) -> @Sendable (VideoReaderOptions) throws(CompositorError) -> any VideoReader {
    let open = try plainOpener(of: source, trackIndex: trackIndex, usesProfile: color?.setsColor != true)
    guard let color else { return open }
    return { options throws(CompositorError) in RecoloredVideoReader(try open(options), color) }
  }

  private func plainOpener(
    of source: MediaSource, trackIndex: Int, usesProfile: Bool
  ) throws(CompositorError) -> @Sendable (VideoReaderOptions) throws(CompositorError) -> any VideoReader {
    if case .custom(let name) = source {
      let provider = try provider(named: name)
      return { options throws(CompositorError) in try provider.openVideo(trackIndex: trackIndex, options: options) }
    }
    let known = try info(for: source).videoTracks.first { $0.index == trackIndex }
    let facts = facts(for: source)
    return { options throws(CompositorError) in
      try MediaOpener.openVideo(
        source, trackIndex: trackIndex, options: options, info: known, facts: facts, allocator: nil, usesProfile: usesProfile
      ).fittingImages
    }
  }

  /// The sources that a program's media reads itself, recursively.
  package func innerSources(of source: MediaSource) -> [MediaSource] {
    guard case .custom(let name) = source, let provider = state.withLock({ $0.providers[name] }) else { return [] }
    return provider.sources.flatMap { [$0] + innerSources(of: $0) }
  }

  /// Opens an audio track. Each call creates a separate reader with one owner.
  public func openAudio(
    _ source: MediaSource, trackIndex: Int, options: AudioReaderOptions
  ) throws(CompositorError) -> any AudioReader {
    guard case .custom(let name) = source else {
      let known = try info(for: source).audioTracks.first { $0.index == trackIndex }
      return try MediaOpener.openAudio(
        source, trackIndex: trackIndex, options: options, info: known, facts: facts(for: source))
    }
    return try provider(named: name).openAudio(trackIndex: trackIndex, options: options)
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

  private func provider(named name: String) throws(CompositorError) -> any MediaProvider {
    guard let provider = state.withLock({ $0.providers[name] }) else {
      throw CompositorError(
        .fileNotFound, "No media is provided under the name “\(name)”.",
        recoverySuggestion: "Call provide(_:as:) on the catalog first.", at: .init(file: "custom:\(name)"))
    }
    return provider
  }
}
