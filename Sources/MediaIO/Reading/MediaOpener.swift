public import CompositorAPI

/// Opens the tracks of media sources for reading.
public enum MediaOpener {
  /// Opens a video track.
  ///
  /// - Parameters:
  ///   - trackIndex: Index among the source's video tracks, from 0.
  ///   - info: The description by ``MediaProbe`` of this track, which saves measuring the file again.
  /// - Throws: `CompositorError`: the errors of ``MediaProbe/probe(_:)``, and `.trackNotFound`, `.decoderNotFound` (also for
  ///   VP8 and VP9 with alpha if the libvpx decoders are missing), `.decodeFailed`.
  public static func openVideo(
    _ source: MediaSource, trackIndex: Int = 0, options: VideoReaderOptions = VideoReaderOptions(),
    info: VideoTrackInfo? = nil
  ) throws(CompositorError) -> any VideoReader {
    try openVideo(source, trackIndex: trackIndex, options: options, info: info, facts: nil, allocator: nil)
  }

  /// Opens a video track whose frames are decoded into an allocator's memory, as far as codec and format allow.
  ///
  /// - Parameter usesProfile: Whether the ICC profile of a still is applied.
  package static func openVideo(
    _ source: MediaSource, trackIndex: Int = 0, options: VideoReaderOptions = VideoReaderOptions(),
    info: VideoTrackInfo? = nil, facts: FileFacts? = nil, allocator: (any FrameAllocator)?, usesProfile: Bool = true
  ) throws(CompositorError) -> any VideoReader {
    guard trackIndex == 0 || isFile(source) else { throw noTrack(trackIndex, in: source) }
    switch source {
    case .file(let path):
      let image = try ImageFile(path: path, usesProfile: usesProfile)
      guard trackIndex == 0 || image == nil else { throw noTrack(trackIndex, in: source) }
      switch image {
      case .still(let image): return StillImageReader(image)
      case .animation(let animation): return try WebPAnimationReader(animation, path: path)
      case .movie, nil:
        let (info, decoder) = try FFmpegProbe.openVideo(
          path: path, trackIndex: trackIndex, options: options, known: info, facts: facts, allocator: allocator)
        return FFmpegVideoReader(decoder, info: info, path: path, options: options)
      }
    case .imageSequence(let pattern, let first, let frameRate, let missing):
      let sequence = try ImageSequence(
        pattern: pattern, first: first, frameRate: frameRate, missing: missing, usesProfile: usesProfile)
      if let info, usesProfile { return ImageSequenceReader(sequence, info: info) }
      return ImageSequenceReader(sequence, info: try sequence.trackInfo())
    case .generated(let generated):
      return try GeneratedVideoReader(generated, for: options.generated ?? .standard, allocator: allocator)
    case .custom: throw MediaProbe.refusal(source)
    }
  }

  private static func isFile(_ source: MediaSource) -> Bool {
    if case .file = source { return true }
    return false
  }

  private static func noTrack(_ index: Int, in source: MediaSource) -> CompositorError {
    CompositorError(
      .trackNotFound, "The source has no video track \(index).", advice: "\(operation: .probe) lists the tracks.",
      at: ErrorLocation(file: source.description))
  }
}

extension MediaOpener {
  /// Opens an audio track.
  ///
  /// Channels are mixed with libswresample's default matrix: 5.1 to stereo is L + 0.707 C + 0.707 Ls (and R likewise, without
  /// the LFE channel), mono to stereo keeps the power (0.707 on each side), stereo to mono is 0.707 of each. Rate and speed are
  /// changed by windowed-sinc interpolation (more than 100 dB). Random access gives the same samples as reading in order, with
  /// two exceptions after a seek: noise that decoders generate (noise substitution of AAC; in MP4 and MOV also the dither of
  /// AC-3) differs, and Opus in MP4 and MOV deviates by up to 0.0002.
  ///
  /// Seeking is cheap where times count samples (MP4, MOV, WAV, AIFF, CAF), and in files whose packets were
  /// counted when they were examined: up to 64 MiB, or 512 MiB without video. Otherwise, and for AC-3 and MP2, a step back
  /// decodes the track again from its start.
  ///
  /// - Parameters:
  ///   - trackIndex: Index among the source's audio tracks, from 0.
  ///   - info: The description by ``MediaProbe`` of this track, which saves measuring the file again.
  /// - Throws: `CompositorError`: the errors of ``MediaProbe/probe(_:)``, `.trackNotFound`, `.decoderNotFound`,
  ///   `.decodeFailed`, `.invalidValue` for options out of range.
  public static func openAudio(
    _ source: MediaSource, trackIndex: Int = 0, options: AudioReaderOptions = AudioReaderOptions(),
    info: AudioTrackInfo? = nil
  ) throws(CompositorError) -> any AudioReader {
    try openAudio(source, trackIndex: trackIndex, options: options, info: info, facts: nil)
  }

  /// Opens an audio track of a source that was already examined.
  package static func openAudio(
    _ source: MediaSource, trackIndex: Int, options: AudioReaderOptions, info: AudioTrackInfo?, facts: FileFacts?
  ) throws(CompositorError) -> any AudioReader {
    switch source {
    case .file(let path):
      if let info { return try FFmpegAudioReader(path: path, info: info, facts: facts, options: options) }
      let probed = try MediaProbe.examine(source)
      guard let track = probed.info.audioTracks.first(where: { $0.index == trackIndex }) else {
        throw noTrack(trackIndex, of: source)
      }
      return try FFmpegAudioReader(path: path, info: track, facts: probed.facts, options: options)
    case .generated(let generated):
      guard let frequency = generated.toneFrequency, trackIndex == 0 else { throw noTrack(trackIndex, of: source) }
      return try ToneReader(generated, frequency: frequency, options: options)
    default: throw noTrack(trackIndex, of: source)
    }
  }

  private static func noTrack(_ index: Int, of source: MediaSource) -> CompositorError {
    CompositorError(
      .trackNotFound, "\(source) has no audio track \(index).", advice: "\(operation: .probe) lists the tracks.",
      at: ErrorLocation(file: source.description))
  }
}
