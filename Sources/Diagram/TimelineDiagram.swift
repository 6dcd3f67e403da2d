public import CompositorAPI
public import CompositorMediaIO

/// A diagram of an edit along its time axis: tracks, instructions, opacity, volume, titles, captions and diagnostics.
///
/// Invalid edits are drawn, too: that is its main purpose. Invalid, infinite and remote times are drawn at the edges and
/// marked.
///
/// ```swift
/// let report = CompositionValidator.validate(edit, catalog: catalog)
/// let diagram = TimelineDiagram(edit, diagnostics: report.diagnostics)
/// try diagram.svg().write(toFile: "timeline.svg", atomically: true, encoding: .utf8)
/// ```
///
/// Thread-safe. The cost grows with the number of segments and instructions; spans narrower than three units are merged.
public struct TimelineDiagram: Sendable {
  /// The edit to draw.
  public let edit: Edit
  /// The known properties of its sources; a source that cannot be read is drawn with the edit's times.
  public let media: [MediaSource: MediaInfo]
  /// The edit's diagnostics. A mark shows the index of its diagnostic here plus 1.
  public let diagnostics: [ValidationDiagnostic]
  /// What a project calls tracks and sources.
  public let names: DiagramNames
  /// The rows from top to bottom: initially the built-in ones. Rows can be added, removed and reordered.
  public var rows: [any DiagramRow]
  /// Thumbnails for video tracks, sorted by time. Default: none.
  public var thumbnails: [DiagramThumbnail] = []
  /// Waveforms for audio tracks. Default: none.
  public var waveforms: [TrackID: DiagramWaveform] = [:]

  /// Creates a diagram of an edit, valid or not.
  ///
  /// - Parameter names: What a project calls tracks and sources; by default, they have their numbers and file names.
  public init(
    _ edit: Edit, media: [MediaSource: MediaInfo] = [:], diagnostics: [ValidationDiagnostic] = [],
    names: DiagramNames = DiagramNames()
  ) {
    self.edit = edit
    self.media = media
    self.diagnostics = diagnostics
    self.names = names
    self.rows = Self.builtInRows(of: edit, names)
  }

  private static func builtInRows(of edit: Edit, _ names: DiagramNames) -> [any DiagramRow] {
    var rows: [any DiagramRow] = [RulerRow(), DiagnosticRow()]
    let video = edit.composition.tracks(.video)
    let indexes = Dictionary(video.enumerated().map { ($1.trackID, $0) }) { first, _ in first }
    for (index, track) in video.enumerated() { rows.append(VideoTrackRow(track: track, index: index, names: names)) }
    if !edit.videoComposition.instructions.isEmpty {
      rows.append(InstructionRow(instructions: edit.videoComposition.instructions, indexes: indexes, names: names))
    }
    rows += OpacityRow.rows(of: edit, indexes: indexes, names) as [any DiagramRow]
    rows += MovementRow.rows(of: edit, indexes: indexes, names) as [any DiagramRow]
    if !edit.titles.layers.isEmpty { rows.append(TitleRow(layers: edit.titles.layers)) }
    for (index, captions) in edit.captions.enumerated() { rows.append(CaptionRow(captions: captions, index: index)) }
    for track in edit.composition.tracks(.audio) {
      let mix = edit.audioMix.inputParameters.first { $0.trackID == track.trackID }
      rows.append(AudioTrackRow(track: track, mix: mix, names: names))
    }
    for (index, ducking) in edit.audioMix.ducking.enumerated() {
      rows.append(DuckingRow(ducking: ducking, index: index, composition: edit.composition, names: names))
    }
    return rows
  }

  /// The diagram as a self-contained SVG document, without scripts, with one element per line. Equal edits give equal bytes
  /// on every machine.
  ///
  /// Its attributes are described in `docs/diagram.md`.
  public func svg(_ settings: DiagramSettings = .init()) -> String {
    SVGWriter(DiagramRecording(self, settings), theme: settings.theme).document
  }

  /// The visible time range: that of the settings, or everything.
  func shownTime(_ settings: DiagramSettings) -> (start: Double, duration: Double) {
    if let range = settings.range {
      let seconds = DiagramScale.seconds(of: range)
      let whole = wholeTime
      let start = max(seconds.lowerBound, min(0, whole.lowerBound))
      let end = min(seconds.upperBound, max(whole.upperBound, start + 1))
      if start.isFinite, end.isFinite, end > start { return (start, max(end - start, Self.shortest)) }
    }
    let whole = wholeTime
    return (whole.lowerBound, max(whole.upperBound - whole.lowerBound, Self.shortest))
  }

  /// The shortest visible duration, in seconds.
  private static let shortest = 0.001

  /// From 0 or the earliest time to the latest, within bounds that keep the composition readable.
  private var wholeTime: ClosedRange<Double> {
    let own = edit.composition.duration.seconds
    let duration = own.isFinite && own > 0 ? own : 0
    let longest = duration > 0 ? 4 * duration : 1e9
    var (start, end) = (0.0, duration)
    func take(_ range: TimeRange) {
      let seconds = DiagramScale.seconds(of: range)
      if seconds.lowerBound.isFinite { start = min(start, max(seconds.lowerBound, -longest)) }
      if seconds.upperBound.isFinite { end = max(end, min(seconds.upperBound, longest)) }
    }
    for instruction in edit.videoComposition.instructions { take(instruction.timeRange) }
    // The times of titles and captions count only if there are no clips.
    if duration == 0 {
      for layer in edit.titles.layers { take(layer.timing.activeRange) }
      for captions in edit.captions { for cue in captions.timedCues { take(cue.timeRange) } }
    }
    return start...(end > start ? end : start + 1)
  }
}
