@_exported public import FacadeBase

/// The result of a call: ``kCVReturnSuccess``, or what went wrong.
public typealias CVReturn = Int32
/// Options of a call.
public typealias CVOptionFlags = UInt64

/// The call succeeded.
public let kCVReturnSuccess: CVReturn = 0
/// The first of the error codes.
public let kCVReturnFirst: CVReturn = -6660
/// Anything else.
public let kCVReturnError: CVReturn = -6660
/// An argument is out of range.
public let kCVReturnInvalidArgument: CVReturn = -6661
/// Too little memory.
public let kCVReturnAllocationFailed: CVReturn = -6662
/// The call is not supported.
public let kCVReturnUnsupported: CVReturn = -6663
/// There is no such display.
public let kCVReturnInvalidDisplay: CVReturn = -6670
/// The display link runs.
public let kCVReturnDisplayLinkAlreadyRunning: CVReturn = -6671
/// The display link does not run.
public let kCVReturnDisplayLinkNotRunning: CVReturn = -6672
/// The display link calls nothing.
public let kCVReturnDisplayLinkCallbacksNotSet: CVReturn = -6673
/// The pixel format is not known here.
public let kCVReturnInvalidPixelFormat: CVReturn = -6680
/// The size is 0 or too large.
public let kCVReturnInvalidSize: CVReturn = -6681
/// Attributes contradict each other, or one is missing.
public let kCVReturnInvalidPixelBufferAttributes: CVReturn = -6682
/// OpenGL cannot use the buffer.
public let kCVReturnPixelBufferNotOpenGLCompatible: CVReturn = -6683
/// Metal cannot use the buffer.
public let kCVReturnPixelBufferNotMetalCompatible: CVReturn = -6684
/// The pool would have more buffers than the call allows.
public let kCVReturnWouldExceedAllocationThreshold: CVReturn = -6689
/// The pool has no memory for a buffer.
public let kCVReturnPoolAllocationFailed: CVReturn = -6690
/// Attributes of the pool contradict each other.
public let kCVReturnInvalidPoolAttributes: CVReturn = -6691
/// The call may succeed if it is repeated.
public let kCVReturnRetry: CVReturn = -6692
/// The last of the error codes.
public let kCVReturnLast: CVReturn = -6699

/// Flags of a ``CVTime``.
public struct CVTimeFlags: OptionSet, Hashable, Sendable {
  /// The bits as stored.
  public let rawValue: Int32
  /// Flags from their bits.
  public init(rawValue: Int32) { self.rawValue = rawValue }
  /// The time is not known.
  public static let isIndefinite = CVTimeFlags(rawValue: 1 << 0)
}

/// A time of `timeValue / timeScale` seconds.
public struct CVTime: Sendable {
  /// The numerator.
  public var timeValue: Int64
  /// Units per second.
  public var timeScale: Int32
  /// Bits of ``CVTimeFlags``.
  public var flags: Int32

  /// A time of no units.
  public init() { self.init(timeValue: 0, timeScale: 0, flags: 0) }

  /// A time of these numbers.
  public init(timeValue: Int64, timeScale: Int32, flags: Int32) {
    (self.timeValue, self.timeScale, self.flags) = (timeValue, timeScale, flags)
  }
}

/// 0 seconds.
public let kCVZeroTime = CVTime(timeValue: 0, timeScale: 1, flags: 0)
/// A time that is not known.
public let kCVIndefiniteTime = CVTime(timeValue: 0, timeScale: 0, flags: CVTimeFlags.isIndefinite.rawValue)
