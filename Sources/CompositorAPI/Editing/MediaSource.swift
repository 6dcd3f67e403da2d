/// A track's persistent number, > 0. Never reused within a composition.
public typealias TrackID = Int32

/// What a track holds.
public enum MediaType: String, Hashable, Sendable, Codable {
  /// Pictures.
  case video
  /// Sound.
  case audio
}

/// Pictures that need no media: made from arithmetic.
public struct GeneratedSource: Hashable, Sendable, Codable {
  /// What is drawn.
  public enum Pattern: Hashable, Sendable, Codable {
    /// One color.
    case color(Color)
    /// 75 % color bars over a gray ramp.
    case bars
    /// A ramp between two colors, left to right where `angle` is 0, turned clockwise by degrees.
    case gradient(from: Color, to: Color, angleDegrees: Double)
    /// The frame number and time in large digits, with a hand that turns once a second.
    case clock
  }
  /// What is drawn.
  public var pattern: Pattern
  /// The picture's size, each side 1 … 16384.
  public var size: PixelSize
  /// Frames a second.
  public var frameRate: Rational
  /// How long it lasts; `.positiveInfinity` for as long as asked.
  public var duration: MediaTime
  /// Frequency of a sine tone to go with it, in hertz; nil for none.
  public var toneFrequency: Double?

  /// Describes a generated source.
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

/// Where media comes from. A value: naming a file does not open it.
public enum MediaSource: Hashable, Sendable, Codable {
  /// A movie, sound or still image file, by path.
  case file(path: String)
  /// Numbered images, `frame_%04d.png`, from `first` on, at a rate.
  case imageSequence(pattern: String, first: Int, frameRate: Rational)
  /// Pictures made from arithmetic.
  indirect case generated(GeneratedSource)
  /// Media that the program itself provides under a name (in memory, from a camera, in a test).
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
  /// A file, by path: `"church.mov"`.
  public init(stringLiteral path: String) { self = .file(path: path) }
}
