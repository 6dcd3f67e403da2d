/// A code of four characters, such as that of a pixel format.
public typealias FourCharCode = UInt32
/// A code of four characters.
public typealias OSType = FourCharCode
/// The result of a call: 0 if it succeeded.
public typealias OSStatus = Int32

/// A class of this package with a type number, as objects of Core Foundation have one.
package protocol CoreFoundationType: AnyObject {
  /// The number, which no other class has.
  static var typeNumber: CFTypeID { get }
}

/// The type of an object, as a number to compare with those of ``CFStringGetTypeID()`` and its kind; 1 for any other object.
public func CFGetTypeID(_ cf: CFTypeRef!) -> CFTypeID {
  switch cf {
  case let object as any CoreFoundationType: type(of: object).typeNumber
  case is NSString: CFStringGetTypeID()
  case is NSDictionary: CFDictionaryGetTypeID()
  case is NSArray: CFArrayGetTypeID()
  case is NSNumber: CFNumberGetTypeID()
  case is NSData: CFDataGetTypeID()
  case is NSURL: CFURLGetTypeID()
  case is NSDate: CFDateGetTypeID()
  default: 1
  }
}

/// The type of text.
public func CFStringGetTypeID() -> CFTypeID { 7 }
/// The type of dictionaries.
public func CFDictionaryGetTypeID() -> CFTypeID { 18 }
/// The type of lists.
public func CFArrayGetTypeID() -> CFTypeID { 19 }
/// The type of bytes.
public func CFDataGetTypeID() -> CFTypeID { 20 }
/// The type of numbers, including true and false, which are numbers here.
public func CFNumberGetTypeID() -> CFTypeID { 22 }
/// The type of addresses of files and resources.
public func CFURLGetTypeID() -> CFTypeID { 29 }
/// The type of points in time.
public func CFDateGetTypeID() -> CFTypeID { 42 }
