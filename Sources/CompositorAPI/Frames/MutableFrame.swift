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
