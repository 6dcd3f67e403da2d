/// How a source is scaled to the size of a canvas.
public enum ContentMode: String, Hashable, Sendable, Codable, CaseIterable {
  /// Scaled to fit inside the canvas, centered. The background shows at two sides.
  case aspectFit
  /// Scaled to cover the canvas, centered. Two sides are cropped.
  case aspectFill
  /// Scaled to exactly the canvas, without keeping the aspect ratio.
  case stretch
}

/// The geometry of a source: everything that its placement on a canvas depends on.
public struct SourcePlacement: Hashable, Sendable, Codable {
  /// Stored size in pixels.
  public var size: PixelSize
  /// Pixel aspect ratio: the width of a pixel divided by its height.
  public var pixelAspectRatio: Rational
  /// The orientation that the media specifies, from display space to upright.
  public var preferredTransform: AffineMatrix

  /// Creates a description of a source.
  public init(
    size: PixelSize, pixelAspectRatio: Rational = .one, preferredTransform: AffineMatrix = .identity
  ) {
    self.size = size
    self.pixelAspectRatio = pixelAspectRatio
    self.preferredTransform = preferredTransform
  }

  /// Stored size with the pixel aspect ratio applied to the width. A ratio that isn't positive is treated as 1:1.
  public var displaySize: Size {
    let aspect = pixelAspectRatio.isPositive ? pixelAspectRatio.value : 1
    return Size(width: Double(size.width) * aspect, height: Double(size.height))
  }

  /// Size after the preferred transform.
  public var uprightSize: Size {
    if let orientation = Orientation(of: preferredTransform) { return orientation.apply(to: displaySize) }
    return uprightTransform.boundingBox(of: Rect(origin: .zero, size: displaySize)).size
  }

  /// The preferred transform, translated so that the image's top-left corner is at the origin, regardless of the translation in
  /// the file. Right-angled transforms become exact and without scale.
  public var uprightTransform: AffineMatrix {
    let display = displaySize
    if let orientation = Orientation(of: preferredTransform) { return orientation.transform(of: display) }
    guard preferredTransform.isFinite, preferredTransform.determinant != 0 else { return .identity }
    let box = preferredTransform.boundingBox(of: Rect(origin: .zero, size: display))
    return preferredTransform.concatenating(.translation(x: -box.minX, y: -box.minY))
  }

  /// The layer transform that shows the source upright on a canvas, from the source's display space to the canvas.
  ///
  /// The result has no rounding errors if the numbers allow it: a source of the canvas's size gives the identity. A size of 0
  /// gives the upright transform.
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

/// The rotation and mirroring that make an image upright: mirrored left to right or not, then rotated clockwise by quarter
/// turns.
///
/// These are the eight orientations of EXIF (tag 0x0112) and the right-angled display matrices of QuickTime and MP4.
public struct Orientation: Hashable, Sendable, Codable, CaseIterable {
  /// Clockwise quarter turns, 0 … 3, after mirroring.
  public let quarterTurns: Int
  /// Whether left and right are swapped before the rotation.
  public let isMirrored: Bool

  /// Creates an orientation from any number of clockwise quarter turns, including negative ones.
  public init(quarterTurns: Int, isMirrored: Bool = false) {
    self.quarterTurns = quarterTurns & 3
    self.isMirrored = isMirrored
  }

  /// No rotation or mirroring.
  public static let upright = Orientation(quarterTurns: 0)

  /// The eight orientations.
  public static let allCases: [Orientation] = [false, true].flatMap { mirrored in
    (0..<4).map { Orientation(quarterTurns: $0, isMirrored: mirrored) }
  }

  /// The orientation with an EXIF number, 1 … 8; `nil` for other numbers.
  public init?(exif: Int) {
    let turns = [1: 0, 2: 0, 3: 2, 4: 2, 5: 3, 6: 1, 7: 1, 8: 3]
    guard let quarterTurns = turns[exif] else { return nil }
    self.init(quarterTurns: quarterTurns, isMirrored: [2, 4, 5, 7].contains(exif))
  }

  /// The orientation of a transform's linear part; `nil` if it isn't a multiple of a quarter turn, or is singular. Scale is
  /// ignored, and relative deviations below 1e-4 are treated as rounding errors of the file format.
  public init?(of transform: AffineMatrix) {
    guard transform.isFinite else { return nil }
    let (straight, crossed) = (
      max(abs(transform.a), abs(transform.d)), max(abs(transform.b), abs(transform.c))
    )
    let tolerance = max(straight, crossed) * 1e-4
    let isCrossed = crossed > straight
    let (first, second) = isCrossed ? (transform.b, transform.c) : (transform.a, transform.d)
    guard min(straight, crossed) <= tolerance, abs(first) > tolerance, abs(second) > tolerance else { return nil }
    let isMirrored = isCrossed ? (first < 0) == (second < 0) : (first < 0) != (second < 0)
    // The image of the y axis is the same with and without mirroring: down, left, up, right for 0 … 3 quarter turns.
    let turns = isCrossed ? (second < 0 ? 1 : 3) : (second > 0 ? 0 : 2)
    self.init(quarterTurns: turns, isMirrored: isMirrored)
  }

  /// Whether width and height are swapped.
  public var swapsSides: Bool { quarterTurns % 2 == 1 }

  /// The size of the upright image.
  public func apply(to size: Size) -> Size {
    swapsSides ? Size(width: size.height, height: size.width) : size
  }

  /// The transform that makes an image of `size` upright, with its corner at the origin again. Exact, without residue of a
  /// sine.
  public func transform(of size: Size) -> AffineMatrix {
    let mirror = AffineMatrix(a: isMirrored ? -1 : 1, b: 0, c: 0, d: 1, tx: isMirrored ? size.width : 0, ty: 0)
    let turn: AffineMatrix =
      switch quarterTurns {
      case 1: AffineMatrix(a: 0, b: 1, c: -1, d: 0, tx: size.height, ty: 0)
      case 2: AffineMatrix(a: -1, b: 0, c: 0, d: -1, tx: size.width, ty: size.height)
      case 3: AffineMatrix(a: 0, b: -1, c: 1, d: 0, tx: 0, ty: size.width)
      default: .identity
      }
    return mirror.concatenating(turn)
  }
}
