import CompositorAPI
import CompositorHost
import CompositorMediaIO
import CompositorMediaWriting
import CompositorValidation

/// A section of a file's track, as it is to be played.
struct CopyPiece: Hashable, Sendable {
  /// The file's path.
  var path: String
  /// Index among the file's tracks of this type.
  var trackIndex: Int
  /// The section in media time.
  var media: TimeRange
  /// Start time in the output.
  var start: MediaTime

  /// End time in the output.
  var end: MediaTime { start + media.duration }
}

/// The sections of files that make up a movie. Opens no files.
struct CopyPlan: Hashable, Sendable {
  /// Sections of video, from 0 without gaps.
  private(set) var video: [CopyPiece] = []
  /// Sections of each audio track; gaps are silence.
  private(set) var audio: [[CopyPiece]] = []
  /// Duration of the output.
  private(set) var duration = MediaTime.zero
  /// The part of the timeline to write.
  private(set) var range = TimeRange(start: .zero, duration: .zero)

  /// - Parameters:
  ///   - range: The part of the timeline to write; `nil` for all of it.
  ///   - takesAudio: Whether audio is written.
  /// - Throws: `.unsupportedOutput` with the first obstacle to copying and its location; `.invalidValue` for an empty range.
  init(_ composition: ValidatedComposition, range: TimeRange?, takesAudio: Bool) throws(CompositorError) {
    let edit = composition.edit
    try CopyObstacles(composition).check(audio: takesAudio)
    let whole = TimeRange(start: .zero, end: edit.composition.duration)
    self.range = try Self.onFrames(range.map { $0.intersection(whole) } ?? whole, composition)
    duration = self.range.duration
    let segments = edit.composition.tracks(.video).filter(\.isEnabled).flatMap { track in track.segments.map { (track, $0) } }
      .filter { !$0.1.isEmpty }.sorted { $0.1.timeMapping.target.start < $1.1.timeMapping.target.start }
    for (track, segment) in segments {
      guard let piece = try Self.piece(of: segment, track: track, in: self.range, composition) else { continue }
      let expected = video.last?.end ?? .zero
      guard piece.start == expected else {
        throw CopyObstacles.refusal(
          piece.start < expected ? "Two clips are shown at the same time." : "Nothing is shown for a time.",
          "Render the project, or put clips one after another.",
          at: ErrorLocation(track: track.trackID, time: self.range.start + expected))
      }
      Self.append(piece, to: &video)
    }
    guard let last = video.last?.end, last > .zero else {
      throw CopyObstacles.refusal("There is no video to copy.", "Add a clip with video.", at: ErrorLocation())
    }
    // Audio may outlast the video by less than a frame. If the video is longer, its last frame stays.
    guard last + edit.videoComposition.frameDuration > duration else {
      throw CopyObstacles.refusal(
        "The video ends before the timeline does.", "Render the project, or shorten the audio.",
        at: ErrorLocation(time: self.range.start + last))
    }
    duration = min(duration, last)
    guard takesAudio else { return }
    let outputs = edit.audioTracks.map { Optional($0.trackIDs) }
    for trackIDs in outputs.isEmpty ? [nil] : outputs {
      let heard = edit.composition.tracks(.audio).filter { trackIDs?.contains($0.trackID) ?? $0.isEnabled }
      audio.append(try Self.audio(of: heard, in: self.range, composition))
    }
    if audio.allSatisfy(\.isEmpty) { audio = [] }
  }

  /// Sections of the tracks that one audio track of the output plays, one after another. Muted ones are gaps.
  private static func audio(
    of heard: [CompositionTrack], in range: TimeRange, _ composition: ValidatedComposition
  ) throws(CompositorError) -> [CopyPiece] {
    var pieces: [(track: TrackID, piece: CopyPiece)] = []
    for track in heard {
      for segment in track.segments where !segment.isSilent {
        guard let piece = try Self.piece(of: segment, track: track, in: range, composition) else { continue }
        pieces.append((track.trackID, piece))
      }
    }
    var audio: [CopyPiece] = []
    for (track, piece) in pieces.sorted(by: { $0.piece.start < $1.piece.start }) {
      guard piece.start >= audio.last?.end ?? .zero else {
        throw CopyObstacles.refusal(
          "Two tracks are heard at the same time.", "Render the project, or leave one of them out.",
          at: ErrorLocation(track: track, time: range.start + piece.start))
      }
      append(piece, to: &audio)
    }
    return audio
  }

  /// Resolves the mode: whether the container can state which part of its media is played.
  func mode(_ wanted: PassthroughMode, _ container: MovieContainer) throws(CompositorError) -> PassthroughMode {
    switch wanted {
    case .smart: return .smart
    case .automatic: return container.holdsEditLists && video.count == 1 ? .editList : .smart
    case .editList:
      guard container.holdsEditLists else {
        throw CopyObstacles.refusal(
          "A .\(container.rawValue) file has no edit lists.", "Use smart, or write .mp4, .mov or .m4v.", at: ErrorLocation())
      }
      return .editList
    }
  }

