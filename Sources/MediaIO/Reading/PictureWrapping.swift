import CCompositorFFmpeg
import CompositorAPI

/// Limits of the media that can be opened.
public enum MediaLimits {
  /// Maximum number of pixels per frame: 2²⁷, twice an 8K square. Larger frames throw `.frameTooLarge` before memory is
  /// allocated.
  public static let maximumPixelCount = 1 << 27
}

/// Wraps a stream's decoded frames in ``Frame`` values without copying the decoder's memory.
struct PictureWrapping {
  private let containerColor: cff_color
  private let containerAspect: Rational?
  private let containerHDR: HDRMetadata?
  private let dolbyVision: cff_dolby_vision
  private let codec: String
  private let isImage: Bool
  private var lastName: UnsafePointer<CChar>?
  private var lastFormat: PixelFormat?

  /// - Parameter isImage: Whether the frames come from an image file, whose color defaults differ from a movie's.
  init(stream: cff_stream, codec: String, isImage: Bool = false) {
    self.containerColor = stream.container_color
    self.containerAspect = Rational(aspect: stream.aspect_numerator, stream.aspect_denominator)
    self.containerHDR = HDRMetadata(stream.hdr)
    self.dolbyVision = stream.dolby_vision
    self.codec = codec
    self.isImage = isImage
  }

  /// The pixel aspect ratio of a decoded frame: the container's, unless the bitstream states another one than at its beginning.
  func aspect(of picture: cff_picture) -> Rational {
    let own = Rational(aspect: picture.aspect_numerator, picture.aspect_denominator)
    return (picture.has_own_aspect ? own ?? containerAspect : containerAspect ?? own) ?? .one
  }

  /// The decoded frame as a ``Frame`` that owns it. Releases it on failure.
  ///
  /// - Parameter aspect: The pixel aspect ratio; `nil` for the frame's own.
  mutating func frame(_ picture: cff_picture, aspect: Rational? = nil) throws(CompositorError) -> Frame {
    let reference = picture.reference
    guard let format = format(named: picture.format), format.planeCount == Int(picture.plane_count),
      let planes = Self.planes(picture)
    else {
      cff_picture_release(reference)
      throw CompositorError(.conversionNotPossible, "The decoder's pixel format has no equivalent.")
    }
    let (s0, s1, s2, s3) = picture.strides
    // A retained reference to plain memory, which any thread may release.
    let address = UInt(bitPattern: reference)
    return Frame(
      wrapping: planes, strides: Array([s0, s1, s2, s3].prefix(planes.count)), format: format,
      size: PixelSize(width: Int(picture.width), height: Int(picture.height)), attributes: attributes(picture, format, aspect),
      owner: PictureMemory.owner(of: picture)
    ) { cff_picture_release(UnsafeMutableRawPointer(bitPattern: address)) }
  }

  private mutating func format(named name: UnsafePointer<CChar>?) -> PixelFormat? {
    if let name, name == lastName { return lastFormat }
    lastName = name
    lastFormat = name.flatMap { PixelFormat(named: String(cString: $0)) }
    return lastFormat
  }

  private static func planes(_ picture: cff_picture) -> [UnsafeMutableRawPointer]? {
    let (p0, p1, p2, p3) = picture.planes
    let present = [p0, p1, p2, p3].prefix(Int(picture.plane_count)).compactMap { $0.map(UnsafeMutableRawPointer.init) }
    return present.count == Int(picture.plane_count) ? present : nil
  }

  private func attributes(_ picture: cff_picture, _ format: PixelFormat, _ aspect: Rational?) -> FrameAttributes {
    let circumstances = ColorResolution.Circumstances(
      size: PixelSize(width: Int(picture.width), height: Int(picture.height)), codec: codec, isRGB: picture.is_rgb,
      isImage: isImage, dolbyVision: dolbyVision)
    return FrameAttributes(
      color: ColorResolution.resolve(
        container: picture.has_own_color ? .unsaid : containerColor, bitstream: picture.color, circumstances),
      pixelAspectRatio: aspect ?? self.aspect(of: picture),
      alphaMode: format.hasAlpha && picture.has_alpha ? .straight : .opaque,
      hdr: HDRMetadata(container: containerHDR, bitstream: HDRMetadata(picture.hdr)))
  }
}

extension Rational {
  /// A pixel aspect; `nil` if it is unknown or outside 1:20 … 20:1, which no camera makes.
  init?(aspect numerator: Int32, _ denominator: Int32) {
    guard numerator > 0, denominator > 0 else { return nil }
    let ratio = Double(numerator) / Double(denominator)
    guard ratio >= 0.05, ratio <= 20 else { return nil }
    self.init(Int(numerator), Int(denominator))
  }
}
