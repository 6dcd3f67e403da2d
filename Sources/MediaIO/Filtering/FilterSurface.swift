import CCompositorFFmpeg
package import CompositorAPI

/// The format of a graph's input and output frames, which are all alike.
package struct FilterSurface: Hashable, Sendable {
  /// Pixel format; any format that libav has too (half float isn't one).
  package var format: PixelFormat
  /// Size in pixels.
  package var size: PixelSize
  /// Color, pixel aspect and alpha.
  package var attributes: FrameAttributes
  /// Length of a tick, as ticks per second, 1 … 2³¹−1.
  package var ticksPerSecond: Int

  package init(format: PixelFormat, size: PixelSize, attributes: FrameAttributes, ticksPerSecond: Int) {
    self.format = format
    self.size = size
    self.attributes = attributes
    self.ticksPerSecond = ticksPerSecond
  }

  /// Everything but the name of the format, which the caller lends.
  func described(_ name: UnsafePointer<CChar>) -> cff_filter_surface {
    let (aspect, color) = (attributes.pixelAspectRatio.reduced, attributes.color)
    return cff_filter_surface(
      pixel_format: name, width: Int32(clamping: size.width), height: Int32(clamping: size.height),
      aspect_numerator: Int32(clamping: aspect.numerator), aspect_denominator: Int32(clamping: aspect.denominator),
      color: cff_color(
        primaries: color.primaries.rawValue, transfer: color.transfer.rawValue,
        // The format already tells R, G, B from Y′CbCr; libav would give precedence to the tag.
        matrix: format.isRGB ? 0 : color.matrix == .identity ? 2 : color.matrix.rawValue,
        range: color.range == .full ? 2 : 1, location: format.subsampling == .s444 ? 0 : UInt8(color.chromaLocation.type + 1)),
      tick_numerator: 1, tick_denominator: Int32(clamping: ticksPerSecond), rate_numerator: 25, rate_denominator: 1,
      uses_alpha: format.hasAlpha && attributes.alphaMode != .opaque)
  }

  /// The attributes with the color properties that differ in a frame out of the graph.
  func attributes(of picture: cff_picture) -> FrameAttributes {
    var result = attributes
    let said = picture.color
    if said.primaries != 2, said.primaries != 0 { result.color.primaries = ColorPrimaries(rawValue: said.primaries) }
    if said.transfer != 2, said.transfer != 0 { result.color.transfer = TransferFunction(rawValue: said.transfer) }
    // Conversions inside the graph may leave the matrix of the other family behind.
    if said.matrix != 2, (said.matrix == 0) == format.isRGB { result.color.matrix = MatrixCoefficients(rawValue: said.matrix) }
    if said.range != 0 { result.color.range = said.range == 2 ? .full : .limited }
    return result
  }
}

/// Conversions that libavfilter inserts to bring frames into a format that a filter takes.
package struct FilterConversions: OptionSet, Hashable, Sendable {
  package let rawValue: Int32
  package init(rawValue: Int32) { self.rawValue = rawValue }
  /// Chroma is resampled to another grid.
  package static let chromaGrid = FilterConversions(rawValue: Int32(CFF_CONVERTS_CHROMA_GRID))
  /// Bit depth is reduced.
  package static let depth = FilterConversions(rawValue: Int32(CFF_CONVERTS_DEPTH))
  /// Color is lost.
  package static let gray = FilterConversions(rawValue: Int32(CFF_CONVERTS_TO_GREY))
  /// R, G, B is converted to Y′CbCr or back.
  package static let family = FilterConversions(rawValue: Int32(CFF_CONVERTS_FAMILY))
  /// Alpha is lost.
  package static let alpha = FilterConversions(rawValue: Int32(CFF_CONVERTS_ALPHA))
}

extension ChromaLocation {
  /// ITU-T H.273 chroma sample location type.
  package var type: Int32 {
    switch self {
    case .left: 0
    case .center: 1
    case .topLeft: 2
    case .top: 3
    }
  }
}
