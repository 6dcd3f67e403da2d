import CompositorAPI
import CompositorMediaIO

/// Interlaced media in a progressive movie.
extension MediaChecks {
  /// Reports, once per source, that both fields stay in one frame.
  mutating func checkFields(
    of segment: CompositionTrackSegment, of track: CompositionTrack, info: MediaInfo,
    into diagnostics: inout DiagnosticCollector
  ) throws(ValidationStopped) {
    guard track.mediaType == .video, deinterlacing[info.source] ?? .off == .off, !interlaced.contains(info.source),
      let video = info.videoTracks.first(where: { $0.index == segment.sourceTrackIndex }), video.fieldOrder != .progressive
    else { return }
    interlaced.insert(info.source)
    try diagnostics.add(
      ValidationDiagnostic(
        .interlacedMedia, severity: .warning,
        "\(info.source) is interlaced: both fields of each frame are shown at the same time, and edges that move look like combs.",
        track: track.trackID, cause: "It was recorded for television.",
        source: info.source
      ).advising("Write \(setting: .deinterlacing, value: "same")."))
  }
}
