package import CompositorAPI
import CompositorConversion
import CompositorKernels

/// A mask in one 8-bit color, as subtitle renderers make them.
package struct ColoredMask: Sendable {
  /// The color matrix for which the color was chosen.
  package struct Matrix: Hashable, Sendable {
    /// The matrix that converts it to Y′CbCr; `nil` for colors in R′, G′, B′.
    let coefficients: MatrixCoefficients?

    package init(coefficients: MatrixCoefficients?) {
      self.coefficients = coefficients
    }
  }

  let mask: Mask
  /// sRGB; its alpha applies to the whole mask.
  let color: Color
  let matrix: Matrix

  /// - Parameters:
  ///   - x: Column of the first pixel in the frame; `y` is its row.
  ///   - coverage: `height` rows of `stride` bytes, which are copied.
  ///   - alpha: Opacity of the mask, 0 … 255.
  package init(
    x: Int, y: Int, width: Int, height: Int, coverage: UnsafePointer<UInt8>, stride: Int, red: UInt8, green: UInt8,
    blue: UInt8, alpha: UInt8, matrix: Matrix
  ) {
    // Masks have an empty margin of one pixel.
    var mask = Mask(x: x - 1, y: y - 1, width: width + 2, height: height + 2)
    let step = mask.stride
    mask.bytes.withUnsafeMutableBufferPointer { bytes in
      guard let bytes = bytes.baseAddress else { return }
      for row in 0..<height { (bytes + (row + 1) * step + 1).update(from: coverage + row * stride, count: width) }
    }
    self.mask = mask
    color = Color(
      red: Double(red) / 255, green: Double(green) / 255, blue: Double(blue) / 255, alpha: Double(alpha) / 255)
    self.matrix = matrix
  }

  /// The frame with masks drawn over it in order, in the frame's own signal: colors are blended as codes, regardless of the
  /// composition's blending space. In HDR, white is graphics white, 203 cd/m².
  ///
  /// In SDR Y′CbCr of BT.601 and BT.709 a color keeps the codes given by the matrix for which it was chosen.
  ///
  /// - Throws: `.conversionNotPossible` if the frame's color is unknown, `.framePoolExhausted`.
  package static func draw(
    _ masks: [ColoredMask], over frame: consuming Frame, policy: ColorConversionPolicy, pool: FramePool
  ) throws(CompositorError) -> Frame {
    let size = frame.size
    let encoding = try OutputEncoding(format: frame.format, attributes: frame.attributes, size: size, policy: policy)
    let box = masks.reduce(PixelBox(x0: 0, y0: 0, x1: 0, y1: 0)) { $0.union($1.box) }.intersection(PixelBox(size))
    guard !box.isEmpty else { return frame }
    var colors: [SIMD4<Float>] = []
    for mask in masks { colors.append(try mask.premultiplied(for: encoding)) }
    let isDirect = !encoding.isFloat && !encoding.needsStraightAlpha
    var target = try frame.makeDrawable(pool: pool)
    try target.withUnsafeMutablePlanes { (planes) throws(CompositorError) in
      let writer = FrameWriter(planes, encoding, size: size)
      if isDirect {
        for (mask, color) in zip(masks, colors) where color.w > 0 {
          writer.fill(mask.mask, color, ColoredMask.placement, opacity: 1)
        }
        return
      }
      var cover = try Surface(box.grown(by: 2).even.intersection(writer.canvas))
      for (mask, color) in zip(masks, colors) {
        cover.draw(Primitive(mask: mask.mask, paint: .solid(color)), ColoredMask.placement, opacity: 1, output: encoding)
      }
      guard encoding.needsStraightAlpha else {
        writer.blend(CachedSprite(try cover.withRoom(), encoding), FrameWriter.Shift(x: 0, y: 0), opacity: 1)
        return
      }
      var result = try FrameReader(planes.readOnly, encoding, size: size).surface(cover.box)
      result.over(cover, opacity: 1, mode: .normal)
      writer.replace(by: result, where: cover)
    }
    return target.freeze()
  }

  /// Masks are positioned pixel by pixel.
  private static let placement = MaskPlacement(
    grid: RasterGrid(a: 1, b: 0, c: 0, d: 1), way: .whole(x: 0, y: 0), matrix: .identity)

  private var box: PixelBox {
    PixelBox(x0: mask.x, y0: mask.y, x1: mask.x + mask.width, y1: mask.y + mask.height)
  }

  /// R′, G′, B′ and coverage in the frame's signal.
  private func premultiplied(for encoding: OutputEncoding) throws(CompositorError) -> SIMD4<Float> {
    let output = encoding.attributes.color
    guard !encoding.format.isRGB, !output.transfer.isHDR, ColoredMask.matrices.contains(output.matrix),
      let coefficients = matrix.coefficients, let toCodes = coefficients.rgbToYCbCr, let toColor = output.matrix.yCbCrToRGB
    else { return try encoding.premultipliedSignal(color) }
    // Full-range Y′CbCr of the same R′, G′, B′ is the same color; only the matrix differs.
    let rgb = toColor * (toCodes * SIMD3(color.red, color.green, color.blue)) * color.alpha
    return SIMD4(Float(rgb.x), Float(rgb.y), Float(rgb.z), Float(color.alpha))
  }

  private static let matrices: [MatrixCoefficients] = [.bt709, .bt601_525, .bt601_625]
}

extension PixelBox {
  /// The smallest box that contains both; an empty box adds nothing.
  fileprivate func union(_ other: PixelBox) -> PixelBox {
    if isEmpty { return other }
    if other.isEmpty { return self }
    return PixelBox(x0: min(x0, other.x0), y0: min(y0, other.y0), x1: max(x1, other.x1), y1: max(y1, other.y1))
  }
}

extension Frame {
  /// A writable frame with the same contents: its own memory, or a copy, of which only a small part is drawn over.
  consuming func makeDrawable(pool: FramePool) throws(CompositorError) -> MutableFrame {
    try makeMutable(pool: pool) { from, to, rowBytes in
      PlaneKernels.fastest.copyRows(to.base, stride: to.stride, from.base, from.stride, byteCount: rowBytes, rows: from.height)
    }
  }
}
