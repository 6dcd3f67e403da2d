public import CompositorAPI
public import CompositorMediaIO
import Synchronization

/// Knows every source of an edit: each is probed once, and opened by whoever reads it.
///
/// Any thread may call. A probe opens the file and reads its header; the answer, or the failure, is kept.
public final class MediaCatalog: Sendable {
  private struct State {
    var answers: [MediaSource: Result<MediaInfo, CompositorError>] = [:]
    /// What was found out about files when they were probed.
    var facts: [MediaSource: FileFacts] = [:]
    var providers: [String: any MediaProvider] = [:]
  }
  private let state = Mutex(State())

  /// A catalog that knows nothing yet.
  public init() {}

  /// Makes a program's own media available as `MediaSource.custom(name:)`. A provider of the same name is replaced.
  public func provide(_ provider: any MediaProvider, as name: String) {
    state.withLock { state in
      state.providers[name] = provider
      state.answers[.custom(name: name)] = nil
    }
  }

  /// What a source holds.
  ///
  /// - Throws: `.fileNotFound`, `.sourceRefused`, `.unreadableMedia`, `.decoderNotFound` and the like, located at the
  ///   source. The same source gives the same answer until the catalog is gone.
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

  /// Which of some sources are files that were written to or replaced since they were probed, in the order of their names.
  func changedSources(among sources: some Sequence<MediaSource>) -> [MediaSource] {
    let facts = state.withLock { $0.facts }
    return sources.filter { source in
      guard case .file(let path) = source, let facts = facts[source] else { return false }
      return !facts.describeFile(at: path)
    }.sorted { $0.description < $1.description }
  }

  private func facts(for source: MediaSource) -> FileFacts? { state.withLock { $0.facts[source] } }

  /// Opens a video track for one owner; each call makes a reader of its own.
  public func openVideo(
    _ source: MediaSource, trackIndex: Int, options: VideoReaderOptions = VideoReaderOptions()
  ) throws(CompositorError) -> any VideoReader {
    try openVideo(source, trackIndex: trackIndex, options: options, allocator: nil)
  }

  /// Opens a video track whose pictures are decoded into an allocator's memory where that is possible.
  func openVideo(
    _ source: MediaSource, trackIndex: Int, options: VideoReaderOptions, allocator: (any FrameAllocator)?
  ) throws(CompositorError) -> any VideoReader {
    guard case .custom(let name) = source else {
      let known = try info(for: source).videoTracks.first { $0.index == trackIndex }
      return try MediaOpener.openVideo(
        source, trackIndex: trackIndex, options: options, info: known, facts: facts(for: source), allocator: allocator)
    }
    return try provider(named: name).openVideo(trackIndex: trackIndex, options: options)
  }

  /// Opens an audio track for one owner; each call makes a reader of its own.
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

  private func probe(_ source: MediaSource) throws(CompositorError) -> (info: MediaInfo, facts: FileFacts?) {
    guard case .custom(let name) = source else { return try MediaProbe.examine(source) }
    return (try provider(named: name).describe(), nil)
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
