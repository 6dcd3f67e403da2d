import CCompositorPluginProcess
package import CompositorAPI
import Synchronization

/// A file descriptor, closed with its last reference.
final class Descriptor: Sendable {
  let number: Int32
  init(_ number: Int32) { self.number = number }
  deinit { module_close(number) }
}

/// Bytes that two processes can see, mapped here between two pages that nobody can touch. Who has only this cannot map them again
/// in another way.
final class MappedMemory: Sendable {
  let byteCount: Int
  /// Unmapped with the last reference.
  nonisolated(unsafe) let base: UnsafeMutableRawPointer

  enum Access: Int32 {
    case read = 1
    case write = 2
  }

  /// Maps what a descriptor stands for, which is not kept; nil where that is not possible.
  init?(_ descriptor: Descriptor, byteCount: Int, access: Access) {
    var address: UnsafeMutableRawPointer?
    guard module_memory_map(descriptor.number, byteCount, access.rawValue, &address) == 0, let address else { return nil }
    (self.byteCount, self.base) = (byteCount, address)
  }

  deinit { module_memory_unmap(base, byteCount) }
}

/// Numbers of segments; none is used twice.
private enum SegmentNumber {
  private static let last = Atomic<UInt64>(0)
  static func next() -> UInt64 { last.add(1, ordering: .relaxed).newValue }
}

/// Memory that only this process can write, and that workers can read: sealed against writing as soon as it is mapped here, so
/// that a worker that opens it again cannot write either.
final class SharedSegment: Sendable {
  /// Never used again for another segment.
  let id = SegmentNumber.next()
  let descriptor: Descriptor
  let memory: MappedMemory

  /// Makes a segment; nil where the system has none left.
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

  /// A descriptor for a worker that must not write: its own where the system gives none like that.
  var readOnlyDescriptor: Descriptor {
    let number = module_memory_read_only(descriptor.number)
    return number < 0 ? descriptor : Descriptor(number)
  }
}

/// Memory that one worker writes its answers to. Nothing else is ever put there, and what it holds is copied before anybody looks
/// at it: a worker may go on writing to it for as long as it lives.
final class OutputSegment: Sendable {
  /// Never used again for another segment.
  let id = SegmentNumber.next()
  let byteCount: Int
  /// Mapped until this is gone; never changed.
  nonisolated(unsafe) private var output = module_output()
  /// Bytes before the first one that belong to nothing.
  static let margin = 4096

  /// Makes a segment; nil where the system has none left.
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

/// Frames in memory that a worker process can map: what is in such a frame need not be copied for a plugin.
package struct SharedFrames: FrameAllocator {
  package init() {}

  package func allocate(byteCount: Int) -> FrameAllocation? {
    SharedSegment(byteCount: byteCount).map { FrameAllocation(base: $0.base, owner: $0) }
  }
}

/// Pictures of the host's that somebody in this process still refers to: counted from when a request brings them until the last
/// reference to the frame is gone, be it the compositor's, libavfilter's or whoever's.
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
