public import CompositorAPI

/// Opens the tracks of media sources for reading.
public enum MediaOpener {
  /// Opens a video track.
  ///
  /// - Parameters:
  ///   - trackIndex: Index among the source's video tracks, from 0.
  ///   - info: What ``MediaProbe`` said about this track, which saves measuring the file again.
  /// - Throws: ``CompositorError``: what ``MediaProbe/probe(_:)`` throws, and `.trackNotFound`, `.decoderNotFound` (also for
  ///   VP8 and VP9 with alpha where the libvpx decoders are missing), `.decodeFailed`.
  public static func openVideo(
    _ source: MediaSource, trackIndex: Int = 0, options: VideoReaderOptions = VideoReaderOptions(),
    info: VideoTrackInfo? = nil
  ) throws(CompositorError) -> any VideoReader {
    try openVideo(source, trackIndex: trackIndex, options: options, info: info, facts: nil, allocator: nil)
  }

  /// Opens a video track whose pictures are decoded into an allocator's memory, as far as codec and format allow.
  package static func openVideo(
    _ source: MediaSource, trackIndex: Int = 0, options: VideoReaderOptions = VideoReaderOptions(),
    info: VideoTrackInfo? = nil, facts: FileFacts? = nil, allocator: (any FrameAllocator)?
  ) throws(CompositorError) -> any VideoReader {
    guard trackIndex == 0 || isFile(source) else { throw noTrack(trackIndex, in: source) }
    switch source {
    case .file(let path):
      let image = try ImageFile(path: path)
      guard trackIndex == 0 || image == nil else { throw noTrack(trackIndex, in: source) }
      switch image {
      case .still(let image): return StillImageReader(image)
      case .animation(let animation): return WebPAnimationReader(animation, path: path)
      case .movie, nil:
        let (info, decoder) = try FFmpegProbe.openVideo(
          path: path, trackIndex: trackIndex, options: options, known: info, facts: facts, allocator: allocator)
        return FFmpegVideoReader(decoder, info: info, path: path, options: options)
      }
    case .imageSequence(let pattern, let first, let frameRate):
      let sequence = try ImageSequence(pattern: pattern, first: first, frameRate: frameRate)
      if let info { return ImageSequenceReader(sequence, info: info) }
      return ImageSequenceReader(sequence, info: try sequence.trackInfo())
    case .generated(let generated): return try GeneratedVideoReader(generated, allocator: allocator)
    case .custom: throw MediaProbe.refusal(source)
    }
  }

  private static func isFile(_ source: MediaSource) -> Bool {
    if case .file = source { return true }
    return false
  }

  private static func noTrack(_ index: Int, in source: MediaSource) -> CompositorError {
    CompositorError(
      .trackNotFound, "The source has no video track \(index).", recoverySuggestion: "`compositor probe` lists the tracks.",
      at: ErrorLocation(file: source.description))
  }
}
