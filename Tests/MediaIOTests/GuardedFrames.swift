import CompositorAPI
import Foundation
import Synchronization

/// Memory of whole pages, with inaccessible pages before and after it; gives none after the first `limit`.
final class GuardedFrames: FrameAllocator {
  final class Pages: Sendable {
    nonisolated(unsafe) let outer: UnsafeMutableRawPointer
    let byteCount: Int
    private let frames: GuardedFrames

    init?(byteCount: Int, _ frames: GuardedFrames) {
      let inner = (byteCount + 4095) / 4096 * 4096
      guard let outer = mmap(nil, inner + 8192, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), outer != MAP_FAILED,
        mprotect(outer + 4096, inner, PROT_READ | PROT_WRITE) == 0
      else { return nil }
      (self.outer, self.byteCount, self.frames) = (outer, inner, frames)
      frames.live.add(1, ordering: .relaxed)
    }

    deinit {
      munmap(outer, byteCount + 8192)
      frames.live.subtract(1, ordering: .relaxed)
    }

    /// Whether all planes of a frame lie in the pages, with the bytes after a row that kernels may read.
    func holds(_ frame: Frame) -> Bool {
      frame.withUnsafePlanes { planes in
        (0..<planes.count).allSatisfy { index in
          let plane = planes[index]
          let start = plane.base - UnsafeRawPointer(outer + 4096)
          let end = start + plane.stride * (plane.height - 1) + frame.format.rowBytes(plane: index, of: frame.size)
          return start >= 0 && end + FrameMemory.alignment <= byteCount
        }
      }
    }
  }

  let limit: Int
  let made = Atomic<Int>(0)
  let live = Atomic<Int>(0)

  init(limit: Int = .max) { self.limit = limit }

  func allocate(byteCount: Int) -> FrameAllocation? {
    guard made.add(1, ordering: .relaxed).newValue <= limit, let pages = Pages(byteCount: byteCount, self) else { return nil }
    return FrameAllocation(base: pages.outer + 4096, owner: pages)
  }
}
