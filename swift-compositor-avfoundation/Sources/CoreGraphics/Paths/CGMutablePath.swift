public import Foundation

/// Lines and curves that may be added to.
///
/// Lines and curves need a point to begin at: the first part of a path is ``move(to:transform:)``.
public final class CGMutablePath: CGPath, @unchecked Sendable {
  /// An empty path.
  public init() { super.init(steps: []) }

  override init(steps: [Step]) { super.init(steps: steps) }

  private func add(_ type: CGPathElementType, _ points: [CGPoint], _ transform: CGAffineTransform) {
    precondition(type == .moveToPoint || !steps.isEmpty, "Call move(to:) before lines and curves: there is no current point.")
    append([Step(type: type, points: transform.isIdentity ? points : points.map { $0.applying(transform) })])
  }

  /// Begins a subpath.
  public func move(to point: CGPoint, transform: CGAffineTransform = .identity) { add(.moveToPoint, [point], transform) }
  /// Adds a straight line.
  public func addLine(to point: CGPoint, transform: CGAffineTransform = .identity) {
    add(.addLineToPoint, [point], transform)
  }
  /// Adds a quadratic curve.
  public func addQuadCurve(to end: CGPoint, control: CGPoint, transform: CGAffineTransform = .identity) {
    add(.addQuadCurveToPoint, [control, end], transform)
  }
  /// Adds a cubic curve.
  public func addCurve(
    to end: CGPoint, control1: CGPoint, control2: CGPoint, transform: CGAffineTransform = .identity
  ) {
    add(.addCurveToPoint, [control1, control2, end], transform)
  }
  /// Adds a line to the beginning of the subpath.
  public func closeSubpath() { if !steps.isEmpty { append([Step(type: .closeSubpath, points: [])]) } }

  /// Adds a subpath of straight lines between points.
  public func addLines(between points: [CGPoint], transform: CGAffineTransform = .identity) {
    guard let first = points.first else { return }
    move(to: first, transform: transform)
    for point in points.dropFirst() { addLine(to: point, transform: transform) }
  }

  /// Adds a rectangle as a closed subpath.
  public func addRect(_ rect: CGRect, transform: CGAffineTransform = .identity) {
    let corners = [(rect.minX, rect.minY), (rect.maxX, rect.minY), (rect.maxX, rect.maxY), (rect.minX, rect.maxY)]
    addLines(between: corners.map { CGPoint(x: $0, y: $1) }, transform: transform)
    closeSubpath()
  }
  /// Adds rectangles as closed subpaths.
  public func addRects(_ rects: [CGRect], transform: CGAffineTransform = .identity) {
    for rect in rects { addRect(rect, transform: transform) }
  }

  /// Adds all parts of another path.
  public func addPath(_ path: CGPath, transform: CGAffineTransform = .identity) { append(path.applied(transform)) }

  /// A quadratic curve as a cubic one: four points.
  static func cubic(_ start: CGPoint, _ control: CGPoint, _ end: CGPoint) -> [CGPoint] {
    func third(_ from: CGPoint) -> CGPoint {
      CGPoint(x: from.x + (control.x - from.x) * 2 / 3, y: from.y + (control.y - from.y) * 2 / 3)
    }
    return [start, third(start), third(end), end]
  }
}
