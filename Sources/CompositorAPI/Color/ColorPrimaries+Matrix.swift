extension ColorPrimaries {
  /// Chromaticities of R, G, B and white according to ITU-T H.273 table 2 or the manufacturer; `nil` for a code point without
  /// chromaticities (unspecified, reserved) and for CIE XYZ (10), whose primaries are imaginary.
  public var chromaticities: (red: Chromaticity, green: Chromaticity, blue: Chromaticity, white: Chromaticity)? {
    func make(
      _ r: (Double, Double), _ g: (Double, Double), _ b: (Double, Double), _ w: (Double, Double)
    ) -> (red: Chromaticity, green: Chromaticity, blue: Chromaticity, white: Chromaticity) {
      func at(_ xy: (Double, Double)) -> Chromaticity { Chromaticity(x: xy.0, y: xy.1) }
      return (at(r), at(g), at(b), at(w))
    }
    let d65 = (0.3127, 0.3290)
    switch self {
    case .bt709: return make((0.640, 0.330), (0.300, 0.600), (0.150, 0.060), d65)
    case .bt470M: return make((0.67, 0.33), (0.21, 0.71), (0.14, 0.08), (0.310, 0.316))
    case .bt601_625: return make((0.64, 0.33), (0.29, 0.60), (0.15, 0.06), d65)
    case .bt601_525, .smpte240M: return make((0.630, 0.340), (0.310, 0.595), (0.155, 0.070), d65)
    case .bt2020: return make((0.708, 0.292), (0.170, 0.797), (0.131, 0.046), d65)
    case .dciP3: return make((0.680, 0.320), (0.265, 0.690), (0.150, 0.060), (0.314, 0.351))
    case .displayP3: return make((0.680, 0.320), (0.265, 0.690), (0.150, 0.060), d65)
    case .film: return make((0.681, 0.319), (0.243, 0.692), (0.145, 0.049), (0.310, 0.316))
    case .ebu3213: return make((0.630, 0.340), (0.295, 0.605), (0.155, 0.077), d65)
    case .adobeRGB: return make((0.64, 0.33), (0.21, 0.71), (0.15, 0.06), d65)
    case .proPhotoRGB: return make((0.7347, 0.2653), (0.1596, 0.8404), (0.0366, 0.0001), (0.3457, 0.3585))
    case .sGamut3: return make((0.730, 0.280), (0.140, 0.855), (0.100, -0.050), d65)
    case .sGamut3Cine: return make((0.766, 0.275), (0.225, 0.800), (0.089, -0.087), d65)
    case .vGamut: return make((0.730, 0.280), (0.165, 0.840), (0.100, -0.030), d65)
    case .arriWideGamut3: return make((0.6840, 0.3130), (0.2210, 0.8480), (0.0861, -0.1020), d65)
    case .arriWideGamut4: return make((0.7347, 0.2653), (0.1424, 0.8576), (0.0991, -0.0308), d65)
    case .cinemaGamut: return make((0.74, 0.27), (0.17, 1.14), (0.08, -0.10), d65)
    default: return nil
    }
  }

  /// The matrix from linear R, G, B (0 … 1) to CIE XYZ with Y = 1 for white, SMPTE RP 177; `nil` if the primaries aren't known.
  public var rgbToXYZ: Matrix3? {
    guard let points = chromaticities else { return nil }
    func xyz(_ c: Chromaticity) -> SIMD3<Double> { SIMD3(c.x / c.y, 1, (1 - c.x - c.y) / c.y) }
    let columns = Matrix3(xyz(points.red), xyz(points.green), xyz(points.blue)).transposed
    guard let inverse = columns.inverted else { return nil }
    return columns * Matrix3.diagonal(inverse * xyz(points.white))
  }

  /// The matrix from linear R, G, B of these primaries to linear R, G, B of `other`, mapping white to white with Bradford
  /// adaptation if the whites differ. `nil` if either isn't known.
  public func conversion(to other: ColorPrimaries) -> Matrix3? {
    if self == other { return chromaticities == nil ? nil : .identity }
    guard let from = rgbToXYZ, let to = other.rgbToXYZ, let back = to.inverted else { return nil }
    guard chromaticities?.white != other.chromaticities?.white else { return back * from }
    let white = SIMD3<Double>(1, 1, 1)
    guard let adaptation = ColorPrimaries.bradfordAdaptation(from: from * white, to: to * white) else { return nil }
    return back * adaptation * from
  }

  /// The chromatic adaptation of XYZ colors from one white point to another, by Bradford cone responses.
  static func bradfordAdaptation(from source: SIMD3<Double>, to target: SIMD3<Double>) -> Matrix3? {
    let cones = Matrix3(
      SIMD3(0.8951, 0.2664, -0.1614), SIMD3(-0.7502, 1.7135, 0.0367), SIMD3(0.0389, -0.0685, 1.0296))
    guard let back = cones.inverted else { return nil }
    return back * Matrix3.diagonal((cones * target) / (cones * source)) * cones
  }
}

