/// Whether color components are multiplied by alpha.
public enum AlphaMode: String, Hashable, Sendable, Codable {
  /// Alpha is absent or ignored: every pixel is opaque.
  case opaque
  /// Components are independent of alpha (PNG, VP9, ProRes 4444).
  case straight
  /// Components are multiplied by alpha, in the encoded signal.
  case premultiplied
}

/// Metadata of a frame's pixels. Changing it copies no pixels.
public struct FrameAttributes: Hashable, Sendable, Codable {
  /// The mapping of code values to light.
  public var color: ColorTags
  /// Pixel aspect ratio: the width of a pixel divided by its height. 1:1 is square.
  public var pixelAspectRatio: Rational
  /// The meaning of alpha; `.opaque` in formats without alpha.
  public var alphaMode: AlphaMode
  /// Static HDR metadata, if known.
  public var hdr: HDRMetadata?

  /// Creates attributes.
  public init(
    color: ColorTags = .bt709, pixelAspectRatio: Rational = .one, alphaMode: AlphaMode = .opaque,
    hdr: HDRMetadata? = nil
  ) {
    self.color = color
    self.pixelAspectRatio = pixelAspectRatio
    self.alphaMode = alphaMode
    self.hdr = hdr
  }
}

/// An immutable video frame that may be shared between threads. Copying the value copies no pixels.
///
/// Its pixels are in the host's memory, or in that of a device (``device``). Reading a frame of a device downloads it once, and
/// stops the program if that fails: ask for ``downloaded(for:pool:)`` first, which throws. The host does so for everything that
/// reads pixels, so only compositors of a device receive such frames.
///
/// The memory returns to its pool, or to the decoder that it came from, when the last copy is released.
public struct Frame: Sendable {
  /// The pixel format.
  public let format: PixelFormat
  /// Stored size in pixels, before the pixel aspect ratio is applied.
  public let size: PixelSize
  /// Color, pixel aspect ratio, alpha mode and HDR metadata.
  public var attributes: FrameAttributes
  /// The lease on the memory. Memory that was returned and reused gets a new lease.
  package private(set) var lease: FrameLease

  package init(lease: FrameLease, format: PixelFormat, size: PixelSize, attributes: FrameAttributes) {
    self.lease = lease
    self.format = format
    self.size = size
    self.attributes = attributes
  }

  /// Wraps memory of another owner that is no longer written to. No pixels are copied.
  ///
  /// Kernels read whole vectors: they may read, but never write, up to 64 bytes past the end of a row. Within a plane that is the next
  /// row; after the last row of each plane, 64 more bytes must be readable. Their values don't matter. Frames of a ``FramePool`` have
  /// these bytes.
  ///
  /// - Parameters:
  ///   - planes: The first byte of each plane, in the format's order; as many as ``PixelFormat/planeCount``. Aligned to a sample, that is
  ///     to 1, 2 or 4 bytes.
  ///   - strides: Bytes from one row to the next, per plane; a multiple of a sample's size.
  ///   - release: Called once, on any thread, when the last copy of the frame is released. The frame owns whatever it captures.
  public init(
    wrapping planes: [UnsafeMutableRawPointer], strides: [Int], format: PixelFormat, size: PixelSize,
    attributes: FrameAttributes, release: @escaping () -> Void
  ) {
    self.init(
      wrapping: planes, strides: strides, format: format, size: size, attributes: attributes, owner: nil, release: release)
  }

  /// Wraps memory that came from a ``FrameAllocator``, with the `owner` returned by it.
  package init(
    wrapping planes: [UnsafeMutableRawPointer], strides: [Int], format: PixelFormat, size: PixelSize,
    attributes: FrameAttributes, owner: (any AnyObject & Sendable)?, release: @escaping () -> Void
  ) {
    precondition(planes.count == format.planeCount && strides.count == format.planeCount, "one base and one stride per plane")
    let memory = FrameMemory(wrapping: planes, strides: strides, owner: owner, release: release)
    self.init(lease: FrameLease(memory: memory, pool: nil), format: format, size: size, attributes: attributes)
  }

  /// Size on screen, with the pixel aspect ratio applied to the width.
  public var displaySize: Size {
    Size(width: Double(size.width) * attributes.pixelAspectRatio.value, height: Double(size.height))
  }

