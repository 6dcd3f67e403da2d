@_exported public import Foundation

// Core Foundation's types are those of Foundation under other names, so that `as CFDictionary`, `as String` and their kind compile as
// they do where both are bridged. The toolchain has a module CoreFoundation, which is not bridged; a file that imports it finds these
// names ambiguous.

/// Text.
public typealias CFString = NSString
/// Text that may change.
public typealias CFMutableString = NSMutableString
/// A list.
public typealias CFArray = NSArray
/// A list that may change.
public typealias CFMutableArray = NSMutableArray
/// Values by their keys.
public typealias CFDictionary = NSDictionary
/// Values by their keys, which may change.
public typealias CFMutableDictionary = NSMutableDictionary
/// A number.
public typealias CFNumber = NSNumber
/// True or false.
public typealias CFBoolean = NSNumber
/// Bytes.
public typealias CFData = NSData
/// An address of a file or of a resource.
public typealias CFURL = NSURL
/// A point in time.
public typealias CFDate = NSDate
/// What went wrong.
public typealias CFError = NSError
/// Any object.
public typealias CFTypeRef = AnyObject
/// The type of an object, as a number.
public typealias CFTypeID = UInt
/// An index or a count.
public typealias CFIndex = Int
/// Seconds.
public typealias CFTimeInterval = Double
/// Seconds since the beginning of 2001, coordinated universal time.
public typealias CFAbsoluteTime = Double

/// Where memory comes from. There is one allocator here, the default one, which is written as `nil` or ``kCFAllocatorDefault``, and
/// ``kCFAllocatorNull``.
public final class CFAllocator: Sendable {
  fileprivate init() {}
}

/// The default allocator.
public let kCFAllocatorDefault: CFAllocator? = nil
/// No allocator: the program frees its memory itself.
public let kCFAllocatorNull: CFAllocator? = CFAllocator()
/// True.
public let kCFBooleanTrue: CFBoolean! = NSNumber(value: true)
/// False.
public let kCFBooleanFalse: CFBoolean! = NSNumber(value: false)

/// The present time, in seconds since the beginning of 2001.
public func CFAbsoluteTimeGetCurrent() -> CFAbsoluteTime { Date.timeIntervalSinceReferenceDate }

/// Whether a number is true.
public func CFBooleanGetValue(_ boolean: CFBoolean) -> Bool { boolean.boolValue }

/// The number of elements of a list.
public func CFArrayGetCount(_ theArray: CFArray?) -> CFIndex { theArray?.count ?? 0 }

/// The address of an element, which the list keeps.
///
/// The index must be in the list.
public func CFArrayGetValueAtIndex(_ theArray: CFArray?, _ idx: CFIndex) -> UnsafeRawPointer? {
  guard let theArray else { return nil }
  return UnsafeRawPointer(Unmanaged.passUnretained(theArray.object(at: idx) as AnyObject).toOpaque())
}

/// The number of entries of a dictionary.
public func CFDictionaryGetCount(_ theDict: CFDictionary?) -> CFIndex { theDict?.count ?? 0 }
