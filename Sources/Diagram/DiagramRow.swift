public import CompositorAPI
public import CompositorMediaIO

/// The data for drawing rows.
public struct DiagramContext: Sendable {
  /// The edit to draw.
  public let edit: Edit
  /// The known properties of the edit's sources.
  public let media: [MediaSource: MediaInfo]
  /// The edit's diagnostics. A mark shows the index of its diagnostic here plus 1.
  public let diagnostics: [ValidationDiagnostic]
  /// Thumbnails of video tracks.
  public let thumbnails: [DiagramThumbnail]
  /// Waveforms of audio tracks.
  public let waveforms: [TrackID: DiagramWaveform]
  /// The map from times to positions.
  public let scale: DiagramScale
  /// The settings of the diagram.
  public let settings: DiagramSettings
}

/// A row of a diagram, drawn along its time axis.
///
/// Built-in and custom rows are drawn in the same way. The recorded marks are written as SVG, PNG or text.
///
/// ```swift
/// struct BeatRow: DiagramRow {
///   let beats: [MediaTime]
///   let identifier = "beats"
///   let title = "Beats"
///
///   func height(in context: DiagramContext) -> Double { 16 }
///
///   func draw(in context: DiagramContext, on canvas: inout DiagramCanvas) {
///     for beat in beats {
///       let x = canvas.scale.x(beat)
///       var mark = DiagramMark(.line([Point(x: x, y: 2), Point(x: x, y: 14)]), kind: "beat", stroke: .text)
///       mark.timeRange = TimeRange(start: beat, duration: .zero)
///       canvas.add(mark)
///     }
///   }
/// }
/// diagram.rows.append(BeatRow(beats: beats))
/// ```
public protocol DiagramRow: Sendable {
  /// The identifier of the row, `data-row` in SVG. Letters, digits and hyphens; other characters are removed.
  var identifier: String { get }
  /// The title beside the row; truncated to fit.
  var title: String { get }
  /// A smaller line below the title. Default: empty.
  var subtitle: String { get }
  /// The height in user units, 0 … 4096; a row of height 0 is omitted.
  func height(in context: DiagramContext) -> Double
  /// Draws the row between `y` 0 and its height, from ``DiagramScale/x0`` to ``DiagramScale/x1``.
  func draw(in context: DiagramContext, on canvas: inout DiagramCanvas)
}

extension DiagramRow {
  /// An empty string.
  public var subtitle: String { "" }
}
