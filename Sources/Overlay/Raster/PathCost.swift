import CompositorAPI
import CompositorPlatform

/// The cost of rastering a path: each edge is followed row by row, so many long edges cost more than many short ones.
struct PathCost {
  /// The maximum number of rows that all edges together may pass, in pixels: about a second.
  static let maximumHeight = 3e6
  /// The limit for a stroke, whose edges intersect each other.
  static let maximumStrokeHeight = 1e6
  /// The maximum number of dashes.
  static let maximumDashes = 50_000.0

  /// Rows passed by the edges, in pixels.
  private(set) var height = 0.0
  /// Length of all edges, in the layer's pixels.
  private(set) var length = 0.0

  init(_ path: ShapePath, on grid: RasterGrid) {
    var index = 0
    var (last, start) = (Point.zero, Point.zero)
    for step in path.steps {
      var ends = [start][...]
      if step != .close {
        ends =
          (0..<step.pointCount).map {
            Point(x: path.coordinates[index + 2 * $0], y: path.coordinates[index + 2 * $0 + 1])
          }[...]
        index += 2 * step.pointCount
      }
      if step == .move {
        (last, start) = (ends[0], ends[0])
        continue
      }
      for end in ends {
        let (dx, dy) = (end.x - last.x, end.y - last.y)
        height += abs(grid.b * dx + grid.d * dy) + 1
        length += hypot(dx, dy)
        last = end
      }
    }
  }

  func require(fillOf path: ShapePath) throws(CompositorError) {
    guard height <= PathCost.maximumHeight else { throw PathCost.tooDense(path) }
  }

  func require(strokeOf stroke: StrokeStyle, on grid: RasterGrid) throws(CompositorError) {
    let scale = max(hypot(grid.a, grid.b), hypot(grid.c, grid.d))
    let edges = 2 * (height + Double(stroke.path.steps.count) * stroke.width * scale)
    let pattern = stroke.dashes.reduce(0, +) * (stroke.dashes.count % 2 == 0 ? 1 : 2)
    let dashes = pattern > 0 ? length / pattern * Double(max(stroke.dashes.count, 2)) / 2 : 0
    guard edges + 2 * dashes * stroke.width * scale <= PathCost.maximumStrokeHeight else {
      throw PathCost.tooDense(stroke.path)
    }
    guard dashes <= PathCost.maximumDashes else {
      throw CompositorError(
        .invalidValue, "A line would have about \(Int(min(dashes, 1e15))) dashes.",
        recoverySuggestion: "Use at most \(Int(PathCost.maximumDashes)): make dashes and gaps longer, or the line shorter.")
    }
  }

  private static func tooDense(_ path: ShapePath) -> CompositorError {
    CompositorError(
      .invalidValue, "A path of \(path.steps.count) steps winds too densely to be drawn.",
      recoverySuggestion: "Use fewer or shorter lines, or draw it smaller.")
  }
}
