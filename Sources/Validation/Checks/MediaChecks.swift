import CompositorAPI
import CompositorMedia
import CompositorMediaIO

/// Checks that sources exist, have the required tracks, and are long enough for the segments.
struct MediaChecks {
  let catalog: MediaCatalog
  /// The duration of an output frame in seconds.
  let outputFrameDuration: Double
  private(set) var infos: [MediaSource: MediaInfo] = [:]
  private(set) var failures: [MediaSource: CompositorError] = [:]
  /// The errors of tracks that cannot be decoded, by index of the diagnostic.
  private(set) var undecodable: [Int: CompositorError] = [:]

  private let damaged: DamagePolicy
  private let mediaTypes: Set<MediaType>
  private let sourceColors: [MediaSource: SourceColor]
  let deinterlacing: [MediaSource: Deinterlacing]
  /// Sources whose fields were reported.
  var interlaced: Set<MediaSource> = []

  init(
    catalog: MediaCatalog, outputFrameDuration: MediaTime, damaged: DamagePolicy, mediaTypes: Set<MediaType>,
    sourceColors: [MediaSource: SourceColor] = [:], deinterlacing: [MediaSource: Deinterlacing] = [:]
  ) {
    self.catalog = catalog
    self.outputFrameDuration = outputFrameDuration.isNumeric ? max(0, outputFrameDuration.seconds) : 0
    self.damaged = damaged
    self.mediaTypes = mediaTypes
    self.sourceColors = sourceColors
    self.deinterlacing = deinterlacing
  }

  /// Reports used tracks that cannot be decoded.
  mutating func noteUndecodable(
    _ uses: [UndecodableTrackUse], track: TrackID? = nil, into diagnostics: inout DiagnosticCollector
  ) throws(ValidationStopped) {
    for use in uses {
      let isError = damaged == .fail && mediaTypes.contains(use.mediaType)
      let diagnostic = use.diagnostic(
        isError ? .error : .warning, track: track, sourceName: Named.source(use.source))
      undecodable[diagnostics.diagnostics.count] = use.locating(diagnostic.error)
      try diagnostics.add(diagnostic)
    }
  }

  mutating func run(_ composition: Composition, into diagnostics: inout DiagnosticCollector) throws(ValidationStopped) {
    for track in composition.tracks {
      for (index, segment) in track.segments.enumerated() {
        guard let source = segment.source else { continue }
        guard let info = try info(for: source, track: track.trackID, into: &diagnostics) else { continue }
        try check(segment, index: index, of: track, against: info, into: &diagnostics)
      }
    }
  }

  /// The source's description; `nil` if it cannot be read, which is reported once.
  private mutating func info(
    for source: MediaSource, track: TrackID, into diagnostics: inout DiagnosticCollector
  ) throws(ValidationStopped) -> MediaInfo? {
    if let info = infos[source] { return info }
    guard failures[source] == nil else { return nil }
    let found: MediaInfo
    do throws(CompositorError) {
      found = try catalog.info(for: source, color: sourceColors[source])
    } catch {
      failures[source] = error
      try diagnostics.add(
        ValidationDiagnostic(
          .mediaUnavailable, "\(Named.source(source)): \(error.message)", track: track, cause: error.cause,
          source: source
        ).advising(error.advice))
      return nil
    }
    infos[source] = found
    for inner in catalog.innerSources(of: source) where infos[inner] == nil {
      // Unreadable sources were reported when their reader was created.
      if let info = try? catalog.info(for: inner, color: sourceColors[inner]) { infos[inner] = info }
    }
    try noteLosses(found, track: track, into: &diagnostics)
    try notePeak(of: found, source, track: track, into: &diagnostics)
    return found
  }

  /// The same for media that only titles show.
  func noteLosses(of shown: [MediaSource: MediaInfo], into diagnostics: inout DiagnosticCollector) throws(ValidationStopped) {
    for (source, info) in shown.sorted(by: { $0.key.description < $1.key.description }) where infos[source] == nil {
      try noteLosses(info, track: nil, into: &diagnostics)
    }
  }

