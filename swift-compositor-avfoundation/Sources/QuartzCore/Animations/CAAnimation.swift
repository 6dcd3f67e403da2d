public import Foundation

/// A change over time. Layers take a copy.
open class CAAnimation: NSObject, NSCopying, CAMediaTiming, CAAction {
  /// The beginning in the layer's time, in seconds. 0, like `AVCoreAnimationBeginTimeAtZero`, is the beginning of the layer.
  open var beginTime: CFTimeInterval = 0
  /// The duration of one pass in seconds; 0 for a quarter of a second, and in a group for that of the group.
  open var duration: CFTimeInterval = 0
  /// Its seconds per second of the layer.
  open var speed: Float = 1
  /// What is added to its time, in seconds.
  open var timeOffset: CFTimeInterval = 0
  /// The number of passes; 0 for one.
  open var repeatCount: Float = 0
  /// The duration of all passes in seconds; 0 to use ``repeatCount``.
  open var repeatDuration: CFTimeInterval = 0
  /// Whether each pass is also played backward.
  open var autoreverses = false
  /// What is shown outside of its time.
  open var fillMode = CAMediaTimingFillMode.removed
  /// How progress follows time; `nil` for a straight line.
  open var timingFunction: CAMediaTimingFunction?
  /// Whether it has no effect after its end, whatever ``fillMode`` says.
  open var isRemovedOnCompletion = true

  /// An animation of nothing.
  public required override init() { super.init() }

  /// An animation of nothing. Archives are not read.
  public required init?(coder: NSCoder) { super.init() }

  /// The same animation, independent of this one.
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = type(of: self).init()
    copy.take(from: self)
    return copy
  }

  /// Takes all values of another animation of the same class.
  func take(from other: CAAnimation) {
    (beginTime, duration, speed, timeOffset) = (other.beginTime, other.duration, other.speed, other.timeOffset)
    (repeatCount, repeatDuration, autoreverses) = (other.repeatCount, other.repeatDuration, other.autoreverses)
    (fillMode, timingFunction, isRemovedOnCompletion) = (other.fillMode, other.timingFunction, other.isRemovedOnCompletion)
  }

  /// Adds the animation to the layer.
  open func run(forKey event: String, object anObject: Any, arguments dict: [AnyHashable: Any]?) {
    (anObject as? CALayer)?.add(self, forKey: event)
  }
}

/// A change of one property.
open class CAPropertyAnimation: CAAnimation {
  /// The property, such as `opacity`, `position.x` or `transform.rotation.z`.
  open var keyPath: String?
  /// Whether values are added to that of the property.
  open var isAdditive = false
  /// Whether each pass continues where the last one ended.
  open var isCumulative = false

  /// An animation of no property.
  public required init() { super.init() }
  /// An animation of no property.
  public required init?(coder: NSCoder) { super.init(coder: coder) }

  /// An animation of a property.
  public convenience init(keyPath path: String?) {
    self.init()
    keyPath = path
  }

  override func take(from other: CAAnimation) {
    super.take(from: other)
    guard let other = other as? CAPropertyAnimation else { return }
    (keyPath, isAdditive, isCumulative) = (other.keyPath, other.isAdditive, other.isCumulative)
  }
}

/// From one value to another. Values are numbers, points, sizes, rectangles, colors, paths, transforms, text or pictures, as the property
/// has them; points and their kind also as `NSValue`.
open class CABasicAnimation: CAPropertyAnimation {
  /// The value at the beginning; `nil` for that of the layer, or what follows from the others.
  open var fromValue: Any?
  /// The value at the end; `nil` for that of the layer, or what follows from the others.
  open var toValue: Any?
  /// The difference of both; `nil` for what follows from the others.
  open var byValue: Any?

  override func take(from other: CAAnimation) {
    super.take(from: other)
    guard let other = other as? CABasicAnimation else { return }
    (fromValue, toValue, byValue) = (other.fromValue, other.toValue, other.byValue)
  }
}

/// From one value to another on a spring.
open class CASpringAnimation: CABasicAnimation {
  /// The mass at its end, above 0.
  open var mass: CGFloat = 1
  /// The force per displacement, above 0.
  open var stiffness: CGFloat = 100
  /// The friction, 0 or more.
  open var damping: CGFloat = 10
  /// The velocity at the beginning, in displacements per second toward the end.
  open var initialVelocity: CGFloat = 0

  /// How long it takes until it stays within a thousandth of the end, in seconds; at most 60.
  open var settlingDuration: CFTimeInterval {
    let (mass, damping) = (Double(mass), Double(damping))
    let natural = (Double(stiffness) / mass).squareRoot()
    let decay = damping / (2 * mass)
    let slowest = decay <= natural ? decay : decay - (decay * decay - natural * natural).squareRoot()
    guard slowest > 0 else { return 60 }
    return min((log(1000) + log(1 + abs(Double(initialVelocity)) / natural)) / slowest, 60)
  }

  override func take(from other: CAAnimation) {
    super.take(from: other)
    guard let other = other as? CASpringAnimation else { return }
    (mass, stiffness, damping, initialVelocity) = (other.mass, other.stiffness, other.damping, other.initialVelocity)
  }
}
