import CompositorAPI
import CompositorMediaIO

/// Checks for crops that go beyond the source, of which only the part inside is shown.
struct CropChecks {
  /// A rounding error of a computed crop, in pixels.
  private static let tolerance = 1.0

  private struct Use: Hashable {
    let track: TrackID
    let source: MediaSource
  }

  static func run(
    _ edit: Edit, media: [MediaSource: MediaInfo], into diagnostics: inout DiagnosticCollector
  ) throws(ValidationStopped) {
    let tracks = Dictionary(
      edit.composition.tracks(.video).map { ($0.trackID, $0) }, uniquingKeysWith: { first, _ in first })
    var told: Set<Use> = []
    for (index, instruction) in edit.videoComposition.instructions.enumerated()
    where instruction.timeRange.isUsable {
      for layer in instruction.layers where layer.crop.hasFiniteValue {
        for segment in tracks[layer.trackID]?.segments(in: instruction.timeRange) ?? [] {
          guard let source = segment.source, !told.contains(Use(track: layer.trackID, source: source)),
            let info = media[source]?.videoTracks.first(where: { $0.index == segment.sourceTrackIndex })
          else { continue }
          let range = instruction.timeRange.intersection(segment.timeMapping.target)
          guard range.duration > .zero, let crop = excess(of: layer.crop.values(in: range), beyond: info.storedDisplaySize)
          else { continue }
          told.insert(Use(track: layer.trackID, source: source))
          try diagnostics.add(diagnostic(crop, of: layer, segment, info, instruction: index, in: range))
        }
      }
    }
  }

  /// The first crop that shows something of the source and goes beyond it.
  private static func excess(of crops: [Rect], beyond size: Size) -> Rect? {
    let frame = Rect(origin: .zero, size: size)
    return crops.first { crop in
      let rest = crop.intersection(frame)
      guard !crop.isInfinite, rest.size.width > 0, rest.size.height > 0 else { return false }
      return min(crop.minX, crop.minY) < -tolerance || crop.maxX > frame.maxX + tolerance || crop.maxY > frame.maxY + tolerance
    }
  }

  private static func diagnostic(
    _ crop: Rect, of layer: LayerInstruction, _ segment: CompositionTrackSegment, _ info: VideoTrackInfo, instruction: Int,
    in range: TimeRange
  ) -> ValidationDiagnostic {
    let frame = Rect(origin: .zero, size: info.storedDisplaySize)
    let rest = crop.intersection(frame)
    var mended = layer
    mended.crop = PropertyTimeline(default: rest)
    let isConstant = !layer.crop.changes(in: range)
    return ValidationDiagnostic(
      .cropBeyondSource, severity: .warning,
      "The crop of \(crop.sizeText) at \(crop.minX.plainText), \(crop.minY.plainText) goes beyond "
        + "\(segment.source.map { Named.source($0) } ?? "the source") of \(frame.sizeText): only the part inside is shown.",
      instruction: instruction, track: layer.trackID, foundTime: range.start,
      cause: "The crop was written for a larger source, or as a part of the canvas.",
      recoverySuggestion:
        "Crop inside the source: \(rest.sizeText) at \(rest.minX.plainText), \(rest.minY.plainText) shows the same.",
      source: segment.source, timeRange: range,
      fix: isConstant
        ? DiagnosticFix(
          "Crop to \(rest.sizeText) at \(rest.minX.plainText), \(rest.minY.plainText)", isSafe: false,
          change: .setLayer(instruction: instruction, mended)) : nil)
  }
}

extension PropertyTimeline<Rect> {
  var hasFiniteValue: Bool {
    !defaultValue.isInfinite || ramps.contains { !$0.start.isInfinite || !$0.end.isInfinite }
  }
}

extension Rect {
  fileprivate var sizeText: String { "\(size.width.plainText)x\(size.height.plainText)" }
}

extension Double {
  /// A number with at most three decimals, without those that are 0.
  var plainText: String {
    let rounded = (self * 1000).rounded() / 1000
    return rounded == rounded.rounded() && abs(rounded) < 1e9 ? "\(Int(rounded))" : "\(rounded)"
  }
}
