public import Foundation

/// A place for an error, as methods of Objective-C take it.
public typealias NSErrorPointer = AutoreleasingUnsafeMutablePointer<NSError?>?

/// A pointer to a value that a method fills. Reference counting is automatic here, so it is the pointer itself.
public typealias AutoreleasingUnsafeMutablePointer<Pointee> = UnsafeMutablePointer<Pointee>

/// Calls `body`. Without the Objective-C runtime nothing waits for a pool to be drained.
///
/// - Throws: What `body` throws.
@discardableResult
public func autoreleasepool<Result, Failure: Error>(
  invoking body: () throws(Failure) -> Result
) throws(Failure) -> Result {
  try body()
}

extension CGFloat: @retroactive _ObjectiveCBridgeable {
  /// Makes a number of it, as `as NSNumber` does.
  public func _bridgeToObjectiveC() -> NSNumber { NSNumber(value: native) }

  /// Takes it from a number.
  public static func _forceBridgeFromObjectiveC(_ source: NSNumber, result: inout CGFloat?) {
    result = CGFloat(source.doubleValue)
  }

  /// Takes it from a number, as `as? CGFloat` does.
  public static func _conditionallyBridgeFromObjectiveC(_ source: NSNumber, result: inout CGFloat?) -> Bool {
    result = CGFloat(source.doubleValue)
    return true
  }

  /// Takes it from a number; 0 from none.
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSNumber?) -> CGFloat {
    CGFloat(source?.doubleValue ?? 0)
  }
}

/// `memcpy` of pointers that may be `nil`, as Darwin declares it. Nothing is copied if one of them is `nil`, which must then be a copy of
/// no bytes.
@_disfavoredOverload
@discardableResult
public func memcpy(_ destination: UnsafeMutableRawPointer?, _ source: UnsafeRawPointer?, _ count: Int)
  -> UnsafeMutableRawPointer?
{
  guard let destination, let source else {
    precondition(count == 0, "memcpy of \(count) bytes with a pointer that is nil")
    return destination
  }
  destination.copyMemory(from: source, byteCount: count)
  return destination
}

/// `memset` of a pointer that may be `nil`, as Darwin declares it.
@_disfavoredOverload
@discardableResult
public func memset(_ destination: UnsafeMutableRawPointer?, _ byte: Int32, _ count: Int) -> UnsafeMutableRawPointer? {
  guard let destination else {
    precondition(count == 0, "memset of \(count) bytes at a pointer that is nil")
    return nil
  }
  destination.initializeMemory(as: UInt8.self, repeating: UInt8(truncatingIfNeeded: byte), count: count)
  return destination
}

extension URL {
  /// The folder of the user's documents.
  public static var documentsDirectory: URL {
    FileManager.default.urls(for: .documentDirectory, in: .userDomainMask).first ?? URL(fileURLWithPath: NSHomeDirectory())
  }
}
