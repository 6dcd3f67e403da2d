public import CompositorAPI
package import CompositorMedia
import CompositorMediaIO

/// Which audio tracks of its files a movie of one or several files has.
public enum AudioTrackSelection: Hashable, Sendable, Codable {
  /// One audio track, chosen in each file.
  case one(AudioTrackChoice)
  /// Several audio tracks, each chosen in each file.
  case several([AudioTrackChoice])
  /// All audio tracks of the first file.
  case all

  /// Parses a list of tracks to keep: `all`, `eng,deu`, `0,2`; `mix` and `mix:0,2` make one.
  ///
  /// - Throws: `.invalidValue` if the text is none of these.
  public init(keeping text: String) throws(CompositorError) {
    if text == "all" {
      self = .all
    } else if text.hasPrefix("mix") {
      self = .one(try AudioTrackChoice(text))
    } else {
      self = .several(try AudioTrackChoice.list(text))
    }
  }
}

extension Timeline {
  /// Chooses the audio tracks of the files of the first track of the timeline, which follow each other, and those of the output.
  ///
  /// - Returns: Notes about files that lack a chosen track: one sentence each, without a capital or a full stop.
  /// - Throws: `.trackNotFound` if no file has a chosen track; the errors of the catalog.
  package mutating func selectAudio(
    _ selection: AudioTrackSelection, catalog: MediaCatalog
  ) throws(CompositorError) -> [String] {
    guard let clips = tracks.first?.clips, let first = clips.first else { return [] }
    var infos: [MediaInfo] = []
    for clip in clips { infos.append(try catalog.info(for: clip.source)) }
    let model = infos.first { !$0.audioTracks.isEmpty }
    let chosen: [TimelineAudioTrack]
    switch selection {
    case .one(let choice): chosen = [Timeline.output(choice, of: model)]
    case .several(let choices): chosen = choices.map { Timeline.output($0, of: model) }
    case .all: chosen = model.map(Timeline.outputs) ?? []
    }
    audioTracks = chosen
    if chosen.count > 1, !chosen.contains(where: \.isDefault) { audioTracks[0].isDefault = true }
    var seen: Set<TimelineAudioTrack> = []
    audioTracks = audioTracks.filter { seen.insert($0).inserted }
    return try Timeline.missing(chosen.compactMap(\.choice), in: infos, first: first.source)
  }

  /// An audio track of the output with the language and title of the chosen track of a file.
  private static func output(_ choice: AudioTrackChoice, of info: MediaInfo?) -> TimelineAudioTrack {
    let media = info?.audioTracks.map(ClipMedia.AudioTrack.init) ?? []
    let chosen = choice.tracks(of: media)
    guard chosen.count == 1, let track = info?.audioTracks.first(where: { $0.index == chosen[0].index }) else {
      return TimelineAudioTrack(choice)
    }
    return TimelineAudioTrack(choice, language: track.language, title: track.title)
  }

  /// An audio track of the output for each one of a file. Those of other files correspond by language, if it is the only one in
  /// that language, else by index.
  private static func outputs(of info: MediaInfo) -> [TimelineAudioTrack] {
    let languages = info.audioTracks.map(\.language)
    var hasDefault = false
    return info.audioTracks.map { track in
      let isUnique = track.language != nil && languages.count { $0 == track.language } == 1
      let choice = track.language.flatMap { isUnique ? AudioTrackChoice.language($0) : nil } ?? .index(track.index)
      let isDefault = !hasDefault && track.flags.contains(.default)
      hasDefault = hasDefault || isDefault
      return TimelineAudioTrack(choice, language: track.language, title: track.title, isDefault: isDefault)
    }
  }

  /// Notes about files without a chosen track.
  private static func missing(
    _ choices: [AudioTrackChoice], in infos: [MediaInfo], first: MediaSource
  ) throws(CompositorError) -> [String] {
    var notes: [String] = []
    for choice in choices {
      let heard = infos.filter { !$0.audioTracks.isEmpty }
      let lacking = heard.filter { choice.missing(in: ClipMedia.tracks(of: $0)) != nil }
      guard !heard.isEmpty, lacking.count == heard.count else {
        notes += lacking.map { note(on: $0, lacking: choice) }
        continue
      }
      let known = heard.first.map { info in
        info.audioTracks.map { "\($0.index)\($0.language.map { " (\($0))" } ?? "")" }.joined(separator: ", ")
      }
      throw CompositorError(
        .trackNotFound,
        "There is no audio track \(heard.first.flatMap { choice.missing(in: ClipMedia.tracks(of: $0)) } ?? choice).",
        advice: known.map { "Choose one of \($0): \(operation: .probe) describes them." } ?? "Name a file with audio.",
        at: ErrorLocation(file: (heard.first?.source ?? first).description))
    }
    return notes
  }

  /// What is played of a file that lacks a choice, or a part of a mix.
  private static func note(on info: MediaInfo, lacking choice: AudioTrackChoice) -> String {
    let tracks = ClipMedia.tracks(of: info)
    let chosen = choice.tracks(of: tracks)
    let used = (chosen.isEmpty ? Array(tracks.prefix(1)) : chosen).map { "\($0.index)" }.joined(separator: ", ")
    return "\(info.source) has no audio track \(choice.missing(in: tracks) ?? choice): its track \(used) is used"
  }
}

extension ClipMedia {
  fileprivate static func tracks(of info: MediaInfo) -> [AudioTrack] { info.audioTracks.map(AudioTrack.init) }
}
