import CompositorAPI

/// Trees in which the frame itself is a layer.
extension OverlayDrawing {
  /// Draws a tree in which the frame itself is a layer.
  func drawAround(_ frame: Frame, pool: FramePool) throws(CompositorError) -> Frame {
    let encoding = encoding
    var around = self
    around.painter.moving.video = try OverlayDrawing.video(frame, encoding)
    var target = try pool.makeFrame(format: frame.format, size: frame.size, attributes: frame.attributes)
    try target.withUnsafeMutablePlanes { (planes) throws(CompositorError) in
      var writer = FrameWriter(planes, encoding, size: frame.size)
      writer.pool = pool
      writer.fillEmpty()
      try around.draw(into: writer)
    }
    return target.freeze()
  }

  /// A frame as a pyramid of images for video layers.
  static func video(_ frame: Frame, _ encoding: OutputEncoding) throws(CompositorError) -> [Picture] {
    try frame.withUnsafePlanes { (planes) throws(CompositorError) in
      try FrameReader(planes, encoding, size: frame.size).picture().pyramid
    }
  }
}

extension PresentationNode {
  /// The tree without its lowest video layer if that covers the frame unchanged: the rest can then be drawn over the frame
  /// itself. `nil` if there is no such layer.
  ///
  /// - Parameter matrix: From the layer to the frame.
  func withoutFullVideo(_ matrix: Projection, _ size: PixelSize) -> PresentationNode? {
    guard layer.opacity == 1, mask == nil, !layer.masksToBounds, !layer.hasShadow, layer.blendMode == .normal,
      layer.filters.isIdentity, !layer.filtersBackdrop
    else { return nil }
    var rest = self
    // The background is covered by the video.
    rest.layer.backgroundColor = nil
    if layer.content == .video, layer.shownRadii == CornerRadii(), matrix.covers(layer.bounds, size) {
      rest.layer.content = .none
      return rest
    }
    guard layer.content == .none else { return nil }
    for (index, child) in children.enumerated().reversed() {
      guard let over = child.withoutFullVideo(child.matrix.concatenating(matrix), size) else { continue }
      rest.children = [over] + children[(index + 1)...]
      return rest
    }
    return nil
  }

  /// Whether it or a layer in it shows the frame.
  var showsVideo: Bool { layer.content == .video || mask?.showsVideo == true || children.contains { $0.showsVideo } }
}

extension Projection {
  /// Whether a rectangle covers a frame exactly, upright.
  fileprivate func covers(_ rect: Rect, _ size: PixelSize) -> Bool {
    guard let affine, abs(affine.b) < 1e-9, abs(affine.c) < 1e-9, affine.a > 0, affine.d > 0 else { return false }
    let (start, end) = (
      affine.apply(to: rect.origin), affine.apply(to: Point(x: rect.maxX, y: rect.maxY))
    )
    return abs(start.x) < 1e-6 && abs(start.y) < 1e-6 && abs(end.x - Double(size.width)) < 1e-6
      && abs(end.y - Double(size.height)) < 1e-6
  }
}
