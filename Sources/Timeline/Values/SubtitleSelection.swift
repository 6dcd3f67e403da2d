package import CompositorAPI
import CompositorCaptions
package import CompositorMedia
import CompositorMediaIO

/// Which subtitle tracks of its files a movie of one or several files keeps.
package enum SubtitleSelection: Hashable, Sendable {
  /// All tracks of text.
  case all
  /// Tracks by index among the subtitle tracks of each file, or by language.
  case some([AudioTrackChoice])

  /// Parses `all`, `eng,deu` or `0,2`.
  ///
  /// - Throws: `.invalidValue` if the text is none of these.
  package init(_ text: String) throws(CompositorError) {
    self = text == "all" ? .all : .some(try AudioTrackChoice.list(text))
  }
}

extension Edit {
  /// Adds the subtitle tracks of the files that the edit shows one after another, at the times at which these play.
  ///
  /// - Returns: Notes about tracks that cannot be kept: one sentence each, without a capital or a full stop.
  /// - Throws: `.trackNotFound` if no file has a chosen track; the errors of reading subtitles.
  package mutating func keepSubtitles(
    _ selection: SubtitleSelection, catalog: MediaCatalog
  ) throws(CompositorError) -> [String] {
    let pieces = piecesOfFiles
    var notes: [String] = []
    var infos: [String: [OtherTrackInfo]] = [:]
    for piece in pieces where infos[piece.path] == nil {
      let all = try catalog.info(for: .file(path: piece.path)).subtitleTracks
      infos[piece.path] = all.filter { $0.reason == nil && $0.trackIndex != nil }
      notes += all.filter { $0.reason != nil }.map {
        "\(piece.path): subtitle track \($0.trackIndex ?? 0) is not kept: \($0.reason ?? "it cannot be read")"
      }
    }
    switch selection {
    case .all:
      var rows: [CorrespondingTracks] = []
      for piece in pieces { rows.take(infos[piece.path] ?? [], of: piece.path) }
      for row in rows {
        if let track = try keptTrack(pieces, noting: &notes, of: { row.tracks[$0] }) { captions.append(track) }
      }
    case .some(let choices):
      for choice in choices {
        guard let track = try keptTrack(pieces, noting: &notes, of: { choice.subtitle(of: infos[$0] ?? []) }) else {
          throw CompositorError(
            .trackNotFound, "There is no subtitle track \(choice).",
            advice: "\(operation: .probe) lists the subtitle tracks; all keeps those that there are.",
            at: ErrorLocation(file: pieces.first?.path))
        }
        captions.append(track)
      }
    }
    return notes
  }

  /// The captions of the pieces, one after another; `nil` if no file has a track.
  ///
  /// - Parameters:
  ///   - notes: Receives what isn't kept of the tracks.
  ///   - track: The track of a file.
  private func keptTrack(
    _ pieces: [PieceOfFile], noting notes: inout [String], of track: (_ path: String) -> OtherTrackInfo?
  ) throws(CompositorError) -> CaptionTrack? {
    var result: CaptionTrack?
    for piece in pieces {
      guard let info = track(piece.path), let index = info.trackIndex else { continue }
      var options = CaptionReadingOptions()
      options.track = index
      var read = try CaptionTrack(contentsOf: piece.path, options: options)
      let isWhole = pieces.count == 1 && piece.start == .zero
      if result == nil {
        read.presentation = .track
        (read.isDefault, read.isForced) = (info.flags.contains(.default), info.flags.contains(.forced))
        (read.language, read.title) = (info.language, info.title)
      }
      // The styles of a script are of one file.
      guard !isWhole else {
        read.offset = .zero - piece.media.start
        return read
      }
      if read.script != nil {
        let note = "\(piece.path): the styles of subtitle track \(index) are not kept: joined captions are plain text"
        if !notes.contains(note) { notes.append(note) }
      }
      let cues = read.cues(in: piece.media).map { cue in
        var cue = cue
        cue.timeRange = TimeRange(start: cue.timeRange.start + piece.start, duration: cue.timeRange.duration)
        return cue
      }
      var merged = result ?? read
      if result == nil { (merged.cues, merged.script) = ([], nil) }
      merged.cues += cues
      result = merged
    }
    return result
  }
}

