public import CompositorAPI
public import CompositorAudio
public import CompositorHost
import CompositorMediaWriting

/// Settings of a ``CompositionReader``: what to read, and in which formats.
public struct ReaderSettings: Sendable {
  /// The part of the timeline; `nil` for all of it. Frames that start inside are read, and the audio from the start of the
  /// first to the end of the last.
  public var timeRange: TimeRange?
  /// The media types to read. No decoders are opened for other types. Default: video and audio, as far as the composition has
  /// them.
  public var mediaTypes: Set<MediaType> = [.video, .audio]
  /// The pixel format of the frames; `nil` for the one in which they are composed.
  public var pixelFormat: PixelFormat?
  /// Sample rate, channels and destination of the audio.
  public var audio = ReaderAudioFormat()
  /// Rendering settings, including the number of frames rendered ahead: `RenderSettings.framesInFlight`.
  public var render = RenderSettings()

  /// Creates settings to read everything: frames as they are composed, stereo at 48 kHz.
  public init() {}
}

/// The format of the mixed audio: planar 32-bit floats.
public struct ReaderAudioFormat: Hashable, Sendable {
  /// Sample rate in Hz, 8000 … 192,000. Default 48,000.
  public var sampleRate: Int
  /// Number of channels, 1 … 8, in the usual order of that number. Default 2.
  public var channelCount: Int
  /// The destination of the samples, which decides whether the mix is limited by default. Default `.float`: it is not limited.
  /// With `.integer`, the samples are those of an export to integer PCM before they are rounded.
  public var destination: AudioDestination
  /// Number of samples per block of ``CompositionReader/audio``, 1 … 1,048,576. Default 4096.
  public var blockSampleCount: Int

  /// Creates a format.
  public init(
    sampleRate: Int = 48_000, channelCount: Int = 2, destination: AudioDestination = .float, blockSampleCount: Int = 4096
  ) {
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.destination = destination
    self.blockSampleCount = blockSampleCount
  }

  /// - Throws: `.invalidValue` for a value out of range.
  package func validate() throws(CompositorError) {
    let checks = [
      (sampleRate, AudioEncodingSettings.sampleRates, "samples a second"),
      (channelCount, AudioEncodingSettings.channelCounts, "channels"),
      (blockSampleCount, 1...1_048_576, "samples a block"),
    ]
    for (value, range, name) in checks where !range.contains(value) {
      throw CompositorError(
        .invalidValue, "Audio cannot be read with \(value) \(name).",
        recoverySuggestion: "Use \(range.readable).")
    }
  }

  /// An encoding with the same mix.
  var encoding: AudioEncodingSettings {
    let codec: AudioEncodingSettings.Codec =
      switch destination {
      case .float: .pcmFloat32
      case .integer: .pcmInt24
      case .lossy: .aac
      }
    return AudioEncodingSettings(codec: codec, sampleRate: sampleRate, channelCount: channelCount)
  }
}

/// A block of mixed audio with its time.
public struct RenderedAudio: Sendable, Hashable {
  /// Composition time of the first sample, on the sample grid that starts at time 0.
  public let time: MediaTime
  /// Index of the first sample, counted from the first one that is read.
  public let position: Int64
  /// Sample rate in Hz.
  public let sampleRate: Int
  /// The samples of each channel, nominally −1 … 1 and not clipped; all channels have the same length, ≥ 1.
  public let channels: [[Float]]

  /// Number of samples per channel.
  public var sampleCount: Int { channels.first?.count ?? 0 }

  /// Creates a block.
  package init(time: MediaTime, position: Int64, sampleRate: Int, channels: [[Float]]) {
    (self.time, self.position, self.sampleRate, self.channels) = (time, position, sampleRate, channels)
  }

  /// Duration of the block.
  public var duration: MediaTime { MediaTime(value: Int64(sampleCount), timescale: Int32(clamping: sampleRate)) }
}

/// A frame, or a block of audio.
public enum RenderedMedia: Sendable {
  /// A composed frame.
  case frame(RenderedFrame)
  /// Mixed audio.
  case audio(RenderedAudio)
}
