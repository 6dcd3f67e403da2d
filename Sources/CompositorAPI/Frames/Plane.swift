/// One plane of a frame, to be read. Valid only inside the closure that was given it, or while the ``LentPlanes`` it comes from live.
public struct Plane {
  /// First byte of the first row.
  public let base: UnsafeRawPointer
  /// Bytes from one row to the next; negative where the frame is stored bottom up.
  public let stride: Int
  /// Positions per row (a position has 4 samples in packed formats, 2 in CbCr planes, else 1).
  public let width: Int
  /// Rows.
  public let height: Int

  package init(base: UnsafeRawPointer, stride: Int, width: Int, height: Int) {
    (self.base, self.stride, self.width, self.height) = (base, stride, width, height)
  }
}

/// One plane of a frame, to be written. Valid only inside the closure that was given it.
public struct MutablePlane {
  /// First byte of the first row.
  public let base: UnsafeMutableRawPointer
  /// Bytes from one row to the next.
  public let stride: Int
  /// Positions per row (a position has 4 samples in packed formats, 2 in CbCr planes, else 1).
  public let width: Int
  /// Rows.
  public let height: Int

  package init(base: UnsafeMutableRawPointer, stride: Int, width: Int, height: Int) {
    (self.base, self.stride, self.width, self.height) = (base, stride, width, height)
  }

  /// The same plane, to be read.
  public var readOnly: Plane { Plane(base: UnsafeRawPointer(base), stride: stride, width: width, height: height) }
}

/// The planes of a frame, to be read, in the format's order. Valid only inside the closure that was given them; see ``Frame/lendPlanes()``
/// for longer.
public struct Planes {
  /// The number of planes, 1 … 4.
  public let count: Int
  private let memory: FrameMemory
  private let format: PixelFormat
  private let size: PixelSize

  init(_ memory: FrameMemory, format: PixelFormat, size: PixelSize) {
    (self.memory, self.format, self.size, self.count) = (memory, format, size, format.planeCount)
  }

  /// Plane `index`, 0 ..< ``count``.
  public subscript(index: Int) -> Plane {
    let (base, stride) = memory.plane(index)
    let extent = format.planeSize(index, of: size)
    return Plane(base: UnsafeRawPointer(base), stride: stride, width: extent.width, height: extent.height)
  }
}

/// The planes of a frame, to be written, in the format's order. Valid only inside the closure that was given them.
public struct MutablePlanes {
  /// The number of planes, 1 … 4.
  public let count: Int
  private let memory: FrameMemory
  private let format: PixelFormat
  private let size: PixelSize

  init(_ memory: FrameMemory, format: PixelFormat, size: PixelSize) {
    (self.memory, self.format, self.size, self.count) = (memory, format, size, format.planeCount)
  }

  /// The same planes, to be read.
  public var readOnly: Planes { Planes(memory, format: format, size: size) }

  /// Plane `index`, 0 ..< ``count``.
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
