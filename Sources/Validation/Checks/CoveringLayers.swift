import CompositorAPI
import CompositorMediaIO
import CompositorPlugins

/// Finds layers that hide everything beneath them: opaque, and as large as the canvas or larger all the time.
struct CoveringLayers {
  private let registry: CompositorRegistry
  private let canvas: Rect
  private let movie: TimeRange
  private let tracks: [TrackID: CompositionTrack]
  private let media: [MediaSource: MediaInfo]

  init(_ edit: Edit, tracks: [TrackID: CompositionTrack], media: [MediaSource: MediaInfo], registry: CompositorRegistry) {
    (self.tracks, self.media, self.registry) = (tracks, media, registry)
    let size = edit.videoComposition.renderSize
    canvas = Rect(x: 0, y: 0, width: Double(size.width), height: Double(size.height))
    movie = TimeRange(start: .zero, end: edit.composition.duration)
  }

  /// The index of the first layer, front to back, that always hides everything beneath it; `nil` if all layers are visible.
  func index(in instruction: Instruction) -> Int? {
    guard instruction.compositor == .layer, instruction.layers.count > 1 else { return nil }
    return instruction.layers.dropLast().firstIndex { hidesEverything($0, during: instruction.timeRange) }
  }

  /// Whether a layer hides everything beneath it during a whole time range.
  func hidesEverything(_ layer: LayerInstruction, during range: TimeRange) -> Bool {
    // Cheapest test first: most layers aren't opaque, or are on top alone.
    guard layer.opacity.value(at: max(range.start, .zero)) == 1, let track = tracks[layer.trackID]
    else { return false }
    let range = range.intersection(movie)
    guard range.duration > .zero, layer.decoration?.values(in: range).allSatisfy(\.keepsRectangle) != false,
      layer.opacity.values(in: range).allSatisfy({ $0 == 1 }),
      track.emptyRange(in: range) == nil, layer.effects.allSatisfy(keepsOpaque)
    else { return false }
    // An edge of the crop moves along a line, so it stays inside of what is shown at both ends.
    let crop = layer.crop.values(in: range).reduce(Rect.infinite) { $0.intersection($1) }
    let motions = layer.transform.motions(in: range)
    return track.segments(in: range).allSatisfy { segment in
      guard let source = segment.source,
        let info = media[source]?.videoTracks.first(where: { $0.index == segment.sourceTrackIndex }),
        !info.format.hasAlpha || info.attributes.alphaMode == .opaque
      else { return false }
      let shown = Rect(origin: .zero, size: info.storedDisplaySize).intersection(crop)
      return !shown.isEmpty && motions.allSatisfy { $0.covers(canvas, with: shown) }
    }
  }

  /// Whether an effect leaves opaque frames opaque. A compositor that isn't known may do anything.
  private func keepsOpaque(_ effect: EffectReference) -> Bool {
    registry[effect.compositor].map { !effect.makesAlpha($0.descriptor) } ?? false
  }
}

/// A transform that changes from one matrix to another, component by component.
private struct Motion {
  let start, end: AffineMatrix

  /// Whether the moving image of a rectangle contains the canvas all the time.
  ///
  /// Each corner of the image moves along a line, so the distance of a point from an edge is a quadratic function of time. It
  /// isn't negative if none of its three Bézier coefficients is.
  func covers(_ canvas: Rect, with shown: Rect) -> Bool {
    guard start.isFinite, end.isFinite, start.determinant != 0, end.determinant != 0 else { return false }
    // Oblique edges are soft.
    let isStraight = Orientation(of: start) != nil && Orientation(of: end) != nil
    let margin = isStraight ? 0.01 : -1
    let points = canvas.insetBy(x: margin, y: margin).corners
    let (first, last) = (shown.corners.map(start.apply), shown.corners.map(end.apply))
    let side: Double = start.determinant < 0 ? -1 : 1
    return first.indices.allSatisfy { index in
      let next = (index + 1) % first.count
      let edges = (Edge(first[index], first[next]), Edge(last[index], last[next]))
      return points.allSatisfy { point in
        let (from, to) = (point.offset(from: first[index]), point.offset(from: last[index]))
        let coefficients = [edges.0.side(of: from), edges.0.side(of: to) + edges.1.side(of: from), edges.1.side(of: to)]
        return coefficients.allSatisfy { $0 * side >= 0 }
      }
    }
  }

  private struct Edge {
    let direction: Point

    init(_ start: Point, _ end: Point) { direction = end.offset(from: start) }

    /// Positive for an offset from the edge's start that points to the right of the edge, as seen on a canvas.
    func side(of offset: Point) -> Double { direction.x * offset.y - direction.y * offset.x }
  }
}

extension PropertyTimeline<AffineMatrix> {
  /// How the transform moves in a range: at rest at its start, then from the start to the end of each ramp.
  fileprivate func motions(in range: TimeRange) -> [Motion] {
    let values = values(in: range)
    return [Motion(start: values[0], end: values[0])]
      + stride(from: 1, to: values.count - 1, by: 2).map { Motion(start: values[$0], end: values[$0 + 1]) }
  }
}

extension LayerDecoration {
  /// Whether a layer remains a rectangle of its own pixels. A shadow lies around it.
  fileprivate var keepsRectangle: Bool { cornerRadius <= 0 && borderWidth <= 0 }
}

extension Rect {
  /// The corners in order around the rectangle.
  fileprivate var corners: [Point] {
    [Point(x: minX, y: minY), Point(x: maxX, y: minY), Point(x: maxX, y: maxY), Point(x: minX, y: maxY)]
  }
}

extension Point {
  fileprivate func offset(from other: Point) -> Point { Point(x: x - other.x, y: y - other.y) }
}
