public import CompositorAPI
public import CompositorAudio
public import CompositorHost
import CompositorMediaWriting

/// What a ``CompositionReader`` reads, and in which formats.
public struct ReaderSettings: Sendable {
  /// The part of the timeline; nil for all of it. Frames that start inside are read, and the audio from the first to the end of the last.
  public var timeRange: TimeRange?
  /// What is read. A kind that is left out costs nothing: none of its decoders is opened. Default: both, and of the two what is there.
  public var mediaTypes: Set<MediaType> = [.video, .audio]
  /// The pixel format of the frames; nil for the one they are composed in.
  public var pixelFormat: PixelFormat?
  /// The audio's rate, channels and purpose.
  public var audio = ReaderAudioFormat()
  /// How frames are made, and how many are made ahead: ``RenderSettings/framesInFlight``.
  public var render = RenderSettings()

  /// Makes settings for everything: frames as they are composed, stereo at 48 kHz.
  public init() {}
}

/// The format of mixed audio that is read: planar 32-bit floats.
public struct ReaderAudioFormat: Hashable, Sendable {
  /// Samples a second, 8000 … 192,000. Default 48,000.
  public var sampleRate: Int
  /// Channels, 1 … 8, in the usual order of that number. Default 2.
  public var channelCount: Int
  /// What the samples are for, which decides whether the mix is limited if that is left to be decided. Default `.float`: it is not; with
  /// `.integer` the samples are those of an export to PCM of integers before they are rounded.
  public var destination: AudioDestination
  /// Samples of each block of ``CompositionReader/audio``, 1 … 1,048,576. Default 4096.
  public var blockSampleCount: Int

  /// Makes a format.
  public init(
    sampleRate: Int = 48_000, channelCount: Int = 2, destination: AudioDestination = .float, blockSampleCount: Int = 4096
  ) {
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.destination = destination
    self.blockSampleCount = blockSampleCount
  }

  /// - Throws: `.invalidValue` for a number out of its range.
  package func validate() throws(CompositorError) {
    let checks = [
      (sampleRate, 8000...192_000, "samples a second"), (channelCount, 1...8, "channels"),
      (blockSampleCount, 1...1_048_576, "samples a block"),
    ]
    for (value, range, name) in checks where !range.contains(value) {
      throw CompositorError(
        .invalidValue, "Audio cannot be read with \(value) \(name).",
        recoverySuggestion: "Use \(range.lowerBound) to \(range.upperBound).")
    }
  }

  /// An encoding whose mix is the one that is read.
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

/// A block of mixed audio and its place in the timeline.
public struct RenderedAudio: Sendable, Hashable {
  /// Composition time of the first sample, on the grid of the samples that count from time 0.
  public let time: MediaTime
  /// Number of the first sample, from 0 at the first one that is read.
  public let position: Int64
  /// Samples a second.
  public let sampleRate: Int
  /// The samples of each channel, nominally −1 … 1 and not clipped; all of one length, ≥ 1.
  public let channels: [[Float]]

  /// Samples of each channel.
  public var sampleCount: Int { channels.first?.count ?? 0 }

  /// Makes a block.
  package init(time: MediaTime, position: Int64, sampleRate: Int, channels: [[Float]]) {
    (self.time, self.position, self.sampleRate, self.channels) = (time, position, sampleRate, channels)
  }

  /// How long the block plays.
  public var duration: MediaTime { MediaTime(value: Int64(sampleCount), timescale: Int32(clamping: sampleRate)) }
}

/// A frame, or a block of audio.
public enum RenderedMedia: Sendable {
  /// A composed frame.
  case frame(RenderedFrame)
  /// Mixed audio.
  case audio(RenderedAudio)
}
