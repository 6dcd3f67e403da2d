/// Where the bytes of one plane stand.
public struct PlaneLayout: Sendable, Hashable {
  /// Byte offset of the first row from the base address.
  public var offset: Int
  /// Bytes from one row to the next.
  public var stride: Int
  /// Makes a layout.
  public init(offset: Int, stride: Int) {
    self.offset = offset
    self.stride = stride
  }
}

/// The bytes behind one frame: up to four planes that somebody owns.
///
/// This is the package's only `@unchecked Sendable`. What makes it sound: a ``MutableFrame`` is the one writer and cannot be
/// copied; ``MutableFrame/freeze()`` ends all writing before the first ``Frame`` exists; and a wrapped buffer (a decoder's)
/// is never written by anybody once wrapped.
package final class FrameMemory: @unchecked Sendable {
  /// Frames with the same key can use each other's memory.
  package struct Key: Hashable, Sendable {
    package let format: PixelFormat
    package let size: PixelSize
  }

  /// First byte of each plane; unused planes are nil.
  package let planes: (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?)
  /// Bytes from one row to the next, per plane. May be negative for a wrapped frame that is stored bottom up.
  package let strides: (Int, Int, Int, Int)
  /// What the memory was allocated for; nil for wrapped memory.
  package let key: Key?
  /// What keeps memory that came from a ``FrameAllocator``, be it a pool's or a decoder's; nil for other memory.
  package let owner: (any AnyObject & Sendable)?
  private let release: (() -> Void)?

  /// Wraps memory that somebody else owns; `release` runs once, on any thread, when the last frame over it is gone.
  package init(
    wrapping planes: [UnsafeMutableRawPointer], strides: [Int], owner: (any AnyObject & Sendable)? = nil,
    release: @escaping () -> Void
  ) {
    func at(_ index: Int) -> UnsafeMutableRawPointer? { index < planes.count ? planes[index] : nil }
    func stride(_ index: Int) -> Int { index < strides.count ? strides[index] : 0 }
    self.planes = (at(0), at(1), at(2), at(3))
    self.strides = (stride(0), stride(1), stride(2), stride(3))
    self.key = nil
    self.owner = owner
    self.release = release
  }

  /// Allocates planes for a frame, each row aligned to 64 bytes and padded so that a kernel may read (not write) up to 64
  /// bytes past the end of a row.
  package init(format: PixelFormat, size: PixelSize, allocator: (any FrameAllocator)? = nil) {
    let layout = FrameMemory.layout(format: format, size: size)
    let allocation = allocator?.allocate(byteCount: layout.byteCount)
    let base =
      allocation?.base
      ?? UnsafeMutableRawPointer.allocate(byteCount: layout.byteCount, alignment: FrameMemory.alignment)
    func at(_ index: Int) -> UnsafeMutableRawPointer? {
      index < layout.planes.count ? base + layout.planes[index].offset : nil
    }
    func stride(_ index: Int) -> Int { index < layout.planes.count ? layout.planes[index].stride : 0 }
    self.planes = (at(0), at(1), at(2), at(3))
    self.strides = (stride(0), stride(1), stride(2), stride(3))
    self.key = Key(format: format, size: size)
    self.owner = allocation?.owner
    self.release = allocation == nil ? { base.deallocate() } : nil
  }

  deinit { release?() }

  /// Row and plane alignment in bytes: one cache line, one AVX-512 register.
  package static let alignment = 64

  /// Offsets and strides for a frame in one allocation.
  package static func layout(format: PixelFormat, size: PixelSize) -> (planes: [PlaneLayout], byteCount: Int) {
    var offset = 0
    var planes: [PlaneLayout] = []
    for plane in 0..<format.planeCount {
      let stride = (format.rowBytes(plane: plane, of: size) + alignment - 1) / alignment * alignment
      planes.append(PlaneLayout(offset: offset, stride: stride))
      offset += stride * format.planeSize(plane, of: size).height
    }
    return (planes, offset + alignment)
  }
}

/// One frame's hold on its memory: gives it back to the pool it came from when the last frame is gone.
package final class FrameLease: Sendable {
  package let memory: FrameMemory
  private let pool: FramePool?

  package init(memory: FrameMemory, pool: FramePool?) {
    self.memory = memory
    self.pool = pool
  }

  deinit { pool?.reclaim(memory) }
}

/// Bytes for one frame, from elsewhere than the heap.
package struct FrameAllocation {
  /// The first byte, aligned to ``FrameMemory/alignment``.
  package let base: UnsafeMutableRawPointer
  /// Keeps the bytes; they may be gone when this is.
  package let owner: any AnyObject & Sendable

  package init(base: UnsafeMutableRawPointer, owner: any AnyObject & Sendable) {
    (self.base, self.owner) = (base, owner)
  }
}

/// Where a pool or a decoder gets its memory: for example from segments that another process can map.
package protocol FrameAllocator: Sendable {
  /// Any thread may call. At least `byteCount` bytes; nil where there are none, and the heap serves.
  func allocate(byteCount: Int) -> FrameAllocation?
}
