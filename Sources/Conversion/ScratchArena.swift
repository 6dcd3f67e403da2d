package import CompositorAPI

/// Scratch memory for rows and reduced planes while one frame is composed: allocated consecutively from one frame of the
/// pool, so that the steady state allocates nothing.
package struct ScratchArena {
  private var next: UnsafeMutableRawPointer
  private let end: UnsafeMutableRawPointer

  package init(_ plane: MutablePlane) {
    next = plane.base
    end = plane.base + plane.stride * plane.height
  }

  /// Memory for `count` values, aligned to 64 bytes.
  package mutating func take<T: BitwiseCopyable>(_ count: Int, of type: T.Type) -> UnsafeMutablePointer<T> {
    let byteCount = ScratchArena.byteCount(count, of: type)
    precondition(end - next >= byteCount, "the scratch arena is too small")
    defer { next += byteCount }
    return next.bindMemory(to: type, capacity: count)
  }

  package static func byteCount<T>(_ count: Int, of type: T.Type) -> Int {
    (count * MemoryLayout<T>.stride + 63) / 64 * 64
  }

  /// Takes a frame of at least `byteCount` bytes from the pool. Sizes are powers of two, so that frames are reused while a
  /// layer moves and its reduced size changes.
  package static func frame(byteCount: Int, pool: FramePool) throws(CompositorError) -> MutableFrame {
    let rowBytes = 16384
    var rows = 16
    while rows * rowBytes < byteCount { rows *= 2 }
    return try pool.makeFrame(format: .rgba, size: PixelSize(width: rowBytes / 4, height: rows))
  }
}
