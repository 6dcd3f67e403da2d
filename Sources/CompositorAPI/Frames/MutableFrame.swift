/// A picture in the making, with exactly one writer: it cannot be copied, and ``freeze()`` ends the writing.
///
/// Dropped without `freeze()`, its memory goes back to the pool.
public struct MutableFrame: ~Copyable, Sendable {
  /// Layout of the samples.
  public let format: PixelFormat
  /// Stored columns and rows.
  public let size: PixelSize
  /// Color, pixel aspect, alpha and HDR metadata.
  public var attributes: FrameAttributes
  private let lease: FrameLease

  package init(lease: FrameLease, format: PixelFormat, size: PixelSize, attributes: FrameAttributes) {
    self.lease = lease
    self.format = format
    self.size = size
    self.attributes = attributes
  }

  /// Allocates a frame outside any pool. Contents are undefined until written.
  ///
  /// - Parameter size: Each side 1 … ``PixelSize/maximumSide``; anything else is a programmer's error. Sizes that come from
  ///   outside are for ``FramePool/makeFrame(format:size:attributes:)``, which throws.
  public init(format: PixelFormat, size: PixelSize, attributes: FrameAttributes = FrameAttributes()) {
    precondition(size.isAllocatable, "a frame of \(size)")
    self.init(
      lease: FrameLease(memory: FrameMemory(format: format, size: size), pool: nil), format: format, size: size,
      attributes: attributes)
  }

  /// What keeps the memory where it came from a pool's ``FrameAllocator``.
  package var memoryOwner: (any AnyObject & Sendable)? { lease.memory.owner }

  /// Lends the planes for writing; pointers must not leave the closure.
  public mutating func withUnsafeMutablePlanes<R, E: Error>(_ body: (MutablePlanes) throws(E) -> R) throws(E) -> R {
    defer { withExtendedLifetime(lease) {} }
    return try body(MutablePlanes(lease.memory, format: format, size: size))
  }

  /// Lends one row for writing as samples of `type`, without padding.
  ///
  /// - Parameter type: `UInt8`, `UInt16`, `Float16` or `Float`, as the format's samples are.
  public mutating func withMutableRow<T: BitwiseCopyable, R, E: Error>(
    _ y: Int, plane: Int = 0, as type: T.Type, _ body: (inout MutableSpan<T>) throws(E) -> R
  ) throws(E) -> R {
    let row = lease.memory.row(y, plane: plane, as: type, format: format, size: size)
    defer { withExtendedLifetime(lease) {} }
    let samples = UnsafeMutableBufferPointer(start: row.base.assumingMemoryBound(to: T.self), count: row.count)
    var span = samples.mutableSpan
    return try body(&span)
  }

  /// Ends the writing: what comes out is shared and never changes.
  public consuming func freeze() -> Frame {
    Frame(lease: lease, format: format, size: size, attributes: attributes)
  }
}

/// The planes of a frame, lent for as long as this object lives: for a C interface, an upload to a GPU or a shared ring that keeps pointers
/// beyond the call. No pixel is copied.
///
/// The object holds the frame, so its memory neither moves, nor changes, nor goes back to its pool or decoder before the object is gone.
/// Every pointer taken from it is valid until then, on any thread, and only for reading. A frame of a ``FramePool`` counts as outstanding
/// meanwhile.
///
/// Swift may release an object after its last use. Keep it in a property, give it to C as below, or use `withExtendedLifetime`:
///
/// ```swift
/// let planes = rendered.frame.lendPlanes()
/// let owner = Unmanaged.passRetained(planes).toOpaque()
/// upload_async(planes[0].base, planes[0].stride, owner) { owner in
///   Unmanaged<LentPlanes>.fromOpaque(owner!).release()
/// }
/// ```
public final class LentPlanes: Sendable {
  /// The frame whose planes these are.
  public let frame: Frame

  fileprivate init(_ frame: Frame) { self.frame = frame }

  /// The number of planes, 1 … 4.
  public var count: Int { frame.format.planeCount }

  /// Plane `index`, 0 ..< ``count``, in the format's order: its first byte, stride and size.
  public subscript(index: Int) -> Plane { frame.withUnsafePlanes { $0[index] } }
}

extension Frame {
  /// Lends the planes for reading until the object that is returned is gone.
  ///
  /// To read inside one function, ``withUnsafePlanes(_:)`` costs less and cannot be held too long.
  public func lendPlanes() -> LentPlanes { LentPlanes(self) }
}