  /// Reports a peak luminance that is set for a source which has none.
  private func notePeak(
    of info: MediaInfo, _ source: MediaSource, track: TrackID, into diagnostics: inout DiagnosticCollector
  ) throws(ValidationStopped) {
    guard sourceColors[source]?.peak != nil, let video = info.videoTracks.first, video.attributes.color.transfer != .pq
    else { return }
    try diagnostics.add(
      ValidationDiagnostic(
        .ambiguousColor, severity: .warning,
        "\(Named.source(source)): a peak luminance is said, and its curve is \(video.attributes.color.transfer.name), not PQ: it has no effect.",
        track: track, recoverySuggestion: "Leave the peak out, or say that the color is PQ.", source: source))
  }

  /// Reports metadata of the source that isn't written to the output, once per source.
  private func noteLosses(
    _ info: MediaInfo, track: TrackID?, into diagnostics: inout DiagnosticCollector
  ) throws(ValidationStopped) {
    // A stated color settles the question.
    let stated = sourceColors[info.source]
    let isColorStated = stated?.primaries != nil || stated?.transfer != nil || stated?.matrix != nil || stated?.range != nil
    for warning in info.warnings {
      guard let code = warning.kind.diagnosticCode, warning.kind != .colorDisagreement || !isColorStated else { continue }
      try diagnostics.add(
        ValidationDiagnostic(
          code, severity: .warning, "\(Named.source(info.source)): \(warning.message)", track: track,
          recoverySuggestion: code == .ambiguousColor
            ? Self.adviceOnColor(warning, of: info)
            : warning.kind == .assumedFrameRate
              ? "If that is wrong, give it a container with the right rate: ffmpeg -framerate 30 -i \(info.source) -c copy movie.mkv."
              : nil, source: info.source))
    }
  }

  /// What to write for a color that is assumed, or about which a file disagrees with itself: the parts that are assumed.
  private static func adviceOnColor(_ warning: MediaWarning, of info: MediaInfo) -> String {
    var parts: [(key: String, code: Int)] = []
    if warning.kind == .assumedColor {
      let origins = info.videoTracks.compactMap(\.colorProvenance)
      if origins.contains(where: { $0.primaries == .assumed }) { parts.append(("primaries", 9)) }
      if origins.contains(where: { $0.transfer == .assumed }) { parts.append(("transfer", 16)) }
      if origins.contains(where: { $0.matrix == .assumed }) { parts.append(("matrix", 9)) }
    }
    guard !parts.isEmpty else {
      return
        "If that is wrong, state it: color: { range: \"limited\" }, or its primaries, transfer or matrix, of a project's asset; "
        + "sourceColors of an edit in Swift."
    }
    let example = parts.map { "\($0.key): \($0.code)" }.joined(separator: ", ")
    return "If that is wrong, state it by the code points of ITU-T H.273, such as color: { \(example) } of a project's asset; "
      + "sourceColors of an edit in Swift."
  }

  private mutating func check(
    _ segment: CompositionTrackSegment, index: Int, of track: CompositionTrack, against info: MediaInfo,
    into diagnostics: inout DiagnosticCollector
  ) throws(ValidationStopped) {
    guard let available = availability(of: segment, mediaType: track.mediaType, in: info) else {
      if let use = info.undecodableTrack(track.mediaType, segment.sourceTrackIndex) {
        return try noteUndecodable([use], track: track.trackID, into: &diagnostics)
      }
      let count = track.mediaType == .video ? info.videoTracks.count : info.audioTracks.count
      return try diagnostics.add(
        ValidationDiagnostic(
          .mediaTrackMissing,
          "\(Named.source(info.source)) has no \(track.mediaType.rawValue) track \(segment.sourceTrackIndex); it has \(count).",
          track: track.trackID, recoverySuggestion: "Use a track index below \(count), or another source.",
          source: info.source))
    }
    // Of audio that is muted nothing is missed.
    if !segment.isMuted, !isContinued(segment, index: index, of: track, available) {
      try check(
        segment.timeMapping.source, shown: segment.timeMapping.target, index: index, of: track, info: info,
        available: available,
        into: &diagnostics)
    }
    try checkMotion(of: segment, index: index, of: track, info: info, into: &diagnostics)
    try checkFields(of: segment, of: track, info: info, into: &diagnostics)
  }

