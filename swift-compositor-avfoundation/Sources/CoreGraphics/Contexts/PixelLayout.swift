internal import Foundation

/// Where the components of a pixel of 8-bit components are in memory.
package struct PixelLayout: Hashable, Sendable {
  /// What the components are.
  enum Kind: Hashable, Sendable {
    /// Red, green, blue and alpha or a byte that is not used, in 32 bits.
    case color
    /// Gray in 8 bits.
    case gray
    /// Alpha in 8 bits.
    case mask
  }

  let kind: Kind
  /// The bytes of red, green, blue, and of alpha or the byte that is not used.
  var (red, green, blue, alpha) = (0, 0, 0, 0)
  let hasAlpha: Bool
  let isPremultiplied: Bool

  var bytesPerPixel: Int { kind == .color ? 4 : 1 }

  /// A layout by its description; `nil` if it is not one of 8-bit gray, of 8-bit alpha, or of 8-bit color in 32 bits.
  init?(_ info: CGBitmapInfo, bitsPerPixel: Int) {
    guard !info.contains(.floatComponents),
      let alphaInfo = CGImageAlphaInfo(rawValue: info.intersection(.alphaInfoMask).rawValue)
    else { return nil }
    hasAlpha = [.premultipliedFirst, .premultipliedLast, .first, .last, .alphaOnly].contains(alphaInfo)
    isPremultiplied = alphaInfo != .first && alphaInfo != .last
    guard bitsPerPixel == 32 else {
      guard bitsPerPixel == 8, alphaInfo == .none || alphaInfo == .alphaOnly else { return nil }
      kind = alphaInfo == .none ? .gray : .mask
      return
    }
    kind = .color
    let isFirst = [.premultipliedFirst, .first, .noneSkipFirst].contains(alphaInfo)
    (red, green, blue, alpha) = isFirst ? (1, 2, 3, 0) : (0, 1, 2, 3)
    switch info.intersection(.byteOrderMask) {
    case [], .byteOrder32Big: break
    case .byteOrder32Little: (red, green, blue, alpha) = (3 - red, 3 - green, 3 - blue, 3 - alpha)
    default: return nil
    }
  }

  /// Reads a pixel: red, green and blue, multiplied by alpha, and alpha.
  @inline(__always)
  func load(_ pixel: UnsafePointer<UInt8>) -> SIMD4<UInt8> {
    switch kind {
    case .gray: return SIMD4(pixel[0], pixel[0], pixel[0], 255)
    case .mask: return SIMD4(0, 0, 0, pixel[0])
    case .color:
      guard hasAlpha else { return SIMD4(pixel[red], pixel[green], pixel[blue], 255) }
      let value = SIMD4(pixel[red], pixel[green], pixel[blue], pixel[alpha])
      guard !isPremultiplied, value.w < 255 else { return value }
      let wide = SIMD4<UInt16>(truncatingIfNeeded: value) &* UInt16(value.w) &+ 127
      var result = SIMD4<UInt8>(truncatingIfNeeded: wide / 255)
      result.w = value.w
      return result
    }
  }

  /// Writes a pixel of premultiplied components.
  @inline(__always)
  func store(_ value: SIMD4<UInt8>, to pixel: UnsafeMutablePointer<UInt8>) {
    switch kind {
    // Luminance with the weights of ITU-R BT.709, which sum up to 256.
    case .gray:
      let (red, green, blue) = (UInt32(value.x), UInt32(value.y), UInt32(value.z))
      let sum: UInt32 = 54 * red + 183 * green + 19 * blue
      pixel[0] = UInt8((sum + 128) >> 8)
    case .mask: pixel[0] = value.w
    case .color:
      (pixel[red], pixel[green], pixel[blue]) = (value.x, value.y, value.z)
      pixel[alpha] = hasAlpha ? value.w : 255
    }
  }
}

extension CGImage {
  /// The pixels as red, green, blue and alpha, multiplied by alpha, without gaps between rows; `nil` if the layout is not known.
  package var premultipliedRGBA: [UInt8]? { premultiplied(blueFirst: false) }

  /// The same, or blue, green, red and alpha.
  func premultiplied(blueFirst: Bool) -> [UInt8]? {
    guard let layout = PixelLayout(bitmapInfo, bitsPerPixel: bitsPerPixel) else { return nil }
    return [UInt8](unsafeUninitializedCapacity: width * height * 4) { target, count in
      bytes.withUnsafeBytes { source in
        guard let source = source.bindMemory(to: UInt8.self).baseAddress, let target = target.baseAddress else { return }
        for row in 0..<height {
          for column in 0..<width {
            let value = layout.load(source + row * bytesPerRow + column * layout.bytesPerPixel)
            let pixel = target + (row * width + column) * 4
            (pixel[0], pixel[1], pixel[2], pixel[3]) =
              blueFirst ? (value.z, value.y, value.x, value.w) : (value.x, value.y, value.z, value.w)
          }
        }
      }
      count = width * height * 4
    }
  }
}
