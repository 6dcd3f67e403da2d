/// The persistent ID of a track, > 0, unique within a composition and never reused.
public typealias TrackID = Int32

/// The type of media in a track.
public enum MediaType: String, Hashable, Sendable, Codable {
  /// Video.
  case video
  /// Audio.
  case audio
}

/// Synthetic video that needs no media file.
public struct GeneratedSource: Hashable, Sendable, Codable {
  /// The pattern to draw.
  public enum Pattern: Hashable, Sendable, Codable {
    /// One color.
    case color(Color)
    /// 75 % color bars over a gray ramp.
    case bars
    /// A gradient between two colors, from left to right if `angle` is 0, rotated clockwise by `angle` degrees.
    case gradient(from: Color, to: Color, angleDegrees: Double)
    /// The frame number and time in large digits, with a hand that makes one revolution per second.
    case clock
  }
  /// The pattern to draw.
  public var pattern: Pattern
  /// The frame size, each side 1 … 16,384 pixels.
  public var size: PixelSize
  /// Frames per second.
  public var frameRate: Rational
  /// The duration; `.positiveInfinity` for an endless source.
  public var duration: MediaTime
  /// The frequency of an accompanying sine tone in hertz; `nil` for no audio.
  public var toneFrequency: Double?

  /// Creates a generated source.
  public init(
    pattern: Pattern, size: PixelSize = PixelSize(width: 1920, height: 1080), frameRate: Rational = Rational(30, 1),
    duration: MediaTime = .positiveInfinity, toneFrequency: Double? = nil
  ) {
    self.pattern = pattern
    self.size = size
    self.frameRate = frameRate
    self.duration = duration
    self.toneFrequency = toneFrequency
  }
}

/// The origin of media, as a value. Naming a file doesn't open it.
public enum MediaSource: Hashable, Sendable, Codable {
  /// A movie, audio or still image file, by path.
  case file(path: String)
  /// Numbered images such as `frame_%04d.png`, starting with the number `first`, at a frame rate.
  case imageSequence(pattern: String, first: Int, frameRate: Rational)
  /// Synthetic video.
  indirect case generated(GeneratedSource)
  /// Media that the program provides under a name, such as media in memory or from a camera.
  case custom(name: String)
}

extension MediaSource: CustomStringConvertible {
  /// The path, pattern or name.
  public var description: String {
    switch self {
    case .file(let path): path
    case .imageSequence(let pattern, _, _): pattern
    case .generated(let source):
      switch source.pattern {
      case .color: "generated:color"
      case .bars: "generated:bars"
      case .gradient: "generated:gradient"
      case .clock: "generated:clock"
      }
    case .custom(let name): "custom:\(name)"
    }
  }
}

extension MediaSource: ExpressibleByStringLiteral {
  /// Creates a file source from a path, such as `"church.mov"`.
  public init(stringLiteral path: String) { self = .file(path: path) }
}