  /// Whether the audio that a segment lacks at its end is in the next segment's file, the next part of one recording.
  private func isContinued(
    _ segment: CompositionTrackSegment, index: Int, of track: CompositionTrack, _ available: Availability
  ) -> Bool {
    guard track.mediaType == .audio, track.segments.indices.contains(index + 1), case .file(let path)? = segment.source,
      case let next = track.segments[index + 1], case .file(let other)? = next.source,
      next.timeMapping.target.start == segment.timeMapping.target.end, segment.timeMapping.source.start >= available.range.start
    else { return false }
    let excess = (segment.timeMapping.source.end - available.range.end).seconds
    return excess > 0 && excess < 0.4 && ConsecutiveNames.areConsecutive(path, other)
  }

  /// Reports motion interpolation of media in which motion cannot be estimated.
  private func checkMotion(
    of segment: CompositionTrackSegment, index: Int, of track: CompositionTrack, info: MediaInfo,
    into diagnostics: inout DiagnosticCollector
  ) throws(ValidationStopped) {
    guard track.mediaType == .video, segment.retiming.frames == .motion,
      let video = info.videoTracks.first(where: { $0.index == segment.sourceTrackIndex }),
      let refusal = MotionInterpolation.refusal(of: video.format, size: video.size, attributes: video.attributes)
    else { return }
    try diagnostics.add(
      ValidationDiagnostic(
        .invalidSegments, "\(Named.segment(index, of: track.trackID).capitalizedName): \(refusal.message)",
        track: track.trackID,
        foundTime: segment.timeMapping.target.start, cause: refusal.cause, recoverySuggestion: refusal.recoverySuggestion))
  }

  /// The time range of the media's track, and the duration of one of its frames.
  private func availability(
    of segment: CompositionTrackSegment, mediaType: MediaType, in info: MediaInfo
  ) -> Availability? {
    switch mediaType {
    case .video:
      guard let track = info.videoTracks.first(where: { $0.index == segment.sourceTrackIndex }) else { return nil }
      let rate = track.nominalFrameRate.value
      // A segment ends at an output frame of which only the start is seen.
      let output = outputFrameDuration * abs(segment.timeMapping.rate)
      return Availability(
        range: track.timeRange, frameDuration: max(output, rate.isFinite && rate > 0 ? 1 / rate : 0.1),
        readableEnd: track.readableEnd)
    case .audio:
      guard let track = info.audioTracks.first(where: { $0.index == segment.sourceTrackIndex }) else { return nil }
      return Availability(range: track.timeRange, frameDuration: nil, readableEnd: track.readableEnd)
    }
  }

  /// The largest distance of two tracks' starts, in seconds, that is not worth a word: a frame of an audio codec.
  private static var usualStartOffset: Double { 0.05 }

  private struct Availability {
    let range: TimeRange
    /// The duration of a frame in seconds; `nil` for audio.
    let frameDuration: Double?
    /// The end of the video or audio of a truncated file.
    let readableEnd: MediaTime?

    /// The severity of using media until `end`: none within a frame of the end, because the last frame is held; audio becomes
    /// silent.
    func severity(ofEnd end: MediaTime) -> ValidationDiagnostic.Severity? {
      guard end > range.end else { return nil }
      guard let frameDuration else { return .warning }
      let excess = end.seconds - range.end.seconds
      return excess < frameDuration ? nil : excess == frameDuration ? .warning : .error
    }
  }

