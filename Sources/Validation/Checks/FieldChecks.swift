import CompositorAPI
import CompositorMediaIO

/// Interlaced media in a progressive movie.
extension MediaChecks {
  /// Reports, once per source, that both fields stay in one frame, and that deinterlacing changes no frame of a file that
  /// doesn't say which frames have fields.
  mutating func checkFields(
    of segment: CompositionTrackSegment, of track: CompositionTrack, info: MediaInfo,
    into diagnostics: inout DiagnosticCollector
  ) throws(ValidationStopped) {
    guard track.mediaType == .video, !interlaced.contains(info.source),
      let video = info.videoTracks.first(where: { $0.index == segment.sourceTrackIndex }), !video.isStill
    else { return }
    let isDeinterlaced = deinterlacing[info.source] ?? .off != .off
    guard isDeinterlaced ? video.lacksFieldOrder : video.fieldOrder != .progressive else { return }
    interlaced.insert(info.source)
    try diagnostics.add(isDeinterlaced ? unflagged(info.source, track) : combed(info.source, track))
  }

  private func combed(_ source: MediaSource, _ track: CompositionTrack) -> ValidationDiagnostic {
    ValidationDiagnostic(
      .interlacedMedia, severity: .warning,
      "\(source) is interlaced: both fields of each frame are shown at the same time, and edges that move look like combs.",
      track: track.trackID, cause: "It was recorded for television.",
      source: source
    ).advising("Write \(setting: .deinterlacing, value: "same").")
  }

  private func unflagged(_ source: MediaSource, _ track: CompositionTrack) -> ValidationDiagnostic {
    ValidationDiagnostic(
      .interlacedMedia, severity: .warning,
      "\(source) does not say whether its frames are interlaced: deinterlacing leaves them as they are.",
      track: track.trackID, cause: "Neither the container nor the codec has a flag for it, as in captures of analog video.",
      recoverySuggestion: "If edges that move look like combs, state the order of the fields, tff (top first) or bff: "
        + "ffmpeg -i FILE -vf setfield=tff -c:v ffv1 -c:a copy flagged.mkv.",
      source: source)
  }
}
