import CCompositorPluginProcess
import CompositorAPI

/// Memory of this process between two inaccessible pages, which end the process when a plugin reaches them. It counts toward
/// the plugin's limit, unlike memory that can be shared.
final class GuardedMemory: Sendable {
  let byteCount: Int
  /// Unmapped with the last reference.
  nonisolated(unsafe) let base: UnsafeMutableRawPointer

  /// Allocates memory; returns `nil` if there is none left.
  init?(byteCount: Int) {
    var address: UnsafeMutableRawPointer?
    guard module_memory_private(byteCount, &address) == 0, let address else { return nil }
    (self.byteCount, base) = (byteCount, address)
  }

  deinit { module_memory_unmap(base, byteCount) }
}

/// Allocates frames in ``GuardedMemory``.
struct GuardedFrames: FrameAllocator {
  func allocate(byteCount: Int) -> FrameAllocation? {
    GuardedMemory(byteCount: byteCount).map { FrameAllocation(base: $0.base, owner: $0) }
  }
}
