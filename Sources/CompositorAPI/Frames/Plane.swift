/// A plane of a frame, for reading. Valid only inside the closure that receives it, or during the lifetime of its
/// ``LentPlanes``.
public struct Plane {
  /// The first byte of the first row.
  public let base: UnsafeRawPointer
  /// Bytes from one row to the next; negative if the frame is stored bottom up.
  public let stride: Int
  /// Positions per row (a position has 4 samples in packed formats, 2 in CbCr planes, otherwise 1).
  public let width: Int
  /// Number of rows.
  public let height: Int

  package init(base: UnsafeRawPointer, stride: Int, width: Int, height: Int) {
    (self.base, self.stride, self.width, self.height) = (base, stride, width, height)
  }
}

/// A plane of a frame, for writing. Valid only inside the closure that receives it.
public struct MutablePlane {
  /// The first byte of the first row.
  public let base: UnsafeMutableRawPointer
  /// Bytes from one row to the next.
  public let stride: Int
  /// Positions per row (a position has 4 samples in packed formats, 2 in CbCr planes, otherwise 1).
  public let width: Int
  /// Number of rows.
  public let height: Int

  package init(base: UnsafeMutableRawPointer, stride: Int, width: Int, height: Int) {
    (self.base, self.stride, self.width, self.height) = (base, stride, width, height)
  }

  /// The plane for reading.
  public var readOnly: Plane { Plane(base: UnsafeRawPointer(base), stride: stride, width: width, height: height) }
}

/// The planes of a frame, for reading, in the format's order. Valid only inside the closure that receives them; see
/// ``Frame/lendPlanes()`` for a longer lifetime.
public struct Planes {
  /// The number of planes, 1 … 4.
  public let count: Int
  private let memory: FrameMemory
  private let format: PixelFormat
  private let size: PixelSize

  init(_ memory: FrameMemory, format: PixelFormat, size: PixelSize) {
    (self.memory, self.format, self.size, self.count) = (memory, format, size, format.planeCount)
  }

  /// The plane at `index`, 0 ..< ``count``.
  public subscript(index: Int) -> Plane {
    let (base, stride) = memory.plane(index)
    let extent = format.planeSize(index, of: size)
    return Plane(base: UnsafeRawPointer(base), stride: stride, width: extent.width, height: extent.height)
  }
}

/// The planes of a frame, for writing, in the format's order. Valid only inside the closure that receives them.
public struct MutablePlanes {
  /// The number of planes, 1 … 4.
  public let count: Int
  private let memory: FrameMemory
  private let format: PixelFormat
  private let size: PixelSize

  init(_ memory: FrameMemory, format: PixelFormat, size: PixelSize) {
    (self.memory, self.format, self.size, self.count) = (memory, format, size, format.planeCount)
  }

  /// The planes for reading.
  public var readOnly: Planes { Planes(memory, format: format, size: size) }

  /// The plane at `index`, 0 ..< ``count``.
  public subscript(index: Int) -> MutablePlane {
    let (base, stride) = memory.plane(index)
    let extent = format.planeSize(index, of: size)
    return MutablePlane(base: base, stride: stride, width: extent.width, height: extent.height)
  }
}

extension FrameMemory {
  func plane(_ index: Int) -> (base: UnsafeMutableRawPointer, stride: Int) {
    let plane: (UnsafeMutableRawPointer?, Int) =
      switch index {
      case 0: (planes.0, strides.0)
      case 1: (planes.1, strides.1)
      case 2: (planes.2, strides.2)
      default: (planes.3, strides.3)
      }
    guard let base = plane.0 else { preconditionFailure("the frame has no plane \(index)") }
    return (base, plane.1)
  }
}
