/// How the pixels of a format lie in memory.
package struct PixelFormatLayout: Sendable {
  /// How the samples of a plane lie in memory.
  package struct Plane: Sendable {
    /// log2 of the pixels of the buffer per column of the plane.
    var columnShift = 0
    /// log2 of the rows of the buffer per row of the plane.
    var rowShift = 0
    /// Columns that are stored together.
    var columnsPerBlock = 1
    let bytesPerBlock: Int

    /// The size of the plane in a buffer of a size, rounded up.
    func size(width: Int, height: Int) -> (width: Int, height: Int) {
      ((width + (1 << columnShift) - 1) >> columnShift, (height + (1 << rowShift) - 1) >> rowShift)
    }

    /// Bytes per row, without padding, for a number of columns.
    func rowBytes(columns: Int) -> Int { (columns + columnsPerBlock - 1) / columnsPerBlock * bytesPerBlock }
  }

  /// The planes; one of a format that is not planar.
  package let planes: [Plane]
  /// Whether components are red, green and blue.
  package var isRGB = false
  /// Whether there is an alpha component.
  package var hasAlpha = false

  /// Whether components lie in several planes.
  package var isPlanar: Bool { planes.count > 1 }

  private static func packed(_ bytes: Int, alpha: Bool) -> PixelFormatLayout {
    PixelFormatLayout(planes: [Plane(bytesPerBlock: bytes)], isRGB: true, hasAlpha: alpha)
  }

  private static func biPlanar(_ bytes: Int) -> PixelFormatLayout {
    PixelFormatLayout(planes: [
      Plane(bytesPerBlock: bytes), Plane(columnShift: 1, rowShift: 1, bytesPerBlock: 2 * bytes),
    ])
  }

  private static let planar420 = PixelFormatLayout(planes: [
    Plane(bytesPerBlock: 1), Plane(columnShift: 1, rowShift: 1, bytesPerBlock: 1),
    Plane(columnShift: 1, rowShift: 1, bytesPerBlock: 1),
  ])

  private static let packed422 = PixelFormatLayout(planes: [Plane(columnsPerBlock: 2, bytesPerBlock: 4)])

  /// The layouts by format.
  private static let all: [OSType: PixelFormatLayout] = [
    kCVPixelFormatType_32BGRA: packed(4, alpha: true), kCVPixelFormatType_32RGBA: packed(4, alpha: true),
    kCVPixelFormatType_32ARGB: packed(4, alpha: true), kCVPixelFormatType_32ABGR: packed(4, alpha: true),
    kCVPixelFormatType_24RGB: packed(3, alpha: false), kCVPixelFormatType_24BGR: packed(3, alpha: false),
    kCVPixelFormatType_64RGBALE: packed(8, alpha: true), kCVPixelFormatType_64RGBAHalf: packed(8, alpha: true),
    kCVPixelFormatType_128RGBAFloat: packed(16, alpha: true),
    kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange: biPlanar(1), kCVPixelFormatType_420YpCbCr8BiPlanarFullRange: biPlanar(1),
    kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange: biPlanar(2),
    kCVPixelFormatType_420YpCbCr10BiPlanarFullRange: biPlanar(2),
    kCVPixelFormatType_420YpCbCr8Planar: planar420, kCVPixelFormatType_420YpCbCr8PlanarFullRange: planar420,
    kCVPixelFormatType_422YpCbCr8: packed422, kCVPixelFormatType_422YpCbCr8_yuvs: packed422,
    kCVPixelFormatType_OneComponent8: PixelFormatLayout(planes: [Plane(bytesPerBlock: 1)]),
  ]

  /// The layout of a format; `nil` for one that is not known here.
  package static func of(_ type: OSType) -> PixelFormatLayout? { all[type] }
}

/// What is known of a pixel format: values of ``kCVPixelFormatContainsAlpha`` and its kind; `nil` for one that is not known here.
public func CVPixelFormatDescriptionCreateWithPixelFormatType(_ allocator: CFAllocator?, _ pixelFormat: OSType) -> CFDictionary?
{
  guard let layout = PixelFormatLayout.of(pixelFormat) else { return nil }
  let isGray = pixelFormat == kCVPixelFormatType_OneComponent8
  return NSDictionary(dictionary: [
    kCVPixelFormatConstant: NSNumber(value: pixelFormat), kCVPixelFormatContainsAlpha: NSNumber(value: layout.hasAlpha),
    kCVPixelFormatContainsRGB: NSNumber(value: layout.isRGB),
    kCVPixelFormatContainsYCbCr: NSNumber(value: !layout.isRGB && !isGray),
    kCVPixelFormatContainsGrayscale: NSNumber(value: isGray),
  ])
}
