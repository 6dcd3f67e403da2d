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
