#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Curves are those of ITU-T H.273 table 3, taken as written there: the camera curve of BT.709 and its exact inverse, not a
/// display gamma of 2.4. SDR curves are odd (a negative signal is minus the curve of its size), so that codes below black
/// and colours outside the gamut survive. Light is 1 for nominal white; for PQ it is 1 for 10,000 cd/m², for HLG it is scene
/// light, 1 at signal 1.
extension TransferFunction {
  /// Whether the curve is known.
  public var hasCurve: Bool { family != nil }

  /// The encoded signal for linear light; nil where the curve is not known.
  public func encode(_ light: Double) -> Double? {
    guard let family else { return nil }
    if family == .pq { return TransferFunction.encodePQ(max(light, 0)) }
    if family == .hlg { return TransferFunction.encodeHLG(max(light, 0)) }
    let size = abs(light)
    return light < 0 ? -family.encode(size) : family.encode(size)
  }

  /// The linear light for an encoded signal; nil where the curve is not known.
  public func decode(_ signal: Double) -> Double? {
    guard let family else { return nil }
    if family == .pq { return TransferFunction.decodePQ(max(signal, 0)) }
    if family == .hlg { return TransferFunction.decodeHLG(max(signal, 0)) }
    let size = abs(signal)
    return signal < 0 ? -family.decode(size) : family.decode(size)
  }

  /// Whether both code points name the same curve: BT.709, BT.601 and BT.2020 do.
  public func hasSameCurve(as other: TransferFunction) -> Bool {
    if self == other { return true }
    guard let family else { return false }
    return family == other.family
  }

  /// Curves by form; parameters are those of the standards.
  private enum Family: Hashable {
    /// `scale · L^power − (scale − 1)` above `threshold`, `slope · L` below.
    case segmented(scale: Double, power: Double, threshold: Double, slope: Double)
    /// `L^(1 / gamma)`.
    case gamma(Double)
    case linear, pq, hlg

    func encode(_ light: Double) -> Double {
      switch self {
      case .segmented(let scale, let power, let threshold, let slope):
        light < threshold ? slope * light : scale * pow(light, power) - (scale - 1)
      case .gamma(let gamma): pow(light, 1 / gamma)
      case .linear: light
      case .pq: TransferFunction.encodePQ(light)
      case .hlg: TransferFunction.encodeHLG(light)
      }
    }

    func decode(_ signal: Double) -> Double {
      switch self {
      case .segmented(let scale, let power, let threshold, let slope):
        signal < threshold * slope ? signal / slope : pow((signal + scale - 1) / scale, 1 / power)
      case .gamma(let gamma): pow(signal, gamma)
      case .linear: signal
      case .pq: TransferFunction.decodePQ(signal)
      case .hlg: TransferFunction.decodeHLG(signal)
      }
    }
  }

  /// BT.709 with the constants that make both pieces meet, as H.273 gives them for every depth.
  private static let bt709Family = Family.segmented(
    scale: 1.099296826809442, power: 0.45, threshold: 0.018053968510807, slope: 4.5)

  private var family: Family? {
    switch self {
    case .bt709, .bt601, .bt2020_10, .bt2020_12: TransferFunction.bt709Family
    case .smpte240M: .segmented(scale: 1.111572195921731, power: 0.45, threshold: 0.022821585529445, slope: 4.0)
    case .sRGB: .segmented(scale: 1.055, power: 1 / 2.4, threshold: 0.0031308, slope: 12.92)
    case .gamma22: .gamma(2.2)
    case .gamma28: .gamma(2.8)
    case .linear: .linear
    case .pq: .pq
    case .hlg: .hlg
    default: nil
    }
  }

  // SMPTE ST 2084, section 5.
  private static let (m1, m2) = (2610.0 / 16384, 2523.0 / 4096 * 128)
  private static let (c1, c2, c3) = (3424.0 / 4096, 2413.0 / 4096 * 32, 2392.0 / 4096 * 32)

  private static func encodePQ(_ light: Double) -> Double {
    let power = pow(light, m1)
    return pow((c1 + c2 * power) / (1 + c3 * power), m2)
  }

  private static func decodePQ(_ signal: Double) -> Double {
    let power = pow(signal, 1 / m2)
    return pow(max(power - c1, 0) / (c2 - c3 * power), 1 / m1)
  }

  // ARIB STD-B67; ITU-R BT.2100 table 5.
  private static let hlgA = 0.17883277
  private static let hlgB = 1 - 4 * hlgA
  private static let hlgC = 0.5 - hlgA * log(4 * hlgA)

  private static func encodeHLG(_ light: Double) -> Double {
    light <= 1.0 / 12 ? (3 * light).squareRoot() : hlgA * log(12 * light - hlgB) + hlgC
  }

  private static func decodeHLG(_ signal: Double) -> Double {
    signal <= 0.5 ? signal * signal / 3 : (exp((signal - hlgC) / hlgA) + hlgB) / 12
  }
}
