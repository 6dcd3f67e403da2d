internal import CFacade
public import Foundation
internal import Synchronization

/// Settings of this package that Apple's framework doesn't have.
public enum AVFoundationFacade {
  private static let makers = Mutex<[ObjectIdentifier: @Sendable () -> any AVVideoCompositing]>([:])

  /// Registers a closure that creates objects of a compositor's class in place of `init()`.
  ///
  /// ```swift
  /// AVFoundationFacade.register(Wipe.self) { Wipe() }
  /// ```
  public static func register<Compositor: AVVideoCompositing>(
    _ type: Compositor.Type, make: @escaping @Sendable () -> Compositor
  ) {
    makers.withLock { $0[ObjectIdentifier(type)] = make }
  }

  /// An object of a compositor's class.
  ///
  /// - Throws: `.compositorFailed` if it cannot be made with `init()`.
  package static func make(_ type: any AVVideoCompositing.Type) throws(AVError) -> any AVVideoCompositing {
    if let make = makers.withLock({ $0[ObjectIdentifier(type)] }) { return make() }
    if let type = type as? NSObject.Type, Probe.succeeds {
      let object = instantiate(type)
      if Swift.type(of: object) == type, let compositor = object as? any AVVideoCompositing { return compositor }
    }
    throw AVError(
      .compositorFailed, "No object of \(type) could be made with init().",
      suggestion: "Derive it from NSObject, or call AVFoundationFacade.register(\(type).self) { \(type)() } first.")
  }
}

/// A class with which `init()` of any class of objects can be called. No object of it is ever made.
///
/// The language calls `init()` of a metatype only where every subclass must have it, which `NSObject` does not demand. This class does, and
/// its `init()` has the same place in the table of methods as that of `NSObject`: a call through the metatype of any subclass of `NSObject`,
/// taken for one of this class, reaches what that class inherits or overrides. It is open because the compiler would call the method of
/// a class directly that has no subclass.
open class _Initializable: NSObject {
  /// Makes an object.
  public required override init() { super.init() }
}

/// Makes an object of a class by its `init()`.
///
/// The optimizer must not know that the metatype is taken for another: it would make, or assume, an object of the wrong class.
@inline(never) private func instantiate(_ type: NSObject.Type) -> NSObject {
  let metatype = cfacade_opaque(unsafeBitCast(type, to: UnsafeRawPointer.self))
  let made: NSObject = unsafeBitCast(metatype, to: _Initializable.Type.self).init()
  guard let object = cfacade_opaque(Unmanaged.passRetained(made).toOpaque()) else { return made }
  return Unmanaged<NSObject>.fromOpaque(object).takeRetainedValue()
}

/// A class that notices whether its own initializer was called.
private final class Probe: NSObject {
  let number: Int

  override init() {
    number = Self.expected
    super.init()
  }

  static let expected = 0x5eed

  /// Whether ``instantiate(_:)`` does what it says, which depends on the compiler.
  static let succeeds = (instantiate(Probe.self) as? Probe)?.number == expected
}