  /// Appends a section. If it continues the previous one in the same media, both become one.
  private static func append(_ piece: CopyPiece, to pieces: inout [CopyPiece]) {
    if let last = pieces.last, last.path == piece.path, last.trackIndex == piece.trackIndex,
      last.end == piece.start, last.media.end == piece.media.start
    {
      pieces[pieces.count - 1].media = TimeRange(start: last.media.start, end: piece.media.end)
    } else {
      pieces.append(piece)
    }
  }

  /// The part of a segment within the range; `nil` if there is none.
  private static func piece(
    of segment: CompositionTrackSegment, track: CompositionTrack, in range: TimeRange, _ composition: ValidatedComposition
  ) throws(CompositorError) -> CopyPiece? {
    let target = segment.timeMapping.target.intersection(range)
    guard target.duration > .zero, let source = segment.source else { return nil }
    let location = ErrorLocation(file: source.description, track: track.trackID, time: target.start)
    guard case .file(let path) = source else {
      throw CopyObstacles.refusal("Only files can be copied.", "Render the project.", at: location)
    }
    let isPlain =
      segment.retiming == SegmentRetiming() && segment.timeMapping.source.duration == segment.timeMapping.target.duration
    guard segment.channels == .all else {
      throw CopyObstacles.refusal("Only some channels are heard.", "Render the project, or leave channels out.", at: location)
    }
    if segment.isFreezeFrame, let end = composition.edit.unevenEnds.first(where: { $0.source == source && $0.outcome == .held })
    {
      throw CopyObstacles.refusal(
        "\(end.sentence).",
        "Render it, or let the video decide where the clip begins and ends: \(setting: .ends, value: "video").",
        at: location)
    }
    guard isPlain else {
      throw CopyObstacles.refusal(
        "A clip is played at another speed, backward or as a still.", "Render the project, or play the clip as it is.",
        at: location)
    }
    var start = segment.mediaTime(at: target.start)
    if track.mediaType == .video,
      let known = composition.media[source]?.videoTracks.first(where: { $0.index == segment.sourceTrackIndex })
    {
      if known.isStill { throw CopyObstacles.refusal("An image has no packets of video.", "Render the project.", at: location) }
      // It is decoded image by image: there is no demuxer for it.
      guard known.codec != "webp" else {
        throw CopyObstacles.refusal("An animated WebP has no packets of video.", "Render the project.", at: location)
      }
      start = known.startOfFrame(at: start)
    }
    return CopyPiece(
      path: path, trackIndex: segment.sourceTrackIndex, media: TimeRange(start: start, duration: target.duration),
      start: target.start - range.start)
  }

  /// The range, extended to the frame times of the output as in a render; unchanged if the media has its own times.
  private static func onFrames(_ range: TimeRange, _ composition: ValidatedComposition) throws(CompositorError) -> TimeRange {
    let edit = composition.edit
    let isRegular = composition.media.values.flatMap(\.videoTracks).allSatisfy { $0.cadence?.isRegular == true }
    var result = range
    if isRegular, edit.videoComposition.sourceTrackIDForFrameTiming == nil {
      let timing = try FrameTiming(frameDuration: edit.videoComposition.frameDuration)
      if let first = timing.frameCount(in: range.start), let last = timing.frameCount(in: range.end) {
        let end = range.end == edit.composition.duration ? range.end : timing.time(ofFrame: last)
        result = TimeRange(start: timing.time(ofFrame: first), end: min(end, edit.composition.duration))
      }
    }
    guard result.duration.isNumeric, result.duration > .zero else {
      throw CompositorError(
        .invalidValue, "No frame starts in the range to export.",
        recoverySuggestion: "Choose a range inside 0 … \(edit.composition.duration).")
    }
    return result
  }
}

extension VideoTrackInfo {
  /// The start of the frame shown at a given time, for frames on a regular grid; else the time itself.
  fileprivate func startOfFrame(at time: MediaTime) -> MediaTime {
    guard let cadence, cadence.isRegular, !cadence.hasGaps, cadence.rate.isPositive, time > timeRange.start else { return time }
    let frames = (time - cadence.origin).multiplied(by: Int64(cadence.rate.numerator), over: Int64(cadence.rate.denominator))
    // Arithmetic on an edit's times may lose up to a millionth of a frame.
    let number = Int64((frames.seconds + 1e-6).rounded(.down))
    return cadence.origin + cadence.rate.frameDuration.multiplied(by: number, over: 1)
  }
}
