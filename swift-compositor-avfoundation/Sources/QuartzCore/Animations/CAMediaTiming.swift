public import Foundation

/// What is shown outside of the time of a layer or of an animation.
public struct CAMediaTimingFillMode: RawRepresentable, Hashable, Sendable {
  /// The name.
  public let rawValue: String
  /// A mode by its name.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Nothing of it.
  public static let removed = CAMediaTimingFillMode(rawValue: "removed")
  /// After the end, what it is at the end.
  public static let forwards = CAMediaTimingFillMode(rawValue: "forwards")
  /// Before the beginning, what it is at the beginning.
  public static let backwards = CAMediaTimingFillMode(rawValue: "backwards")
  /// Both of these.
  public static let both = CAMediaTimingFillMode(rawValue: "both")
}

/// Where a layer or an animation is in the time of its parent: `t = (parent − beginTime) · speed + timeOffset`.
public protocol CAMediaTiming {
  /// The beginning in the parent's time, in seconds. The parent of the uppermost layer is the movie.
  var beginTime: CFTimeInterval { get set }
  /// The duration of one pass in seconds.
  var duration: CFTimeInterval { get set }
  /// Its seconds per second of the parent.
  var speed: Float { get set }
  /// What is added to its time, in seconds.
  var timeOffset: CFTimeInterval { get set }
  /// The number of passes, which need not be whole; 0 for one.
  var repeatCount: Float { get set }
  /// The duration of all passes in seconds; 0 to use ``repeatCount``.
  var repeatDuration: CFTimeInterval { get set }
  /// Whether each pass is also played backward.
  var autoreverses: Bool { get set }
  /// What is shown outside of its time.
  var fillMode: CAMediaTimingFillMode { get set }
}

/// The names of curves.
public struct CAMediaTimingFunctionName: RawRepresentable, Hashable, Sendable {
  /// The name.
  public let rawValue: String
  /// A curve by its name.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// A straight line.
  public static let linear = CAMediaTimingFunctionName(rawValue: "linear")
  /// Slow at first.
  public static let easeIn = CAMediaTimingFunctionName(rawValue: "easeIn")
  /// Slow at the end.
  public static let easeOut = CAMediaTimingFunctionName(rawValue: "easeOut")
  /// Slow at both ends.
  public static let easeInEaseOut = CAMediaTimingFunctionName(rawValue: "easeInEaseOut")
  /// Fast at first, then slow.
  public static let `default` = CAMediaTimingFunctionName(rawValue: "default")
}

/// How progress follows time: a cubic curve from (0, 0) to (1, 1).
public final class CAMediaTimingFunction: NSObject, Sendable {
  /// The coordinates of the two control points.
  package let controls: [Float]

  /// A curve by its control points.
  public init(controlPoints c1x: Float, _ c1y: Float, _ c2x: Float, _ c2y: Float) { controls = [c1x, c1y, c2x, c2y] }

  /// A curve by its name; a straight line for one that is not known.
  public convenience init(name: CAMediaTimingFunctionName) {
    switch name {
    case .easeIn: self.init(controlPoints: 0.42, 0, 1, 1)
    case .easeOut: self.init(controlPoints: 0, 0, 0.58, 1)
    case .easeInEaseOut: self.init(controlPoints: 0.42, 0, 0.58, 1)
    case .default: self.init(controlPoints: 0.25, 0.1, 0.25, 1)
    default: self.init(controlPoints: 0, 0, 1, 1)
    }
  }

  /// Writes x and y of a point of the curve.
  ///
  /// - Parameter idx: 0 for the start, 1 and 2 for the control points, 3 for the end.
  public func getControlPoint(at idx: Int, values ptr: UnsafeMutablePointer<Float>) {
    let all = [0, 0] + controls + [1, 1]
    precondition((0...3).contains(idx), "A curve has the points 0 to 3.")
    (ptr[0], ptr[1]) = (all[idx * 2], all[idx * 2 + 1])
  }

  /// Whether both have the same control points.
  public override func isEqual(_ object: Any?) -> Bool { (object as? CAMediaTimingFunction)?.controls == controls }
  /// Equal curves have equal hashes.
  public override var hash: Int { controls.hashValue }
}
