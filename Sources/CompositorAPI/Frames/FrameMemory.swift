import Synchronization

/// The position of one plane in memory.
public struct PlaneLayout: Sendable, Hashable {
  /// Byte offset of the first row from the base address.
  public var offset: Int
  /// Bytes from one row to the next.
  public var stride: Int
  /// Creates a layout.
  public init(offset: Int, stride: Int) {
    self.offset = offset
    self.stride = stride
  }
}

/// The memory of one frame: up to four planes of the host with one owner, or an image of a device.
///
/// This is the package's only `@unchecked Sendable`. It is safe because a ``MutableFrame`` is the only writer and cannot be
/// copied, ``MutableFrame/freeze()`` ends all writing before the first ``Frame`` exists, and wrapped buffers, such as a
/// decoder's, are never written to.
package final class FrameMemory: @unchecked Sendable {
  /// Frames with the same key can reuse each other's memory.
  package struct Key: Hashable, Sendable {
    package let format: PixelFormat
    package let size: PixelSize
  }

  /// The first byte of each plane. Unused planes are `nil`.
  package let planes: (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?)
  /// Bytes from one row to the next, per plane. Negative if a wrapped frame is stored bottom up.
  package let strides: (Int, Int, Int, Int)
  /// The format and size that the memory was allocated for; `nil` for wrapped memory.
  package let key: Key?
  /// The object that keeps memory from a ``FrameAllocator`` alive, for a pool or a decoder; `nil` for other memory.
  package let owner: (any AnyObject & Sendable)?
  /// The image, if the pixels are in the memory of a device: then there are no planes.
  package let image: (any DeviceImage)?
  private let release: (() -> Void)?

  /// Wraps memory of another owner. `release` is called once, on any thread, when the last frame that uses it is released.
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
    self.image = nil
    self.release = release
  }

  /// Allocates planes for a frame. Each row is aligned to 64 bytes and padded so that a kernel may read (but not write) up to
  /// 64 bytes past the end of a row.
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
    self.image = nil
    self.release = allocation == nil ? { base.deallocate() } : nil
  }

  /// Holds an image of a device.
  init(_ image: any DeviceImage) {
    planes = (nil, nil, nil, nil)
    strides = (0, 0, 0, 0)
    (key, owner, release) = (nil, nil, nil)
    self.image = image
  }

  deinit { release?() }

  /// Row and plane alignment in bytes: one cache line, or one AVX-512 register.
  package static let alignment = 64

  /// Offsets and strides of a frame's planes in one allocation.
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

/// A frame's reference to its memory, which returns the memory to its pool when the last frame is released.
package final class FrameLease: Sendable {
  package let memory: FrameMemory
  private let pool: FramePool?
  /// The same pixels in other memory, of the host or of devices, for those who asked for them there.
  private let copies = Mutex<[FrameLease]>([])

  package init(memory: FrameMemory, pool: FramePool?) {
    self.memory = memory
    self.pool = pool
  }

  deinit { pool?.reclaim(memory) }

  /// The copy in the memory of a device, or of the host for `nil`: made by the first who asks, for whom others wait.
  func copy(
    in device: DeviceID?, make: () throws(CompositorError) -> FrameLease
  ) throws(CompositorError) -> FrameLease {
    let found = copies.withLock { copies -> Result<FrameLease, CompositorError> in
      if let known = copies.first(where: { $0.memory.image?.device == device }) { return .success(known) }
      let made = Result { () throws(CompositorError) in try make() }
      if case .success(let lease) = made { copies.append(lease) }
      return made
    }
    return try found.get()
  }

  /// Drops all copies, before the pixels change.
  func forgetCopies() { copies.withLock { $0 = [] } }
}

/// Memory for one frame that isn't from the heap.
package struct FrameAllocation {
  /// The first byte, aligned to ``FrameMemory/alignment``.
  package let base: UnsafeMutableRawPointer
  /// Keeps the memory alive. The memory may be freed when this is released.
  package let owner: any AnyObject & Sendable

  package init(base: UnsafeMutableRawPointer, owner: any AnyObject & Sendable) {
    (self.base, self.owner) = (base, owner)
  }
}

/// A source of memory for pools and decoders, such as segments that another process can map.
package protocol FrameAllocator: Sendable {
  /// Allocates at least `byteCount` bytes. May be called on any thread. `nil` if there is none, in which case the heap is used.
  func allocate(byteCount: Int) -> FrameAllocation?
}
