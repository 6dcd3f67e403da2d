internal import Foundation

/// Memory of a pixel buffer. A frame that was made of the buffer keeps it, too.
///
/// A buffer copies it before a program writes, if there are other references to it.
package final class PixelMemory: @unchecked Sendable {
  /// The owner of the memory.
  package enum Owner {
    /// This object: a kernel may read 64 bytes past its end.
    case own
    /// A program, whose callback is called when the memory is no longer used.
    case program
    /// A frame, which others read. The memory must not be written to.
    case frame(any AnyObject & Sendable)
  }

  /// The rows of a plane.
  package struct Plane {
    /// The first byte.
    package let base: UnsafeMutableRawPointer
    /// Bytes from one row to the next.
    package let bytesPerRow: Int
    /// Columns.
    package let width: Int
    /// Rows.
    package let height: Int

    package init(base: UnsafeMutableRawPointer, bytesPerRow: Int, width: Int, height: Int) {
      (self.base, self.bytesPerRow, self.width, self.height) = (base, bytesPerRow, width, height)
    }
  }

  /// The planes, one if the format is not planar.
  package let planes: [Plane]
  /// The first byte of all planes.
  package let base: UnsafeMutableRawPointer
  /// Bytes from ``base`` to the end.
  package let byteCount: Int
  package let owner: Owner
  private let release: (UnsafeMutableRawPointer) -> Void

  /// Row alignment, and what may be read past the end, in bytes.
  static let alignment = 64

  /// Wraps memory. `release` is called once, on any thread, when nothing uses the memory any longer.
  package init(
    _ planes: [Plane], base: UnsafeMutableRawPointer, byteCount: Int, owner: Owner,
    release: @escaping (UnsafeMutableRawPointer) -> Void
  ) {
    (self.planes, self.base, self.byteCount, self.owner, self.release) = (planes, base, byteCount, owner, release)
  }

  deinit { release(base) }

  /// The frame that owns the memory; `nil` for other owners.
  package var frame: (any AnyObject & Sendable)? { if case .frame(let frame) = owner { frame } else { nil } }

  /// Where planes lie in one allocation.
  struct Plan: Sendable {
    private(set) var planes: [(offset: Int, bytesPerRow: Int, width: Int, height: Int)] = []
    /// Bytes of all planes.
    private(set) var byteCount = 0

    /// - Parameter alignment: Of rows, in bytes: a power of 2.
    init(_ layout: PixelFormatLayout, width: Int, height: Int, alignment: Int = PixelMemory.alignment) {
      for plane in layout.planes {
        let size = plane.size(width: width, height: height)
        let bytesPerRow = (plane.rowBytes(columns: size.width) + alignment - 1) / alignment * alignment
        planes.append((byteCount, bytesPerRow, size.width, size.height))
        byteCount += bytesPerRow * size.height
      }
    }

    /// Memory for the planes, zeroed; `nil` if there is too little.
    func allocate() -> UnsafeMutableRawPointer? {
      var base: UnsafeMutableRawPointer?
      let count = byteCount + PixelMemory.alignment
      guard posix_memalign(&base, 4096, count) == 0 else { return nil }
      base?.initializeMemory(as: UInt8.self, repeating: 0, count: count)
      return base
    }
  }

  /// Takes memory of a plan's size.
  ///
  /// - Parameter release: Takes it back.
  convenience init(_ plan: Plan, at base: UnsafeMutableRawPointer, release: @escaping (UnsafeMutableRawPointer) -> Void) {
    let planes = plan.planes.map { plane in
      Plane(base: base + plane.offset, bytesPerRow: plane.bytesPerRow, width: plane.width, height: plane.height)
    }
    self.init(planes, base: base, byteCount: plan.byteCount, owner: .own, release: release)
  }

  /// Makes memory for a format and a size, of zeros; `nil` if there is too little.
  static func make(_ plan: Plan) -> PixelMemory? { plan.allocate().map { PixelMemory(plan, at: $0) { free($0) } } }

  /// The same pixels in memory of their own; `nil` if there is too little.
  package func copy(_ layout: PixelFormatLayout, width: Int, height: Int) -> PixelMemory? {
    guard let copy = PixelMemory.make(Plan(layout, width: width, height: height)) else { return nil }
    for (index, (from, to)) in zip(planes, copy.planes).enumerated() {
      let count = min(layout.planes[index].rowBytes(columns: from.width), from.bytesPerRow, to.bytesPerRow)
      for row in 0..<min(from.height, to.height) {
        (to.base + row * to.bytesPerRow).copyMemory(from: from.base + row * from.bytesPerRow, byteCount: count)
      }
    }
    return copy
  }
}
