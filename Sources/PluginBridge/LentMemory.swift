package import CompositorAPI
import Synchronization

/// Memory for one frame that belongs to another owner. A pool uses it for the first frame of its size, so that a compositor
/// draws directly into it.
package final class LentMemory: FrameAllocator {
  private final class Owner: Sendable {}
  private let byteCount: Int
  /// Owned elsewhere; valid while the frames made of it are in use.
  nonisolated(unsafe) private let base: UnsafeMutableRawPointer
  private let isLent = Mutex(false)
  private let owner = Owner()

  package init(_ base: UnsafeMutableRawPointer, format: PixelFormat, size: PixelSize) {
    self.base = base
    byteCount = FrameMemory.layout(format: format, size: size).byteCount
  }

  package func allocate(byteCount: Int) -> FrameAllocation? {
    guard byteCount == self.byteCount else { return nil }
    let isFirst = isLent.withLock { isLent in
      defer { isLent = true }
      return !isLent
    }
    return isFirst ? FrameAllocation(base: base, owner: owner) : nil
  }

  /// Whether a frame was made of this memory.
  package func holds(_ frame: Frame) -> Bool { frame.memoryOwner === owner }
}
