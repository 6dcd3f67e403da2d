import CompositorAPI
import CompositorMediaIO

/// Checks for audio of which nothing says where its channels belong: field recorders and interfaces write a microphone into each.
enum ChannelChecks {
  private struct Use: Hashable {
    let source: MediaSource
    let track: Int
  }

  static func run(
    _ edit: Edit, media: [MediaSource: MediaInfo], into diagnostics: inout DiagnosticCollector
  ) throws(ValidationStopped) {
    var told: Set<Use> = []
    for track in edit.composition.tracks(.audio) {
      for segment in track.segments where segment.channels == .all && !segment.isMuted {
        guard let source = segment.source,
          let info = media[source]?.audioTracks.first(where: { $0.index == segment.sourceTrackIndex }),
          let layout = info.assumedLayout, told.insert(Use(source: source, track: info.index)).inserted
        else { continue }
        try diagnostics.add(diagnostic(info, layout, of: source, track: track.trackID))
      }
    }
  }

  private static func diagnostic(
    _ info: AudioTrackInfo, _ layout: String, of source: MediaSource, track: TrackID
  ) -> ValidationDiagnostic {
    let channels = "The \(info.channelCount) channels of \(Named.source(source)) have no positions"
    guard !layout.isEmpty else {
      return ValidationDiagnostic(
        .assumedChannels, "\(channels) by which they could be mixed.", track: track,
        cause: "The file doesn't say where they belong, and no layout of so many is usual.",
        source: source
      ).advising("Choose one or some of them: \(setting: .heardChannels, value: "0").")
    }
    let hasLowFrequency = ["2.1", "3.1", "4.1", "5.1", "6.1", "7.1"].contains { layout.hasPrefix($0) }
    return ValidationDiagnostic(
      .assumedChannels, severity: .warning,
      "\(channels): they are taken for \(layout)\(hasLowFrequency ? ", whose low-frequency channel is left out of stereo" : "").",
      track: track, cause: "The file doesn't say where they belong: each may be a microphone of its own.",
      source: source
    ).advising("If that is wrong, choose: \(setting: .heardChannels, value: "0,1").")
  }
}
