import CCompositorFFmpeg
import CompositorAPI

/// A cache of passed frames for steps backward: the newest ones within a number of bytes, and all those after a time.
struct FrameHistory {
  /// A frame and the ticks at which it is shown.
  struct Entry {
    var picture: VideoDecoder.Picture
    /// The next frame's time.
    var end: Int64
  }

  private var entries: [Entry] = []
  private var byteCount = 0

  /// Adds a frame; drops the oldest ones above `limit` bytes, but none that is shown after `start`.
  mutating func keep(_ entry: Entry, limit: Int, after start: Int64 = .max) {
    guard !entries.contains(where: { $0.picture.time == entry.picture.time }) else { return }
    entries.append(entry)
    byteCount += entry.picture.byteCount
    trim(to: limit, after: start)
  }

  /// Drops the oldest frames above `limit` bytes, but none that is shown after `start`.
  private mutating func trim(to limit: Int, after start: Int64) {
    var dropped = 0
    while dropped < entries.count, byteCount > limit, entries[dropped].end <= start {
      byteCount -= entries[dropped].picture.byteCount
      dropped += 1
    }
    entries.removeFirst(dropped)
  }

  /// The frame shown at tick `time`; `nil` if it is not cached.
  func entry(at time: Int64) -> Entry? {
    entries.last { $0.picture.time <= time && time < $0.end }
  }
}

/// Provides an allocator's memory to a decoder. The decoder requests it from its own threads; frames outlive both.
final class PictureMemory: Sendable {
  /// Keeps the bytes of one frame alive.
  final class Owner: Sendable {
    let value: any AnyObject & Sendable
    init(_ value: any AnyObject & Sendable) { self.value = value }
  }

  private let allocator: any FrameAllocator

  init(_ allocator: any FrameAllocator) { self.allocator = allocator }

  /// The decoder's callbacks; valid as long as this object is.
  var callbacks: cff_picture_memory {
    cff_picture_memory(
      context: Unmanaged.passUnretained(self).toOpaque(),
      allocate: { context, byteCount, base, owner in
        guard let context, let base, let owner else { return false }
        let memory = Unmanaged<PictureMemory>.fromOpaque(context).takeUnretainedValue()
        guard let allocation = memory.allocator.allocate(byteCount: byteCount) else { return false }
        base.pointee = allocation.base.assumingMemoryBound(to: UInt8.self)
        owner.pointee = Unmanaged.passRetained(Owner(allocation.owner)).toOpaque()
        return true
      },
      release: { owner in
        if let owner { Unmanaged<Owner>.fromOpaque(owner).release() }
      })
  }

  /// The owner that the allocator returned with a frame's memory; `nil` for frames in other memory.
  static func owner(of picture: cff_picture) -> (any AnyObject & Sendable)? {
    picture.owner.map { Unmanaged<Owner>.fromOpaque($0).takeUnretainedValue().value }
  }
}
