package import CCompositorPlugin
package import CompositorAPI

/// The contents of a frame's C struct, without its pixels.
package struct PictureDescription: Hashable, Sendable {
  package var format: PixelFormat
  package var size: PixelSize
  package var attributes: FrameAttributes

  package init(format: PixelFormat, size: PixelSize, attributes: FrameAttributes) {
    (self.format, self.size, self.attributes) = (format, size, attributes)
  }

  /// Describes a frame.
  package init(_ frame: Frame) { self.init(format: frame.format, size: frame.size, attributes: frame.attributes) }

  /// Reads a struct; returns `nil` if its format is unknown or its size is invalid.
  package init?(_ frame: CompositorFrame) {
    guard let name = frame.format, let format = PixelFormat(named: String(cString: name)) else { return nil }
    let size = PixelSize(width: Int(frame.width), height: Int(frame.height))
    guard size.isAllocatable else { return nil }
    let color = ColorTags(
      primaries: ColorPrimaries(rawValue: UInt8(clamping: frame.primaries)),
      transfer: TransferFunction(rawValue: UInt8(clamping: frame.transfer)),
      matrix: MatrixCoefficients(rawValue: UInt8(clamping: frame.matrix)), range: frame.full_range != 0 ? .full : .limited,
      chromaLocation: ChromaLocation(code: frame.chroma_location))
    let aspect =
      frame.pixel_aspect_numerator > 0 && frame.pixel_aspect_denominator > 0
      ? Rational(Int(frame.pixel_aspect_numerator), Int(frame.pixel_aspect_denominator)) : .one
    self.init(
      format: format, size: size,
      attributes: FrameAttributes(color: color, pixelAspectRatio: aspect, alphaMode: AlphaMode(code: frame.alpha_mode)))
  }

  /// The struct, with the number of planes, but with empty planes.
  package func structure(_ arena: StructArena) -> CompositorFrame {
    let color = attributes.color
    var frame = CompositorFrame()
    frame.struct_size = MemoryLayout<CompositorFrame>.size
    frame.format = arena.text(format.name)
    frame.width = Int32(clamping: size.width)
    frame.height = Int32(clamping: size.height)
    frame.layout = Int32(format.layout.rawValue)
    frame.sample = Int32(format.sample.rawValue)
    frame.bit_depth = Int32(format.bitDepth)
    frame.low_padding = Int32(format.lowPadding)
    frame.chroma_shift_x = Int32(format.subsampling.horizontalShift)
    frame.chroma_shift_y = Int32(format.subsampling.verticalShift)
    frame.primaries = Int32(color.primaries.rawValue)
    frame.transfer = Int32(color.transfer.rawValue)
    frame.matrix = Int32(color.matrix.rawValue)
    frame.full_range = color.range == .full ? 1 : 0
    frame.chroma_location = color.chromaLocation.code
    frame.alpha_mode = attributes.alphaMode.code
    frame.pixel_aspect_numerator = Int32(clamping: attributes.pixelAspectRatio.numerator)
    frame.pixel_aspect_denominator = Int32(clamping: attributes.pixelAspectRatio.denominator)
    frame.plane_count = Int32(format.planeCount)
    return frame
  }
}

extension CompositorFrame {
  /// Sets plane `index`, 0 … 3.
  package mutating func setPlane(_ index: Int, base: UnsafeMutableRawPointer, stride: Int, width: Int, height: Int) {
    let plane = CompositorPlane(
      data: base, stride: stride, width: Int32(clamping: width), height: Int32(clamping: height))
    switch index {
    case 0: planes.0 = plane
    case 1: planes.1 = plane
    case 2: planes.2 = plane
    default: planes.3 = plane
    }
  }

  /// The planes that have pixels, in order.
  package var planeList: [CompositorPlane] {
    Array([planes.0, planes.1, planes.2, planes.3].prefix(max(0, min(4, Int(plane_count)))))
  }
}

extension ChromaLocation {
  /// The chroma sample location type of H.273.
  package var code: Int32 {
    switch self {
    case .left: 0
    case .center: 1
    case .topLeft: 2
    case .top: 3
    }
  }

  /// Creates the location of an H.273 type; `.left`, the default, for other values.
  package init(code: Int32) { self = [.left, .center, .topLeft, .top].first { $0.code == code } ?? .left }
}

extension AlphaMode {
  package var code: Int32 {
    switch self {
    case .opaque: Int32(COMPOSITOR_OPAQUE)
    case .straight: Int32(COMPOSITOR_STRAIGHT)
    case .premultiplied: Int32(COMPOSITOR_PREMULTIPLIED)
    }
  }

  package init(code: Int32) { self = [.opaque, .straight, .premultiplied].first { $0.code == code } ?? .opaque }
}
