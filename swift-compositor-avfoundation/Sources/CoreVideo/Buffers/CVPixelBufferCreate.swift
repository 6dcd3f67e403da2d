internal import Foundation

/// Called when memory of a program is no longer used: with its reference constant and the first byte.
public typealias CVPixelBufferReleaseBytesCallback = @convention(c) (UnsafeMutableRawPointer?, UnsafeRawPointer?) -> Void

/// Called when planes of a program are no longer used: with its reference constant, the first byte of all, their number of bytes, the
/// number of planes and their first bytes.
public typealias CVPixelBufferReleasePlanarBytesCallback =
  @convention(c) (
    UnsafeMutableRawPointer?, UnsafeRawPointer?, Int, Int, UnsafeMutablePointer<UnsafeRawPointer?>?
  ) -> Void

/// The largest width and height of a buffer.
private let largestSide = 32_768

/// The layout of a format, if a buffer can have that format and size.
private func layout(
  _ format: OSType, _ width: Int, _ height: Int, _ layout: inout PixelFormatLayout?
) -> CVReturn {
  guard (1...largestSide).contains(width), (1...largestSide).contains(height) else { return kCVReturnInvalidSize }
  layout = PixelFormatLayout.of(format)
  return layout == nil ? kCVReturnInvalidPixelFormat : kCVReturnSuccess
}

/// The alignment of rows that attributes ask for, at least that of this module; `nil` if it is not a power of 2.
func rowAlignment(_ attributes: CFDictionary?) -> Int? {
  let asked = ((attributes as? [String: Any])?[kCVPixelBufferBytesPerRowAlignmentKey as String] as? NSNumber)?.intValue ?? 1
  guard asked > 0, asked & (asked - 1) == 0, asked <= 65_536 else { return nil }
  return max(asked, PixelMemory.alignment)
}

/// Makes a buffer whose pixels are zeros.
///
/// - Parameter pixelBufferAttributes: The alignment of rows and attachments are taken from it. What it says of other frameworks has no
///   effect.
@discardableResult
public func CVPixelBufferCreate(
  _ allocator: CFAllocator?, _ width: Int, _ height: Int, _ pixelFormatType: OSType,
  _ pixelBufferAttributes: CFDictionary?, _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
  var found: PixelFormatLayout?
  let result = layout(pixelFormatType, width, height, &found)
  guard result == kCVReturnSuccess, let found else { return result }
  guard let alignment = rowAlignment(pixelBufferAttributes) else { return kCVReturnInvalidPixelBufferAttributes }
  guard let memory = PixelMemory.make(PixelMemory.Plan(found, width: width, height: height, alignment: alignment)) else {
    return kCVReturnAllocationFailed
  }
  let buffer = CVBuffer(memory, format: pixelFormatType, layout: found, width: width, height: height)
  attach(pixelBufferAttributes, to: buffer)
  pixelBufferOut.pointee = buffer
  return kCVReturnSuccess
}

/// Makes a buffer of a program's memory, in a format that is not planar.
///
/// The memory must last until the callback is called, which may be from any thread.
@discardableResult
public func CVPixelBufferCreateWithBytes(
  _ allocator: CFAllocator?, _ width: Int, _ height: Int, _ pixelFormatType: OSType,
  _ baseAddress: UnsafeMutableRawPointer, _ bytesPerRow: Int, _ releaseCallback: CVPixelBufferReleaseBytesCallback?,
  _ releaseRefCon: UnsafeMutableRawPointer?, _ pixelBufferAttributes: CFDictionary?,
  _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
  var found: PixelFormatLayout?
  let result = layout(pixelFormatType, width, height, &found)
  guard result == kCVReturnSuccess, let found else { return result }
  guard !found.isPlanar, bytesPerRow >= found.planes[0].rowBytes(columns: width) else { return kCVReturnInvalidArgument }
  let plane = PixelMemory.Plane(base: baseAddress, bytesPerRow: bytesPerRow, width: width, height: height)
  let memory = PixelMemory([plane], base: baseAddress, byteCount: bytesPerRow * height, owner: .program) { base in
    releaseCallback?(releaseRefCon, UnsafeRawPointer(base))
  }
  let buffer = CVBuffer(memory, format: pixelFormatType, layout: found, width: width, height: height)
  attach(pixelBufferAttributes, to: buffer)
  pixelBufferOut.pointee = buffer
  return kCVReturnSuccess
}

/// Makes a buffer of a program's planes.
///
/// The memory must last until the callback is called, which may be from any thread.
///
/// - Parameter dataPtr: The first byte of all planes, if they lie in one piece of memory of `dataSize` bytes.
@discardableResult
public func CVPixelBufferCreateWithPlanarBytes(
  _ allocator: CFAllocator?, _ width: Int, _ height: Int, _ pixelFormatType: OSType, _ dataPtr: UnsafeMutableRawPointer?,
  _ dataSize: Int, _ numberOfPlanes: Int, _ planeBaseAddress: UnsafeMutablePointer<UnsafeMutableRawPointer?>,
  _ planeWidth: UnsafeMutablePointer<Int>, _ planeHeight: UnsafeMutablePointer<Int>,
  _ planeBytesPerRow: UnsafeMutablePointer<Int>, _ releaseCallback: CVPixelBufferReleasePlanarBytesCallback?,
  _ releaseRefCon: UnsafeMutableRawPointer?, _ pixelBufferAttributes: CFDictionary?,
  _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
  var found: PixelFormatLayout?
  let result = layout(pixelFormatType, width, height, &found)
  guard result == kCVReturnSuccess, let found else { return result }
  guard numberOfPlanes == found.planes.count else { return kCVReturnInvalidArgument }
  var planes: [PixelMemory.Plane] = []
  for (index, plane) in found.planes.enumerated() {
    let size = plane.size(width: width, height: height)
    guard let base = planeBaseAddress[index], planeWidth[index] >= size.width, planeHeight[index] >= size.height,
      planeBytesPerRow[index] >= plane.rowBytes(columns: size.width)
    else { return kCVReturnInvalidArgument }
    planes.append(
      PixelMemory.Plane(
        base: base, bytesPerRow: planeBytesPerRow[index], width: planeWidth[index], height: planeHeight[index]))
  }
  let addresses = planes.map { UnsafeRawPointer($0.base) as UnsafeRawPointer? }
  let total = dataSize > 0 ? dataSize : planes.reduce(0) { $0 + $1.bytesPerRow * $1.height }
  let memory = PixelMemory(planes, base: dataPtr ?? planes[0].base, byteCount: total, owner: .program) { _ in
    var addresses = addresses
    releaseCallback?(releaseRefCon, dataPtr.map { UnsafeRawPointer($0) }, dataSize, addresses.count, &addresses)
  }
  let buffer = CVBuffer(memory, format: pixelFormatType, layout: found, width: width, height: height)
  attach(pixelBufferAttributes, to: buffer)
  pixelBufferOut.pointee = buffer
  return kCVReturnSuccess
}
