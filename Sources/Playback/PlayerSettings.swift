public import CompositorAPI
public import CompositorExport
public import CompositorHost

/// Settings of a ``Player``.
public struct PlayerSettings: Sendable {
  /// The action when playback reaches its end: the end of the timeline forward, its beginning backward.
  public enum EndAction: String, Hashable, Sendable, CaseIterable {
    /// Pauses there.
    case pause
    /// Continues from the other end.
    case loop
    /// The clock keeps running, and the frame at the end stays.
    case none
  }

  /// Maximum frame size; a composition with a larger canvas is composed smaller. `nil` (the default) is the canvas itself.
  public var maximumSize: PixelSize?
  /// The pixel format of the frames; `nil` (the default) for the one in which they are composed.
  public var pixelFormat: PixelFormat?
  /// The end of playback; `nil` (the default) is the composition's end. After the composition's end, frames show the background
  /// and the remaining titles.
  public var endTime: MediaTime?
  /// The action at the end. Default `.pause`.
  public var endAction: EndAction
  /// The sample rate and channels of ``Player/audio(from:count:isReversed:)``.
  public var audio: ReaderAudioFormat
  /// Bytes of finished frames cached for seeks and backward playback, ≥ 0. At least 16 frames are kept. Default 256 MiB: 194
  /// frames of 1280×720 in 8-bit 4:2:0.
  public var cacheByteCount: Int
  /// Whether frames near the playhead are rendered while the player is paused and idle. Default true.
  public var prefetches: Bool
  /// Rendering settings. By default, decoders use all processors.
  public var render: RenderSettings

  /// Creates settings that suit the machine.
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
