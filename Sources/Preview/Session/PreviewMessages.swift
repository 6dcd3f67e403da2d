import CompositorAPI
import Foundation

/// What a page asks of its session. Times are seconds of the movie.
struct PageMessage: Codable, Sendable {
  enum Kind: String, Codable, Sendable {
    /// How the page looks: `width` of its diagram, `theme`.
    case view
    /// Play from `time` at `rate`, which may be negative.
    case play
    /// Stop.
    case pause
    /// Show the frame at `time`, or one within `tolerance` of it.
    case seek
    /// `time` is heard now.
    case clock
    /// Frame `frame` has arrived.
    case ack
    /// Frames of the last second were `dropped` of `due`.
    case pace
    /// Send audio of `duration` from `time` on.
    case audio
    /// Make the image `scope` of every frame; none without it.
    case scope
    /// Send the levels of all audio.
    case levels
  }

  var type: Kind
  /// Counts what the page did: everything that answers it says the number again.
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

/// A project as pages see it.
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
    /// The line of the project's text.
    var text: String?
    /// Seconds.
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
  /// Seconds.
  var duration: Double
  /// Seconds as a fraction.
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

/// How a session is doing.
struct StateMessage: Encodable, Sendable {
  var type = "state"
  var run: Int
  var isPlaying: Bool
  /// How large frames are composed: `1/1`, `3/4`, `1/2`, `1/4`.
  var scale: String
  /// Frames that were due while playing and not made in time.
  var dropped: Int
  var painted: Int
}

/// The timeline as an image.
struct DiagramMessage: Encodable, Sendable {
  var type = "diagram"
  var generation: Int
  var svg: String
}

/// Something that went wrong while frames or audio were made.
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

/// Precedes a frame's JPEG.
struct FrameHeader: Encodable, Sendable {
  /// Milliseconds.
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

/// Precedes samples: 32-bit floats, little endian, one channel after another.
struct AudioHeader: Encodable, Sendable {
  var type = "audio"
  var run: Int
  var time: Double
  var sampleRate: Int
  var channelCount: Int
  var sampleCount: Int
}

/// Precedes a scope's JPEG.
struct ScopeHeader: Encodable, Sendable {
  var type = "scope"
  var scope: String
  var time: Double
}

/// Precedes levels: pairs of signed bytes, the lowest and the highest sample of each of `count` equal parts, 127 for full scale.
struct LevelsHeader: Encodable, Sendable {
  var type = "levels"
  var generation: Int
  /// The first part that follows, and how many parts there are in all.
  var first: Int
  var count: Int
}

extension WebSocketChannel {
  /// Sends a message of JSON.
  func send(_ message: some Encodable) {
    send(.text(String(decoding: WebSocketChannel.json(message), as: UTF8.self)))
  }

  /// Sends bytes behind a header.
  func send(_ header: some Encodable, body: Data) { send(.binary(header: WebSocketChannel.json(header), body: body)) }

  /// Messages have numbers, texts and arrays of these only: they can always be written, but for numbers that are none.
  private static func json(_ message: some Encodable) -> Data {
    let encoder = JSONEncoder()
    encoder.nonConformingFloatEncodingStrategy = .convertToString(positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return (try? encoder.encode(message)) ?? Data("{}".utf8)
  }
}
