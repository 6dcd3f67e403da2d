/// The planes of a frame, lent for as long as this object lives: for a C interface, an upload to a GPU or a shared ring that keeps pointers
/// beyond the call. No pixel is copied.
///
/// The object holds the frame, so its memory neither moves, nor changes, nor goes back to its pool or decoder before the object is gone.
/// Every pointer taken from it is valid until then, on any thread, and only for reading. A frame of a ``FramePool`` counts as outstanding
/// meanwhile.
///
/// Swift may release an object after its last use. Keep it in a property, give it to C as below, or use `withExtendedLifetime`:
///
/// ```swift
/// let planes = rendered.frame.lendPlanes()
/// let owner = Unmanaged.passRetained(planes).toOpaque()
/// upload_async(planes[0].base, planes[0].stride, owner) { owner in
///   Unmanaged<LentPlanes>.fromOpaque(owner!).release()
/// }
/// ```
public final class LentPlanes: Sendable {
  /// The frame whose planes these are.
  public let frame: Frame

  fileprivate init(_ frame: Frame) { self.frame = frame }

  /// The number of planes, 1 … 4.
  public var count: Int { frame.format.planeCount }

  /// Plane `index`, 0 ..< ``count``, in the format's order: its first byte, stride and size.
  public subscript(index: Int) -> Plane { frame.withUnsafePlanes { $0[index] } }
}

extension Frame {
  /// Lends the planes for reading until the object that is returned is gone.
  ///
  /// To read inside one function, ``withUnsafePlanes(_:)`` costs less and cannot be held too long.
  public func lendPlanes() -> LentPlanes { LentPlanes(self) }
}