/// Tracks of several files that make one track of the movie.
private struct CorrespondingTracks {
  /// The language, if no other track of the first file has the same.
  var language: String?
  /// The index in the first file.
  var index: Int?
  /// The track of each file, by its path.
  var tracks: [String: OtherTrackInfo]
}

extension [CorrespondingTracks] {
  /// Adds the tracks of a file: to those of the same language, otherwise of the same index, otherwise as tracks of their own.
  fileprivate mutating func take(_ added: [OtherTrackInfo], of path: String) {
    guard !contains(where: { $0.tracks[path] != nil }) else { return }
    for track in added {
      let isUnique = track.language != nil && added.count { $0.language == track.language } == 1
      let language = isUnique ? track.language : nil
      let row =
        firstIndex { $0.tracks[path] == nil && language != nil && $0.language == language }
        ?? firstIndex {
          $0.tracks[path] == nil && ($0.language == nil || language == nil) && $0.index == track.trackIndex
        }
      if let row {
        self[row].tracks[path] = track
      } else {
        append(CorrespondingTracks(language: language, index: track.trackIndex, tracks: [path: track]))
      }
    }
  }
}

/// A part of a file, and when it starts in the movie.
private struct PieceOfFile {
  let path: String
  var media: TimeRange
  let start: MediaTime
}

extension Edit {
  /// The parts of files that play one after another at their own speed: those with video, or those with audio if there is none.
  private var piecesOfFiles: [PieceOfFile] {
    let video = composition.tracks(.video).flatMap(\.segments)
    let segments = video.contains { !$0.isEmpty } ? video : composition.tracks(.audio).first?.segments ?? []
    let inOrder = segments.sorted { $0.timeMapping.target.start < $1.timeMapping.target.start }
    var pieces: [PieceOfFile] = []
    for (index, segment) in inOrder.enumerated() {
      guard case .file(let path) = segment.source else { continue }
      let (media, shown) = (segment.timeMapping.source, segment.timeMapping.target)
      if segment.timeMapping.isUnitRate {
        // While the first picture of a file is held, its audio and its captions may play already.
        let hold = index > 0 ? inOrder[index - 1].held(before: segment) : .zero
        let range = TimeRange(start: media.start - hold, end: media.end)
        pieces.append(PieceOfFile(path: path, media: range, start: shown.start - hold))
      } else if index > 0, let last = pieces.last, last.path == path, last.start + last.media.duration == shown.start,
        segment.holdsPicture, index + 1 >= inOrder.count || segment.held(before: inOrder[index + 1]) == .zero
      {
        pieces[pieces.count - 1].media = TimeRange(start: last.media.start, duration: last.media.duration + shown.duration)
      }
    }
    return pieces
  }
}

extension CompositionTrackSegment {
  /// Whether it shows one picture all the time.
  fileprivate var holdsPicture: Bool { !isEmpty && timeMapping.source.duration == .zero }

  /// How long it holds the first picture of the next segment; 0 if it doesn't.
  fileprivate func held(before next: CompositionTrackSegment) -> MediaTime {
    let isHold =
      holdsPicture && source == next.source && timeMapping.source.start == next.timeMapping.source.start
      && timeMapping.target.end == next.timeMapping.target.start
    return isHold ? timeMapping.target.duration : .zero
  }
}

extension AudioTrackChoice {
  /// The chosen subtitle track; `nil` if there is none.
  fileprivate func subtitle(of tracks: [OtherTrackInfo]) -> OtherTrackInfo? {
    switch self {
    case .index(let index): tracks.first { $0.trackIndex == index }
    case .language(let tag): tracks.first { $0.language.flatMap { LanguageTag($0)?.code } == LanguageTag(tag)?.code }
    case .standard: tracks.first { $0.flags.contains(.default) } ?? tracks.first
    case .mix: nil
    }
  }
}
