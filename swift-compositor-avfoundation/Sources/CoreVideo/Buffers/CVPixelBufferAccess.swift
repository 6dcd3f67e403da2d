public import Foundation

/// How a buffer is locked.
public struct CVPixelBufferLockFlags: OptionSet, Hashable, Sendable {
  /// The bits as stored.
  public let rawValue: CVOptionFlags
  /// Flags from their bits; 0 locks for reading and writing.
  public init(rawValue: CVOptionFlags) { self.rawValue = rawValue }
  /// Pixels are only read.
  public static let readOnly = CVPixelBufferLockFlags(rawValue: 1)
}

/// The type of pixel buffers, to compare with that of `CFGetTypeID(_:)`.
public func CVPixelBufferGetTypeID() -> CFTypeID { CVBuffer.typeNumber }

/// Makes the pixels available to the program, until they are unlocked as often as they were locked.
///
/// A frame of a movie that is locked for writing is copied first: others may read the original.
@discardableResult
public func CVPixelBufferLockBaseAddress(_ pixelBuffer: CVPixelBuffer, _ lockFlags: CVPixelBufferLockFlags) -> CVReturn {
  pixelBuffer.lockBase(forReading: lockFlags.contains(.readOnly))
}

/// Ends the program's use of the pixels. Flags are those of the lock.
@discardableResult
public func CVPixelBufferUnlockBaseAddress(_ pixelBuffer: CVPixelBuffer, _ unlockFlags: CVPixelBufferLockFlags) -> CVReturn {
  pixelBuffer.unlockBase(forReading: unlockFlags.contains(.readOnly))
}

/// Pixels per row.
public func CVPixelBufferGetWidth(_ pixelBuffer: CVPixelBuffer) -> Int { pixelBuffer.width }

/// Rows.
public func CVPixelBufferGetHeight(_ pixelBuffer: CVPixelBuffer) -> Int { pixelBuffer.height }

/// The pixel format.
public func CVPixelBufferGetPixelFormatType(_ pixelBuffer: CVPixelBuffer) -> OSType { pixelBuffer.format }

/// The first byte of all pixels; `nil` if the buffer has to be locked first.
public func CVPixelBufferGetBaseAddress(_ pixelBuffer: CVPixelBuffer) -> UnsafeMutableRawPointer? {
  pixelBuffer.addressableMemory?.base
}

/// Bytes from one row to the next; of the first plane, if there are several.
public func CVPixelBufferGetBytesPerRow(_ pixelBuffer: CVPixelBuffer) -> Int { pixelBuffer.memory.planes[0].bytesPerRow }

/// Bytes of all pixels with their padding.
public func CVPixelBufferGetDataSize(_ pixelBuffer: CVPixelBuffer) -> Int { pixelBuffer.memory.byteCount }

/// Whether components lie in several planes.
public func CVPixelBufferIsPlanar(_ pixelBuffer: CVPixelBuffer) -> Bool { pixelBuffer.layout.isPlanar }

/// The number of planes; 0 of a format that is not planar.
public func CVPixelBufferGetPlaneCount(_ pixelBuffer: CVPixelBuffer) -> Int {
  pixelBuffer.layout.isPlanar ? pixelBuffer.layout.planes.count : 0
}

/// A plane; `nil` if there is none of that index or the format is not planar.
private func plane(_ index: Int, of memory: PixelMemory?, _ pixelBuffer: CVPixelBuffer) -> PixelMemory.Plane? {
  guard pixelBuffer.layout.isPlanar, let memory, memory.planes.indices.contains(index) else { return nil }
  return memory.planes[index]
}

/// Columns of a plane; 0 of a format that is not planar.
public func CVPixelBufferGetWidthOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> Int {
  plane(planeIndex, of: pixelBuffer.memory, pixelBuffer)?.width ?? 0
}

/// Rows of a plane; 0 of a format that is not planar.
public func CVPixelBufferGetHeightOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> Int {
  plane(planeIndex, of: pixelBuffer.memory, pixelBuffer)?.height ?? 0
}

/// The first byte of a plane; `nil` of a format that is not planar, or if the buffer has to be locked first.
public func CVPixelBufferGetBaseAddressOfPlane(
  _ pixelBuffer: CVPixelBuffer, _ planeIndex: Int
) -> UnsafeMutableRawPointer? {
  plane(planeIndex, of: pixelBuffer.addressableMemory, pixelBuffer)?.base
}

/// Bytes from one row of a plane to the next; 0 of a format that is not planar.
public func CVPixelBufferGetBytesPerRowOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> Int {
  plane(planeIndex, of: pixelBuffer.memory, pixelBuffer)?.bytesPerRow ?? 0
}

/// Writes the numbers of columns and rows around the image, which are 0.
public func CVPixelBufferGetExtendedPixels(
  _ pixelBuffer: CVPixelBuffer, _ extraColumnsOnLeft: UnsafeMutablePointer<Int>?,
  _ extraColumnsOnRight: UnsafeMutablePointer<Int>?, _ extraRowsOnTop: UnsafeMutablePointer<Int>?,
  _ extraRowsOnBottom: UnsafeMutablePointer<Int>?
) {
  for count in [extraColumnsOnLeft, extraColumnsOnRight, extraRowsOnTop, extraRowsOnBottom] { count?.pointee = 0 }
}

/// A surface that devices share. There are none here.
public final class IOSurfaceRef: Sendable {
  private init() {}
}

/// The surface of a buffer, which is always `nil`.
public func CVPixelBufferGetIOSurface(_ pixelBuffer: CVPixelBuffer?) -> Unmanaged<IOSurfaceRef>? { nil }

/// The size in pixels.
public func CVImageBufferGetEncodedSize(_ imageBuffer: CVImageBuffer) -> CGSize {
  CGSize(width: imageBuffer.width, height: imageBuffer.height)
}

/// The size on screen: the width is multiplied by the pixel aspect ratio that is attached.
public func CVImageBufferGetDisplaySize(_ imageBuffer: CVImageBuffer) -> CGSize {
  let aspect = CVBufferCopyAttachment(imageBuffer, kCVImageBufferPixelAspectRatioKey, nil) as? [String: Any]
  func spacing(_ key: CFString) -> Double { (aspect?[key as String] as? NSNumber)?.doubleValue ?? 1 }
  let vertical = spacing(kCVImageBufferPixelAspectRatioVerticalSpacingKey)
  let ratio = vertical > 0 ? spacing(kCVImageBufferPixelAspectRatioHorizontalSpacingKey) / vertical : 1
  return CGSize(width: Double(imageBuffer.width) * ratio, height: Double(imageBuffer.height))
}

/// Whether the first row is at the top, which it always is.
public func CVImageBufferIsFlipped(_ imageBuffer: CVImageBuffer) -> Bool { true }
