import CompositorAPI
import CompositorMediaIO

/// Checks for still layers outside of the canvas, which are usually rotated about their corner and not moved back.
struct PlacementChecks {
  private let edit: Edit
  private let canvas: Rect
  private let tracks: [TrackID: CompositionTrack]
  private let media: [MediaSource: MediaInfo]

  /// - Returns: The tracks that were reported.
  static func run(
    _ edit: Edit, media: [MediaSource: MediaInfo], into diagnostics: inout DiagnosticCollector
  ) throws(ValidationStopped) -> Set<TrackID> {
    let size = edit.videoComposition.renderSize
    guard size.width > 0, size.height > 0, edit.composition.duration.isNumeric else { return [] }
    let checks = PlacementChecks(
      edit: edit, canvas: Rect(x: 0, y: 0, width: Double(size.width), height: Double(size.height)),
      tracks: Dictionary(edit.composition.tracks(.video).map { ($0.trackID, $0) }, uniquingKeysWith: { first, _ in first }),
      media: media)
    var told: Set<TrackID> = []
    for (index, instruction) in edit.videoComposition.instructions.enumerated()
    where instruction.compositor == .layer && instruction.timeRange.isUsable {
      for layer in instruction.layers
      where checks.mayBeOutside(layer, in: instruction.timeRange) && !told.contains(layer.trackID) {
        guard let diagnostic = checks.diagnostic(of: layer, instruction: index) else { continue }
        told.insert(layer.trackID)
        try diagnostics.add(diagnostic)
      }
    }
    return told
  }

  /// Whether a layer needs a closer look. One that starts on the canvas and extends to the right and downward, as most do, is
  /// visible.
  private func mayBeOutside(_ layer: LayerInstruction, in range: TimeRange) -> Bool {
    guard layer.effects.isEmpty, !layer.transform.changes(in: range) else { return false }
    let place = layer.transform.value(at: range.start)
    guard place.isFinite, place.determinant != 0 else { return false }
    let growsInto = place.a >= 0 && place.b >= 0 && place.c >= 0 && place.d >= 0
    let startsOn = place.tx >= 0 && place.ty >= 0 && place.tx < canvas.maxX && place.ty < canvas.maxY
    return !(growsInto && startsOn) || layer.crop.hasFiniteValue
  }

  private func diagnostic(of layer: LayerInstruction, instruction index: Int) -> ValidationDiagnostic? {
    let whole = TimeRange(start: .zero, end: edit.composition.duration)
    let range = edit.videoComposition.instructions[index].timeRange.intersection(whole)
    guard range.duration > .zero, let track = tracks[layer.trackID], !isOnItsWay(layer.trackID, at: index),
      layer.opacity.changes(in: range) || layer.opacity.value(at: range.start) > 0
    else { return nil }
    let place = layer.transform.value(at: range.start)
    guard let found = unseen(layer, of: track, at: place, in: range) else { return nil }
    let turns = Orientation(of: place)
    let isRotated =
      !found.isCroppedAway && turns != nil && turns != .upright && turns == Orientation(of: found.info.preferredTransform)
    let way = isRotated ? Point(x: 0 - found.box.minX, y: 0 - found.box.minY) : found.box.way(onto: canvas)
    var mended = layer
    mended.transform = PropertyTimeline(default: place.concatenating(.translation(x: way.x, y: way.y)))
    return ValidationDiagnostic(
      .layerNotSeen, severity: .warning,
      "\(Named.track(layer.trackID).capitalizedName) lies outside of the canvas of \(edit.videoComposition.renderSize) in "
        + "\(Named.instruction(index, range)): nothing of \(Named.source(found.source)) is seen.",
      instruction: index, track: layer.trackID, foundTime: range.start,
      cause: found.isCroppedAway
        ? "A crop hides the rest of the frame where it is. It does not move what remains."
        : isRotated
          ? "The transform rotates the video about its corner, but lacks the translation that brings it back onto the canvas."
          : "The layer's transform moves it there, or was made for another canvas.",
      recoverySuggestion: isRotated
        ? "Move it by (\(way.x), \(way.y)), so that its corner is the canvas's." : Self.advice(onMoving: way),
      source: found.source, timeRange: range,
      fix: DiagnosticFix(
        "Move \(Named.track(layer.trackID)) onto the canvas in \(Named.instruction(index))", isSafe: false,
        change: .setLayer(instruction: index, mended)))
  }

  /// Where the first media of a layer is if none of its media is on the canvas, and whether only their crop keeps them from it; `nil` if
  /// something is seen, or may be.
  private func unseen(
    _ layer: LayerInstruction, of track: CompositionTrack, at place: AffineMatrix, in range: TimeRange
  ) -> (box: Rect, info: VideoTrackInfo, source: MediaSource, isCroppedAway: Bool)? {
    let crop = layer.crop.changes(in: range) ? Rect.infinite : layer.crop.value(at: range.start)
    var found: (box: Rect, info: VideoTrackInfo, source: MediaSource, isCroppedAway: Bool)?
    for segment in track.segments(in: range) {
      guard let source = segment.source else { continue }
      guard let info = media[source]?.videoTracks.first(where: { $0.index == segment.sourceTrackIndex }) else { return nil }
      let frame = Rect(origin: .zero, size: info.storedDisplaySize)
      let shown = frame.intersection(crop)
      let box = place.boundingBox(of: shown)
      guard !shown.isEmpty, !box.isSeen(on: canvas) else { return nil }
      found = found ?? (box, info, source, place.boundingBox(of: frame).isSeen(on: canvas))
    }
    return found
  }

  /// `Add 12 to x and subtract 30 from y of its transform.`
  private static func advice(onMoving way: Point) -> String {
    let steps = [(way.x, "x"), (way.y, "y")].filter { $0.0 != 0 }.map { distance, key in
      let pixels = ((abs(distance) * 100).rounded(.up) / 100).plainText
      return distance > 0 ? "add \(pixels) to \(key)" : "subtract \(pixels) from \(key)"
    }
    let sentence = steps.joined(separator: " and ")
    return
      "\(sentence.prefix(1).uppercased())\(sentence.dropFirst()) of its transform, in pixels, to bring it onto the canvas."
  }

  /// Whether a neighboring instruction moves the same track to or from a position outside of the canvas.
  private func isOnItsWay(_ track: TrackID, at index: Int) -> Bool {
    let instructions = edit.videoComposition.instructions
    return [index - 1, index + 1].contains { neighbor in
      instructions.indices.contains(neighbor)
        && instructions[neighbor].layers.contains {
          $0.trackID == track && $0.transform.changes(in: instructions[neighbor].timeRange)
        }
    }
  }
}

extension Rect {
  /// The shortest move that brings what is outside of a canvas onto it: to the edge that is next to it, or, if it is larger, to the
  /// left or top edge.
  fileprivate func way(onto canvas: Rect) -> Point {
    func distance(_ start: Double, _ length: Double, _ side: Double) -> Double {
      if start + length <= 0.01 { return 0 - start }
      return start < side - 0.01 ? 0 : length < side ? side - length - start : 0 - start
    }
    return Point(
      x: distance(minX, size.width, canvas.size.width), y: distance(minY, size.height, canvas.size.height))
  }

  /// Whether more than an edge of it is on the canvas.
  fileprivate func isSeen(on canvas: Rect) -> Bool {
    minX < canvas.maxX - 0.01 && maxX > canvas.minX + 0.01 && minY < canvas.maxY - 0.01 && maxY > canvas.minY + 0.01
  }
}
