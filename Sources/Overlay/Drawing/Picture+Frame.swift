import CompositorAPI
import CompositorConversion

extension Picture {
  /// Converts a frame to an image in an output's signal.
  ///
  /// - Throws: `.conversionNotPossible` if the colors are unknown.
  init(_ frame: Frame, for output: OutputEncoding) throws(CompositorError) {
    var attributes = frame.attributes
    let color = output.attributes.color
    attributes.color = ColorTags(primaries: color.primaries, transfer: color.transfer, matrix: .identity, range: .full)
    let converted = try FrameConverter.convert(
      frame, to: .rgba16, attributes: attributes, pool: FramePool(maximumOutstanding: 4), policy: output.policy)
    let encoding = try OutputEncoding(format: converted.format, attributes: converted.attributes, size: converted.size)
    self = try converted.withUnsafePlanes { (planes) throws(CompositorError) in
      try FrameReader(planes, encoding, size: converted.size).picture()
    }
  }
}
