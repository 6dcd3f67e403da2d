internal import Foundation
internal import Synchronization

/// Which points are inside a path that crosses itself.
public enum CGPathFillRule: Int, Sendable {
  /// Points around which the path winds.
  case winding
  /// Points from which a ray crosses the path an odd number of times.
  case evenOdd
}

/// The kind of a part of a path.
public enum CGPathElementType: Int32, Sendable {
  /// Begins a subpath; one point.
  case moveToPoint = 0
  /// A straight line; one point.
  case addLineToPoint = 1
  /// A quadratic curve; a control point and the end.
  case addQuadCurveToPoint = 2
  /// A cubic curve; two control points and the end.
  case addCurveToPoint = 3
  /// A line back to the beginning of the subpath; no point.
  case closeSubpath = 4
}

/// A part of a path, which is valid only while a closure of ``CGPath/applyWithBlock(_:)`` has it.
public struct CGPathElement {
  /// The kind.
  public var type: CGPathElementType
  /// As many points as the kind has.
  public var points: UnsafeMutablePointer<CGPoint>

  /// A part of a path.
  public init(type: CGPathElementType, points: UnsafeMutablePointer<CGPoint>) { (self.type, self.points) = (type, points) }
}

/// Lines and curves. It does not change, unless it is a ``CGMutablePath``.
public class CGPath: Hashable, @unchecked Sendable {
  /// A part of a path with its points.
  package struct Step: Hashable, Sendable {
    package var type: CGPathElementType
    package var points: [CGPoint]
  }

  /// Behind a lock, because a ``CGMutablePath`` may be sent to another thread like every path.
  private let storage: Mutex<[Step]>

  /// The parts in order.
  package final var steps: [Step] { storage.withLock { $0 } }

  init(steps: [Step]) { storage = Mutex(steps) }

  /// Adds parts, as only a ``CGMutablePath`` does.
  final func append(_ more: [Step]) { storage.withLock { $0 += more } }

  /// A rectangle.
  public convenience init(rect: CGRect, transform: UnsafePointer<CGAffineTransform>?) {
    let path = CGMutablePath()
    path.addRect(rect, transform: transform?.pointee ?? .identity)
    self.init(steps: path.steps)
  }

  /// The largest ellipse in a rectangle.
  public convenience init(ellipseIn rect: CGRect, transform: UnsafePointer<CGAffineTransform>?) {
    let path = CGMutablePath()
    path.addEllipse(in: rect, transform: transform?.pointee ?? .identity)
    self.init(steps: path.steps)
  }

  /// A rectangle with rounded corners.
  ///
  /// - Parameters:
  ///   - cornerWidth: At most half the width.
  ///   - cornerHeight: At most half the height.
  public convenience init(
    roundedRect rect: CGRect, cornerWidth: CGFloat, cornerHeight: CGFloat, transform: UnsafePointer<CGAffineTransform>?
  ) {
    let path = CGMutablePath()
    path.addRoundedRect(
      in: rect, cornerWidth: cornerWidth, cornerHeight: cornerHeight, transform: transform?.pointee ?? .identity)
    self.init(steps: path.steps)
  }

  /// Whether there is nothing in it.
  public final var isEmpty: Bool { steps.isEmpty }

  /// The end of the last part; zero if there is none.
  public final var currentPoint: CGPoint {
    guard let last = steps.last else { return .zero }
    return last.points.last ?? steps.last { $0.type == .moveToPoint }?.points.last ?? .zero
  }

  /// The same path.
  public func copy() -> CGPath? { CGPath(steps: steps) }
  /// The same path, transformed.
  public func copy(using transform: UnsafePointer<CGAffineTransform>?) -> CGPath? {
    CGPath(steps: transform.map { applied($0.pointee) } ?? steps)
  }
  /// The same path, which may be changed.
  public func mutableCopy() -> CGMutablePath? { CGMutablePath(steps: steps) }
  /// The same path, transformed, which may be changed.
  public func mutableCopy(using transform: UnsafePointer<CGAffineTransform>?) -> CGMutablePath? {
    CGMutablePath(steps: transform.map { applied($0.pointee) } ?? steps)
  }

  /// Calls a closure with each part in order.
  public func applyWithBlock(_ block: (UnsafePointer<CGPathElement>) -> Void) {
    for step in steps {
      var points = step.points
      points.withUnsafeMutableBufferPointer { buffer in
        // A part without points has an address that must not be read.
        let address = buffer.baseAddress ?? UnsafeMutablePointer(bitPattern: MemoryLayout<CGPoint>.alignment)
        guard let address else { return }
        withUnsafePointer(to: CGPathElement(type: step.type, points: address), block)
      }
    }
  }

  /// The parts, transformed.
  final func applied(_ transform: CGAffineTransform) -> [Step] {
    transform.isIdentity
      ? steps : steps.map { Step(type: $0.type, points: $0.points.map { $0.applying(transform) }) }
  }

  /// Whether both have the same parts.
  public static func == (left: CGPath, right: CGPath) -> Bool { left.steps == right.steps }
  /// Equal paths have equal hashes.
  public func hash(into hasher: inout Hasher) { hasher.combine(steps) }
}
