/// Whether color components were multiplied by alpha.
public enum AlphaMode: String, Hashable, Sendable, Codable {
  /// No alpha, or alpha to be ignored: every pixel covers fully.
  case opaque
  /// Components are independent of alpha (PNG, VP9, ProRes 4444).
  case straight
  /// Components are multiplied by alpha, in the encoded signal.
  case premultiplied
}

/// What a frame carries beside its pixels. Changing it copies no pixel.
public struct FrameAttributes: Hashable, Sendable, Codable {
  /// How code values become light.
  public var color: ColorTags
  /// Width of a pixel by its height; 1:1 is square.
  public var pixelAspectRatio: Rational
  /// What alpha means; `.opaque` in formats without alpha.
  public var alphaMode: AlphaMode
  /// Static HDR metadata, where known.
  public var hdr: HDRMetadata?

  /// Makes attributes.
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

/// A picture that nobody changes any more: shared freely, between any threads. Copying the value copies no pixel.
///
/// The memory goes back to its pool, or to the decoder it came from, with the last copy.
public struct Frame: Sendable {
  /// Layout of the samples.
  public let format: PixelFormat
  /// Stored columns and rows, before pixel aspect.
  public let size: PixelSize
  /// Color, pixel aspect, alpha and HDR metadata.
  public var attributes: FrameAttributes
  /// The hold on the memory: another one whenever memory that comes back is lent again.
  package private(set) var lease: FrameLease

  package init(lease: FrameLease, format: PixelFormat, size: PixelSize, attributes: FrameAttributes) {
    self.lease = lease
    self.format = format
    self.size = size
    self.attributes = attributes
  }

  /// Wraps memory that somebody else owns and no one writes any more; no pixel is copied.
  ///
  /// - Parameters:
  ///   - planes: First byte of each plane, in the format's order; as many as ``PixelFormat/planeCount``.
  ///   - strides: Bytes from row to row, per plane.
  ///   - release: Runs once, on any thread, when the last copy of the frame is gone; whatever it captures is its own from now
  ///     on.
  public init(
    wrapping planes: [UnsafeMutableRawPointer], strides: [Int], format: PixelFormat, size: PixelSize,
    attributes: FrameAttributes, release: @escaping () -> Void
  ) {
    self.init(
      wrapping: planes, strides: strides, format: format, size: size, attributes: attributes, owner: nil, release: release)
  }

  /// Wraps memory that came from a ``FrameAllocator``: `owner` is what that gave with it.
  package init(
    wrapping planes: [UnsafeMutableRawPointer], strides: [Int], format: PixelFormat, size: PixelSize,
    attributes: FrameAttributes, owner: (any AnyObject & Sendable)?, release: @escaping () -> Void
  ) {
    precondition(planes.count == format.planeCount && strides.count == format.planeCount, "one base and stride a plane")
    let memory = FrameMemory(wrapping: planes, strides: strides, owner: owner, release: release)
    self.init(lease: FrameLease(memory: memory, pool: nil), format: format, size: size, attributes: attributes)
  }

  /// Columns and rows on screen, with the pixel aspect applied to the width.
  public var displaySize: Size {
    Size(width: Double(size.width) * attributes.pixelAspectRatio.value, height: Double(size.height))
  }

  /// A frame with the same picture that can be written: this one's own memory where nobody else holds it and it was not lent
  /// by a decoder, else a copy from the pool.
  ///
  /// - Throws: `.framePoolExhausted` where a copy is needed and too many frames are kept.
  package consuming func makeMutable(pool: FramePool) throws(CompositorError) -> MutableFrame {
    if lease.memory.key != nil, isKnownUniquelyReferenced(&lease) {
      return MutableFrame(lease: lease, format: format, size: size, attributes: attributes)
    }
    var copy = try pool.makeFrame(format: format, size: size, attributes: attributes)
    pool.countCopy()
    let (format, size) = (format, size)
    copy.withUnsafeMutablePlanes { target in
      withUnsafePlanes { source in
        for plane in 0..<source.count {
          let (from, to) = (source[plane], target[plane])
          for y in 0..<from.height {
            (to.base + y * to.stride).copyMemory(
              from: from.base + y * from.stride, byteCount: format.rowBytes(plane: plane, of: size))
          }
        }
      }
    }
    return copy
  }

  /// Stands for the frame's memory as long as the frame is there.
  package var memoryID: ObjectIdentifier { ObjectIdentifier(lease.memory) }

  /// Whether both frames are the same memory (not merely equal pixels).
  public func isSameMemory(as other: Frame) -> Bool { lease.memory === other.lease.memory }

  /// What keeps the memory where it came from a ``FrameAllocator``.
  package var memoryOwner: (any AnyObject & Sendable)? { lease.memory.owner }

  /// Lends the planes for reading; pointers must not leave the closure. See ``lendPlanes()`` for pointers that have to live longer.
  public func withUnsafePlanes<R, E: Error>(_ body: (Planes) throws(E) -> R) throws(E) -> R {
    defer { withExtendedLifetime(lease) {} }
    return try body(Planes(lease.memory, format: format, size: size))
  }

  /// Lends one row as samples of `type`, without padding.
  ///
  /// - Parameter type: `UInt8`, `UInt16`, `Float16` or `Float`, as the format's samples are.
  public func withRow<T: BitwiseCopyable, R, E: Error>(
    _ y: Int, plane: Int = 0, as type: T.Type, _ body: (Span<T>) throws(E) -> R
  ) throws(E) -> R {
    let row = rowBounds(y, plane: plane, as: type)
    defer { withExtendedLifetime(lease) {} }
    let samples = UnsafeBufferPointer(start: UnsafePointer(row.base.assumingMemoryBound(to: T.self)), count: row.count)
    return try body(samples.span)
  }

  private func rowBounds<T>(_ y: Int, plane: Int, as type: T.Type) -> (base: UnsafeMutableRawPointer, count: Int) {
    lease.memory.row(y, plane: plane, as: type, format: format, size: size)
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
