import CCompositorFFmpeg
package import CompositorAPI

/// Facts about a measured file that its readers rely on.
package struct FileFacts: Sendable {
  private let identity: Identity
  /// The positions at which the file's clock restarts: one entry for most files, none for containers that state them.
  let sections: [cff_clock_section]
  /// Where pages of an Ogg file are missing; empty for other files.
  let pageGaps: [cff_page_gap]
  /// The frames that are missing in an MP3; none in other files.
  let frameGap: cff_frame_gap
  /// The streams, one bit each, whose presentation times are only their decoding times.
  let decodingTimes: UInt64
  /// The audio streams whose times don't say where their samples are.
  let sampleTimes: cff_sample_times
  /// For each stream, the packets at which its audio can be decoded; empty if its container's times suffice.
  private let audioMarks: [[cff_audio_mark]]
  /// For each stream, the times that two recordings contain.
  private let overlaps: [[ClosedRange<Int64>]]

  /// Identifies the file that was measured, to detect changes.
  private struct Identity: Sendable {
    let value: cff_file_identity
  }

  init(_ demuxer: Demuxer) {
    identity = Identity(value: cff_demuxer_identity(demuxer.handle))
    sections = demuxer.sections
    pageGaps = demuxer.pageGaps
    frameGap = cff_demuxer_frame_gap(demuxer.handle)
    decodingTimes = cff_demuxer_decoding_times(demuxer.handle)
    sampleTimes = cff_demuxer_sample_times(demuxer.handle)
    audioMarks = (0..<demuxer.streamCount).map(demuxer.audioMarks)
    overlaps = (0..<demuxer.streamCount).map(demuxer.overlaps)
  }

  /// The packets at which the audio of a stream can be decoded, in rising order.
  func audioMarks(ofStream index: Int) -> [cff_audio_mark] { audioMarks.indices.contains(index) ? audioMarks[index] : [] }

  /// The times of a video stream that two recordings contain.
  func overlaps(ofStream index: Int) -> [ClosedRange<Int64>] { overlaps.indices.contains(index) ? overlaps[index] : [] }

  /// The facts of a file that needs no demuxer; `nil` if there is no such file.
  init?(path: String) {
    var found = cff_file_identity()
    guard cff_identify_file(path, &found) else { return nil }
    identity = Identity(value: found)
    (sections, pageGaps, frameGap) = ([], [], cff_frame_gap())
    (decodingTimes, sampleTimes, audioMarks, overlaps) = (0, cff_sample_times(), [], [])
  }

  /// Whether an open file is the measured one.
  func describe(_ demuxer: Demuxer) -> Bool { isSame(cff_demuxer_identity(demuxer.handle)) }

  /// Whether the file at a path is the measured one, unchanged. A removed file can still be read by those who have it open and
  /// does not count as changed.
  package func describeFile(at path: String) -> Bool {
    var found = cff_file_identity()
    return !cff_identify_file(path, &found) || isSame(found)
  }

  private func isSame(_ other: cff_file_identity) -> Bool {
    var (left, right) = (identity.value, other)
    return cff_same_identity(&left, &right)
  }

  /// The error for a file that is no longer the measured one.
  package static func change(of path: String) -> CompositorError {
    let code = CompositorError.Code.mediaChanged
    return CompositorError(
      code, "The file changed while it was in use.", recoverySuggestion: code.readingRecoverySuggestion,
      cause: "it was written to or replaced since it was measured", at: ErrorLocation(file: path))
  }
}
