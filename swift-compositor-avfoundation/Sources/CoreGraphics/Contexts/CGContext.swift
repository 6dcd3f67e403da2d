internal import CFacadeCairo
public import Foundation

/// Draws into memory.
///
/// The origin is the lower left corner and y points up, until a transform says otherwise; the first row in memory is the upper one. After
/// each call the memory holds what is drawn.
public final class CGContext {
  let bitmap: BitmapSurface
  let cairo: OpaquePointer
  var state = GraphicsState()
  private var savedStates: [GraphicsState] = []

  /// The color space.
  public let colorSpace: CGColorSpace?
  /// The layout of a pixel.
  public let bitmapInfo: CGBitmapInfo

  /// A context for memory; `nil` if the layout is not one of those that are known, or if the memory is too small.
  ///
  /// - Parameters:
  ///   - data: Memory that outlives the context; `nil` for memory of its own, which holds zeros.
  ///   - bitsPerComponent: 8.
  ///   - bytesPerRow: From one row to the next; 0 for enough, if `data` is `nil`.
  ///   - space: Gray for layouts of gray, color for others. Components are taken as they are.
  ///   - bitmapInfo: Premultiplied alpha or a byte that is not used, first or last, in either order of bytes; no alpha for gray.
  public init?(
    data: UnsafeMutableRawPointer?, width: Int, height: Int, bitsPerComponent: Int, bytesPerRow: Int, space: CGColorSpace,
    bitmapInfo: UInt32
  ) {
    let info = CGBitmapInfo(rawValue: bitmapInfo)
    let alphaInfo = CGImageAlphaInfo(rawValue: info.intersection(.alphaInfoMask).rawValue)
    let isSmall = alphaInfo == .alphaOnly || space.numberOfComponents == 1
    guard bitsPerComponent == 8, alphaInfo != .first, alphaInfo != .last, isSmall || alphaInfo != CGImageAlphaInfo.none,
      let layout = PixelLayout(info, bitsPerPixel: isSmall ? 8 : 32),
      let bitmap = BitmapSurface(data, width: width, height: height, bytesPerRow: bytesPerRow, layout: layout),
      let cairo = cairo_create(bitmap.surface)
    else { return nil }
    (self.bitmap, self.cairo, self.bitmapInfo, colorSpace) = (bitmap, cairo, info, space)
    cairo_set_line_width(cairo, 1)
    transformDidChange()
  }

  deinit { cairo_destroy(cairo) }

  /// The memory.
  public var data: UnsafeMutableRawPointer? { bitmap.base }
  /// Pixels per row.
  public var width: Int { bitmap.width }
  /// Rows.
  public var height: Int { bitmap.height }
  /// Bytes from one row to the next.
  public var bytesPerRow: Int { bitmap.bytesPerRow }
  /// Bits per component.
  public var bitsPerComponent: Int { 8 }
  /// Bits per pixel.
  public var bitsPerPixel: Int { bitmap.layout.bytesPerPixel * 8 }
  /// Where alpha is.
  public var alphaInfo: CGImageAlphaInfo {
    CGImageAlphaInfo(rawValue: bitmapInfo.intersection(.alphaInfoMask).rawValue) ?? .none
  }

  /// A copy of what is drawn.
  public func makeImage() -> CGImage? {
    let bytes = NSData(bytes: bitmap.base, length: bytesPerRow * height)
    guard let colorSpace, let provider = CGDataProvider(data: bytes) else { return nil }
    return CGImage(
      width: width, height: height, bitsPerComponent: 8, bitsPerPixel: bitsPerPixel, bytesPerRow: bytesPerRow,
      space: colorSpace, bitmapInfo: bitmapInfo, provider: provider, decode: nil, shouldInterpolate: true,
      intent: .defaultIntent)
  }

  /// Nothing waits to be drawn.
  public func flush() {}
  /// Nothing waits to be drawn.
  public func synchronize() {}

  // MARK: State

  /// Remembers colors, transform, clip and what else is set; not the path.
  public func saveGState() {
    savedStates.append(state)
    cairo_save(cairo)
  }
  /// Returns to what was remembered last.
  public func restoreGState() {
    guard let last = savedStates.popLast() else { return }
    state = last
    cairo_restore(cairo)
  }

  /// The transform from user space to pixels, with the origin at the lower left.
  public var ctm: CGAffineTransform { state.transform }
  /// Puts a transform before the present one.
  public func concatenate(_ transform: CGAffineTransform) {
    state.transform = transform.concatenating(state.transform)
    transformDidChange()
  }
  /// Moves the origin.
  public func translateBy(x tx: CGFloat, y ty: CGFloat) { concatenate(CGAffineTransform(translationX: tx, y: ty)) }
  /// Scales about the origin.
  public func scaleBy(x sx: CGFloat, y sy: CGFloat) { concatenate(CGAffineTransform(scaleX: sx, y: sy)) }
  /// Rotates about the origin, in radians, from the x axis toward the y axis.
  public func rotate(by angle: CGFloat) { concatenate(CGAffineTransform(rotationAngle: angle)) }

  private func transformDidChange() {
    let flip = CGAffineTransform(a: 1, b: 0, c: 0, d: -1, tx: 0, ty: CGFloat(height))
    // A transform without an inverse would end all drawing of Cairo; nothing that it draws has an area.
    let usable = state.transform.a * state.transform.d != state.transform.b * state.transform.c
    let t = (usable ? state.transform : CGAffineTransform(scaleX: 1e-6, y: 1e-6)).concatenating(flip)
    var matrix = cairo_matrix_t(
      xx: Double(t.a), yx: Double(t.b), xy: Double(t.c), yy: Double(t.d), x0: Double(t.tx), y0: Double(t.ty))
    cairo_set_matrix(cairo, &matrix)
  }
}
