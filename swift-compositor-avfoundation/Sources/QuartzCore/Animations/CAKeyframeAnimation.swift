public import Foundation

/// How values between those that are given are found.
public struct CAAnimationCalculationMode: RawRepresentable, Hashable, Sendable {
  /// The name.
  public let rawValue: String
  /// A mode by its name.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// On straight lines.
  public static let linear = CAAnimationCalculationMode(rawValue: "linear")
  /// Each value lasts until the next one.
  public static let discrete = CAAnimationCalculationMode(rawValue: "discrete")
  /// On straight lines with constant speed. Key times are ignored.
  public static let paced = CAAnimationCalculationMode(rawValue: "paced")
  /// On a smooth curve.
  public static let cubic = CAAnimationCalculationMode(rawValue: "cubic")
  /// On a smooth curve with constant speed. Key times are ignored.
  public static let cubicPaced = CAAnimationCalculationMode(rawValue: "cubicPaced")
}

/// Whether a layer turns as its path does.
public struct CAAnimationRotationMode: RawRepresentable, Hashable, Sendable {
  /// The name.
  public let rawValue: String
  /// A mode by its name.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// It looks forward.
  public static let rotateAuto = CAAnimationRotationMode(rawValue: "auto")
  /// It looks backward.
  public static let rotateAutoReverse = CAAnimationRotationMode(rawValue: "autoReverse")
}

/// Through several values, or along a path.
open class CAKeyframeAnimation: CAPropertyAnimation {
  /// The values. Ignored if there is a ``path``.
  open var values: [Any]?
  /// The path of a property that is a point.
  open var path: CGPath?
  /// When each value is reached, 0 … 1; `nil` for equal distances. In discrete mode there is one more than values.
  open var keyTimes: [NSNumber]?
  /// How progress follows time from each value to the next; `nil` for straight lines.
  open var timingFunctions: [CAMediaTimingFunction]?
  /// How values between those that are given are found.
  open var calculationMode = CAAnimationCalculationMode.linear
  /// Whether the layer turns as the path does; `nil` for not.
  open var rotationMode: CAAnimationRotationMode?

  override func take(from other: CAAnimation) {
    super.take(from: other)
    guard let other = other as? CAKeyframeAnimation else { return }
    (values, path, keyTimes, timingFunctions) = (other.values, other.path, other.keyTimes, other.timingFunctions)
    (calculationMode, rotationMode) = (other.calculationMode, other.rotationMode)
  }
}

/// Several animations in a time of their own, whose end cuts them off.
open class CAAnimationGroup: CAAnimation {
  /// The animations.
  open var animations: [CAAnimation]?

  override func take(from other: CAAnimation) {
    super.take(from: other)
    animations = (other as? CAAnimationGroup)?.animations?.map { $0.copy() as? CAAnimation ?? $0 }
  }
}
