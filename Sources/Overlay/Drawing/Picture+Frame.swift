import CompositorAPI

extension Picture {
  /// The picture of a frame, in the signal of other tags.
  ///
  /// - Throws: `.conversionNotPossible` for colors that are not known.
  init(_ frame: Frame, in target: ColorTags) throws(CompositorError) {
    let encoding = try OutputEncoding(format: frame.format, attributes: frame.attributes, size: frame.size)
    let picture = try frame.withUnsafePlanes { (planes) throws(CompositorError) in
      try FrameReader(planes, encoding, size: frame.size).picture()
    }
    self = try picture.encoded(from: encoding.attributes.color, in: target)
  }
}
