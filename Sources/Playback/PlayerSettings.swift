public import CompositorAPI
public import CompositorExport
public import CompositorHost

/// How a ``Player`` makes frames and audio.
public struct PlayerSettings: Sendable {
  /// What happens when playback reaches its end: the end of the timeline forward, its beginning backward.
  public enum EndAction: String, Hashable, Sendable, CaseIterable {
    /// The player pauses there.
    case pause
    /// It goes on from the other end.
    case loop
    /// The clock runs on; the frame at the end stays.
    case none
  }

  /// The largest frame; a composition with a larger canvas is composed smaller. `nil`, the default, is the canvas itself.
  public var maximumSize: PixelSize?
  /// The pixel format of the frames; `nil`, the default, for the one they are composed in.
  public var pixelFormat: PixelFormat?
  /// Where playback ends; `nil`, the default, is the composition's end. Beyond it, up to a later end, frames show the background and the
  /// titles that are still there.
  public var endTime: MediaTime?
  /// What happens at the end. Default `.pause`.
  public var endAction: EndAction
  /// The sample rate and channels of ``Player/audio(from:count:)``.
  public var audio: ReaderAudioFormat
  /// Bytes of finished frames that are kept for seeks and for playback backward, ≥ 0. At least 16 frames are kept. Default 256 MiB: 194 frames
  /// of 1280×720 in 8-bit 4:2:0.
  public var cacheByteCount: Int
  /// Whether frames near the playhead are made while the player is paused and has nothing else to do. Default true.
  public var prefetches: Bool
  /// How frames are rendered. Unless it says otherwise, decoders use all processors.
  public var render: RenderSettings

  /// Settings that suit the machine.
  public init(maximumSize: PixelSize? = nil, render: RenderSettings = RenderSettings()) {
    self.maximumSize = maximumSize
    self.render = render
    pixelFormat = nil
    endTime = nil
    endAction = .pause
    audio = ReaderAudioFormat()
    cacheByteCount = 256 << 20
    prefetches = true
  }
}
