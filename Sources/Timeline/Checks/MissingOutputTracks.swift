import CompositorAPI

/// Checks for audio tracks of the output that play a track of each clip's media (`output.audioTracks[0].from`) which media lack. Those
/// clips play the track that they choose themselves, which the edit doesn't tell from others, so the timeline is checked instead.
enum MissingOutputTracks {
  /// Checks that the chosen tracks exist.
  ///
  /// - Throws: `.trackNotFound`, located at the choice, if no clip with audio has a chosen track or a part of a mix.
  static func check(_ timeline: Timeline, tracks: TimelineTracks) throws(CompositorError) {
    for use in uses(of: timeline, tracks) {
      let lacking = use.lacking
      guard let first = lacking.first, lacking.count == use.heard.count else { continue }
      let error = first.missing.error(at: use.path)
      guard lacking.contains(where: { $0.missing.source != first.missing.source }) else { throw error }
      throw CompositorError(
        error.code, "\(error.message) The other clips don't have it, either.",
        advice: "Choose a track that one of the clips has: \(operation: .probe) lists those of a file.",
        at: error.location)
    }
  }

  /// Warnings about clips that play another track than the output's audio track has chosen.
  static func diagnostics(of timeline: Timeline, tracks: TimelineTracks) -> [ValidationDiagnostic] {
    guard !timeline.audio.isMuted else { return [] }
    return uses(of: timeline, tracks).flatMap { use in
      var known: Set<MediaSource> = []
      let lacking = use.lacking.filter { !isAlike($0.clip, $0.missing) && known.insert($0.missing.source).inserted }
      return lacking.map { clip, missing in
        let tracks = clip.audioTracks(use.choice).map { "\($0.index)" }
        let played = tracks.isEmpty ? "0" : tracks.joined(separator: ", ")
        return ValidationDiagnostic(
          .mediaTrackMissing, severity: .warning,
          "\(missing.source) has no audio track \(use.part), which \(use.path) chooses: its track \(played) is used.",
          cause: "The clips' media have different audio tracks.",
          recoverySuggestion:
            "Choose a track that all clips have, or put this clip on a track that the tracks of this audio track leave out.",
          path: clip.path, timeRange: try? clip.range.timeRange())
      }
    }
  }

  /// Whether a clip is the same in every language, such as music: audio alone of media with one track that states no language.
  private static func isAlike(_ clip: PlacedClip, _ missing: ClipMedia.MissingTrack) -> Bool {
    clip.media.picture == nil && missing.count == 1 && missing.languages.isEmpty
  }

  /// A part of the choice of an audio track of the output, and the clips that play it.
  private struct Use {
    let path: String
    let choice: AudioTrackChoice
    let part: AudioTrackChoice
    let heard: [PlacedClip]

    /// The clips whose media lack the track.
    var lacking: [(clip: PlacedClip, missing: ClipMedia.MissingTrack)] {
      heard.compactMap { clip in clip.media.lackedTracks[part].map { (clip, $0) } }
    }
  }

  private static func uses(of timeline: Timeline, _ placed: TimelineTracks) -> [Use] {
    timeline.audioTracks.enumerated().flatMap { index, output -> [Use] in
      guard let choice = output.choice else { return [] }
      let tracks = placed.clips.indices.filter { output.tracks?.contains($0) ?? true }
      let heard = tracks.flatMap { placed.clips[$0] }.filter { $0.media.hasAudio && $0.clip.audio == .played }
      return choice.parts.map {
        Use(path: "output.audioTracks[\(index)].from", choice: choice, part: $0, heard: heard)
      }
    }
  }
}
