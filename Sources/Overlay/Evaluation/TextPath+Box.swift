import CompositorAPI

/// Measures texts: their size without bounds, and where their letters lie.
struct TextMeasurer {
  let size: LayerEvaluator.Measure
  /// `nil` if the places of letters aren't needed.
  let layOut: LayerEvaluator.LayOut?
}

extension TextContent {
  /// The path on which its lines lie; `nil` for straight lines and for columns.
  var linePath: ShapePath? { writingMode == .horizontal ? path : nil }

  /// The box of a text on a path, including ``padding``, in the layer's own pixels; `nil` for a straight text.
  ///
  /// It contains the whole path with lines along it, so that neither a text that travels along it nor another text moves the layer:
  /// ``pathOffset`` doesn't count.
  func boxOnPath(_ measurer: TextMeasurer) throws(CompositorError) -> Rect? {
    guard let path = linePath else { return nil }
    let bare = MeasuredPath(path).band(over: nil, above: 0, below: 0) ?? path.controlBounds
    guard let layOut = measurer.layOut, !string.isEmpty else { return bare.grown(by: padding) }
    let text = whole
    let lines = TextPath(of: text, try layOut(text, bare.size), origin: .zero)
    return (lines?.band ?? bare).grown(by: padding)
  }
}

extension TextPath {
  /// The box that the lines sweep along the whole path, and beyond the ends of an open one if they are longer.
  var band: Rect? {
    guard let baseline = layout.clusters.first?.baseline, let top = layout.clusters.map(\.box.minY).min(),
      let bottom = layout.clusters.map(\.box.maxY).max()
    else { return nil }
    var reach = 0...path.length
    for cluster in isClosed ? [] : layout.clusters {
      guard let line = lines[cluster.line] else { continue }
      let begin = start(of: line, cluster) - text.pathOffset
      reach = min(reach.lowerBound, begin)...max(reach.upperBound, begin + line.upperBound - line.lowerBound)
    }
    return path.band(over: reach, above: baseline - top, below: bottom - baseline)
  }
}

extension MeasuredPath {
  /// The number of samples of a path; those of a circle include its outermost points.
  private static let sampleCount = 128

  /// The box that a line sweeps that lies across the path and moves along it; `nil` for a path of no points.
  ///
  /// - Parameters:
  ///   - reach: The distances along the path; beyond its ends it goes on straight. `nil` for the path itself.
  ///   - above: How far the line reaches to the left of the direction of the path, which is above letters, in pixels.
  ///   - below: How far it reaches to the right.
  fileprivate func band(over reach: ClosedRange<Double>?, above: Double, below: Double) -> Rect? {
    let even = (0...Self.sampleCount).map { length * Double($0) / Double(Self.sampleCount) }
    // On both sides of a corner.
    let corners = stepDistances.flatMap { [$0, $0 - length * 1e-9] }
    var places = (even + corners).compactMap { place(at: min(max($0, 0), length)) }
    for end in [reach?.lowerBound, reach?.upperBound].compactMap({ $0 }) {
      guard let place = placeOrBeyond(at: end) else { continue }
      places.append(place)
    }
    let sides = places.flatMap { place in
      let turn = AffineMatrix.rotation(radians: place.angle)
      return [-above, below].map { Point(x: place.point.x + turn.c * $0, y: place.point.y + turn.d * $0) }
    }
    guard let left = sides.map(\.x).min(), let right = sides.map(\.x).max(), let top = sides.map(\.y).min(),
      let bottom = sides.map(\.y).max()
    else { return nil }
    return Rect(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// The place at a distance along the path, straight on beyond its ends.
  func placeOrBeyond(at distance: Double) -> (point: Point, angle: Double)? {
    let within = min(max(distance, 0), length)
    guard let end = place(at: within) else { return nil }
    let (rest, turn) = (distance - within, AffineMatrix.rotation(radians: end.angle))
    return (Point(x: end.point.x + rest * turn.a, y: end.point.y + rest * turn.b), end.angle)
  }
}

extension PresentationNode {
  /// A box around the visible letters of its text on a path, where they lie, in the coordinates that `matrix` leads to; `nil` if it has
  /// none, or if the box has no end because of perspective.
  ///
  /// - Parameters:
  ///   - matrix: From the layer's own coordinates.
  ///   - opacity: The least opacity of letters that count.
  func letterBox(
    _ matrix: Projection, opacity: Double, _ sizes: TextSizes
  ) throws(CompositorError) -> Rect? {
    guard case .text(let text) = layer.content, text.linePath != nil else { return nil }
    let origin = text.origin(in: layer.bounds, try sizes.layout(of: text, in: layer.bounds.size).extents)
    var box: Rect?
    for unit in units where unit.opacity > 0 && unit.opacity >= opacity && unit.ink.size.width > 0 {
      let ink = Rect(
        x: unit.ink.minX + origin.x, y: unit.ink.minY + origin.y, width: unit.ink.size.width, height: unit.ink.size.height)
      let place = unit.transform(about: origin)?.concatenating(matrix) ?? matrix
      guard let letter = place.boundingBox(of: ink.grown(by: 3 * unit.blurRadius)) else { return nil }
      box = box?.hull(with: letter) ?? letter
    }
    return box
  }
}