  /// A writable frame with the same contents. It reuses this frame's memory if there are no other references to it and a
  /// decoder doesn't own it; otherwise it is a copy from the pool.
  ///
  /// - Parameter copy: Copies the given number of bytes of each row of a plane.
  /// - Throws: `.framePoolExhausted` if a copy is needed and too many frames are in use; `.deviceFailed` if the frame can't be
  ///   downloaded.
  package consuming func makeMutable(
    pool: FramePool, copy copyRows: (_ from: Plane, _ to: MutablePlane, _ rowBytes: Int) -> Void = Frame.copyRows
  ) throws(CompositorError) -> MutableFrame {
    guard isInHostMemory else { return try downloaded(for: "drawing", pool: pool).makeMutable(pool: pool, copy: copyRows) }
    if lease.memory.key != nil, isKnownUniquelyReferenced(&lease) {
      lease.forgetCopies()
      return MutableFrame(lease: lease, format: format, size: size, attributes: attributes)
    }
    var copy = try pool.makeFrame(format: format, size: size, attributes: attributes)
    pool.countCopy()
    let (format, size) = (format, size)
    copy.withUnsafeMutablePlanes { target in
      withUnsafePlanes { source in
        for plane in 0..<source.count {
          copyRows(source[plane], target[plane], format.rowBytes(plane: plane, of: size))
        }
      }
    }
    return copy
  }

  /// Copies the given number of bytes of each row.
  package static func copyRows(from: Plane, to: MutablePlane, rowBytes: Int) {
    for y in 0..<from.height {
      (to.base + y * to.stride).copyMemory(from: from.base + y * from.stride, byteCount: rowBytes)
    }
  }

  /// Identifies the frame's memory during the frame's lifetime.
  package var memoryID: ObjectIdentifier { ObjectIdentifier(lease.memory) }

  /// Identifies the frame and its copies during their lifetime. Unlike its memory, which a pool reuses, no later frame has the
  /// same lease.
  package var leaseID: ObjectIdentifier { ObjectIdentifier(lease) }

  /// Whether both frames share the same memory, rather than just having equal pixels.
  public func isSameMemory(as other: Frame) -> Bool { lease.memory === other.lease.memory }

  /// The object that keeps the memory alive if it came from a ``FrameAllocator``.
  package var memoryOwner: (any AnyObject & Sendable)? { lease.memory.owner }

  /// Provides the planes for reading. Pointers must not escape the closure; see ``lendPlanes()`` for pointers that live longer.
  public func withUnsafePlanes<R, E: Error>(_ body: (Planes) throws(E) -> R) throws(E) -> R {
    defer { withExtendedLifetime(lease) {} }
    return try body(Planes(hostMemory, format: format, size: size))
  }

  /// Provides one row as samples of `type`, without padding.
  ///
  /// - Parameter type: `UInt8`, `UInt16`, `Float16` or `Float`, according to the format's samples.
  public func withRow<T: BitwiseCopyable, R, E: Error>(
    _ y: Int, plane: Int = 0, as type: T.Type, _ body: (Span<T>) throws(E) -> R
  ) throws(E) -> R {
    let row = rowBounds(y, plane: plane, as: type)
    defer { withExtendedLifetime(lease) {} }
    let samples = UnsafeBufferPointer(start: UnsafePointer(row.base.assumingMemoryBound(to: T.self)), count: row.count)
    return try body(samples.span)
  }

  private func rowBounds<T>(_ y: Int, plane: Int, as type: T.Type) -> (base: UnsafeMutableRawPointer, count: Int) {
    hostMemory.row(y, plane: plane, as: type, format: format, size: size)
  }
}

extension FrameMemory {
  func row<T>(
    _ y: Int, plane: Int, as type: T.Type, format: PixelFormat, size: PixelSize
  ) -> (base: UnsafeMutableRawPointer, count: Int) {
    precondition(MemoryLayout<T>.stride == format.bytesPerSample, "\(format) has \(format.bytesPerSample)-byte samples")
    precondition(plane >= 0 && plane < format.planeCount, "\(format) has \(format.planeCount) planes")
    let extent = format.planeSize(plane, of: size)
    precondition(y >= 0 && y < extent.height, "row \(y) of \(extent.height)")
    let (base, stride) = self.plane(plane)
    return (base + y * stride, extent.width * format.samplesPerPosition(plane: plane))
  }
}