extension MatrixCoefficients {
  /// The coefficients of R′, G′ and B′ in Y′, ITU-T H.273 table 4; `nil` for the identity, for matrices that don't have this
  /// form (Y′CgCo, constant luminance, ICtCp), and for unknown ones.
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

  /// The matrix from R′, G′, B′ (0 … 1) to Y′ (0 … 1), Cb, Cr (−0.5 … 0.5); for the identity, to the order G′, B′, R′ of its
  /// planes. `nil` if it isn't known.
  public var rgbToYCbCr: Matrix3? {
    if self == .identity { return Matrix3(SIMD3(0, 1, 0), SIMD3(0, 0, 1), SIMD3(1, 0, 0)) }
    guard let k = lumaCoefficients else { return nil }
    let blue = (SIMD3(0, 0, 1) - k) / (2 * (1 - k.z))
    let red = (SIMD3(1, 0, 0) - k) / (2 * (1 - k.x))
    return Matrix3(k, blue, red)
  }

  /// The inverse of ``rgbToYCbCr``; `nil` if it isn't known.
  public var yCbCrToRGB: Matrix3? { rgbToYCbCr?.inverted }
}

/// A 3 × 3 matrix that maps triples of color components.
public struct Matrix3: Hashable, Sendable {
  /// The rows.
  public var rows: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)

  /// Creates a matrix from its rows.
  public init(_ row0: SIMD3<Double>, _ row1: SIMD3<Double>, _ row2: SIMD3<Double>) {
    self.rows = (row0, row1, row2)
  }

  /// The identity matrix.
  public static let identity = Matrix3(SIMD3(1, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1))

  /// A matrix with `values` on its diagonal.
  public static func diagonal(_ values: SIMD3<Double>) -> Matrix3 {
    Matrix3(SIMD3(values.x, 0, 0), SIMD3(0, values.y, 0), SIMD3(0, 0, values.z))
  }

  /// The transposed matrix.
  public var transposed: Matrix3 {
    Matrix3(
      SIMD3(rows.0.x, rows.1.x, rows.2.x), SIMD3(rows.0.y, rows.1.y, rows.2.y), SIMD3(rows.0.z, rows.1.z, rows.2.z))
  }

  /// The determinant; 0 if the matrix is singular.
  public var determinant: Double {
    let (r, g, b) = rows
    return r.x * (g.y * b.z - g.z * b.y) - r.y * (g.x * b.z - g.z * b.x) + r.z * (g.x * b.y - g.y * b.x)
  }

  /// The inverse matrix; `nil` if the determinant is 0 or not finite.
  public var inverted: Matrix3? {
    let determinant = determinant
    guard determinant.isFinite, determinant != 0 else { return nil }
    func cross(_ p: SIMD3<Double>, _ q: SIMD3<Double>) -> SIMD3<Double> {
      SIMD3(p.y * q.z - p.z * q.y, p.z * q.x - p.x * q.z, p.x * q.y - p.y * q.x)
    }
    let columns = Matrix3(cross(rows.1, rows.2), cross(rows.2, rows.0), cross(rows.0, rows.1)).transposed
    return Matrix3(columns.rows.0 / determinant, columns.rows.1 / determinant, columns.rows.2 / determinant)
  }

  /// The product with a column vector.
  public static func * (left: Matrix3, right: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3((left.rows.0 * right).sum(), (left.rows.1 * right).sum(), (left.rows.2 * right).sum())
  }

  /// The matrix product, which applies `right` first, then `left`.
  public static func * (left: Matrix3, right: Matrix3) -> Matrix3 {
    let columns = right.transposed.rows
    return Matrix3(left * columns.0, left * columns.1, left * columns.2).transposed
  }

  /// Whether all elements are equal.
  public static func == (left: Matrix3, right: Matrix3) -> Bool {
    left.rows.0 == right.rows.0 && left.rows.1 == right.rows.1 && left.rows.2 == right.rows.2
  }

  /// Hashes all elements.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(rows.0)
    hasher.combine(rows.1)
    hasher.combine(rows.2)
  }
}
