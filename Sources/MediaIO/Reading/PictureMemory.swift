import CCompositorFFmpeg
import CompositorAPI

/// Lends a decoder the memory of an allocator. The decoder asks from its own threads; pictures outlive both.
final class PictureMemory: Sendable {
  /// What keeps the bytes of one picture.
  final class Owner: Sendable {
    let value: any AnyObject & Sendable
    init(_ value: any AnyObject & Sendable) { self.value = value }
  }

  private let allocator: any FrameAllocator

  init(_ allocator: any FrameAllocator) { self.allocator = allocator }

  /// What the decoder is given; valid as long as this object is.
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

  /// What the allocator gave with a picture's memory; nil for pictures that lie elsewhere.
  static func owner(of picture: cff_picture) -> (any AnyObject & Sendable)? {
    picture.owner.map { Unmanaged<Owner>.fromOpaque($0).takeUnretainedValue().value }
  }
}
