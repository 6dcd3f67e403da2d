import CompositorAPI

/// The path on which the lines of a text lie, in pixels of its layout.
struct TextPath {
  let path: MeasuredPath
  let isClosed: Bool
  let text: TextContent
  let layout: TextLayout
  private let origin: Point
  /// From the left end to the right end of each line.
  private(set) var lines: [Int: ClosedRange<Double>] = [:]

  /// - Parameter origin: The origin of the layout in the layer.
  init?(of text: TextContent, _ layout: TextLayout, origin: Point) {
    guard let path = text.linePath else { return nil }
    (self.path, isClosed) = (MeasuredPath(path), path.steps.last == .close)
    (self.text, self.layout, self.origin) = (text, layout, origin)
    for cluster in layout.clusters {
      let (left, right) = (cluster.box.minX, cluster.box.maxX)
      let known = lines[cluster.line] ?? left...right
      lines[cluster.line] = min(known.lowerBound, left)...max(known.upperBound, right)
    }
  }

  /// Puts each of the units, which are characters, at its place.
  func place(_ units: inout [TextUnit]) {
    guard let baseline = layout.clusters.first?.baseline else { return }
    for index in units.indices {
      let (unit, cluster) = (units[index], layout.clusters[units[index].clusters.lowerBound])
      guard let line = lines[cluster.line] else { continue }
      let middle = unit.place.minX + unit.place.size.width / 2
      guard let place = place(at: start(of: line, cluster) + middle - line.lowerBound) else { continue }
      let matrix = Matrix4.translation(-middle, -baseline).concatenating(.rotationZ(place.angle))
        .concatenating(.translation(place.point.x - origin.x, place.point.y - origin.y))
      units[index].transform = unit.transform?.concatenating(matrix) ?? matrix
    }
  }

  /// The distance along the path at which a line begins.
  func start(of line: ClosedRange<Double>, _ cluster: TextCluster) -> Double {
    let spare = path.length - (line.upperBound - line.lowerBound)
    let share: Double
    switch text.alignment {
    case .left, .justified: share = 0
    case .center: share = 0.5
    case .right: share = 1
    case .natural: share = cluster.isRightToLeft ? 1 : 0
    }
    return spare * share + text.pathOffset
  }

  /// The place at a distance: around a closed path, and straight on beyond the ends of another.
  private func place(at distance: Double) -> (point: Point, angle: Double)? {
    guard path.length > 0 else { return path.place(at: 0) }
    if isClosed {
      let turns = (distance / path.length).rounded(.down)
      return path.place(at: distance - turns * path.length)
    }
    return path.placeOrBeyond(at: distance)
  }
}
