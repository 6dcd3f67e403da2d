/// How a source is brought to the size of a canvas.
public enum ContentMode: String, Hashable, Sendable, Codable, CaseIterable {
  /// As large as fits, all of it visible, centered; the background shows at two sides.
  case aspectFit
  /// As small as covers the canvas, centered; two sides are cut off.
  case aspectFill
  /// Exactly the canvas; the picture's shape is not kept.
  case stretch
}

/// A source's shape: everything that placing it on a canvas depends on.
public struct SourcePlacement: Hashable, Sendable, Codable {
  /// Stored columns and rows.
  public var size: PixelSize
  /// Width of a pixel by its height.
  public var pixelAspectRatio: Rational
  /// The orientation the media asks for, from display space to upright; identity for none.
  public var preferredTransform: AffineMatrix

  /// Describes a source.
  public init(
    size: PixelSize, pixelAspectRatio: Rational = .one, preferredTransform: AffineMatrix = .identity
  ) {
    self.size = size
    self.pixelAspectRatio = pixelAspectRatio
    self.preferredTransform = preferredTransform
  }

  /// Stored size with the pixel aspect applied to the width; a ratio that is not positive counts as 1:1.
  public var displaySize: Size {
    let aspect = pixelAspectRatio.isPositive ? pixelAspectRatio.value : 1
    return Size(width: Double(size.width) * aspect, height: Double(size.height))
  }

  /// Size after the preferred transform.
  public var uprightSize: Size {
    if let orientation = Orientation(of: preferredTransform) { return orientation.apply(to: displaySize) }
    return uprightTransform.boundingBox(of: Rect(origin: .zero, size: displaySize)).size
  }

  /// The preferred transform, moved so that the picture's top-left corner is at the origin, whatever the file says about
  /// translation. Right-angled transforms come out exact and without scale.
  public var uprightTransform: AffineMatrix {
    let display = displaySize
    if let orientation = Orientation(of: preferredTransform) { return orientation.transform(of: display) }
    guard preferredTransform.isFinite, preferredTransform.determinant != 0 else { return .identity }
    let box = preferredTransform.boundingBox(of: Rect(origin: .zero, size: display))
    return preferredTransform.concatenating(.translation(x: -box.minX, y: -box.minY))
  }

  /// The layer transform that shows the source upright on a canvas: from the source's display space to the canvas.
  ///
  /// Whole where the numbers are: a source of the canvas's size gives the identity. A size of 0 gives the upright transform.
  public func transform(_ mode: ContentMode, into canvas: Size) -> AffineMatrix {
    let upright = uprightSize
    guard upright.isDrawable, canvas.isDrawable else { return uprightTransform }
    var (x, y) = (canvas.width / upright.width, canvas.height / upright.height)
    var (left, top) = (0.0, 0.0)
    let widthDecides = mode == .aspectFit ? x <= y : x >= y
    if mode != .stretch, widthDecides {
      y = x
      top = (canvas.height - upright.height * y) / 2
    } else if mode != .stretch {
      x = y
      left = (canvas.width - upright.width * x) / 2
    }
    return uprightTransform.concatenating(AffineMatrix(a: x, b: 0, c: 0, d: y, tx: left, ty: top))
  }
}
