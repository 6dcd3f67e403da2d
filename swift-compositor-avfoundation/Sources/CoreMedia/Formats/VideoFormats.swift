public import CoreVideo
public import Foundation

/// Makes a description of compressed pictures.
///
/// - Parameters:
///   - width: Pixels per row, > 0.
///   - height: Rows, > 0.
@discardableResult
public func CMVideoFormatDescriptionCreate(
  allocator: CFAllocator?, codecType: CMVideoCodecType, width: Int32, height: Int32, extensions: CFDictionary?,
  formatDescriptionOut: UnsafeMutablePointer<CMVideoFormatDescription?>
) -> OSStatus {
  guard width > 0, height > 0 else { return kCMFormatDescriptionError_InvalidParameter }
  formatDescriptionOut.pointee = CMFormatDescription(
    kCMMediaType_Video, codecType, dimensions: CMVideoDimensions(width: width, height: height), extensions: extensions)
  return 0
}

/// Makes a description of a pixel buffer: its format, its size, and what is attached to it and passed on.
@discardableResult
public func CMVideoFormatDescriptionCreateForImageBuffer(
  allocator: CFAllocator?, imageBuffer: CVImageBuffer, formatDescriptionOut: UnsafeMutablePointer<CMVideoFormatDescription?>
) -> OSStatus {
  formatDescriptionOut.pointee = CMFormatDescription(imageBuffer)
  return 0
}

/// Whether a description fits a pixel buffer.
public func CMVideoFormatDescriptionMatchesImageBuffer(
  _ desc: CMVideoFormatDescription, imageBuffer: CVImageBuffer
) -> Bool {
  desc == CMFormatDescription(imageBuffer)
}

/// The size of pictures as they are stored.
public func CMVideoFormatDescriptionGetDimensions(_ videoDesc: CMVideoFormatDescription) -> CMVideoDimensions {
  videoDesc.dimensions
}

/// The size of pictures as they are shown.
public func CMVideoFormatDescriptionGetPresentationDimensions(
  _ videoDesc: CMVideoFormatDescription, usePixelAspectRatio: Bool, useCleanAperture: Bool
) -> CGSize {
  videoDesc.presentationDimensions(usePixelAspectRatio: usePixelAspectRatio, useCleanAperture: useCleanAperture)
}

extension CMFormatDescription {
  /// A description of compressed pictures.
  ///
  /// - Parameter origin: Where it was found.
  package convenience init(
    video codec: CMVideoCodecType, width: Int32, height: Int32, extensions: CFDictionary?, origin: (any Sendable)? = nil
  ) {
    self.init(
      kCMMediaType_Video, codec, dimensions: CMVideoDimensions(width: width, height: height), extensions: extensions,
      origin: origin)
  }

  convenience init(_ buffer: CVImageBuffer) {
    self.init(
      kCMMediaType_Video, CVPixelBufferGetPixelFormatType(buffer),
      dimensions: CMVideoDimensions(
        width: Int32(CVPixelBufferGetWidth(buffer)), height: Int32(CVPixelBufferGetHeight(buffer))),
      extensions: CVBufferCopyAttachments(buffer, .shouldPropagate))
  }

  /// Makes a description of a pixel buffer.
  ///
  /// - Throws: Nothing: the declaration is that of Apple's systems.
  public convenience init(imageBuffer: CVImageBuffer) throws { self.init(imageBuffer) }

  /// The size of pictures as they are shown.
  public func presentationDimensions(usePixelAspectRatio: Bool = true, useCleanAperture: Bool = true) -> CGSize {
    var size = CGSize(width: Double(dimensions.width), height: Double(dimensions.height))
    func numbers(_ key: CFString) -> [String: Any] { extensionValues.object(forKey: key) as? [String: Any] ?? [:] }
    func number(_ values: [String: Any], _ key: CFString) -> Double? { (values[key as String] as? NSNumber)?.doubleValue }
    let aperture = numbers(kCVImageBufferCleanApertureKey)
    if useCleanAperture, let width = number(aperture, kCVImageBufferCleanApertureWidthKey),
      let height = number(aperture, kCVImageBufferCleanApertureHeightKey)
    {
      size = CGSize(width: width, height: height)
    }
    let aspect = numbers(kCVImageBufferPixelAspectRatioKey)
    if usePixelAspectRatio, let across = number(aspect, kCVImageBufferPixelAspectRatioHorizontalSpacingKey),
      let down = number(aspect, kCVImageBufferPixelAspectRatioVerticalSpacingKey), across > 0, down > 0
    {
      size.width *= across / down
    }
    return size
  }
}
