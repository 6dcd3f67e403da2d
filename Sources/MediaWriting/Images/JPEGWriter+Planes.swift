import CCompositorJPEG
package import CompositorAPI

extension JPEGWriter {
  /// Encodes a planar 8-bit 4:2:0 frame as JPEG by converting its Y′CbCr to JFIF's in one step, without R′G′B′ in between.
  ///
  /// Codes outside the range are clipped. Luma uses the chroma of its pair of columns, so luma beside a hard color edge may
  /// differ by a few codes from a conversion through R′G′B′.
  ///
  /// - Parameter quality: 1 … 100.
  /// - Returns: `nil` for a frame of another layout or with an unknown matrix.
  /// - Throws: `.encodeFailed`, `.resourceExhausted`.
  package static func encodePlanes(of frame: Frame, quality: Int) throws(CompositorError) -> [UInt8]? {
    let color = frame.attributes.color
    guard frame.format == .yuv420p, frame.size.width <= 65_500, frame.size.height <= 65_500,
      let matrix = cjpeg_matrix(color)
    else { return nil }
    var (encoded, count) = (UnsafeMutablePointer<UInt8>?.none, 0)
    var message = [CChar](repeating: 0, count: 256)
    let status = frame.withUnsafePlanes { planes in
      func base(_ index: Int) -> UnsafePointer<UInt8> { UnsafePointer(planes[index].base.assumingMemoryBound(to: UInt8.self)) }
      var picture = cjpeg_planes(
        base: (base(0), base(1), base(2)), stride: (planes[0].stride, planes[1].stride, planes[2].stride),
        width: UInt32(frame.size.width), height: UInt32(frame.size.height), matrix: matrix,
        quality: Int32(min(max(1, quality), 100)))
      return cjpeg_write_planes(&picture, &encoded, &count, &message)
    }
    return try bytes(status, encoded, count, message, path: "frame.jpg")
  }
}

extension cjpeg_matrix {
  /// Converts a color's Y′CbCr to that of BT.601 in full range; `nil` if its matrix is unknown.
  fileprivate init?(_ color: ColorTags) {
    guard let toRGB = color.matrix.yCbCrToRGB, color.matrix != .identity, let fromRGB = MatrixCoefficients.bt601_625.rgbToYCbCr
    else { return nil }
    let isLimited = color.range == .limited
    // For 8-bit codes: 219 steps from black to white, 224 of chroma.
    let (black, steps, chromaSteps) = isLimited ? (16.0, 219.0, 224.0) : (0, 255, 255)
    func image(_ y: Double, _ cb: Double, _ cr: Double) -> SIMD3<Double> { fromRGB * (toRGB * SIMD3(y, cb, cr)) * 255 }
    func fixed(_ value: Double) -> Int32 { Int32((value * 65_536).rounded()) }
    let (luma, cb, cr) = (255 / steps, image(0, 1 / chromaSteps, 0), image(0, 0, 1 / chromaSteps))
    self.init(
      luma: fixed(luma), offset: fixed(-black * luma), luma_cb: fixed(cb.x), luma_cr: fixed(cr.x), cb_cb: fixed(cb.y),
      cb_cr: fixed(cr.y), cr_cb: fixed(cb.z), cr_cr: fixed(cr.z), is_left: color.chromaLocation.horizontalOffset == 0)
  }
}
