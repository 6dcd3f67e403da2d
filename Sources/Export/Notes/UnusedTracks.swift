import CompositorAPI
import CompositorMediaIO
import CompositorValidation

/// Tracks of files that a movie lacks although it uses others of the same file.
struct UnusedTracks {
  private let composition: ValidatedComposition
  private let takesAudio: Bool
  /// Indices of the audio tracks that are mixed, by source.
  private var heard: [MediaSource: Set<Int>] = [:]
  /// Indices of the video tracks that are shown, by source.
  private var seen: [MediaSource: Set<Int>] = [:]

  /// - Parameter takesAudio: Whether the movie has audio.
  init(of composition: ValidatedComposition, takesAudio: Bool) {
    (self.composition, self.takesAudio) = (composition, takesAudio)
    let edit = composition.edit
    for track in edit.composition.tracks(.audio) where edit.plays(track) {
      for segment in track.segments {
        if let source = segment.source { heard[source, default: []].insert(segment.sourceTrackIndex) }
      }
    }
    for segment in edit.composition.tracks(.video).flatMap(\.segments) {
      if let source = segment.source { seen[source, default: []].insert(segment.sourceTrackIndex) }
    }
  }

  /// Audio tracks of a source of whose audio some is used.
  func audio(of source: MediaSource) -> [AudioTrackInfo] {
    guard takesAudio, let used = heard[source], let info = composition.media[source] else { return [] }
    return info.audioTracks.filter { !used.contains($0.index) }
  }

  /// Video tracks of a source of whose video some is used. The alpha of an AVIF sequence is reported by a warning.
  private func video(of source: MediaSource) -> [VideoTrackInfo] {
    guard let used = seen[source], let info = composition.media[source], info.container != "avif" else { return [] }
    return info.videoTracks.filter { !used.contains($0.index) }
  }

  /// Subtitle tracks of a source that is used; none if the movie has captions.
  private func subtitles(of source: MediaSource) -> [OtherTrackInfo] {
    composition.edit.captions.isEmpty ? composition.media[source]?.subtitleTracks ?? [] : []
  }

  /// A note for each source with unused tracks.
  ///
  /// - Parameter includesSubtitles: Whether unused subtitle tracks are noted, too.
  func notes(includesSubtitles: Bool) -> [ExportNote] {
    composition.media.keys.sorted { $0.description < $1.description }.compactMap { source in
      let (audio, subtitles) = (audio(of: source), includesSubtitles ? subtitles(of: source) : [])
      let video = includesSubtitles ? video(of: source) : []
      var parts: [Wording] = []
      if !video.isEmpty {
        let names = video.map { Self.name("\($0.index)", $0.language, $0.title, $0.flags) }
        parts.append(
          "video \(names.joined(separator: ", "))" + .advice(" (\(setting: .shownTrack) shows such a track)"))
      }
      if !audio.isEmpty {
        let names = audio.map { Self.name("\($0.index)", $0.language, $0.title, $0.flags) }
        parts.append(
          "audio \(names.joined(separator: ", "))" + .advice(" (\(setting: .audioTracks) keeps such tracks)"))
      }
      if !subtitles.isEmpty {
        let names = subtitles.map {
          Self.name("\($0.trackIndex ?? 0)", $0.language, $0.title, $0.flags, $0.reason == nil ? [] : ["bitmaps"])
        }
        // Bitmaps are not written.
        let isText = subtitles.contains { $0.reason == nil }
        let advice: Wording = isText ? .advice(" (\(setting: .captions) keep them)") : ""
        parts.append("subtitles \(names.joined(separator: ", "))" + advice)
      }
      guard !parts.isEmpty else { return nil }
      let count = video.count + audio.count + subtitles.count
      return ExportNote(
        .unusedTracks,
        "\(source): \(count) \(count == 1 ? "track is" : "tracks are") not used: \(parts.joined(separator: "; "))",
        source: source)
    }
  }

