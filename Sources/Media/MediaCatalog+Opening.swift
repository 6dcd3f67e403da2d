public import CompositorAPI
public import CompositorMediaIO

extension MediaCatalog {
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
    guard case .custom(let name) = source, let provider = media(named: name) else { return [] }
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
}
