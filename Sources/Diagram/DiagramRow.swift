public import CompositorAPI
public import CompositorHost
public import CompositorMediaIO

/// What rows draw from.
public struct DiagramContext: Sendable {
  /// The edit.
  public let edit: Edit
  /// What is known of its sources.
  public let media: [MediaSource: MediaInfo]
  /// What is wrong with it; their indexes are the numbers of their marks, less 1.
  public let diagnostics: [ValidationDiagnostic]
  /// Pictures of video tracks.
  public let thumbnails: [DiagramThumbnail]
  /// Waveforms of audio tracks.
  public let waveforms: [TrackID: DiagramWaveform]
  /// Turns times into positions.
  public let scale: DiagramScale
  /// What is shown, and how.
  public let settings: DiagramSettings
}

/// A row of a diagram: something about the timeline, drawn along its time axis.
///
/// Built-in rows and a program's own are drawn in the same way. What a row records is written as SVG, drawn as PNG, and set in characters.
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
  /// Names the row: `data-row` in SVG. Letters, digits and hyphens; what else it has is left out.
  var identifier: String { get }
  /// What stands beside it; cut off where there is no room.
  var title: String { get }
  /// What stands below the title, smaller. Default nothing.
  var subtitle: String { get }
  /// The height in user units, 0 … 4096; a row of height 0 is left out.
  func height(in context: DiagramContext) -> Double
  /// Draws the row between `y` 0 and its height, from ``DiagramScale/x0`` to ``DiagramScale/x1``.
  func draw(in context: DiagramContext, on canvas: inout DiagramCanvas)
}

extension DiagramRow {
  /// Nothing.
  public var subtitle: String { "" }
}