  /// A note for each source whose video carries captions, which aren't coded again with the frames.
  var closedCaptionNotes: [ExportNote] {
    composition.media.keys.sorted { $0.description < $1.description }.compactMap { source in
      let shown = seen[source] ?? []
      let tracks = composition.media[source]?.videoTracks.filter { shown.contains($0.index) && $0.hasClosedCaptions } ?? []
      guard !tracks.isEmpty else { return nil }
      return ExportNote(
        .captions,
        "\(source): closed captions in the video (CEA-608/708) are not kept"
          + .advice("; \(setting: .passthrough) keeps them with the coded frames"), source: source)
    }
  }

  /// A note for each video or audio track of a used source that cannot be decoded, such as one of which a broadcast has only a part.
  var undecodableNotes: [ExportNote] {
    composition.media.sorted { $0.key.description < $1.key.description }.flatMap { source, info in
      info.otherTracks.compactMap { track in
        // TTML in MP4 (ISO/IEC 14496-30), which libavformat takes for data.
        if track.kind == .data, track.codec == "stpp" {
          return ExportNote(
            .unreadableTrack,
            "\(source): the subtitles of stream \(track.streamIndex) are not used: libavformat does not read TTML in MP4",
            source: source)
        }
        guard [.video, .audio].contains(track.kind), let reason = track.reason else { return nil }
        return ExportNote(
          .unreadableTrack, "\(source): \(track.kind) of stream \(track.streamIndex) is not used: \(reason.withoutStop)",
          source: source)
      }
    }
  }

  /// A note for each source with flags of used tracks that only copies keep.
  var flagNotes: [ExportNote] {
    let known: Set<TrackFlag> = [.default, .forced]
    return composition.media.keys.sorted { $0.description < $1.description }.compactMap { source in
      guard let info = composition.media[source], let used = heard[source], takesAudio else { return nil }
      let audio = info.audioTracks.filter { used.contains($0.index) }.map { ("audio \($0.index)", $0.flags) }
      let subtitles =
        composition.edit.captions.isEmpty ? [] : info.subtitleTracks.map { ("subtitles \($0.trackIndex ?? 0)", $0.flags) }
      let lost = (audio + subtitles).compactMap { name, flags in
        let others = flags.filter { !known.contains($0) }.map(\.rawValue)
        return others.isEmpty ? nil : "\(name) \(others.joined(separator: ", "))"
      }
      guard !lost.isEmpty else { return nil }
      return ExportNote(
        .trackFlags, "\(source): flags that are not kept: \(lost.joined(separator: "; "))", source: source)
    }
  }

  /// `1 [de, “Deutsch”, commentary]`.
  private static func name(
    _ index: String, _ language: String?, _ title: String?, _ flags: [TrackFlag], _ others: [String] = []
  ) -> String {
    let words =
      [language, title.map { "“\($0)”" }].compactMap(\.self) + flags.filter { $0 != .default }.map(\.rawValue) + others
    return words.isEmpty ? index : "\(index) [\(words.joined(separator: ", "))]"
  }
}

extension ValidatedComposition {
  /// Notes about what the containers of the sources state, rendering drops, and players act on; and about bytes that were not
  /// read.
  var droppedExtras: [ExportNote] {
    let shown = Set(edit.composition.tracks(.video).flatMap(\.segments).compactMap(\.source))
    return media.sorted { $0.key.description < $1.key.description }.flatMap { source, info -> [ExportNote] in
      let extras = shown.contains(source) ? info.extras.filter { !$0.isRendered && $0.changesPresentation } : []
      let names = extras.map { "\($0.name) (\($0.meaning))" }.joined(separator: ", ")
      let copy = RecoveryOption(.passthrough)
      let advice: Wording =
        extras.contains(where: \.isCopied) ? .advice("; \(copy) keeps what the container holds") : ""
      let dropped = ExportNote(.containerExtras, "\(source): rendering drops \(names)\(advice)", source: source)
      return (extras.isEmpty ? [] : [dropped])
        + info.warnings.filter { $0.kind == .unreadBytes }.map {
          ExportNote(.unreadBytes, Wording("\(source): \($0.message)".withoutStop), source: source)
        }
    }
  }
}

extension String {
  /// The sentence without its full stop.
  fileprivate var withoutStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
