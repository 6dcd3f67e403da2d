/// A video frame under construction with exactly one writer: it cannot be copied, and ``freeze()`` ends the writing.
///
/// If it is dropped without `freeze()`, its memory returns to the pool.
public struct MutableFrame: ~Copyable, Sendable {
  /// The pixel format.
  public let format: PixelFormat
  /// Stored size in pixels.
  public let size: PixelSize
  /// Color, pixel aspect ratio, alpha mode and HDR metadata.
  public var attributes: FrameAttributes
  private let lease: FrameLease

  package init(lease: FrameLease, format: PixelFormat, size: PixelSize, attributes: FrameAttributes) {
    self.lease = lease
    self.format = format
    self.size = size
    self.attributes = attributes
  }

  /// Allocates a frame outside any pool. Its contents are undefined until written.
  ///
  /// - Parameter size: The size, each side 1 … ``PixelSize/maximumSide``; anything else is a programming error. For untrusted
  ///   sizes use ``FramePool/makeFrame(format:size:attributes:)``, which throws.
  public init(format: PixelFormat, size: PixelSize, attributes: FrameAttributes = FrameAttributes()) {
    precondition(size.isAllocatable, "a frame of \(size)")
    self.init(
      lease: FrameLease(memory: FrameMemory(format: format, size: size), pool: nil), format: format, size: size,
      attributes: attributes)
  }

  /// The object that keeps the memory alive if it came from a pool's ``FrameAllocator``.
  package var memoryOwner: (any AnyObject & Sendable)? { lease.memory.owner }

  /// Provides the planes for writing. Pointers must not escape the closure.
  public mutating func withUnsafeMutablePlanes<R, E: Error>(_ body: (MutablePlanes) throws(E) -> R) throws(E) -> R {
    defer { withExtendedLifetime(lease) {} }
    return try body(MutablePlanes(lease.memory, format: format, size: size))
  }

  /// Provides one row for writing as samples of `type`, without padding.
  ///
  /// - Parameter type: `UInt8`, `UInt16`, `Float16` or `Float`, according to the format's samples.
  public mutating func withMutableRow<T: BitwiseCopyable, R, E: Error>(
    _ y: Int, plane: Int = 0, as type: T.Type, _ body: (inout MutableSpan<T>) throws(E) -> R
  ) throws(E) -> R {
    let row = lease.memory.row(y, plane: plane, as: type, format: format, size: size)
    defer { withExtendedLifetime(lease) {} }
    let samples = UnsafeMutableBufferPointer(start: row.base.assumingMemoryBound(to: T.self), count: row.count)
    var span = samples.mutableSpan
    return try body(&span)
  }

  /// Ends the writing and returns an immutable frame of the same memory.
  public consuming func freeze() -> Frame {
    Frame(lease: lease, format: format, size: size, attributes: attributes)
  }
}

/// The planes of a frame, valid for the lifetime of this object: for a C interface, a GPU upload or a shared ring buffer that
/// keeps pointers beyond the call. No pixels are copied.
///
/// The object keeps the frame alive, so its memory isn't moved, changed, or returned to its pool or decoder during the object's
/// lifetime. Pointers taken from it are valid for as long, on any thread, for reading only. A frame of a ``FramePool`` counts
/// as in use during that time.
///
/// Swift may release an object after its last use. Keep it in a property, pass it to C as below, or use `withExtendedLifetime`:
///
/// ```swift
/// let planes = rendered.frame.lendPlanes()
/// let owner = Unmanaged.passRetained(planes).toOpaque()
/// upload_async(planes[0].base, planes[0].stride, owner) { owner in
///   Unmanaged<LentPlanes>.fromOpaque(owner!).release()
/// }
/// ```
public final class LentPlanes: Sendable {
  /// The frame that the planes belong to.
  public let frame: Frame

  fileprivate init(_ frame: Frame) { self.frame = frame }

  /// The number of planes, 1 … 4.
  public var count: Int { frame.format.planeCount }

  /// The plane at `index`, 0 ..< ``count``, in the format's order: its first byte, stride and size.
  public subscript(index: Int) -> Plane { frame.withUnsafePlanes { $0[index] } }
}

extension Frame {
  /// Provides the planes for reading during the lifetime of the returned object.
  ///
  /// For reading within one function, ``withUnsafePlanes(_:)`` is cheaper and limits the lifetime of the pointers.
  public func lendPlanes() -> LentPlanes { LentPlanes(self) }
}
