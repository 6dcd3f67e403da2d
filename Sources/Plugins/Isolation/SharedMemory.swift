import CCompositorPluginProcess
package import CompositorAPI
import Synchronization

/// A file descriptor, closed with its last reference.
final class Descriptor: Sendable {
  let number: Int32
  init(_ number: Int32) { self.number = number }
  deinit { module_close(number) }
}

/// Bytes shared by two processes, mapped here between two inaccessible pages. This object does not allow them to be mapped
/// again with other access rights.
final class MappedMemory: Sendable {
  let byteCount: Int
  /// Unmapped with the last reference.
  nonisolated(unsafe) let base: UnsafeMutableRawPointer

  enum Access: Int32 {
    case read = 1
    case write = 2
  }

  /// Maps the memory of a descriptor, which is not retained; returns `nil` if that is not possible.
  init?(_ descriptor: Descriptor, byteCount: Int, access: Access) {
    var address: UnsafeMutableRawPointer?
    guard module_memory_map(descriptor.number, byteCount, access.rawValue, &address) == 0, let address else { return nil }
    (self.byteCount, self.base) = (byteCount, address)
  }

  deinit { module_memory_unmap(base, byteCount) }
}

/// Unique numbers of segments.
private enum SegmentNumber {
  private static let last = Atomic<UInt64>(0)
  static func next() -> UInt64 { last.add(1, ordering: .relaxed).newValue }
}

/// Memory that only this process can write, and that workers can read: sealed against writing as soon as it is mapped here,
/// so that a worker cannot reopen it for writing, either.
final class SharedSegment: Sendable {
  /// A unique number, never reused.
  let id = SegmentNumber.next()
  let descriptor: Descriptor
  let memory: MappedMemory

  /// Creates a segment; returns `nil` if the system has no memory left.
  init?(byteCount: Int) {
    let number = module_memory_make(byteCount)
    guard number >= 0 else { return nil }
    descriptor = Descriptor(number)
    guard let memory = MappedMemory(descriptor, byteCount: byteCount, access: .write),
      module_memory_seal(number, true) >= 0
    else { return nil }
    self.memory = memory
  }

  var byteCount: Int { memory.byteCount }
  var base: UnsafeMutableRawPointer { memory.base }

  /// A descriptor for a worker that must not write: the original one if the system supports no read-only descriptors.
  var readOnlyDescriptor: Descriptor {
    let number = module_memory_read_only(descriptor.number)
    return number < 0 ? descriptor : Descriptor(number)
  }
}

/// Memory that one worker writes its results to, and nothing else. Results are copied before they are used, because a worker
/// may continue to write as long as it lives.
final class OutputSegment: Sendable {
  /// A unique number, never reused.
  let id = SegmentNumber.next()
  let byteCount: Int
  /// Mapped until deinitialization; never changed.
  nonisolated(unsafe) private var output = module_output()
  /// Unused bytes before the first one.
  static let margin = 4096

  /// Creates a segment; returns `nil` if the system has no memory left.
  init?(byteCount: Int) {
    self.byteCount = byteCount
    guard module_output_make(byteCount, &output) == 0 else {
      output.outer = nil
      return nil
    }
  }

  deinit { if output.outer != nil { module_output_free(&output) } }

  var base: UnsafeMutableRawPointer { output.base }
  var descriptor: Int32 { output.descriptor }
}

/// Allocates frames in memory that worker processes can map, so that they need not be copied for plugins.
package struct SharedFrames: FrameAllocator {
  package init() {}

  package func allocate(byteCount: Int) -> FrameAllocation? {
    SharedSegment(byteCount: byteCount).map { FrameAllocation(base: $0.base, owner: $0) }
  }
}

/// The host's frames that are still referenced in this process: counted from the request that brings them until the last
/// reference is released, by the compositor, libavfilter or anything else.
final class SegmentLeases: Sendable {
  private let counts = Mutex<[UInt64: Int]>([:])

  func begin(_ segment: UInt64) { counts.withLock { $0[segment, default: 0] += 1 } }

  func end(_ segment: UInt64) {
    counts.withLock { counts in
      let left = (counts[segment] ?? 1) - 1
      counts[segment] = left > 0 ? left : nil
    }
  }

  /// Segments that are in use.
  var current: [UInt64] { counts.withLock { Array($0.keys) } }
}
