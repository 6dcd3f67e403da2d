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
  /// The frame size, each side 1 … 16,384 pixels; `nil`, the default, for that of the canvas that shows it.
  public var size: PixelSize?
  /// Frames per second.
  public var frameRate: Rational
  /// The duration; `.positiveInfinity` for an endless source.
  public var duration: MediaTime
  /// The frequency of an accompanying sine tone in hertz; `nil` for no audio.
  public var toneFrequency: Double?

  /// Creates a generated source.
  public init(
    pattern: Pattern, size: PixelSize? = nil, frameRate: Rational = Rational(30, 1),
    duration: MediaTime = .positiveInfinity, toneFrequency: Double? = nil
  ) {
    self.pattern = pattern
    self.size = size
    self.frameRate = frameRate
    self.duration = duration
    self.toneFrequency = toneFrequency
  }
}

/// What a numbered image sequence shows where a number between its first and its last image has no file.
public enum MissingImages: String, Hashable, Sendable, Codable, CaseIterable {
  /// Nothing: such a sequence is an error.
  case error
  /// The next image that exists, a frame later than the one before the gap. The sequence gets shorter.
  case skip
  /// The image before the gap, for as long as the numbers are missing.
  case hold
}

/// The origin of media, as a value. Naming a file doesn't open it.
public enum MediaSource: Hashable, Sendable, Codable {
  /// A movie, audio or still image file, by path.
  case file(path: String)
  /// Numbered images such as `frame_%04d.png` at a frame rate, starting with the number `first`; `nil` for the lowest number
  /// that exists. `missing` says what is shown where a number is missing.
  case imageSequence(pattern: String, first: Int? = nil, frameRate: Rational, missing: MissingImages = .error)
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
    case .imageSequence(let pattern, _, _, _): pattern
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

extension MediaSource {
  /// The source with the size of a canvas, if it is generated and has none of its own.
  package func sized(for canvas: PixelSize) -> MediaSource {
    guard case .generated(var source) = self, source.size == nil else { return self }
    source.size = canvas
    return .generated(source)
  }

  /// Whether it is generated for any canvas, without a size of its own.
  package var takesSizeOfCanvas: Bool {
    guard case .generated(let source) = self else { return false }
    return source.size == nil
  }

  /// Whether it needs no media file.
  package var isGenerated: Bool { if case .generated = self { true } else { false } }

  /// Whether it is generated and shows the same frame at all times.
  package var isStaticPattern: Bool {
    guard case .generated(let source) = self else { return false }
    switch source.pattern {
    case .color, .bars, .gradient: return true
    case .clock: return false
    }
  }
}

extension MediaSource: ExpressibleByStringLiteral {
  /// Creates a file source from a path, such as `"church.mov"`.
  public init(stringLiteral path: String) { self = .file(path: path) }
}
