public import CompositorAPI
import CompositorMediaIO

/// Which audio tracks of a file a clip plays.
public enum AudioTrackChoice: Hashable, Sendable {
  /// A track by its index among the file's audio tracks, from 0.
  case index(Int)
  /// The first track in a language, as a BCP 47 tag or a code of ISO 639 (`de`, `deu`).
  case language(String)
  /// The track that the file states as the default; the first one if it states none.
  case standard
  /// Several tracks mixed into one; all of the file if the list is empty.
  case mix([AudioTrackChoice])

  /// Parses `2`, `deu`, `default`, `mix` or `mix:0,2`.
  ///
  /// - Throws: `.invalidValue` if the text is none of these.
  public init(_ text: String) throws(CompositorError) {
    if text == "default" {
      self = .standard
    } else if text == "mix" {
      self = .mix([])
    } else if text.hasPrefix("mix:") {
      self = .mix(try AudioTrackChoice.list(String(text.dropFirst(4))))
    } else if let index = Int(text), (0...255).contains(index) {
      self = .index(index)
    } else if LanguageTag(text) != nil {
      self = .language(text)
    } else {
      throw CompositorError(
        .invalidValue, "\(quoted(text)) is not an audio track.",
        advice: "Write its number as \(operation: .probe) counts (0, 1 …), a language such as deu, or default.")
    }
  }

  /// Parses choices that are separated by commas.
  static func list(_ text: String) throws(CompositorError) -> [AudioTrackChoice] {
    var choices: [AudioTrackChoice] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let choice = try AudioTrackChoice(String(part))
      if case .mix = choice {
        throw CompositorError(
          .invalidValue, "A mix cannot be part of a list.", recoverySuggestion: "Write mix, or mix:0,2 for some of the tracks.")
      }
      choices.append(choice)
    }
    return choices
  }
}

extension AudioTrackChoice: CustomStringConvertible {
  /// The choice as ``init(_:)`` reads it.
  public var description: String {
    switch self {
    case .index(let index): "\(index)"
    case .language(let tag): tag
    case .standard: "default"
    case .mix(let parts): parts.isEmpty ? "mix" : "mix:" + parts.map(\.description).joined(separator: ",")
    }
  }
}

extension AudioTrackChoice: Codable {
  /// Decodes a choice from its text.
  public init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    do throws(CompositorError) {
      try self.init(text)
    } catch {
      throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: error.message))
    }
  }

  /// Encodes the choice as text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

/// An audio track of the output of a timeline.
public struct TimelineAudioTrack: Hashable, Sendable {
  /// Which audio track of each file is played. A clip of a file without it plays the one that it has chosen itself, which
  /// validation reports; at least one clip must have it. `nil` for the clips' own choices.
  public var choice: AudioTrackChoice?
  /// The indices of the timeline's tracks that are mixed; `nil` for all.
  public var tracks: Set<Int>?
  /// The language as a BCP 47 tag; `nil` for that of the first track that is played.
  public var language: String?
  /// The title for people; `nil` for none.
  public var title: String?
  /// Whether players choose the track by default. Without a default, it is the first one.
  public var isDefault = false

  /// Creates an audio track.
  public init(
    _ choice: AudioTrackChoice? = nil, tracks: Set<Int>? = nil, language: String? = nil, title: String? = nil,
    isDefault: Bool = false
  ) {
    (self.choice, self.tracks, self.language, self.title) = (choice, tracks, language, title)
    self.isDefault = isDefault
  }
}

extension ClipMedia {
  /// An audio track of media.
  package struct AudioTrack: Hashable, Sendable {
    package var index: Int
    package var start: MediaTime
    /// `nil` if it is endless.
    package var end: MediaTime?
    package var language: String?
    package var isDefault: Bool
    /// The duration of a frame of the codec.
    package var frameDuration: MediaTime
    package var sampleRate: Int
    package var channelCount: Int

    init(_ track: AudioTrackInfo) {
      (index, start, language) = (track.index, track.timeRange.start, track.language)
      end = track.timeRange.end.isNumeric ? track.timeRange.end : nil
      isDefault = track.flags.contains(.default)
      (frameDuration, sampleRate, channelCount) = (track.codecFrameDuration, track.sampleRate, track.channelCount)
    }
  }
}

extension AudioTrackChoice {
  /// The chosen tracks in their order; empty if there are none.
  package func tracks(of media: [ClipMedia.AudioTrack]) -> [ClipMedia.AudioTrack] {
    switch self {
    case .index(let index): return media.filter { $0.index == index }
    case .language(let tag):
      let code = LanguageTag(tag)?.code
      return media.first { $0.language.flatMap { LanguageTag($0)?.code } == code }.map { [$0] } ?? []
    case .standard: return (media.first(where: \.isDefault) ?? media.first).map { [$0] } ?? []
    case .mix(let parts):
      guard !parts.isEmpty else { return media }
      let chosen = parts.flatMap { $0.tracks(of: media) }
      return media.filter(chosen.contains)
    }
  }
}

extension AudioTrackChoice {
  /// The choices that a mix consists of; otherwise this one.
  var parts: [AudioTrackChoice] {
    if case .mix(let parts) = self, !parts.isEmpty { parts } else { [self] }
  }

  /// The first choice of a mix, or this one, that a file doesn't have; `nil` if it has all.
  func missing(in media: [ClipMedia.AudioTrack]) -> AudioTrackChoice? {
    parts.first { $0.tracks(of: media).isEmpty }
  }

  /// The index, if a track is chosen by it.
  var index: Int? { if case .index(let index) = self { index } else { nil } }
}
