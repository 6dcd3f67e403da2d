extension MatrixCoefficients {
  /// Shares of R′, G′ and B′ in Y′, ITU-T H.273 table 4; nil for the identity and for matrices that are not of this form
  /// (Y′CgCo, constant luminance, ICtCp) or not known.
  public var lumaCoefficients: SIMD3<Double>? {
    func make(_ kr: Double, _ kb: Double) -> SIMD3<Double> { SIMD3(kr, 1 - kr - kb, kb) }
    switch self {
    case .bt709: return make(0.2126, 0.0722)
    case .fcc: return make(0.30, 0.11)
    case .bt601_525, .bt601_625: return make(0.299, 0.114)
    case .smpte240M: return make(0.212, 0.087)
    case .bt2020: return make(0.2627, 0.0593)
    default: return nil
    }
  }

  /// From R′, G′, B′ (0 … 1) to Y′ (0 … 1), Cb, Cr (−0.5 … 0.5); for the identity to the order G′, B′, R′ of its planes.
  /// Nil where the matrix is not known.
  public var rgbToYCbCr: Matrix3? {
    if self == .identity { return Matrix3(SIMD3(0, 1, 0), SIMD3(0, 0, 1), SIMD3(1, 0, 0)) }
    guard let k = lumaCoefficients else { return nil }
    let blue = (SIMD3(0, 0, 1) - k) / (2 * (1 - k.z))
    let red = (SIMD3(1, 0, 0) - k) / (2 * (1 - k.x))
    return Matrix3(k, blue, red)
  }

  /// The way back from ``rgbToYCbCr``. Nil where the matrix is not known.
  public var yCbCrToRGB: Matrix3? { rgbToYCbCr?.inverted }
}
