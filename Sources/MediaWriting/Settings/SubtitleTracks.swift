import CCompositorFFmpeg
public import CompositorAPI
import CompositorMediaIO

/// A caption track that players can show.
public struct SubtitleTrackDescription: Hashable, Sendable {
  /// The captions with language, title and flags. Their presentation and style are ignored.
  public var captions: CaptionTrack
  /// The part of the captions that the movie shows. Its start is the movie's 0, and cues are cut at its ends.
  public var timeRange: TimeRange

  /// Creates a description.
  ///
  /// - Parameter timeRange: The range, by default everything from 0.
  public init(
    _ captions: CaptionTrack, timeRange: TimeRange = TimeRange(start: .zero, duration: .positiveInfinity)
  ) {
    self.captions = captions
    self.timeRange = timeRange
  }

  func validate(in container: MovieContainer) throws(CompositorError) {
    guard container.holdsCaptions else {
      throw CompositorError(
        .unsupportedOutput, "A .\(container.rawValue) file cannot hold captions.",
        recoverySuggestion: "Write \(MovieContainer.namesHoldingCaptions), or captions as a file of their own.")
    }
    try captions.validate()
    try container.validate(language: captions.language, title: captions.title, metadata: [:])
    if container.captionCodecs?.plain == "mov_text" { try validateForTimedText(in: container) }
  }

  /// Cues of 3GPP timed text (`tx3g`) have a 16-bit length and do not overlap: simultaneous cues are merged.
  private func validateForTimedText(in container: MovieContainer) throws(CompositorError) {
    let cues = captions.cues(in: timeRange)
    var shown: [CaptionCue] = []
    for cue in cues.sorted(by: { $0.timeRange.start < $1.timeRange.start }) {
      shown.removeAll { $0.timeRange.end <= cue.timeRange.start }
      shown.append(cue)
      let byteCount = shown.reduce(0) { $0 + $1.scriptText.utf8.count + 1 }
      guard shown.count <= Self.mostCuesAtATime, byteCount <= Self.mostBytesAtATime else {
        throw CompositorError(
          .unsupportedOutput,
          "\(shown.count) captions of \(byteCount) bytes show at the same time, which a .\(container.rawValue) file cannot hold.",
          recoverySuggestion: "Show at most \(Self.mostCuesAtATime), of \(Self.mostBytesAtATime) bytes in all, or write .mkv.",
          at: ErrorLocation(time: timeRange.start + cue.timeRange.start))
      }
    }
  }

  private static let mostCuesAtATime = 50
  private static let mostBytesAtATime = 60_000
}

extension MovieContainer {
  /// Whether captions can be a track of the file: `mov_text` in MP4 and QuickTime, SRT or ASS in Matroska, WebVTT in WebM.
  public var holdsCaptions: Bool { captionCodecs != nil }

  /// Names of the containers that can have caption tracks, for messages.
  package static var namesHoldingCaptions: String {
    alternatives(allCases.filter(\.holdsCaptions).map { ".\($0.rawValue)" })
  }

  /// libavcodec's encoders of plain captions and of ASS scripts, whose styles the former may lose.
  fileprivate var captionCodecs: (plain: String, script: String)? {
    switch self {
    case .mp4, .mov, .m4v: ("mov_text", "mov_text")
    case .mkv: ("subrip", "ass")
    case .webm: ("webvtt", "webvtt")
    default: nil
    }
  }
}

/// A caption track that is being written.
struct SubtitleWriting {
  /// libavcodec's encoder.
  let codec: String
  let header: String
  /// Index of the track in the file.
  var index: Int32 = -1
  private let events: [CaptionEvents.Event]
  private var next = 0

  /// Number of cues in the file.
  var eventCount: Int { events.count }

  /// Ticks per second. Milliseconds, hundredths and frames of usual rates are exact. Matroska counts milliseconds.
  static let timescale: Int32 = 90_000

  init(_ track: SubtitleTrackDescription, in container: MovieContainer) throws(CompositorError) {
    let codecs = container.captionCodecs ?? ("", "")
    codec = track.captions.script == nil ? codecs.plain : codecs.script
    let made = try CaptionEvents(
      track.captions, in: track.timeRange, keepsScript: codec == "ass", mayOverlap: codec != "mov_text",
      hasMarkup: codec == "webvtt")
    (header, events) = (made.header, made.events)
  }

  /// Writes the remaining cues that start before a time.
  mutating func write(to muxer: OpaquePointer?, before time: MediaTime, path: String) throws(CompositorError) {
    let unit = Rational(1, Int(SubtitleWriting.timescale))
    while next < events.count, events[next].range.start < time {
      let event = events[next]
      let (start, end) = (event.range.start.rounded(toUnitsOf: unit), event.range.end.rounded(toUnitsOf: unit))
      let failure = WriteFailure {
        cff_muxer_write_cue(muxer, index, event.text, start, max(end - start, 1), &$0)
      }
      if let failure { throw failure.writing(path) }
      next += 1
    }
  }
}
