internal import CFacadeCairo
internal import Foundation

/// The memory of a bitmap context, and the surface through which Cairo draws into it.
///
/// Cairo knows blue, green, red, alpha in memory. It draws into memory of that order directly, and into that of red, green, blue, alpha by
/// exchanging red and blue of everything that is drawn. Other layouts are drawn on a surface of their own, before and after which pixels
/// are converted.
final class BitmapSurface {
  let layout: PixelLayout
  let width: Int
  let height: Int
  let bytesPerRow: Int
  let base: UnsafeMutableRawPointer
  private let ownsMemory: Bool
  let surface: OpaquePointer
  private let isDirect: Bool
  /// Whether red and blue are exchanged in the surface.
  let isRedFirst: Bool

  /// The largest side of a surface of Cairo, in pixels.
  private static let maximumSide = 32_767

  /// Memory of the program, or new memory of zeros; `nil` if it cannot hold the picture.
  init?(_ data: UnsafeMutableRawPointer?, width: Int, height: Int, bytesPerRow: Int, layout: PixelLayout) {
    let rowLength = width * layout.bytesPerPixel
    let stride = bytesPerRow == 0 && data == nil ? (rowLength + 15) & ~15 : bytesPerRow
    guard (1...Self.maximumSide).contains(width), (1...Self.maximumSide).contains(height), stride >= rowLength else {
      return nil
    }
    (self.layout, self.width, self.height, self.bytesPerRow) = (layout, width, height, stride)
    ownsMemory = data == nil
    base = data ?? .allocate(byteCount: stride * height, alignment: 64)
    if data == nil { base.initializeMemory(as: UInt8.self, repeating: 0, count: stride * height) }
    let isAligned = stride % 4 == 0 && Int(bitPattern: base) % 4 == 0
    isDirect = layout.kind == .color && layout.alpha == 3 && isAligned && stride <= Int(Int32.max)
    isRedFirst = isDirect && layout.red == 0
    let format = layout.hasAlpha ? CAIRO_FORMAT_ARGB32 : CAIRO_FORMAT_RGB24
    let made =
      isDirect
      ? cairo_image_surface_create_for_data(
        base.assumingMemoryBound(to: UInt8.self), format, Int32(width), Int32(height), Int32(stride))
      : cairo_image_surface_create(format, Int32(width), Int32(height))
    guard let made, cairo_surface_status(made) == CAIRO_STATUS_SUCCESS else {
      if data == nil { base.deallocate() }
      return nil
    }
    surface = made
  }

  deinit {
    cairo_surface_finish(surface)
    cairo_surface_destroy(surface)
    if ownsMemory { base.deallocate() }
  }

  /// Calls a closure that draws, between conversions of the pixels that it needs. The program may have changed the memory.
  func draw(_ body: () -> Void) {
    if !isDirect { convert(loading: true) }
    cairo_surface_mark_dirty(surface)
    body()
    cairo_surface_flush(surface)
    if !isDirect { convert(loading: false) } else if !layout.hasAlpha { fillUnusedBytes() }
  }

  private func convert(loading: Bool) {
    guard let pixels = cairo_image_surface_get_data(surface) else { return }
    let stride = Int(cairo_image_surface_get_stride(surface))
    let memory = base.assumingMemoryBound(to: UInt8.self)
    for row in 0..<height {
      for column in 0..<width {
        let own = memory + row * bytesPerRow + column * layout.bytesPerPixel
        let shadow = pixels + row * stride + column * 4
        if loading {
          let value = layout.load(own)
          (shadow[0], shadow[1], shadow[2], shadow[3]) = (value.z, value.y, value.x, value.w)
        } else {
          layout.store(SIMD4(shadow[2], shadow[1], shadow[0], shadow[3]), to: own)
        }
      }
    }
  }

  /// Sets bytes that are not used to 255, so that pixels are opaque for a program that reads them as alpha.
  private func fillUnusedBytes() {
    for row in 0..<height {
      let pixels = (base + row * bytesPerRow).assumingMemoryBound(to: UInt8.self)
      for column in 0..<width { pixels[column * 4 + layout.alpha] = 255 }
    }
  }
}
