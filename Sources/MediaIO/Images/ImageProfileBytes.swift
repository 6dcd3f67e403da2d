import CCompositorLCMS
package import CompositorAPI

/// ICC profiles that describe the R′G′B′ of an image.
package enum ImageProfileBytes {
  /// The profile of a color with a simple curve; `nil` for HDR and for unknown primaries or curves.
  package static func make(_ color: ColorTags) -> [UInt8]? {
    guard let points = color.primaries.whiteFirst, let gamma = exponent(of: color.transfer) else { return nil }
    var (profile, message) = (OpaquePointer?.none, [CChar](repeating: 0, count: 128))
    guard clcms_make(points, gamma, &profile, &message) == CLCMS_OK, let profile else { return nil }
    defer { clcms_close(profile) }
    var count = clcms_save(profile, color.shortName, nil, 0)
    var bytes = [UInt8](repeating: 0, count: count)
    count = clcms_save(profile, color.shortName, &bytes, bytes.count)
    return count == bytes.count && count > 0 ? bytes : nil
  }

  /// The exponent from signal to display light; 0 for the sRGB curve, `nil` for other curves.
  private static func exponent(of transfer: TransferFunction) -> Double? {
    switch transfer {
    case .sRGB: 0
    case .gamma22: 2.2
    case .gamma28: 2.8
    case .linear: 1
    // On a display of gamma 2.4 (ITU-R BT.1886).
    case .bt709, .bt601, .bt2020_10, .bt2020_12, .smpte240M: 2.4
    default: nil
    }
  }
}