  private func check(
    _ asked: TimeRange, shown: TimeRange, index: Int, of track: CompositionTrack, info: MediaInfo, available: Availability,
    into diagnostics: inout DiagnosticCollector
  ) throws(ValidationStopped) {
    let range = available.range
    guard asked.start.isNumeric, asked.duration.isNumeric, range.start.isNumeric, range.duration.isValid else { return }
    let place = "\(Named.segment(index, of: track.trackID).capitalizedName)"
    let kind = track.mediaType.rawValue
    if asked.start < range.start, asked.start >= min(.zero, range.start), range.duration > .zero {
      try checkStart(asked.start, of: info, place, track, available, into: &diagnostics)
    } else if asked.start < range.start || asked.start >= range.end {
      try diagnostics.add(
        ValidationDiagnostic(
          .sourceBeyondMedia, severity: track.mediaType == .audio ? .warning : .error,
          "\(place) starts at \(asked.start.readable) of \(Named.source(info.source)), whose \(kind) runs from "
            + "\(range.start.readable) to \(range.end.readable).",
          track: track.trackID, expectedTime: range.start, foundTime: asked.start,
          cause: "The in point uses a different time origin, or is that of another file.",
          recoverySuggestion: "Take the media from a time that it has.", source: info.source, timeRange: shown))
    } else if let severity = available.severity(ofEnd: asked.end) {
      try diagnostics.add(
        ValidationDiagnostic(
          .sourceBeyondMedia, severity: severity,
          "\(place) asks for \(Named.source(info.source)) until \(asked.end.readable), but its \(kind) ends at "
            + "\(range.end.readable).",
          track: track.trackID, expectedTime: range.end, foundTime: asked.end,
          cause: "The container's duration is longer than the track's, or the clip is longer than its file.",
          recoverySuggestion: "End the clip where its media ends.", source: info.source, timeRange: shown))
    } else if let end = available.readableEnd, asked.end > end {
      let isSound = track.mediaType == .audio
      try diagnostics.add(
        ValidationDiagnostic(
          isSound ? .audioCutShort : .mediaCutShort, severity: .warning,
          "\(place) asks for \(Named.source(info.source)) until \(asked.end.readable), but the file is cut short and has "
            + "\(isSound ? "audio" : "video") until \(end.readable) only.",
          track: track.trackID, expectedTime: end, foundTime: asked.end,
          cause: "The file was not copied completely.",
          recoverySuggestion: "\(DamageAdvice.fetchAgain), or end the clip earlier.", source: info.source, timeRange: shown))
    }
  }

  /// Checks for a start at which the file's other tracks have begun, but this one hasn't.
  private func checkStart(
    _ start: MediaTime, of info: MediaInfo, _ place: String, _ track: CompositionTrack, _ available: Availability,
    into diagnostics: inout DiagnosticCollector
  ) throws(ValidationStopped) {
    let range = available.range
    // Containers rarely start both tracks at the same time: the start of the file is the start of both.
    let gap = range.start.seconds - start.seconds
    guard gap > max(available.frameDuration ?? 0, Self.usualStartOffset) else { return }
    try diagnostics.add(
      ValidationDiagnostic(
        .sourceBeyondMedia, severity: .warning,
        "\(place) starts at \(start.readable) of \(info.source), whose \(track.mediaType.rawValue) starts at \(range.start.readable): "
          + "\(track.mediaType == .video ? "its first frame is shown" : "it is silent") until then.",
        track: track.trackID, expectedTime: range.start, foundTime: start,
        cause: "The file's tracks start at different times.",
        recoverySuggestion: "Start the clip at \(range.start.readable) to show nothing else.", source: info.source))
  }
}

extension MediaWarning.Kind {
  /// The code of the diagnostic that repeats a warning about color or sizes; `nil` for those reported by other checks and the render
  /// itself.
  fileprivate var diagnosticCode: ValidationDiagnostic.Code? {
    switch self {
    case .dynamicMetadataDropped, .implausibleMasteringDisplay, .contradictoryLightLevels: .metadataDropped
    case .colorDisagreement, .assumedColor, .unusableColorProfile: .ambiguousColor
    case .changingFrameSize: .frameSizeChanges
    case .unsteadyAudio, .changingChannels: .unsteadyAudio
    case .repeatedTimes: .repeatedTimes
    case .missingFrames, .incompletePackets: .missingFrames
    case .unusedAlpha: .alphaDropped
    case .textCutOff: .titleOutsideSafeArea
    case .assumedFrameRate: .mixedFrameRates
    default: nil
    }
  }
}
