@_exported public import CoreGraphics
internal import Dispatch
public import Foundation

/// The time of the machine in seconds, which runs while it is awake. It has nothing to do with the times of a movie.
public func CACurrentMediaTime() -> CFTimeInterval { Double(DispatchTime.now().uptimeNanoseconds) / 1e9 }

/// Something that happens when a property of a layer changes.
///
/// Properties of layers change at once here. Actions can be named, as a program does that wants none.
public protocol CAAction {
  /// Does it.
  ///
  /// - Parameters:
  ///   - event: The name of the property.
  ///   - anObject: The layer.
  func run(forKey event: String, object anObject: Any, arguments dict: [AnyHashable: Any]?)
}

extension NSNull: CAAction {
  /// Does nothing.
  public func run(forKey event: String, object anObject: Any, arguments dict: [AnyHashable: Any]?) {}
}

/// Groups of changes.
///
/// Layers are read when an export begins, and properties change at once until then: a transaction only calls its closure when it is
/// committed, and remembers what is set for those that ask. Each thread has its own.
open class CATransaction: NSObject {
  private struct Level {
    var disablesActions = false
    var duration: CFTimeInterval = 0.25
    var completion: (() -> Void)?
  }

  private final class Levels {
    var all: [Level] = []
  }

  private static var levels: Levels {
    let key = "swift-compositor.CATransaction"
    if let known = Thread.current.threadDictionary[key] as? Levels { return known }
    let made = Levels()
    Thread.current.threadDictionary[key] = made
    return made
  }

  /// Begins a group, inside of the one that was begun before.
  open class func begin() {
    var level = levels.all.last ?? Level()
    level.completion = nil
    levels.all.append(level)
  }
  /// Ends the group that was begun last, and calls its closure.
  open class func commit() { levels.all.popLast()?.completion?() }
  /// There is nothing to wait for.
  open class func flush() {}

  /// Whether changes have no actions.
  open class func disableActions() -> Bool { levels.all.last?.disablesActions ?? false }
  /// Sets whether changes have no actions, which they never have.
  open class func setDisableActions(_ flag: Bool) { change { $0.disablesActions = flag } }
  /// The duration of animations that have none, in seconds.
  open class func animationDuration() -> CFTimeInterval { levels.all.last?.duration ?? 0.25 }
  /// Sets the duration of animations that have none, in seconds.
  open class func setAnimationDuration(_ duration: CFTimeInterval) { change { $0.duration = duration } }
  /// Sets a closure that is called when the group ends; without a group, at once.
  open class func setCompletionBlock(_ block: (() -> Void)?) {
    if levels.all.isEmpty { block?() } else { change { $0.completion = block } }
  }

  private class func change(_ body: (inout Level) -> Void) {
    let levels = levels
    if !levels.all.isEmpty { body(&levels.all[levels.all.count - 1]) }
  }
}
