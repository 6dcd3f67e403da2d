package import CCompositorKernels

/// Masks: weights 0 … ``PlaneKernels/fullWeight`` for each sample of a row, and mixing two rows by them.
extension PlaneKernels {
  /// The weight that shows only the second operand.
  public static let fullWeight: UInt16 = 32767

  /// Mixes two rows, `destination = a + (b − a) · weights / 32767`, rounded to nearest: exact at both ends, otherwise within
  /// 0.52 code values.
  public func mix(
    _ destination: UnsafeMutablePointer<UInt8>, _ a: UnsafePointer<UInt8>, _ b: UnsafePointer<UInt8>,
    weights: UnsafePointer<UInt16>, count: Int
  ) {
    table.pointee.mask_mix8(destination, a, b, weights, count)
  }

  /// Mixes two rows of 16-bit samples; see the overload for bytes.
  public func mix(
    _ destination: UnsafeMutablePointer<UInt16>, _ a: UnsafePointer<UInt16>, _ b: UnsafePointer<UInt16>,
    weights: UnsafePointer<UInt16>, count: Int
  ) {
    table.pointee.mask_mix16(destination, a, b, weights, count)
  }

  /// Writes weights that are the minimum of two linear functions along the row, or the maximum if `isUnion` is true.
  package func lines(
    _ weights: UnsafeMutablePointer<UInt16>, _ first: cpk_mask_line, _ second: cpk_mask_line, isUnion: Bool, count: Int
  ) {
    table.pointee.mask_lines(weights, count, first, second, isUnion ? 1 : 0)
  }

  /// Writes weights that change linearly with the distance from a point, or from the nearest multiple of a period.
  package func fold(_ weights: UnsafeMutablePointer<UInt16>, _ fold: cpk_mask_fold, count: Int) {
    table.pointee.mask_fold(weights, count, fold)
  }

  /// Writes weights that depend on the distance from a point.
  package func circle(_ weights: UnsafeMutablePointer<UInt16>, _ circle: cpk_mask_circle, count: Int) {
    table.pointee.mask_circle(weights, count, circle)
  }

  /// Writes weights from a fixed noise pattern.
  package func noise(_ weights: UnsafeMutablePointer<UInt16>, _ noise: cpk_mask_noise, count: Int) {
    table.pointee.mask_noise(weights, count, noise)
  }
}
