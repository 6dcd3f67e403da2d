import CompositorAPI
import CompositorValidation
import Foundation

/// A page's request to its session. Times are seconds of the movie.
struct PageMessage: Codable, Sendable {
  enum Kind: String, Codable, Sendable {
    /// The appearance of the page: `width` of its diagram, `theme`.
    case view
    /// Play from `time` at `rate`, which may be negative.
    case play
    /// Stop playing.
    case pause
    /// Show the frame at `time`, or one within `tolerance` of it.
    case seek
    /// `time` is audible now.
    case clock
    /// Frame `frame` has arrived.
    case ack
    /// `dropped` of `due` frames of the last second were not shown.
    case pace
    /// Send audio of `duration` from `time`.
    case audio
    /// Draw the scope `scope` for every frame; none if it is missing.
    case scope
    /// Send the levels of all audio.
    case levels
    /// Send a strip of small frames.
    case strip
  }

  var type: Kind
  /// Number of the page's action, which all responses to it repeat.
  var run: Int?
  var time: Double?
  var rate: Double?
  var duration: Double?
  var tolerance: Double?
  var frame: Int?
  var due: Int?
  var dropped: Int?
  var width: Int?
  var theme: String?
  var scope: String?
}

/// A project for the page.
struct ProjectMessage: Encodable, Sendable {
  struct Diagnostic: Encodable, Sendable {
    var severity: String
    var code: String
    var message: String
    var cause: String?
    var recoverySuggestion: String?
    var file: String?
    var line: Int?
    var column: Int?
    /// The line of the project file.
    var text: String?
    /// Time in seconds.
    var time: Double?
    var instruction: Int?
  }
  struct Instruction: Encodable, Sendable {
    var start: Double
    var duration: Double
    var name: String
  }

  var type = "project"
  var generation: Int
  var name: String
  var isValid: Bool
  /// Whether there is an edit to draw, valid or not.
  var hasDiagram: Bool
  /// Duration in seconds.
  var duration: Double
  /// Duration of a frame in seconds, as a fraction.
  var frameDuration: [Int]
  var frameCount: Int
  var width: Int
  var height: Int
  var hasAudio: Bool
  var sampleRate: Int
  var channelCount: Int
  var diagnostics: [Diagnostic]
  var instructions: [Instruction]
}

/// The state of a session.
struct StateMessage: Encodable, Sendable {
  var type = "state"
  var run: Int
  var isPlaying: Bool
  /// The scale of composed frames: `1/1`, `3/4`, `1/2`, `1/4`.
  var scale: String
  /// Number of frames that were due during playback and not rendered in time.
  var dropped: Int
  var painted: Int
}

/// The timeline as an image.
struct DiagramMessage: Encodable, Sendable {
  var type = "diagram"
  var generation: Int
  var svg: String
}

/// An error of rendering frames or mixing audio.
struct FailureMessage: Encodable, Sendable {
  var type = "failure"
  var message: String
  var recoverySuggestion: String?
  var time: Double?

  init(_ error: CompositorError) {
    (message, recoverySuggestion) = (error.errorDescription ?? error.message, error.recoverySuggestion)
    time = error.location.time.flatMap { $0.isNumeric ? $0.seconds : nil }
  }
}

/// The header of a frame's JPEG.
struct FrameHeader: Encodable, Sendable {
  /// Costs in milliseconds.
  struct Cost: Encodable, Sendable {
    var decode: Double
    var conform: Double
    var compose: Double
    var deliver: Double
    var encode: Double
  }

  var type = "frame"
  /// The number to acknowledge.
  var frame: Int
  var run: Int
  var generation: Int
  var index: Int
  var time: Double
  var duration: Double
  var isExact: Bool
  var scale: String
  var instruction: Int
  var cost: Cost
}

/// The header of samples: 32-bit floats, little-endian, one channel after another.
struct AudioHeader: Encodable, Sendable {
  var type = "audio"
  var run: Int
  var time: Double
  var sampleRate: Int
  var channelCount: Int
  var sampleCount: Int
}

/// The header of a scope's JPEG.
struct ScopeHeader: Encodable, Sendable {
  var type = "scope"
  var scope: String
  var time: Double
}

/// The header of levels: pairs of signed bytes, the lowest and the highest sample of each of `count` equal parts. 127 is full
/// scale.
struct LevelsHeader: Encodable, Sendable {
  var type = "levels"
  var generation: Int
  /// The first part that follows, and the total number of parts.
  var first: Int
  var count: Int
}

/// The header of a JPEG of a strip: a frame from the part `index` of `count` equal parts of the movie.
struct StripHeader: Encodable, Sendable {
  var type = "strip"
  var generation: Int
  var index: Int
  var count: Int
}

extension WebSocketChannel {
  /// Sends a JSON message.
  func send(_ message: some Encodable) {
    send(.text(String(decoding: WebSocketChannel.json(message), as: UTF8.self)))
  }

  /// Sends bytes after a header.
  func send(_ header: some Encodable, body: Data) { send(.binary(header: WebSocketChannel.json(header), body: body)) }

  /// Messages consist of numbers, strings and arrays of these, so encoding only fails for numbers that aren't finite.
  private static func json(_ message: some Encodable) -> Data {
    let encoder = JSONEncoder()
    encoder.nonConformingFloatEncodingStrategy = .convertToString(positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return (try? encoder.encode(message)) ?? Data("{}".utf8)
  }
}
